/** Shows what is in force when: a lane for each family with a slider over time, a calendar, and putting versions in force. */

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { activatedKinds } from '../../core/kinds.ts'
import { activationFilters } from '../../core/list-filters.ts'
import { call, mutate } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { usePages } from '../api/resource.ts'
import type { Activation, Version } from '../api/types.ts'
import { formatInstant } from '../format.ts'
import { rich, t } from '../language.ts'
import { namesIn } from '../list-query.ts'
import { authors } from '../navigation.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { ClearFilters } from '../parts/filters.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Status, stateWord } from '../parts/status.tsx'
import { activeTab, type Tab, Tabs } from '../parts/tabs.tsx'
import { changeQuery, place } from '../router.ts'
import { holdsRole } from '../session.ts'
import { type Lane, lanesOf, type Scale, scaleOf, shareOf } from './activations/scale.ts'
import { consequenceOfTakingBack, inForceAt } from './configuration/consequence.ts'
import { ForceDialog } from './configuration/force-dialog.tsx'
import { kindTexts, pathOfFamily } from './configuration/kinds.ts'

const keyOf = (row: Activation) => row.id
const kinds = activatedKinds.map((kind) => [kind, kindTexts[kind].plural] as const)
// What is in force comes first.
const states = (['active', 'scheduled', 'superseded', 'cancelled'] as const).map(
  (status) => [status, stateWord(status)] as const,
)
const sliderSteps = 1_000
/** The timeline shows at most this many activations; the table below shows the rest. */
const timelineMax = 500

const tabs = [
  { key: 'timeline', title: t`Timeline` },
  { key: 'month', title: t`Month` },
  { key: 'list', title: t`List` },
] as const satisfies readonly Tab[]
const { status: _status, ...familyFilters } = activationFilters
const loadCalendar = async () => (await import('./activations/calendar.tsx')).Calendar

export function ActivationsView() {
  const tab = activeTab(tabs)
  const mayEdit = holdsRole(authors)
  return (
    <div class="page page-wide">
      <PageHead
        title={t`In force`}
        lede={t`Which version is in force when. A submission takes what is in force at its object's official time.`}
      />
      <Tabs label={t`In force`} tabs={tabs} keeps={namesIn(familyFilters)} />
      {tab === 'month' || tab === 'list' ? (
        <>
          <search class="filters">
            <ListFilters of={familyFilters} choices={{ kind: kinds }} />
            <ClearFilters names={namesIn(familyFilters)} />
          </search>
          <Lazy load={loadCalendar} props={{ as: tab, mayEdit } as const} />
        </>
      ) : (
        <InForce mayEdit={mayEdit} />
      )}
    </div>
  )
}

