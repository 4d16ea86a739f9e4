/** The suites of a family beside its draft: each case, green or red, what differs, and accepting it; run at each save. */

import { useSignal } from '@preact/signals'
import type * as wire from '../../../client/quire.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { holdsRole } from '../../session.ts'
import { AcceptDialog } from './accept-dialog.tsx'
import { CaseDialog } from './case-dialog.tsx'
import { CaseResult } from './case-result.tsx'
import { PolicyDialog } from './policy-dialog.tsx'
import { countsOf, type SuiteState, type SuiteTarget, useSuite, verdictOf } from './suite-run.ts'
import { useSuites } from './suites-of.ts'

interface FamilySuitesProps {
  familyId: string
  /** The revision of the saved draft: a new one runs the cases again. */
  revision: number | undefined
  mayEdit: boolean
  /** Whether the family is the contract, whose draft counts whichever version the models name. */
  isContract?: boolean
}

/** The suites of all models that use a family. */
export function FamilySuites({ familyId, revision, mayEdit, isContract = false }: FamilySuitesProps) {
  const { suites, problem, reload } = useSuites(familyId)
  const target: SuiteTarget = { state: 'drafts', ...(isContract ? { contract: 'draft' } : {}) }
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={reload} />
  if (suites.value === undefined) return null
  if (suites.value.length === 0) {
    return <p class="suite-none muted">{t`No ingestion model uses it, so no suite says how a change comes out.`}</p>
  }
  return (
    <>
      {suites.value.map((suite) => (
        <SuitePanel
          key={suite.ingestion_model_id}
          model={suite}
          target={target}
          runKey={`${revision}`}
          mayEdit={mayEdit}
          isOwn={suite.ingestion_model_id === familyId}
        />
      ))}
    </>
  )
}

interface SuitePanelProps {
  model: Pick<wire.SuiteItem, 'ingestion_model_id' | 'name'>
  target: SuiteTarget
  runKey: string
  mayEdit: boolean
  /** On the model's own page. */
  isOwn?: boolean
  /** Nothing is added, accepted or set here. */
  isReview?: boolean
}

export function SuitePanel({ model, target, runKey, mayEdit, isOwn = false, isReview = false }: SuitePanelProps) {
  const { ingestion_model_id: id, name } = model
  const state = useSuite(id, target, { key: runKey, mayRun: mayEdit })
  const open = useSignal<'add' | 'accept' | 'policy' | undefined>(undefined)
  const accepting = useSignal<readonly string[]>([])
  const { suite, results, issues, problem, progress } = state
  const accept = (names: readonly string[]) => {
    accepting.value = names
    open.value = 'accept'
  }
  const close = () => {
    open.value = undefined
  }
  const changed = () => void state.again()
  const toAccept = [...results.value.values()]
    .filter(({ verdict, broke_off: brokeOff }) => verdict !== 'green' && brokeOff !== true)
    .map((each) => each.name)
  const mayChange = mayEdit && !isReview
  return (
    <section class="panel suite" aria-label={t`Suite of ${name}`}>
      <header class="panel-head">
        <h2>
          {t`Suite`} {!isOwn && <span class="muted">{rich`of ${<a href={`/ingestion-models/${id}`}>{name}</a>}`}</span>}
        </h2>
        <span class="panel-tools">
          {mayChange && holdsRole(['administrator']) && (
            <button type="button" class="button button-quiet button-small" onClick={() => (open.value = 'policy')}>
              {t`Policy`}
            </button>
          )}
          {mayChange && (
            <button type="button" class="button button-small" onClick={() => (open.value = 'add')}>
              <Icon name="add" size={16} /> {t`Add a case`}
            </button>
          )}
          {mayEdit && (
            <button
              type="button"
              class="button button-small"
              aria-disabled={progress.value !== undefined}
              onClick={() => progress.value === undefined && changed()}
            >
              <Icon name="play" size={16} /> {t`Run`}
            </button>
          )}
          {mayChange && toAccept.length > 1 && (
            <button type="button" class="button button-small" onClick={() => accept(toAccept)}>
              {rich`Accept all ${toAccept.length}`}
            </button>
          )}
        </span>
      </header>
      <SuiteVerdict state={state} mayEdit={mayEdit} />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={state.again} />}
      {issues.value.length > 0 && (
        <ul class="findings" aria-label={t`Why no case could be run`}>
          {issues.value.map(({ path, message }) => (
            <li key={`${path} ${message}`} data-severity="error">
              {path !== undefined && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {suite.value !== undefined && suite.value.cases.length > 0 && (
        <ul class="suite-cases" aria-label={t`Cases`} aria-busy={progress.value !== undefined}>
          {suite.value.cases.map((each) => (
            <CaseResult
              key={each.name}
              modelId={id}
              target={target}
              testCase={each}
              result={results.value.get(each.name)}
              mayChange={mayChange}
              onAccept={() => accept([each.name])}
              onChanged={changed}
            />
          ))}
        </ul>
      )}
      {open.value === 'add' && <CaseDialog modelId={id} onDone={changed} onClose={close} />}
      {open.value === 'policy' && suite.value !== undefined && (
        <PolicyDialog suite={suite.value} onDone={changed} onClose={close} />
      )}
      {open.value === 'accept' && (
        <AcceptDialog
          modelId={id}
          target={target}
          names={accepting.value}
          state={state}
          onDone={changed}
          onClose={close}
        />
      )}
    </section>
  )
}

/** The result in all, how far it is, and when it has to be green. */
function SuiteVerdict({ state, mayEdit }: { state: SuiteState; mayEdit: boolean }) {
  const { suite, results, issues, problem, progress } = state
  const all = suite.value?.cases.length ?? 0
  const counts = countsOf(results.value.values())
  const tone = issues.value.length > 0 || counts.red > 0 ? 'danger' : counts.unwritten > 0 ? 'warning' : 'success'
  return (
    <p class="suite-verdict" role="status">
      {progress.value !== undefined ? (
        <span class="status status-active">
          {all === 1 ? t`Running the case` : t`Running ${progress.value[0]} of ${progress.value[1]} cases`}
        </span>
      ) : suite.value === undefined ? (
        problem.value === undefined && <span class="muted">{t`Reading the suite…`}</span>
      ) : all === 0 ? (
        <span class="muted">{t`No case yet: add an input, and then accept what it gives.`}</span>
      ) : !mayEdit ? (
        <span class="muted">{rich`${all === 1 ? t`One case.` : t`${all} cases.`} Your roles can read them, not run them.`}</span>
      ) : issues.value.length > 0 ? (
        <span class="status status-danger">{t`No case could be run`}</span>
      ) : (
        results.value.size > 0 && <span class={`status status-${tone}`}>{verdictOf(counts)}</span>
      )}
      {suite.value !== undefined && suite.value.requires !== 'nothing' && (
        <span class="suite-policy">
          <Icon name="key" size={14} /> {requirementOf(suite.value)}
        </span>
      )}
    </p>
  )
}

function requirementOf({ requires, lifted_until: until }: wire.Suite): string {
  if (until !== undefined && new Date(until) > new Date())
    return t`Has to be green; an administrator lets it pass for now`
  return requires === 'freeze'
    ? t`Has to be green before a version is frozen or put in force`
    : t`Has to be green before anything is put in force`
}
