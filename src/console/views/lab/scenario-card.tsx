/** One scenario at a glance: its input, the expected outcome, and that of its newest run. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { isTerminal, useExecutions } from '../../api/executions.ts'
import type { Scenario } from '../../api/types.ts'
import { totalMs } from '../../execution-steps.ts'
import { formatDuration } from '../../format.ts'
import { t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { go } from '../../router.ts'
import { labAddress, type Run, runScenario, runs } from './runs.ts'
import { expectsFailure, verdictOf } from './verdict.ts'

const intervals: Readonly<Record<number, string>> = { 1: t`every month`, 6: t`every 6 months`, 12: t`every 12 months` }

interface CardProps {
  scenario: Scenario
  selected: boolean
  mayRun: boolean
}

export function ScenarioCard({ scenario, selected, mayRun }: CardProps) {
  const run = runs.value.get(scenario.id)
  const card = useRef<HTMLLIElement>(null)
  // On narrow windows the cards are a strip, and the selected one may lie outside.
  useLayoutEffect(() => {
    if (selected) card.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [selected])
  return (
    <li ref={card} class="scenario" data-scenario={scenario.id} data-selected={selected}>
      <p class="scenario-interval">{intervals[scenario.schedule_interval_months]}</p>
      <h2 class="scenario-name">
        <a href={labAddress(scenario.id)} aria-current={selected ? 'true' : undefined}>
          {scenario.name}
        </a>
      </h2>
      <p class="scenario-text">{scenario.description}</p>
      <p class="expectation" data-fails={expectsFailure(scenario.expected_outcome)}>
        <span class="expectation-label">{t`Expected`}</span> {scenario.expected_outcome}
      </p>
      <div class="scenario-foot">
        <Outcome scenario={scenario} run={run} />
        {mayRun && (
          <button
            type="button"
            class="button button-small"
            aria-label={t`Run ${scenario.name}`}
            disabled={run?.phase === 'sending'}
            onClick={() => {
              go(labAddress(scenario.id))
              void runScenario(scenario)
            }}
          >
            <Icon name="play" size={14} /> {t`Run`}
          </button>
        )}
      </div>
    </li>
  )
}

function Outcome({ scenario, run }: { scenario: Scenario; run: Run | undefined }) {
  const [first] = useExecutions(run?.executionIds ?? [])
  if (run === undefined) return <span class="outcome">{t`Not run yet`}</span>
  if (run.phase === 'sending') return <span class="outcome outcome-active">{t`Submitting…`}</span>
  if (run.phase === 'refused') return <span class="outcome outcome-danger">{t`Not accepted`}</span>
  const execution = first?.value.execution
  if (execution === undefined || !isTerminal(execution))
    return <span class="outcome outcome-active">{t`Running…`}</span>
  const isOriginal = execution.raw_input_hash === scenario.raw_input_hash
  const verdict = verdictOf(execution, isOriginal ? scenario.expected_outcome : undefined)
  const total = totalMs(execution)
  return (
    <span class={`outcome outcome-${verdict?.tone ?? 'neutral'}`}>
      {verdict?.headline}
      {total !== undefined && <span class="outcome-time"> {formatDuration(total)}</span>}
    </span>
  )
}