function InForce({ mayEdit }: { mayEdit: boolean }) {
  const pages = usePages<Activation>(`/api/v1/activations${listQuery(activationFilters)}`, 'activations', keyOf)
  // The timeline shows a lane whole, whatever states the table is narrowed to.
  const all = usePages<Activation>(`/api/v1/activations${listQuery(familyFilters)}`, 'activations', keyOf)
  const cancelling = useSignal<Activation | undefined>(undefined)
  const scheduling = useSignal<{ lane: Lane; versions: number[] } | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  // A lane needs all of its activations, not only those of the first page.
  useEffect(() => {
    if (all.rows.value.length < timelineMax) void all.more()
  }, [all.rows.value.length, all.hasMore.value])

  // The table comes with the timeline above it, which would otherwise push it away under the pointer.
  const isTimelineRead = all.rows.value.length > 0 || all.phase.value === 'idle'

  const refresh = async () => {
    await Promise.all([pages.restart(), all.restart()])
  }
  const columns: readonly Column<Activation>[] = [
    {
      title: t`Family`,
      kind: 'main',
      cell: (row) => (
        <a class="row-link" href={`${pathOfFamily(row.kind, row.family_id)}?tab=versions&version=${row.version}`}>
          <span class="line-name">{row.family_slug}</span> <span class="line-version">v{row.version}</span>
        </a>
      ),
    },
    { title: t`Kind`, kind: 'wide', cell: (row) => kindTexts[row.kind].singular },
    {
      title: t`State`,
      cell: (row) => (
        <>
          <Status of={row.status} />
          <span class="narrow-line">
            <Moment at={row.effective_from} />
          </span>
        </>
      ),
    },
    { title: t`From`, kind: 'wide', cell: (row) => <Moment at={row.effective_from} /> },
    { title: t`Decided`, kind: 'wide', cell: (row) => <Moment at={row.scheduled_at} /> },
    ...(mayEdit && pages.rows.value.some(({ status }) => status === 'scheduled')
      ? [
          {
            title: t`Actions`,
            kind: 'number',
            cell: (row: Activation) =>
              row.status === 'scheduled' ? (
                <span class="row-tools">
                  <button
                    type="button"
                    class="button button-small"
                    onClick={() => {
                      cancelling.value = row
                    }}
                  >
                    {t`Take back`}
                    <span class="offscreen">
                      {' '}
                      {row.family_slug} v{row.version}
                    </span>
                  </button>
                </span>
              ) : null,
          } satisfies Column<Activation>,
        ]
      : []),
  ]
  return (
    <>
      <search class="filters">
        <ListFilters of={activationFilters} choices={{ kind: kinds, status: states }} />
        <ClearFilters names={['at', ...namesIn(activationFilters)]} />
      </search>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {all.rows.value.length > 0 && (
        <Timeline
          activations={all.rows.value}
          schedule={
            mayEdit
              ? async (lane) => {
                  problem.value = undefined
                  const path = `/api/v1${kindTexts[lane.kind].path}/${lane.familyId}/versions?limit=100`
                  try {
                    const { versions } = await call<{ versions: Version[] }>(path)
                    scheduling.value = { lane, versions: versions.map(({ number }) => number) }
                  } catch (error) {
                    if (!(error instanceof ApiProblem)) throw error
                    problem.value = error
                  }
                }
              : undefined
          }
        />
      )}
      {isTimelineRead ? (
        <PagedTable
          label={t`Versions in force`}
          columns={columns}
          pages={pages}
          keyOf={keyOf}
          empty={
            <p>
              {t`Nothing was put in force. Freeze a version of an ingestion model, transformer or template, and put
                it in force.`}
            </p>
          }
        />
      ) : (
        <div class="panel panel-loading" role="status" aria-label={t`Loading what is in force`} />
      )}
      {cancelling.value !== undefined && (
        <CancelDialog
          activation={cancelling.value}
          all={all.rows.value}
          onDone={refresh}
          onClose={() => {
            cancelling.value = undefined
          }}
        />
      )}
      {scheduling.value !== undefined && (
        <ForceDialog
          kind={scheduling.value.lane.kind}
          family={{
            id: scheduling.value.lane.familyId,
            slug: scheduling.value.lane.slug,
            name: scheduling.value.lane.slug,
          }}
          version={Math.max(...scheduling.value.versions)}
          versions={scheduling.value.versions}
          onDone={() => void refresh()}
          onClose={() => {
            scheduling.value = undefined
          }}
        />
      )}
    </>
  )
}

interface TimelineProps {
  activations: readonly Activation[]
  schedule: ((lane: Lane) => Promise<void>) | undefined
}

