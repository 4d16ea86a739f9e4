/**
 * Reviews an ingestion model and all that it names before it comes into force together: the chain, what differs in each part,
 * what breaks, and from when on. Then puts all of it in force at one instant, or takes it back.
 */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type * as wire from '../../client/quire.ts'
import { instantFromEpochMs, parseInstant, formatInstant as wireInstant } from '../../core/instant.ts'
import { call, mutate } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { useResource } from '../api/resource.ts'
import type { DefinitionFamily } from '../api/types.ts'
import { useWork } from '../api/work.ts'
import { formatInstant } from '../format.ts'
import { t } from '../language.ts'
import { authors, type ViewProps } from '../navigation.ts'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { changeQuery, go, place } from '../router.ts'
import { holdsRole } from '../session.ts'
import { type From, FromChoice, useFrom } from './configuration/from-choice.tsx'
import { awaitsOther, awaitsSuite, Breaks } from './review/breaks.tsx'
import { Done } from './review/done.tsx'
import { MemberPart } from './review/member.tsx'
import { SuitePanel } from './suite/suite-panel.tsx'
import type { SuiteTarget } from './suite/suite-run.ts'

type Plan = wire.ActivationSetPlan

const states = [
  ['newest', t`Frozen versions`, t`The newest that are frozen`],
  ['drafts', t`Drafts`, t`Frozen with it where they hold changes`],
  ['before', t`What was before`, t`Those before the last change`],
] as const
type State = (typeof states)[number][0] | 'past'

