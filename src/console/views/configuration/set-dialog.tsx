/**
 * Puts an ingestion model and all that it names in force at one instant, or puts all of it back. First it shows each version
 * with its instant, and what doesn't fit.
 */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type * as wire from '../../../client/quire.ts'
import { instantFromEpochMs, formatInstant as wireInstant } from '../../../core/instant.ts'
import { call, mutate } from '../../api/client.ts'
import { useWork } from '../../api/work.ts'
import { formatInstant } from '../../format.ts'
import { Dialog, FormDialog } from '../../parts/dialog.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { FromChoice, useFrom } from './from-choice.tsx'
import { kindTexts } from './kinds.ts'

type Plan = wire.ActivationSetPlan
type Member = Plan['members'][number]
type Applied = wire.AppliedActivationSet

interface SetDialogProps {
  model: { id: string; name: string }
  onDone(): void
  onClose(): void
}

export function SetDialog({ model, onDone, onClose }: SetDialogProps) {
  const isBack = useSignal(false)
  const from = useFrom()
  const { at, isReadable, isPast } = from
  const chosen = useSignal<Readonly<Record<string, number>>>({})
  const applied = useSignal<Applied | undefined>(undefined)
  const request = {
    ingestion_model_id: model.id,
    state: isBack.value ? 'before' : 'newest',
    versions: Object.entries(chosen.value).map(([family_id, version]) => ({ family_id, version })),
    ...(at !== undefined && isReadable ? { effective_from: wireInstant(instantFromEpochMs(at.getTime())) } : {}),
  }
  const key = isReadable && !isPast && applied.value === undefined ? JSON.stringify(request) : undefined
  const { value, problem } = useWork<Plan>(key, (signal) =>
    call<Plan>('/api/v1/activation-sets/plan', { method: 'POST', body: request, signal }),
  )
  const last = useRef<Plan>(undefined)
  if (value.value !== undefined) last.current = value.value
  const plan = last.current
  const changes = plan?.members.filter(({ action }) => action === 'activate' || action === 'publish').length ?? 0
  if (applied.value !== undefined) {
    const isFirst = plan?.members.every(({ kind, from_version: before }) => kind === 'contract' || before === undefined)
    const published = plan?.members.filter(({ action }) => action === 'publish') ?? []
    return <Done applied={applied.value} {...{ model, published, onDone, onClose }} isFirst={isFirst === true} />
  }
  return (
    <FormDialog
      title={isBack.value ? `Put ${model.name} back` : `Put all of ${model.name} in force`}
      action={isBack.value ? 'Put it back' : 'Put all in force'}
      wide
      disabled={value.value?.valid !== true || changes === 0 || isPast}
      // What was done is shown in place of what would be.
      onClose={() => applied.peek() === undefined && onClose()}
      onSubmit={async () => {
        applied.value = await mutate<Applied>('/api/v1/activation-sets', {
          method: 'POST',
          body: { ...request, plan_hash: value.value?.plan_hash },
        })
        onDone()
      }}
    >
      <div class="set-choices">
        <fieldset class="choices">
          <legend class="choices-title">Which versions</legend>
          <label>
            <input
              type="radio"
              name="state"
              checked={!isBack.value}
              onChange={() => {
                isBack.value = false
                chosen.value = {}
              }}
            />{' '}
            The newest that are frozen
          </label>
          <label>
            <input
              type="radio"
              name="state"
              checked={isBack.value}
              onChange={() => {
                isBack.value = true
                chosen.value = {}
              }}
            />{' '}
            Those before the last change
          </label>
        </fieldset>
        <FromChoice from={from} />
      </div>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {plan === undefined && problem.value === undefined && <p class="muted">Looking what would change…</p>}
      {plan !== undefined && (
        <ol class="set-members" aria-label="The set" aria-busy={value.value === undefined && key !== undefined}>
          {plan.members.map((member) => (
            <MemberRow
              key={`${member.kind} ${member.slug}`}
              member={member}
              chosen={chosen.value[member.family_id]}
              onChoose={(version) => {
                // Another version of the model may name other parts, and none may be chosen that it doesn't name.
                const kept = member.kind === 'ingestion_model' ? {} : chosen.peek()
                chosen.value = { ...kept, [member.family_id]: version }
              }}
            />
          ))}
        </ol>
      )}
      {plan !== undefined && <Issues plan={plan} />}
      <p class="consequence" role="status" data-refused={isPast}>
        {consequenceOf(plan, { changes, isPast, at })}
      </p>
    </FormDialog>
  )
}

function consequenceOf(
  plan: Plan | undefined,
  { changes, isPast, at }: { changes: number; isPast: boolean; at: Date | undefined },
): string {
  if (isPast) return 'This instant is past, and history never changes. Choose Now or a later one.'
  if (plan === undefined) return ' '
  if (!plan.valid) return 'Nothing of it comes into force until it fits together.'
  if (changes === 0) return 'All of it is in force already.'
  const when = at === undefined ? 'now' : formatInstant(at)
  const what = changes === 1 ? 'One part changes' : `${changes} parts change`
  return `${what}, at one instant. From ${when} on, objects are made with these versions; those of an earlier time as before.`
}

interface MemberRowProps {
  member: Member
  chosen: number | undefined
  onChoose(version: number): void
}

