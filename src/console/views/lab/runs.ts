/**
 * The lab's state: what each scenario's input has become, and its newest run. It outlives the screen, so that leaving
 * and coming back finds everything; inputs are kept for the tab, runs are in the address.
 */
import { signal } from '@preact/signals'
import { newIdempotencyKey } from '../../api/client.ts'
import { submit } from '../../api/lab.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { Scenario, Submission } from '../../api/types.ts'
import { recall, remember } from '../../memory.ts'

export interface Run {
  phase: 'sending' | 'refused' | 'accepted'
  /** Kept for the repetition of a refused or unanswered click. */
  idempotencyKey: string
  rawInput: string
  executionIds: readonly string[]
  /** The run before, for comparison of the documents. */
  earlierIds: readonly string[]
  problem?: ApiProblem
}

/** Newest run by scenario id. */
export const runs = signal<ReadonlyMap<string, Run>>(new Map())
/** Edited raw input by scenario id; a scenario without one has its original. */
const edits = signal<ReadonlyMap<string, string>>(readEdits())

function readEdits(): Map<string, string> {
  try {
    const kept: unknown = JSON.parse(recall('lab-edits', 'tab') ?? '{}')
    const entries = typeof kept === 'object' && kept !== null ? Object.entries(kept) : []
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}

export function inputOf(scenario: Scenario): string {
  return edits.value.get(scenario.id) ?? scenario.raw_input
}

export function isEdited(scenario: Scenario): boolean {
  return edits.value.has(scenario.id)
}

/** Takes the text as the scenario's input; its original text again is no edit. */
export function editInput(scenario: Scenario, text: string): void {
  const next = new Map(edits.value)
  if (text === scenario.raw_input) next.delete(scenario.id)
  else next.set(scenario.id, text)
  edits.value = next
  remember('lab-edits', next.size === 0 ? undefined : JSON.stringify(Object.fromEntries(next)), 'tab')
}

/** Runs a scenario's present input under a fresh key. A run that is being sent is left alone. */
export async function runScenario(scenario: Scenario): Promise<void> {
  const before = runs.value.get(scenario.id)
  if (before?.phase === 'sending') return
  await send(scenario, {
    phase: 'sending',
    idempotencyKey: newIdempotencyKey(),
    rawInput: inputOf(scenario),
    executionIds: [],
    earlierIds: before?.executionIds ?? [],
  })
}

/** Repeats a click that was not answered: same input, same key, so at most one submission comes of it. */
export async function retryRun(scenario: Scenario): Promise<void> {
  const before = runs.value.get(scenario.id)
  if (before?.phase !== 'refused') return
  const { problem: _, ...again } = before
  await send(scenario, { ...again, phase: 'sending' })
}

async function send(scenario: Scenario, run: Run): Promise<void> {
  put(scenario.id, run)
  try {
    const submission = await submit(run.rawInput, scenario.metadata, run.idempotencyKey)
    put(scenario.id, { ...run, phase: 'accepted', executionIds: executionIdsOf(submission) })
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    put(scenario.id, { ...run, phase: 'refused', problem: error })
  }
}

function executionIdsOf(submission: Submission): string[] {
  return submission.executions.map((execution) => execution.id)
}

function put(scenarioId: string, run: Run): void {
  runs.value = new Map(runs.value).set(scenarioId, run)
}

const runPrefix = 'run.'

/** The lab's address: the selected scenario, and the executions of every run. */
export function labAddress(selected: string): string {
  const query = new URLSearchParams({ scenario: selected })
  for (const [scenarioId, run] of runs.value) {
    if (run.executionIds.length > 0) query.set(runPrefix + scenarioId, run.executionIds.join('.'))
  }
  return `/lab?${query}`
}

/** Takes up the runs that an address names and this page does not know yet: after a reload, or from a link. */
export function adoptRuns(query: URLSearchParams): void {
  const next = new Map(runs.value)
  for (const [name, value] of query) {
    const scenarioId = name.slice(runPrefix.length)
    if (!name.startsWith(runPrefix) || next.has(scenarioId)) continue
    const executionIds = value.split('.').filter((id) => /^[0-9a-f-]{36}$/.test(id))
    if (executionIds.length === 0) continue
    next.set(scenarioId, { phase: 'accepted', idempotencyKey: '', rawInput: '', executionIds, earlierIds: [] })
  }
  if (next.size !== runs.value.size) runs.value = next
}
