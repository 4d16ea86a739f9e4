/** The first questions on arrival: does it work, who is needed, what is in force, what came in. */

import type { ComponentChildren } from 'preact'
import { useResource } from '../api/resource.ts'
import type { Activation, Catalog, Execution, Readiness, Submission } from '../api/types.ts'
import { failedStep } from '../execution-steps.ts'
import { formatNumber, instantMs } from '../format.ts'
import { inSentence, locale, rich, t } from '../language.ts'
import { read4 } from '../navigation.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { ObjectName } from '../parts/object-name.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Status } from '../parts/status.tsx'
import { holdsPermission, holdsRole, session } from '../session.ts'
import { stepTitle, wordOf } from '../words.ts'
import { kindTexts, pathOfFamily } from './configuration/kinds.ts'
import { expectsFailure } from './lab/verdict.ts'

const refreshMs = 5_000
const slowRefreshMs = 20_000

type Failures = ReturnType<typeof useFailed>

export function HomeView() {
  // Roles don't change under a page, so this is the same for every drawing of it.
  return holdsRole(read4) ? <ReadersHome /> : <Home failures={undefined} />
}

function ReadersHome() {
  return <Home failures={useFailed()} />
}

function Home({ failures }: { failures: Failures | undefined }) {
  const name = session.value?.user.display_name ?? ''
  const reads = failures !== undefined
  return (
    <div class="page">
      <PageHead
        title={name === '' ? t`Home` : t`Hello, ${name}`}
        lede={new Date().toLocaleDateString(locale, {
          weekday: 'long',
          day: 'numeric',
          month: 'long',
          year: 'numeric',
        })}
      >
        {reads && holdsPermission('submission_create') && (
          <>
            <a class="button" href="/lab">
              <Icon name="flask" size={16} /> {t`Open the test lab`}
            </a>
            <a class="button button-primary" href="/submissions/new">
              <Icon name="add" size={16} /> {t`New submission`}
            </a>
          </>
        )}
      </PageHead>
      <Health failures={failures} />
      <div class="home">
        <div class="stack">
          {failures !== undefined && <NeedsSomeone failures={failures} />}
          <RecentSubmissions />
        </div>
        {reads && <InForce />}
      </div>
    </div>
  )
}

function Card({
  title,
  href,
  icon,
  children,
}: {
  title: string
  href?: string
  icon: IconName
  children: ComponentChildren
}) {
  return (
    <section class="panel">
      <header class="panel-head">
        <h2 class="card-title">
          <Icon name={icon} /> {title}
        </h2>
        {href !== undefined && (
          <a class="card-more" href={href}>
            {t`All`} <span class="offscreen">{inSentence(title)}</span> <Icon name="arrow" size={14} />
          </a>
        )}
      </header>
      {children}
    </section>
  )
}

/** Administrators see every part; others whether it works as a whole. */
function Health({ failures }: { failures: Failures | undefined }) {
  const isAdministrator = holdsRole(['administrator'])
  const detailed = useResource<Readiness>(isAdministrator ? '/api/v1/admin/readiness' : undefined, refreshMs)
  const general = useResource<Pick<Readiness, 'status'>>(isAdministrator ? undefined : '/health/ready', refreshMs)
  const problem = detailed.problem.value ?? general.problem.value
  const { outbox, dependencies = [] } = detailed.value.value ?? {}
  const status = problem === undefined ? (detailed.value.value ?? general.value.value)?.status : 'unavailable'
  const broken = dependencies.filter((dependency) => dependency.status !== 'ready')
  return (
    <ul class="tiles">
      <Tile
        title={t`Quire`}
        value={status === undefined ? '…' : status === 'ready' ? t`Ready` : t`Unavailable`}
        tone={status === undefined ? 'idle' : status === 'ready' ? 'success' : 'danger'}
        note={
          broken.length > 0
            ? broken.map(({ name }) => wordOf(name)).join(', ') + waiting(detailed.value.value?.paused)
            : (problem?.detail ?? t`Database, bus and object store answer`)
        }
        href={isAdministrator ? '/readiness' : undefined}
      />
      {/* Its place is kept from the start: the tiles beside it would move under the pointer. */}
      {isAdministrator && (outbox !== undefined || problem === undefined) && <OutboxTile outbox={outbox} />}
      {failures !== undefined && <Counts failures={failures} />}
    </ul>
  )
}