export function ReviewView({ parameters }: ViewProps) {
  const path = `/api/v1/ingestion-models/${encodeURIComponent(parameters.id ?? '')}`
  const { value, problem, reload } = useResource<DefinitionFamily>(path)
  const model = value.value
  const page = `/ingestion-models/${parameters.id}`
  return (
    <div class="page">
      <PageHead
        title={model === undefined ? t`Review` : t`Review ${model.name}`}
        parent={{ href: page, title: model?.name ?? t`Ingestion model` }}
        lede={t`All that comes into force together: what differs, what breaks, and from when on.`}
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {model === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the review`} />
      )}
      {model !== undefined && <Review model={model} mayForce={holdsRole(authors)} />}
    </div>
  )
}

/** With the instant that its state goes back to, which only links name. */
function stateAsked(): State {
  const asked = place.value.query.get('state')
  if (asked === 'past' && asOfAsked() !== undefined) return 'past'
  return states.find(([state]) => state === asked)?.[0] ?? 'newest'
}

function asOfAsked(): string | undefined {
  const asked = parseInstant(place.value.query.get('as_of') ?? '')
  return asked === undefined ? undefined : wireInstant(asked)
}

function Review({ model, mayForce }: { model: DefinitionFamily; mayForce: boolean }) {
  const state = stateAsked()
  const asOf = asOfAsked()
  const from = useFrom()
  const { at, isReadable, isPast } = from
  const chosen = useSignal<Readonly<Record<string, number>>>({})
  const applied = useSignal<wire.AppliedActivationSet | undefined>(undefined)
  const isBusy = useSignal(false)
  const refused = useSignal<ApiProblem | undefined>(undefined)
  const request = {
    ingestion_model_id: model.id,
    state,
    ...(state === 'past' ? { as_of: asOf } : {}),
    versions: Object.entries(chosen.value).map(([family_id, version]) => ({ family_id, version })),
    ...(at !== undefined && isReadable ? { effective_from: wireInstant(instantFromEpochMs(at.getTime())) } : {}),
  }
  const key = isReadable && !isPast && applied.value === undefined ? JSON.stringify(request) : undefined
  const { value, problem, again } = useWork<Plan>(key, (signal) =>
    call<Plan>('/api/v1/activation-sets/plan', { method: 'POST', body: request, signal }),
  )
  const last = useRef<Plan>(undefined)
  if (value.value !== undefined) last.current = value.value
  const plan = last.current
  const changes = plan?.members.filter(({ action }) => action === 'activate' || action === 'publish').length ?? 0
  const isReady = value.value?.valid === true && changes > 0 && !isPast

  async function apply(): Promise<void> {
    if (!isReady || isBusy.value) return
    isBusy.value = true
    refused.value = undefined
    try {
      applied.value = await mutate<wire.AppliedActivationSet>('/api/v1/activation-sets', {
        method: 'POST',
        body: { ...request, plan_hash: value.value?.plan_hash },
      })
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      refused.value = error
      // Something changed meanwhile: the page shows what it would do now.
      if (error.status === 409) await again()
    } finally {
      isBusy.value = false
    }
  }

  return (
    <form
      class="review"
      onSubmit={(event) => {
        event.preventDefault()
        void apply()
      }}
    >
      <section class="panel review-choices" aria-label={t`What, and from when`}>
        <fieldset class="choices">
          <legend class="choices-title">{t`Which versions`}</legend>
          {choicesWith(asOf).map(([name, title, meaning]) => (
            <label key={name}>
              <input
                type="radio"
                name="state"
                checked={state === name}
                onChange={() => {
                  chosen.value = {}
                  changeQuery({ state: name === 'newest' ? undefined : name })
                }}
              />{' '}
              {title} <span class="muted">{meaning}</span>
            </label>
          ))}
        </fieldset>
        <FromChoice from={from} />
      </section>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={again} />}
      {plan === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Looking what would change`} />
      )}
      {plan !== undefined && <Breaks plan={plan} />}
      {plan !== undefined && mayForce && (
        <SuitePanel
          model={{ ingestion_model_id: model.id, name: model.name }}
          target={targetOf(request, plan)}
          runKey={plan.plan_hash}
          mayEdit={mayForce}
          isOwn
          isReview
        />
      )}
      {plan !== undefined && (
        <ol class="review-chain" aria-label={t`The set`} aria-busy={value.value === undefined && key !== undefined}>
          {plan.members.map((member) => (
            <MemberPart
              key={`${member.kind} ${member.slug}`}
              member={member}
              from={plan.effective_from}
              isNow={at === undefined}
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
      {refused.value !== undefined && <ProblemNote problem={refused.value} />}
      <footer class="review-foot">
        <p role="status" data-refused={isPast}>
          {consequenceOf(plan, { changes, isPast, isReadable, at })}
        </p>
        {mayForce && (
          <button type="submit" class="button button-primary" disabled={!isReady} aria-disabled={isBusy.value}>
            {isBusy.value ? t`One moment…` : actionOf(state, plan)}
          </button>
        )}
      </footer>
      {applied.value !== undefined && (
        <Done
          applied={applied.value}
          plan={plan}
          model={model}
          onClose={() => go(`/ingestion-models/${model.id}?tab=versions`)}
        />
      )}
    </form>
  )
}

/** The cases run through what would be in force: drafts, or the versions of the plan. */
function targetOf(
  { state, versions }: { state: State; versions: NonNullable<SuiteTarget['versions']> },
  plan: Plan,
): SuiteTarget {
  if (state === 'drafts') return { state, versions }
  const planned = plan.members.flatMap(({ family_id, to_version: version }) =>
    version === undefined ? [] : [{ family_id, version }],
  )
  return { state: 'in_force', versions: planned }
}

function choicesWith(asOf: string | undefined): readonly (readonly [name: State, title: string, meaning: string])[] {
  return asOf === undefined ? states : [...states, ['past', t`What was in force then`, formatInstant(new Date(asOf))]]
}

function actionOf(state: State, plan: Plan | undefined): string {
  if (state === 'before' || state === 'past') return t`Put it back`
  const isFreezing = plan?.members.some(({ freezes_revision: revision }) => revision !== undefined) === true
  return state === 'drafts' && isFreezing ? t`Freeze, and put all in force` : t`Put all in force`
}

function consequenceOf(
  plan: Plan | undefined,
  { changes, isPast, isReadable, at }: Pick<From, 'isPast' | 'isReadable' | 'at'> & { changes: number },
): string {
  if (isPast) return t`This instant is past, and history never changes. Choose Now or a later one.`
  if (plan === undefined || !isReadable) return ' '
  if (awaitsOther(plan)) return t`Somebody else has to put it in force: it is your own work.`
  if (awaitsSuite(plan)) return t`Nothing of it comes into force until its suite is green.`
  if (!plan.valid) return t`Nothing of it comes into force until it fits together.`
  if (changes === 0) return t`All of it is in force already.`
  const when = at === undefined ? 'now' : formatInstant(at)
  const what = changes === 1 ? t`One part changes` : t`${changes} parts change`
  return t`${what}, at one instant. From ${when} on, objects are made with these versions; those of an earlier time as before.`
}
