/** The newest run of a scenario: steps as they go, then the outcome beside the expectation, and the documents. */

import { useLayoutEffect } from 'preact/hooks'
import { type Followed, useExecutions } from '../../api/executions.ts'
import type { Execution, Scenario } from '../../api/types.ts'
import { failedStep, totalMs } from '../../execution-steps.ts'
import { formatDuration } from '../../format.ts'
import { t } from '../../language.ts'
import { Documents } from '../../parts/documents.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Provenance } from '../../parts/provenance.tsx'
import { Waterfall, WaterfallOutline } from '../../parts/waterfall.tsx'
import { wordOf } from '../../words.ts'
import { reveal, revealed } from './reveal.ts'
import { inputOf, retryRun, runScenario, runs } from './runs.ts'
import { verdictOf } from './verdict.ts'

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

export function RunPanel({ scenario, mayRun }: { scenario: Scenario; mayRun: boolean }) {
  const run = runs.value.get(scenario.id)
  const followed = useExecutions(run?.executionIds ?? [])
  const earlier = useExecutions(run?.earlierIds ?? [])
  // A place in another scenario's input means nothing here.
  useLayoutEffect(() => {
    revealed.value = undefined
  }, [])

  return (
    <section class="panel run-panel" aria-label={t`Run`}>
      <header class="panel-head">
        <h3>{t`Run`}</h3>
        {mayRun && (
          <span class="panel-tools">
            <kbd>{commandKey} ↵</kbd>
            <button
              type="button"
              class="button button-primary"
              disabled={run?.phase === 'sending'}
              onClick={() => void runScenario(scenario)}
            >
              <Icon name="play" size={16} /> {run === undefined ? t`Run` : t`Run again`}
            </button>
          </span>
        )}
      </header>
      {run?.problem !== undefined && <ProblemNote problem={run.problem} retry={() => retryRun(scenario)} />}
      {run?.phase === 'accepted' ? (
        followed.map((one, index) => (
          <ExecutionPart
            key={run.executionIds[index]}
            scenario={scenario}
            followed={one.value}
            earlier={earlier[index]?.value.execution}
          />
        ))
      ) : (
        <>
          {run === undefined && (
            <p class="run-hint">
              {mayRun
                ? t`Nothing has run yet. The input goes through these steps:`
                : t`Your roles can read runs, not start them.`}
            </p>
          )}
          <WaterfallOutline />
        </>
      )}
    </section>
  )
}

interface PartProps {
  scenario: Scenario
  followed: Followed
  earlier: Execution | undefined
}

function ExecutionPart({ scenario, followed, earlier }: PartProps) {
  const { execution, problem } = followed
  if (execution === undefined) {
    return problem === undefined ? <WaterfallOutline /> : <ProblemNote problem={problem} />
  }
  const failed = failedStep(execution)
  const sameInput = execution.raw_input_hash === scenario.raw_input_hash
  // What the editor shows is what ran unless it was changed since; only then do its places hold.
  const ranInput = execution.raw_input ?? (sameInput ? scenario.raw_input : undefined)
  const shown = ranInput === inputOf(scenario)
  return (
    <div class="run">
      <Comparison execution={execution} scenario={scenario} edited={!sameInput} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      <Waterfall execution={execution} />
      {failed !== undefined && <Failure step={failed} rawInput={ranInput} reveal={shown ? reveal : undefined} />}
      <Documents execution={execution} earlier={earlier} />
      <details class="more">
        <summary>
          <Icon name="chevron" size={14} /> {t`Hashes`}
        </summary>
        <Provenance execution={execution} />
      </details>
      <p class="run-foot">
        <a href={`/executions/${execution.id}`}>
          {t`Open the execution`} <Icon name="arrow" size={14} />
        </a>
      </p>
    </div>
  )
}

function Comparison({ execution, scenario, edited }: { execution: Execution; scenario: Scenario; edited: boolean }) {
  const verdict = verdictOf(execution, edited ? undefined : scenario.expected_outcome)
  const total = totalMs(execution)
  return (
    <div class={`verdict verdict-${verdict?.tone ?? 'active'}`} data-verdict={verdict?.tone ?? 'active'}>
      <p class="verdict-head">
        {verdict?.tone === 'success' && <Icon name="check" />}
        {verdict?.tone === 'danger' && <Icon name="alert" />}
        <strong>{verdict?.headline ?? t`Running`}</strong>
        {total !== undefined && <span class="verdict-time">{formatDuration(total)}</span>}
      </p>
      <dl class="verdict-facts">
        <div>
          <dt>{t`Expected`}</dt>
          <dd>{edited ? t`Nothing certain: the input was edited` : scenario.expected_outcome}</dd>
        </div>
        <div>
          <dt>{t`Actual`}</dt>
          <dd>{verdict?.actual ?? wordOf(execution.status)}</dd>
        </div>
      </dl>
    </div>
  )
}