function waiting(paused: Readiness['paused']): string {
  if (paused === undefined) return ''
  return `; ${paused.steps} ${paused.steps === 1 ? t`step waits` : t`steps wait`}`
}

function OutboxTile({ outbox }: { outbox: Readiness['outbox'] | undefined }) {
  const texts = { title: t`Outbox`, href: '/readiness' }
  if (outbox === undefined) return <Tile {...texts} value="…" tone="idle" note={t`events to send`} />
  const { backlog_size: backlog, oldest_unpublished_age_seconds: ageSeconds } = outbox
  return (
    <Tile
      {...texts}
      value={backlog === 0 ? t`Empty` : String(backlog)}
      tone={ageSeconds > 60 ? 'danger' : 'success'}
      note={backlog === 0 ? t`Every event was sent` : t`oldest waits ${Math.round(ageSeconds)} s`}
    />
  )
}

interface ExecutionPage {
  executions: Execution[]
  next_cursor?: string
}

/** Failures that somebody has to look at: not the test lab's scenarios, which are made to fail. */
function useFailed() {
  const { value, problem, reload } = useResource<ExecutionPage>('/api/v1/executions?status=failed&limit=100', refreshMs)
  const catalog = useResource<Catalog>('/api/v1/intake-test-lab/scenarios')
  const scenarios = catalog.value.value?.scenarios ?? []
  const expected = new Set(
    scenarios
      .filter(({ expected_outcome }) => expectsFailure(expected_outcome))
      .map(({ raw_input_hash }) => raw_input_hash),
  )
  // Until the scenarios are known, or can't be, any failure may be one that they expect, so none is shown yet.
  const isCatalogRead = catalog.value.value !== undefined || catalog.problem.value !== undefined
  const page = isCatalogRead ? value.value : undefined
  const failed = page?.executions.filter(({ raw_input_hash }) => !expected.has(raw_input_hash))
  return {
    failed,
    hasMore: page?.next_cursor !== undefined,
    count: page === undefined ? '…' : `${failed?.length ?? 0}${page.next_cursor === undefined ? '' : '+'}`,
    expectedCount: (page?.executions.length ?? 0) - (failed?.length ?? 0),
    problem,
    reload,
  }
}

function Counts({ failures }: { failures: Failures }) {
  const running = useResource<ExecutionPage>('/api/v1/executions?status=processing&limit=100', refreshMs).value.value
  return (
    <>
      <Tile
        title={t`In progress`}
        value={
          running === undefined ? '…' : `${running.executions.length}${running.next_cursor === undefined ? '' : '+'}`
        }
        tone="active"
        note={running?.executions.length === 1 ? t`execution now` : t`executions now`}
        href="/executions?status=processing"
      />
      <Tile
        title={t`Failed`}
        value={failures.count}
        tone={(failures.failed?.length ?? 0) > 0 ? 'danger' : 'success'}
        note={
          failures.expectedCount > 0
            ? t`and ${failures.expectedCount} as the test lab expects`
            : failures.failed?.length === 1
              ? t`execution, all told`
              : t`executions, all told`
        }
        href="/executions?status=failed"
      />
    </>
  )
}

interface TileProps {
  title: string
  value: string
  tone: 'success' | 'danger' | 'active' | 'idle'
  note: string
  href?: string | undefined
}

function Tile({ title, value, tone, note, href }: TileProps) {
  return (
    <li class={`tile tile-${tone}`}>
      <h2 class="tile-title">{href === undefined ? title : <a href={href}>{title}</a>}</h2>
      <p class="tile-value">{value}</p>
      <p class="tile-note">{note}</p>
    </li>
  )
}

/** How many causes are shown; a link leads to all failures. */
const causesShown = 5

interface Caused {
  /** That failed last, and when it did. */
  last: Execution
  failedAt: string
  cause: string
  count: number
}