function Timeline({ activations, schedule }: TimelineProps) {
  const nowMs = useMemo(() => Date.now(), [activations])
  const scale = useMemo(() => scaleOf(activations, nowMs), [activations, nowMs])
  const lanes = useMemo(() => lanesOf(activations, scale), [activations, scale])
  const asked = new Date(place.value.query.get('at') ?? '').getTime()
  const atMs = Number.isNaN(asked) ? nowMs : asked
  const isNow = Number.isNaN(asked)
  return (
    <section class="panel timeline" aria-label={t`Timeline`}>
      <p class="slider-head">
        <label for="in-force-at">{t`In force at`}</label>
        <output class="slider-at" for="in-force-at">
          {isNow ? t`now, ${formatInstant(atMs)}` : formatInstant(atMs)}
        </output>
        {!isNow && (
          <button type="button" class="link-button" onClick={() => changeQuery({ at: undefined })}>
            {t`Back to now`}
          </button>
        )}
      </p>
      {/* On the lanes' own scale, so that the knob is above the line it moves. */}
      <div class="lane lane-slider">
        <span />
        <input
          id="in-force-at"
          type="range"
          min={0}
          max={sliderSteps}
          value={Math.round(shareOf(scale, atMs) * sliderSteps)}
          aria-valuetext={formatInstant(atMs)}
          onInput={(event) => changeQuery({ at: instantAt(scale, event.currentTarget.valueAsNumber / sliderSteps) })}
        />
        <span />
      </div>
      <div>
        {lanes.map((lane) => (
          <LaneRow key={lane.familyId} lane={lane} scale={scale} atMs={atMs} nowMs={nowMs} schedule={schedule} />
        ))}
      </div>
    </section>
  )
}

/** Rounded to the minute: a slider is not more precise. */
function instantAt({ fromMs, toMs }: Scale, share: number): string {
  const ms = Math.round((fromMs + share * (toMs - fromMs)) / 60_000) * 60_000
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

interface LaneRowProps {
  lane: Lane
  scale: Scale
  atMs: number
  nowMs: number
  schedule: TimelineProps['schedule']
}

function LaneRow({ lane, scale, atMs, nowMs, schedule }: LaneRowProps) {
  const there = inForceAt(lane.activations, atMs)
  return (
    <div class="lane">
      <p class="lane-name">
        <a href={`${pathOfFamily(lane.kind, lane.familyId)}?tab=versions`}>{lane.slug}</a>
        <span class="lane-kind">{kindTexts[lane.kind].singular}</span>
      </p>
      <div class="lane-track" aria-hidden="true">
        {lane.spans.map(({ activation, from, to }) => (
          <span
            class="lane-span"
            key={activation.id}
            data-status={activation.status}
            data-at={activation === there}
            title={t`v${activation.version} from ${formatInstant(new Date(activation.effective_from))}`}
            style={{ left: `${from * 100}%`, width: `${Math.max(0.4, (to - from) * 100)}%` }}
          >
            v{activation.version}
          </span>
        ))}
        <span class="lane-now" style={{ left: `${shareOf(scale, nowMs) * 100}%` }} />
        <span class="lane-cursor" style={{ left: `${shareOf(scale, atMs) * 100}%` }} />
      </div>
      <p class="lane-at">
        {there === undefined ? <span class="tone-danger">{t`nothing`}</span> : <strong>v{there.version}</strong>}{' '}
        {schedule !== undefined && (
          <button type="button" class="link-button" onClick={() => void schedule(lane)}>
            {t`Put in force`}
            <span class="offscreen">
              {' '}
              {kindTexts[lane.kind].singular} {lane.slug}
            </span>
          </button>
        )}
      </p>
    </div>
  )
}

interface CancelDialogProps {
  activation: Activation
  all: readonly Activation[]
  onDone(): Promise<void>
  onClose(): void
}

function CancelDialog({ activation, all, onDone, onClose }: CancelDialogProps) {
  const family = all.filter(({ family_id }) => family_id === activation.family_id)
  return (
    <FormDialog
      title={t`Take ${activation.family_slug} v${activation.version} back?`}
      action={t`Take back`}
      isDestructive
      onClose={onClose}
      onSubmit={async (fields) => {
        await mutate(`/api/v1/activations/${activation.id}/cancel`, {
          method: 'POST',
          body: { cancellation_code: String(fields.get('code')) },
        })
        await onDone()
      }}
    >
      <p class="consequence">{rich`${consequenceOfTakingBack(family, activation)} The instant is free again afterwards.`}</p>
      <Field label={t`Why, as a code`} hint={t`Lower-case words joined with _; it is kept in the record.`}>
        <input
          name="code"
          required
          maxLength={64}
          pattern="[a-z0-9]+(_[a-z0-9]+)*"
          defaultValue="no_longer_wanted"
          autocomplete="off"
          spellcheck={false}
        />
      </Field>
    </FormDialog>
  )
}