const kindIcons = {
  contract: 'contract',
  transformer: 'transform',
  template: 'document',
  ingestion_model: 'tree',
} as const

function nameOfKind(kind: Member['kind']): string {
  return kind === 'contract' ? 'Contract' : kindTexts[kind].singular
}

function MemberRow({ member, chosen, onChoose }: MemberRowProps) {
  const {
    kind,
    slug,
    name,
    action,
    from_version: before,
    to_version: after,
    newest_version: newest,
    next,
    nodes,
  } = member
  const mayChoose = kind !== 'contract' && newest !== undefined && newest > 1
  return (
    <li class="set-member" data-action={action} data-member={`${kind} ${slug}`}>
      <Icon name={kindIcons[kind]} size={16} />
      <div class="set-name">
        <strong>{name}</strong> <span class="muted">{nameOfKind(kind)}</span>
        {nodes.length > 0 && <p class="muted set-nodes">for {nodes.join(', ')}</p>}
        {next !== undefined && (
          <p class="muted set-nodes">
            v{next.version} follows on {formatInstant(new Date(next.effective_from))}
          </p>
        )}
      </div>
      <span class="set-versions">
        {before !== undefined && action !== 'none' && (
          <>
            <span class="muted">v{before}</span> <Icon name="arrow" size={14} />
          </>
        )}
        {mayChoose ? (
          <select
            aria-label={`Version of ${name}`}
            value={String(chosen ?? after ?? '')}
            onChange={(event) => onChoose(Number(event.currentTarget.value))}
          >
            {after === undefined && <option value="">none</option>}
            {Array.from({ length: newest }, (_, index) => newest - index)
              .slice(0, 100)
              .map((number) => (
                <option value={String(number)} key={number}>
                  v{number}
                </option>
              ))}
          </select>
        ) : (
          <strong>{after === undefined ? '–' : `v${after}`}</strong>
        )}
      </span>
      <span class="set-state" data-action={action}>
        {stateOf(member)}
      </span>
    </li>
  )
}

function stateOf({ kind, action, from_version: before }: Member): string {
  switch (action) {
    case 'none':
      return kind === 'contract' ? 'published' : 'stays'
    case 'publish':
      return 'is published'
    case 'missing':
      return 'missing'
    default:
      return before === undefined ? 'comes into force' : 'takes over'
  }
}

function Issues({ plan }: { plan: Plan }) {
  if (plan.issues.length === 0) return null
  return (
    <ul class="findings" aria-label="What doesn't fit">
      {plan.issues.map(({ path, message }) => (
        <li key={`${path} ${message}`} data-severity="error">
          {path !== undefined && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  )
}

interface DoneProps {
  applied: Applied
  model: SetDialogProps['model']
  /** Nothing of it was in force before. */
  isFirst: boolean
  onDone(): void
  onClose(): void
  /** Contracts, which are published at once and for good, whatever the instant. */
  published: readonly Member[]
}

/** What was done, and the way back while there is one. */
function Done({ applied, model, published, isFirst, onDone, onClose }: DoneProps) {
  const isTakingBack = useSignal(false)
  const coming = applied.activations.filter(({ status }) => status === 'scheduled')
  const activated = applied.activations.map(({ id, kind, family_slug: slug, version }) => (
    <PartLine key={id} slug={slug} version={version} what={kindTexts[kind].singular} />
  ))
  const when = formatInstant(new Date(applied.effective_from))
  if (isTakingBack.value) {
    return (
      <FormDialog
        title={`Take all of ${model.name} back?`}
        action="Take all back"
        isDestructive
        onClose={onClose}
        onSubmit={async () => {
          await mutate('/api/v1/activation-sets/cancel', {
            method: 'POST',
            body: { activation_ids: coming.map(({ id }) => id), cancellation_code: 'set_taken_back' },
          })
          onDone()
        }}
      >
        <ul class="lines">{activated}</ul>
        <p class="consequence">None of these comes into force on {when}. What is in force now stays.</p>
      </FormDialog>
    )
  }
  return (
    <Dialog
      title={coming.length === 0 ? 'All of it is in force' : `All of it comes into force on ${when}`}
      onClose={onClose}
      wide
    >
      <ul class="lines">
        {published.map(({ slug, to_version: version = 0 }) => (
          <PartLine key={slug} slug={slug} version={version} what="Contract, published" />
        ))}
        {activated}
      </ul>
      <p class="muted">
        {coming.length === 0 && isFirst
          ? 'From now on, input can be submitted to it.'
          : coming.length === 0
            ? 'To undo this, open this dialog again and choose the versions before the last change.'
            : 'Until then, all of it can be taken back in one step.'}
      </p>
      <div class="dialog-foot">
        {coming.length > 0 && (
          <button type="button" class="button" onClick={() => (isTakingBack.value = true)}>
            Take all back
          </button>
        )}
        <a class="button" href={`/activations`}>
          See the timeline
        </a>
        <button type="button" class="button button-primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

function PartLine({ slug, version, what }: { slug: string; version: number; what: string }) {
  return (
    <li>
      <span class="line-main">
        {slug} <span class="line-version">v{version}</span>
      </span>
      <span class="line-end muted">{what}</span>
    </li>
  )
}