/** Groups failures by their cause: one release, the same step, and the same place of its data. The latest comes first. */
function causesOf(failed: readonly Execution[]): Caused[] {
  const causes = new Map<string, Caused>()
  for (const execution of failed) {
    const step = failedStep(execution)
    const place = step?.failure?.issues[0]?.path?.replace(/\/\d+(?=\/|$)/g, '/*')
    const key = JSON.stringify([execution.release_id, step?.name, step?.failure?.code, place])
    const cause = step === undefined ? t`Failed` : `${stepTitle(step.name)}: ${step.failure?.message ?? t`failed`}`
    const failedAt = step?.finished_at ?? execution.updated_at
    const known = causes.get(key) ?? { last: execution, failedAt, cause, count: 0 }
    known.count++
    if (instantMs(failedAt) > instantMs(known.failedAt)) Object.assign(known, { last: execution, failedAt, cause })
    causes.set(key, known)
  }
  return [...causes.values()].sort((one, other) => instantMs(other.failedAt) - instantMs(one.failedAt))
}

function NeedsSomeone({ failures }: { failures: Failures }) {
  const { failed, hasMore, problem, reload } = failures
  const more = hasMore ? '+' : ''
  return (
    <Card title={t`Needs someone`} href="/executions?status=failed" icon="alert">
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {failed?.length === 0 && (
        <p class="muted">{t`Nothing failed. What fails and can't mend itself is listed here.`}</p>
      )}
      <ul class="lines lines-caused">
        {causesOf(failed ?? [])
          .slice(0, causesShown)
          .map(({ last, failedAt, cause, count }) => (
            <li key={last.id}>
              <a class="line-main" href={`/executions/${last.id}`}>
                {cause}
              </a>
              <span class="line-text">
                {count === 1 && !hasMore ? (
                  <ObjectName execution={last} />
                ) : (
                  rich`${formatNumber(count) + more} executions, the last of ${<ObjectName execution={last} />}`
                )}
              </span>
              <span class="line-end">
                <Moment at={failedAt} />
              </span>
            </li>
          ))}
      </ul>
    </Card>
  )
}

function RecentSubmissions() {
  const { value, problem, reload } = useResource<{ submissions: Submission[] }>(
    '/api/v1/submissions?limit=8',
    refreshMs,
  )
  const submissions = value.value?.submissions
  return (
    <Card title={t`Recent submissions`} href="/submissions" icon="inbox">
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {submissions?.length === 0 && (
        <p class="muted">
          {rich`Nothing was submitted yet. Run a scenario in the ${<a href="/lab">{t`intake test lab`}</a>}, or send one with ${<code>POST /api/v1/submissions</code>}.`}
        </p>
      )}
      <ul class="lines">
        {submissions?.map((submission) => (
          <li key={submission.id}>
            <a class="line-main" href={`/submissions/${submission.id}`}>
              {submission.object_reference}
            </a>
            <span class="line-text">{submission.model_slug}</span>
            <span class="line-end">
              {submission.executions.map((execution) => (
                <Status key={execution.id} of={execution.status} />
              ))}
              <Moment at={submission.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** How many scheduled versions are shown. */
const comingShown = 5

function InForce() {
  const active = useResource<{ activations: Activation[] }>(
    '/api/v1/activations?status=active&limit=100',
    slowRefreshMs,
  )
  const coming = useResource<{ activations: Activation[] }>(
    '/api/v1/activations?status=scheduled&limit=100',
    slowRefreshMs,
  )
  const activations = active.value.value?.activations
  const scheduled = (coming.value.value?.activations ?? [])
    .toSorted((one, other) => Date.parse(one.effective_from) - Date.parse(other.effective_from))
    .slice(0, comingShown)
  return (
    <Card title={t`In force today`} href="/activations" icon="calendar">
      {active.problem.value !== undefined && <ProblemNote problem={active.problem.value} retry={active.reload} />}
      {activations?.length === 0 && (
        <p class="muted">{t`Nothing is in force. Put a version of an ingestion model, transformer or template in force.`}</p>
      )}
      <ul class="lines">
        {activations?.map((activation) => (
          <ActivationLine key={activation.id} activation={activation} />
        ))}
      </ul>
      {scheduled.length > 0 && (
        <>
          <h3 class="lines-title">{t`Coming up`}</h3>
          <ul class="lines">
            {scheduled.map((activation) => (
              <ActivationLine key={activation.id} activation={activation} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

function ActivationLine({ activation }: { activation: Activation }) {
  return (
    <li>
      <a class="line-main" href={pathOfFamily(activation.kind, activation.family_id)}>
        {activation.family_slug} <span class="line-version">v{activation.version}</span>
      </a>
      <span class="line-text">{kindTexts[activation.kind].singular}</span>
      <span class="line-end">
        <Moment at={activation.effective_from} />
      </span>
    </li>
  )
}
