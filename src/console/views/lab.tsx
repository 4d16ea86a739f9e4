/** The intake test lab: four scenarios, each with its input, its run and its documents. */

import { useComputed, useSignal } from '@preact/signals'
import { useCallback, useEffect, useLayoutEffect } from 'preact/hooks'
import { readCatalog } from '../api/lab.ts'
import { ApiProblem } from '../api/problem.ts'
import type { Catalog, Scenario } from '../api/types.ts'
import { useCommand } from '../keys.ts'
import { rich, t } from '../language.ts'
import { Icon } from '../parts/icon.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { go, place } from '../router.ts'
import { holdsPermission } from '../session.ts'
import { RunPanel } from './lab/run-panel.tsx'
import { adoptRuns, labAddress, runScenario, runs } from './lab/runs.ts'
import { ScenarioCard } from './lab/scenario-card.tsx'
import { ScenarioInput } from './lab/scenario-input.tsx'

export function LabView() {
  const catalog = useSignal<Catalog | undefined>(undefined)
  const problem = useSignal<ApiProblem | undefined>(undefined)

  async function load(): Promise<void> {
    problem.value = undefined
    try {
      catalog.value = await readCatalog()
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    }
  }

  // Read once for each visit.
  useEffect(() => {
    adoptRuns(place.value.query)
    void load()
  }, [])

  return (
    <div class="page">
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>{t`Intake test lab`}</h1>
          <p class="lede">{t`Four synthetic policies. Each run goes the whole way, from raw input to a finished letter.`}</p>
        </div>
        {catalog.value?.ready && holdsPermission('submission_create') && <RunAll scenarios={catalog.value.scenarios} />}
      </header>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={load} />}
      {catalog.value === undefined
        ? problem.value === undefined && <CatalogOutline />
        : [
            !catalog.value.ready && <NotReady key="not-ready" />,
            <Scenarios key="scenarios" scenarios={catalog.value.scenarios} ready={catalog.value.ready} />,
          ]}
    </div>
  )
}

function RunAll({ scenarios }: { scenarios: readonly Scenario[] }) {
  const busy = useComputed(() => [...runs.value.values()].some((run) => run.phase === 'sending'))
  return (
    <button
      type="button"
      class="button"
      disabled={busy.value}
      onClick={() => {
        for (const scenario of scenarios) void runScenario(scenario)
      }}
    >
      <Icon name="play" size={16} /> {t`Run all four`}
    </button>
  )
}

/** The scenario that the address names, else the first. */
function selectedOf(scenarios: readonly Scenario[]): Scenario | undefined {
  const asked = place.value.query.get('scenario')
  return scenarios.find((scenario) => scenario.id === asked) ?? scenarios[0]
}

function Scenarios({ scenarios, ready }: { scenarios: readonly Scenario[]; ready: boolean }) {
  const selected = selectedOf(scenarios)
  const mayRun = ready && holdsPermission('submission_create')
  const known = runs.value

  // Runs belong to the address, so that a reload finds them; they are no step for the back button. Before the next
  // paint: a later one could undo a click that came in between.
  useLayoutEffect(() => {
    if (selected !== undefined && place.value.path === '/lab') go(labAddress(selected.id), { replace: true })
  }, [known, selected])

  // Read from the address at the key press, which may come between a click and the page drawn for it.
  const runSelected = useCallback(() => {
    const scenario = selectedOf(scenarios)
    if (scenario !== undefined) void runScenario(scenario)
  }, [scenarios])
  useCommand('Enter', mayRun ? runSelected : undefined)

  if (selected === undefined) return null
  return (
    <>
      <ul class="scenarios">
        {scenarios.map((scenario) => (
          <ScenarioCard key={scenario.id} scenario={scenario} selected={scenario === selected} mayRun={mayRun} />
        ))}
      </ul>
      <section class="bench" key={selected.id} aria-label={selected.name}>
        <ScenarioInput scenario={selected} />
        <RunPanel scenario={selected} mayRun={mayRun} />
      </section>
    </>
  )
}

function NotReady() {
  return (
    <div class="note note-warning" role="status">
      <Icon name="alert" />
      <div class="note-body">
        <strong>{t`The demo configuration is not in force`}</strong>
        <p>
          {rich`Start Quire with ${<code>QUIRE_DEMO=true</code>}, or run ${<code>quire demo</code>} once. The scenarios can be read until then, not run.`}
        </p>
      </div>
    </div>
  )
}

function CatalogOutline() {
  return (
    <div class="scenarios" role="status" aria-busy="true" aria-label={t`Loading the scenarios`}>
      {['monthly', 'semiannual', 'annual', 'invalid'].map((id) => (
        <div class="scenario scenario-outline" key={id} />
      ))}
    </div>
  )
}
