/** The state of the service at one look, for those who run Quire: calm while all is well, and what needs somebody first. */

import type { ComponentChildren } from 'preact'
import { useResource } from '../api/resource.ts'
import type { OperationsStatus } from '../api/types.ts'
import { formatBytes, formatNumber } from '../format.ts'
import { rich, t } from '../language.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { titleOf } from '../policies-text.ts'
import {
  type Attention,
  attentionOf,
  type CardName,
  causeText,
  receiverTitle,
  stepTitle,
} from './operations/attention.ts'
import { countText, durationText, unknown } from './operations/texts.ts'

const refreshMs = 5_000

export function OperationsView() {
  const { value, problem, reload } = useResource<OperationsStatus>('/api/v1/admin/operations', refreshMs)
  const status = value.value
  const attention = status === undefined ? [] : attentionOf(status)
  return (
    <div class="page">
      <PageHead
        title={t`Operations`}
        facts={
          status && (
            <>
              <span class={`status status-${attention[0]?.tone ?? 'success'}`}>
                {attention.length === 0 ? t`All is well` : t`${attention.length} to look at`}
              </span>
              <span>{rich`Quire ${status.instances.own.version}`}</span>
            </>
          )
        }
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {status === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the operations`} />
      )}
      {attention.length > 0 && <NeedsAttention attention={attention} />}
      {status !== undefined && <Cards status={status} attention={attention} />}
    </div>
  )
}

function NeedsAttention({ attention }: { attention: readonly Attention[] }) {
  return (
    <section class="panel ops-attention">
      <h2>{t`Needs attention`}</h2>
      <ul>
        {attention.map(({ tone, text, act, href }) => (
          <li key={text}>
            <span class={`status status-${tone}`}>{text}</span>
            <a href={href}>
              {act} <Icon name="arrow" size={14} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CardProps {
  name: CardName
  title: string
  icon: IconName
  attention: readonly Attention[]
  href?: string
  value: string
  note: ComponentChildren
  children?: ComponentChildren
}

function Card({ name, title, icon, attention, href, value, note, children }: CardProps) {
  const tone = attention.find(({ card }) => card === name)?.tone ?? 'calm'
  return (
    <section class={`panel ops-card ops-${tone}`} id={name}>
      <h2 class="card-title">
        <Icon name={icon} /> {href === undefined ? title : <a href={href}>{title}</a>}
      </h2>
      <p class="ops-value" data-known={value !== unknown}>
        {value}
      </p>
      <p class="ops-note">{note}</p>
      {children !== undefined && <dl class="ops-facts">{children}</dl>}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Cards({ status, attention }: { status: OperationsStatus; attention: readonly Attention[] }) {
  return (
    <div class="ops">
      <Work status={status} attention={attention} />
      <Kept status={status} attention={attention} />
      <Sent status={status} attention={attention} />
      <Run status={status} attention={attention} />
    </div>
  )
}

interface PartProps {
  status: OperationsStatus
  attention: readonly Attention[]
}

function Work({ status: { steps, paused, ended, failures }, attention }: PartProps) {
  return (
    <>
      <Card
        {...{ name: 'queue', title: t`Queue`, icon: 'list', attention, href: '/executions?status=queued' }}
        value={steps === null ? unknown : countText(steps.queued)}
        note={
          steps === null
            ? t`The steps could not be read`
            : steps.oldest_queued_seconds === null
              ? t`No step waits for a worker`
              : t`steps wait, the oldest for ${durationText(steps.oldest_queued_seconds)}`
        }
      >
        <Fact name={t`Running`}>{steps === null ? unknown : countText(steps.running)}</Fact>
        <Fact name={t`Longest runs for`}>
          {steps === null
            ? unknown
            : steps.longest_running_seconds === null
              ? t`Nothing runs`
              : durationText(steps.longest_running_seconds)}
        </Fact>
        <Fact name={t`Paused`}>{paused === null ? t`No` : <Moment at={paused.since} />}</Fact>
      </Card>
      <Card
        {...{ name: 'throughput', title: t`Throughput`, icon: 'pulse', attention, href: '/executions' }}
        value={ended === null ? unknown : countText(ended.hour.completed)}
        note={ended === null ? t`What ended could not be read` : t`executions completed in the last hour`}
      >
        <Fact name={t`Failed in the hour`}>{ended === null ? unknown : countText(ended.hour.failed)}</Fact>
        <Fact name={t`Completed in a day`}>{ended === null ? unknown : countText(ended.day.completed)}</Fact>
        <Fact name={t`Failed in a day`}>{ended === null ? unknown : countText(ended.day.failed)}</Fact>
      </Card>
      <Failures failures={failures} attention={attention} />
    </>
  )
}

/** How many causes a card shows. */
const causesShown = 6

function Failures({
  failures,
  attention,
}: {
  failures: OperationsStatus['failures']
  attention: PartProps['attention']
}) {
  const sum = failures?.causes.reduce((all, { executions }) => all + executions, 0) ?? 0
  return (
    <Card
      {...{
        name: 'failures',
        title: t`Failures by cause`,
        icon: 'alert',
        attention,
        href: '/executions?status=failed',
      }}
      value={failures === null ? unknown : countText({ count: sum, is_exact: failures.is_complete })}
      note={
        failures === null
          ? t`The failures could not be read`
          : sum === 0
            ? t`Nothing that failed in the last day waits for somebody`
            : t`failed in the last day, not retried`
      }
    >
      {failures?.causes.slice(0, causesShown).map(({ step, code, executions, last_execution_id: last }) => (
        <Fact key={`${step} ${code}`} name={`${causeText(code)} (${stepTitle(step)})`}>
          <a href={`/executions/${last}`} aria-label={t`${executions}, see the last one: ${causeText(code)}`}>
            {executions}
          </a>
        </Fact>
      ))}
    </Card>
  )
}

function Kept({ status: { storage, orphan_sweep: sweep, retention }, attention }: PartProps) {
  const { objects, artifacts_day: made, data_disk: data, objects_disk: documents } = storage
  return (
    <>
      <Card
        {...{ name: 'storage', title: t`Storage`, icon: 'box', attention, href: '/storage' }}
        value={data === null ? unknown : formatBytes(data.free_bytes)}
        note={
          data === null ? t`Free on the disk of the data` : t`free of ${formatBytes(data.total_bytes)} for the data`
        }
      >
        <Fact name={t`Free for documents`}>{documents === null ? unknown : formatBytes(documents.free_bytes)}</Fact>
        <Fact name={t`Made in a day`}>{made === null ? unknown : t`${countText(made)} documents`}</Fact>
        <Fact name={t`All documents`}>
          {objects === null ? (
            t`Counted by the next sweep`
          ) : (
            <span title={objects.at}>{rich`${formatBytes(objects.bytes)} in ${formatNumber(objects.count)}`}</span>
          )}
        </Fact>
      </Card>
      <Card
        {...{ name: 'sweep', title: t`Orphan sweep`, icon: 'reset', attention }}
        value={sweep.last === null ? unknown : `${sweep.last.removed}`}
        note={sweep.last === null ? t`This instance has not swept yet` : t`removed of ${sweep.last.found} found`}
      >
        <Fact name={t`Last`}>{sweep.last === null ? unknown : <Moment at={sweep.last.at} />}</Fact>
        <Fact name={t`Next`}>{sweep.next_at === null ? unknown : <Moment at={sweep.next_at} />}</Fact>
      </Card>
      <Card
        {...{ name: 'retention', title: t`Retention`, icon: 'calendar', attention, href: '/retention' }}
        value={retention.policies === null ? unknown : retention.policies === 0 ? t`Off` : `${retention.policies}`}
        note={
          retention.policies === 0
            ? t`Everything is kept`
            : t`${retention.policies === 1 ? t`policy` : t`policies`} in force`
        }
      >
        <Fact name={t`Next run`}>{retention.next_at === null ? unknown : <Moment at={retention.next_at} />}</Fact>
        <Fact name={t`Last removed`}>
          {retention.last_removed === null
            ? t`Nothing yet`
            : rich`${retention.last_removed.submissions} submissions${retention.last_removed.part !== undefined && t` lost their ${titleOf(retention.last_removed.part)}`}, ${<Moment at={retention.last_removed.at} />}`}
        </Fact>
      </Card>
    </>
  )
}

function Sent({ status, attention }: PartProps) {
  const { outbox, publish_failures: failures, webhooks, audit_receivers: receivers } = status
  return (
    <>
      <Card
        {...{ name: 'outbox', title: t`Outbox`, icon: 'inbox', attention, href: '/readiness' }}
        value={outbox === null ? unknown : outbox.waiting.count === 0 ? t`Empty` : countText(outbox.waiting)}
        note={
          outbox === null
            ? t`The outbox could not be read`
            : outbox.oldest_seconds === null
              ? t`Every event was sent`
              : t`events wait, the oldest for ${durationText(outbox.oldest_seconds)}`
        }
      >
        <Fact name={t`Failed tries`}>{failures === null ? unknown : t`${failures} since the start`}</Fact>
      </Card>
      <Card
        {...{ name: 'webhooks', title: t`Webhooks`, icon: 'external', attention, href: '/webhooks' }}
        value={webhooks === null ? unknown : webhooks.waiting.count === 0 ? t`Empty` : countText(webhooks.waiting)}
        note={
          webhooks === null
            ? t`The deliveries could not be read`
            : webhooks.waiting.count === 0
              ? t`No delivery waits`
              : t`deliveries wait`
        }
      >
        <Fact name={t`Receivers that fail`}>{webhooks === null ? unknown : webhooks.failing.length || t`None`}</Fact>
      </Card>
      <Card
        {...{ name: 'audit', title: t`Audit receivers`, icon: 'chain', attention, href: '/audit' }}
        value={receivers === null ? unknown : receivers.length === 0 ? t`None` : `${receivers.length}`}
        note={
          receivers === null
            ? t`Whom this instance hands the trail to`
            : receivers.length === 0
              ? t`The trail is handed to nobody`
              : t`have the trail as it is sealed`
        }
      >
        {receivers?.map(({ name, waiting, failures: failed }) => (
          <Fact key={name} name={receiverTitle(name)}>
            {waiting === null ? unknown : waiting === 0 ? t`Has all` : t`${waiting} wait`}
            {failed !== null && failed > 0 && t`, ${failed} failed tries`}
          </Fact>
        ))}
      </Card>
    </>
  )
}

function Run({ status: { at, instances, replica, backup }, attention }: PartProps) {
  const { own, other_versions: others } = instances
  return (
    <>
      <Card
        {...{ name: 'instances', title: t`Instances`, icon: 'tree', attention }}
        value={others === null ? unknown : `${1 + others.length}`}
        note={others?.length === 0 ? t`This one alone` : others === null ? t`Besides this one` : t`with this one`}
      >
        <Fact name={t`This one`}>
          {own.version} <Copyable value={own.revision} label={t`revision`} chars={12} />
        </Fact>
        <Fact name={t`Started`}>{own.started_at === null ? unknown : <Moment at={own.started_at} />}</Fact>
        {others?.map((version, index) => (
          <Fact key={index} name={t`Another`}>
            {version}
          </Fact>
        ))}
      </Card>
      <Card
        {...{ name: 'backup', title: t`Backup`, icon: 'copy', attention }}
        value={backup === null ? unknown : durationText((Date.parse(at) - Date.parse(backup.at)) / 1_000)}
        note={
          <>
            {backup === null ? t`None was noted. Make one with` : t`since the last`} <code>quire backup</code>
          </>
        }
      >
        <Fact name={t`Last`}>{backup === null ? unknown : <Moment at={backup.at} />}</Fact>
      </Card>
      <Card
        {...{ name: 'replica', title: t`Replica`, icon: 'upload', attention }}
        value={
          replica.is_configured === false
            ? t`None`
            : replica.lag_seconds === null
              ? unknown
              : durationText(replica.lag_seconds)
        }
        note={
          replica.is_configured === false
            ? t`QUIRE_REPLICA_URL keeps one`
            : replica.lag_seconds === null
              ? t`No complete copy yet`
              : t`behind the database`
        }
      >
        {replica.failures !== null && <Fact name={t`Failed tries`}>{t`${replica.failures} since the start`}</Fact>}
      </Card>
    </>
  )
}
