/** Changes one below the other: what belongs together, what it takes over from, and the way back. */

import { useSignal } from '@preact/signals'
import type { CalendarActivation } from '../../../client/quire.ts'
import { formatInstant } from '../../format.ts'
import { locale, rich, t } from '../../language.ts'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { ForceDialog } from '../configuration/force-dialog.tsx'
import { kindTexts, pathOfFamily } from '../configuration/kinds.ts'
import { type Change, type WayBack, waysBack } from './changes.ts'
import { TakeBackDialog } from './take-back.tsx'

export interface Shown {
  changes: readonly Change[]
  today: string
  mayEdit: boolean
  /** Whether each shows its parts at once, or when it is pressed. */
  isUnfolded: boolean
  reload(): Promise<void>
}

const clock = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })

export function ChangeList({ changes, mayEdit, isUnfolded, reload }: Shown) {
  const doing = useSignal<{ change: Change; way: WayBack } | undefined>(undefined)
  const close = () => {
    doing.value = undefined
  }
  const { change, way } = doing.value ?? {}
  return (
    <>
      {changes.length > 0 && (
        <ul class="calendar-changes">
          {changes.map((one) => (
            <li key={one.key} class="calendar-change" data-status={one.status}>
              <ChangePart
                change={one}
                isOpen={isUnfolded}
                start={mayEdit ? (started) => (doing.value = { change: one, way: started }) : undefined}
              />
            </li>
          ))}
        </ul>
      )}
      {change !== undefined && way?.how === 'take back' && (
        <TakeBackDialog
          title={change.title}
          parts={change.members}
          ids={way.ids}
          at={change.at}
          onDone={reload}
          onClose={close}
        />
      )}
      {way?.how === 'force' && (
        <ForceDialog
          kind={way.member.kind}
          family={{ id: way.member.family_id, slug: way.member.family_slug, name: way.member.family_slug }}
          version={way.version}
          onDone={() => void reload()}
          onClose={close}
        />
      )}
    </>
  )
}

interface ChangePartProps {
  change: Change
  isOpen: boolean
  start: ((way: WayBack) => void) | undefined
}

function ChangePart({ change, isOpen, start }: ChangePartProps) {
  const { at, atMs, title, members, status } = change
  const isUnfolded = useSignal(isOpen)
  const [first] = members
  return (
    <>
      <button
        type="button"
        class="calendar-change-head"
        aria-expanded={isUnfolded.value}
        onClick={() => {
          isUnfolded.value = !isUnfolded.value
        }}
      >
        <time dateTime={at} title={formatInstant(atMs)}>
          {clock.format(atMs)}
        </time>
        <span class="calendar-change-title">{title}</span>
        <span class="calendar-change-what">{whatOf(change)}</span>
        <Status of={status} />
      </button>
      {isUnfolded.value && (
        <div class="calendar-change-body">
          {members.length > 1 || first?.contract !== undefined ? (
            <ul class="lines">
              {members.map((member) => (
                <Member key={member.id} member={member} differs={member.status !== status} />
              ))}
            </ul>
          ) : (
            first !== undefined && (
              <p>
                <a href={pathOfVersion(first)}>{rich`Version ${first.version}`}</a>
                {lasting(first)}
              </p>
            )
          )}
          <p class="calendar-change-foot">
            {first !== undefined && <span class="muted">{rich`Decided ${<Moment at={first.scheduled_at} />}`}</span>}
            {start !== undefined &&
              waysBack(change).map((way) => <WayButton key={keyOf(way)} way={way} title={title} start={start} />)}
          </p>
        </div>
      )}
    </>
  )
}

function keyOf(way: WayBack): string {
  return way.how === 'take back' ? way.how : way.how === 'review' ? way.model.id : way.member.id
}

function whatOf({ members }: Change): string {
  const [first] = members
  if (members.length > 1) {
    const isSet = members.some(({ kind }) => kind === 'ingestion_model')
    return isSet ? t`Set of ${members.length}` : t`${members.length} parts`
  }
  return first === undefined ? '' : `${kindTexts[first.kind].singular} ${versionsOf(first)}`
}

function versionsOf({ version, from_version: before }: CalendarActivation): string {
  return before === undefined ? `v${version}` : `v${before} → v${version}`
}

function pathOfVersion({ kind, family_id: id, version }: CalendarActivation): string {
  return `${pathOfFamily(kind, id)}?tab=versions&version=${version}`
}

function lasting({ until }: CalendarActivation): string {
  return until === undefined ? '' : t`, until ${formatInstant(new Date(until))}`
}

function Member({ member, differs }: { member: CalendarActivation; differs: boolean }) {
  const { kind, family_slug: slug, contract, status } = member
  return (
    <>
      <li>
        <a class="line-main" href={pathOfVersion(member)}>
          {slug} <span class="line-version">{versionsOf(member)}</span>
        </a>
        <span class="line-text">
          {kindTexts[kind].singular}
          {lasting(member)}
        </span>
        <span class="line-end">{differs && <Status of={status} />}</span>
      </li>
      {contract !== undefined && (
        <li>
          <a class="line-main" href={`/contracts/${contract.family_id}?tab=versions&version=${contract.version}`}>
            {contract.slug} <span class="line-version">v{contract.version}</span>
          </a>
          <span class="line-text">{rich`Contract, with the model ${slug}`}</span>
        </li>
      )}
    </>
  )
}

function WayButton({ way, title, start }: { way: WayBack; title: string; start(way: WayBack): void }) {
  if (way.how === 'review') {
    const query = new URLSearchParams({ state: 'past', as_of: way.asOf })
    return (
      <a class="button button-small" href={`/ingestion-models/${way.model.family_id}/review?${query}`}>
        {way.word}
      </a>
    )
  }
  return (
    <button type="button" class="button button-small" onClick={() => start(way)}>
      {way.how === 'force' ? way.word : way.ids.length > 1 ? t`Take all back` : t`Take back`}
      <span class="offscreen"> {title}</span>
    </button>
  )
}
