/** The cases of a set: inputs kept for its contract or model, run through the versions that would be in force together. */
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { newestFittingCases } from '../cases/cases.reads.ts'
import type { CaseInput, ChainNode } from '../drafts/case-runs.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { modelOf } from '../versions/compiled.service.ts'
import { listNewestVersions } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import type { Member } from './activations.members.ts'

/** An input with the nodes that are expected to refuse it, each by the keys that lead to it. */
export interface StoredCase extends CaseInput {
  refusing: ReadonlySet<string>
}

/** Finds cases of applied projects. They belong to another module, so the function is passed in. */
export type FindStoredCases = (connection: Connection, modelSlug: string, at: Instant) => Promise<StoredCase[]>

/** The contract and nodes of a set, and the cases that run through them. */
export interface SetChain {
  contract: string
  inputFormat: InputFormat | undefined
  nodes: ChainNode[]
  cases: readonly StoredCase[]
}

/** Undefined if something that the model needs is missing: other findings report that. */
export async function setChain(
  connection: Connection,
  members: readonly Member[],
  { storedCases, at }: { storedCases: FindStoredCases; at: Instant },
): Promise<SetChain | undefined> {
  const memberOf = (kind: Member['kind'], slug?: string) =>
    members.find((member) => member.kind === kind && (slug === undefined || member.slug === slug))
  const [model, contract] = [memberOf('ingestion_model'), memberOf('contract')]
  if (model?.version === undefined || contract?.version === undefined || contract.family === undefined) return undefined
  const compiled = await modelOf(model.version)
  const fragmentsOf = (slugs: readonly string[], found = new Map<string, Uint8Array>()) => {
    for (const slug of slugs) {
      const version = memberOf('template', slug)?.version
      if (found.has(slug) || version?.bytes == null) continue
      found.set(slug, version.bytes)
      fragmentsOf(version.fragments ?? [], found)
    }
    return found
  }
  const nodesOf = (nodes: readonly ModelNode[]): ChainNode[] | undefined => {
    const made: ChainNode[] = []
    for (const { key, when, transformer, template, children } of nodes) {
      const source = memberOf('transformer', transformer)?.version
      const letter = template === undefined ? undefined : memberOf('template', template)?.version
      const below = nodesOf(children)
      if (source === undefined || below === undefined || (template !== undefined && letter?.bytes == null))
        return undefined
      const includes = letter?.fragments ?? []
      made.push({
        ...{ key, when, transformer: sourceOf(source), template: letter?.bytes ?? undefined, children: below },
        fragments: includes.length === 0 ? undefined : fragmentsOf(includes),
      })
    }
    return made
  }
  const nodes = nodesOf(compiled.nodes)
  if (nodes === undefined) return undefined
  const stored = await storedCases(connection, model.slug, at)
  const made = compiled.input === undefined ? await contractCases(connection, contract) : []
  return {
    contract: sourceOf(contract.version).source,
    inputFormat: compiled.input,
    nodes,
    cases: [...stored, ...made].slice(0, limits.activationSetCases),
  }
}

/**
 * Cases of the contract's version, or of the newest earlier one that has any: a new version must not break inputs that were valid
 * before it.
 */
async function contractCases(connection: Connection, { family, version }: Member): Promise<StoredCase[]> {
  if (family === undefined || version === undefined) return []
  const versions = await listNewestVersions(connection, [family.id], limits.activationSetCaseVersions)
  const earlier = versions.filter(({ number }) => number <= version.number).sort((a, b) => b.number - a.number)
  for (const { id, number } of earlier) {
    const cases = await newestFittingCases(connection, id, limits.projectMadeCases)
    if (cases.length === 0) continue
    return cases.map(({ kind, seed, provider, payload, contentHash }) => ({
      name: `${family.slug}@${number} ${kind} ${provider === 'external-generator' ? seed : contentHash.slice(0, 8)}`,
      raw: payload,
      params: undefined,
      refusing: new Set(),
    }))
  }
  return []
}

/** Runs the cases. Broken are those that a node refuses unexpectedly. */
export async function brokenCases(judge: Judge, { cases, ...chain }: SetChain) {
  if (cases.length === 0) return { run: 0, broken: [] }
  const inputs = cases.map(({ name, raw, params }) => ({ name, raw, params }))
  const refusals = await judge.ask('caseRuns', { ...chain, cases: inputs })
  const expected = new Map(cases.map(({ name, refusing }) => [name, refusing]))
  const broken = refusals.filter(({ name, node }) => expected.get(name)?.has(node) !== true)
  return { run: cases.length, broken: broken.slice(0, limits.projectPlanRows) }
}
