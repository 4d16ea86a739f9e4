/** The cases of a project: run before it is applied, and stored as files for exports. */
import { otherLineEnds } from '../../core/checked-out.ts'
import { currentPaths, datedCaseOf } from '../../core/dated-cases.ts'
import { contentHashOf, sha256Hex } from '../../core/hash.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import { type CasePath, casePathOf, casesFolder, inputEndsFor, paramsEnd } from '../../core/project-layout.ts'
import type { Connection } from '../../db/database.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { findInForce } from '../activations/activations.service.ts'
import type { CaseInput, CaseRefusal, ChainNode } from '../drafts/case-runs.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { findFamilyBySlug } from '../families/families.reads.ts'
import { listCaseFiles, readFilesBelow } from '../suites/suites.reads.ts'
import { findNamedVersion, readVersion } from '../versions/versions.reads.ts'
import { type Content, contentOf, sourceOf } from '../versions/versions.service.ts'
import { readTemplate } from './projects.ahead.ts'
import { askOfEach, askOfModel } from './projects.asking.ts'
import { madeCases } from './projects.export.ts'
import type { ProjectArchive } from './projects.files.ts'
import type { KnownContents } from './projects.known.ts'
import type { BrokenCase, CaseFileCounts } from './projects.model.ts'

/** The file, within a case's expected files, of a node that is to refuse it. */
const refusalFile = 'refusal.json'

interface ProjectCase extends CaseInput {
  /** Nodes that are expected to refuse it, by the instant from which on, latest first; undefined if always. */
  expected: readonly { from: Instant | undefined; refusing: ReadonlySet<string> }[]
}

/** Nodes that are expected to refuse the case at an instant. */
function refusingAt({ expected }: ProjectCase, at: Instant): ReadonlySet<string> {
  return expected.find(({ from }) => from === undefined || from <= at)?.refusing ?? new Set()
}

/** Cases by model, in the order of their paths. */
function casesOf({ cases }: Pick<ProjectArchive, 'cases'>): Map<string, ProjectCase[]> {
  const decoder = new TextDecoder()
  const models = new Map<string, ProjectCase[]>()
  const paths = [...cases.keys()].sort()
  const expectations = Map.groupBy(
    paths.flatMap((path) => {
      const place = casePathOf(path)
      if (typeof place?.part !== 'object') return []
      const { name, from } = datedCaseOf(place)
      return [{ model: place.model, name, from, expected: place.part.expected }]
    }),
    ({ model, name }) => `${model}/${name}`,
  )
  for (const path of paths) {
    const place: CasePath | undefined = casePathOf(path)
    if (place?.part !== 'input') continue
    const { model, name } = place
    const params = cases.get(`${casesFolder}/${model}/${name}${paramsEnd}`)
    const byInstant = Map.groupBy(expectations.get(`${model}/${name}`) ?? [], ({ from }) => from)
    const expected = [...byInstant].map(([from, all]) => {
      const files = all.map((each) => each.expected).filter((file) => file.endsWith(`/${refusalFile}`))
      return { from, refusing: new Set(files.map((file) => file.slice(0, -refusalFile.length - 1))) }
    })
    const input: ProjectCase = {
      name: path,
      raw: decoder.decode(cases.get(path)),
      params: params && decoder.decode(params),
      expected: expected.sort((one, other) => ((one.from ?? '') > (other.from ?? '') ? -1 : 1)),
    }
    const known = models.get(model)
    if (known === undefined) models.set(model, [input])
    else known.push(input)
  }
  return models
}

/** A model's cases in the store, with what is expected of them at an instant. */
export async function storedCases(
  connection: Connection,
  model: string,
  at: Instant,
): Promise<(CaseInput & { refusing: ReadonlySet<string> })[]> {
  const rows = await readFilesBelow(connection, `${casesFolder}/${model}/`)
  const found = casesOf({ cases: new Map(rows.map(({ path, content }) => [path, content])) }).get(model) ?? []
  return found.map((each) => ({ ...each, refusing: refusingAt(each, at) }))
}

/** Cases of a model that were run, and their refusals. */
interface ModelRun {
  /** The instant for which they were run, if later than the project's. */
  from: Instant | undefined
  cases: readonly ProjectCase[]
  refusals: readonly CaseRefusal[]
}

/** Runs of cases by instant and model, earliest first and then in the project's order. */
export type CaseRuns = ReadonlyMap<string, ModelRun>

/**
 * Runs the cases whose results applying the project may change: those with changed files, and those of models that the changes
 * affect. They run with the project's files, else with what is in force at the instant. They run again for each later instant at
 * which something begins that their model uses, with what will be in force then.
 *
 * @param changed paths in the project: of changed configuration, and of files of cases
 * @param known runs for a part of these changes, which are reused
 */
export async function runChangedCases(
  running: Running,
  changed: ReadonlySet<string>,
  known: CaseRuns = new Map(),
): Promise<CaseRuns> {
  const changedCases = new Set([...changed].map(casePathOf).map((place) => `${place?.model}/${place?.name}`))
  const models = [...casesOf(running.project)]
  const wanted = [undefined, ...running.later].flatMap((from) => models.map(([model, all]) => ({ from, model, all })))
  const runs = await askOfEach(wanted, async ({ from, model, all }) => {
    const chain = await knownChainOf(running, model, from)
    if (chain === undefined || (from !== undefined && !chain.begins)) return []
    const key = `${from ?? ''} ${model}`
    const isReached = chain.paths.some((path) => changed.has(path))
    const ends = inputEndsFor(chain.inputFormat?.format)
    const inputs = all.filter(({ name }) => ends.some((end) => name.endsWith(end)))
    const cases = inputs.filter(({ name }) => isReached || changedCases.has(`${model}/${casePathOf(name)?.name}`))
    const before = known.get(key) ?? { cases: [], refusals: [] }
    const had = new Set(before.cases.map(({ name }) => name))
    const others = cases.filter(({ name }) => !had.has(name))
    if (cases.length === 0) return []
    const refusals =
      others.length === 0
        ? []
        : await running.judge.ask('caseRuns', {
            contract: chain.contract,
            nodes: chain.nodes,
            cases: others.map(({ name, raw, params }) => ({ name, raw, params })),
            inputFormat: chain.inputFormat,
          })
    return [[key, { from, cases, refusals: [...before.refusals, ...refusals] }] as const]
  })
  return new Map(runs.flat())
}

/**
 * Counts the cases that were run, for now and for later instants, and lists unexpected refusals.
 *
 * @param at when the project comes into force
 */
export function brokenCases(runs: CaseRuns, at: Instant): { run: number; runLater: number; broken: BrokenCase[] } {
  const broken = [...runs.values()].flatMap(({ from, cases, refusals }) => {
    const expected = new Map(cases.map((each) => [each.name, refusingAt(each, from ?? at)]))
    const isBroken = ({ name, node }: CaseRefusal) => expected.get(name)?.has(node) === false
    const instant = from === undefined ? {} : { effective_from: formatInstant(from) }
    return refusals
      .filter(isBroken)
      .map(({ name, node, step, message }) => ({ path: name, ...instant, node, step, message }))
  })
  const count = { run: 0, runLater: 0 }
  for (const { from, cases } of runs.values()) count[from === undefined ? 'run' : 'runLater'] += cases.length
  return { ...count, broken }
}

/** Where chains are looked up, and what was found. */
export interface Running {
  connection: Connection
  judge: Judge
  project: ProjectArchive & { known: KnownContents }
  at: Instant
  /** Later instants at which something begins, earliest first. */
  later: readonly Instant[]
  /** Chains found so far, by instant and the model's slug: a plan asks for each twice. */
  chains: Map<string, Promise<Chain | undefined>>
}

interface Chain {
  /** Paths of the project's files in this chain. */
  paths: string[]
  /** Whether a part of it begins exactly at its instant. */
  begins: boolean
  contract: string
  inputFormat: InputFormat | undefined
  nodes: ChainNode[]
}

function knownChainOf(running: Running, slug: string, from: Instant | undefined): Promise<Chain | undefined> {
  const key = `${from ?? ''} ${slug}`
  const chain = running.chains.get(key) ?? chainOf(running, slug, from)
  running.chains.set(key, chain)
  return chain
}

/** Undefined if the model can't be read, or something that it needs doesn't exist: other findings report that. */
async function chainOf(running: Running, slug: string, from: Instant | undefined): Promise<Chain | undefined> {
  const { connection, judge, project, at } = running
  const paths: string[] = []
  const begun = new Set<Instant | undefined>()
  const files = [
    ...project.files,
    ...project.scheduled.filter((file) => from !== undefined && (file.from ?? at) <= from),
  ]
  /** The project's file, unless the store has scheduled something later that replaces it. */
  const find = async (kind: 'ingestion_model' | 'transformer' | 'template', name: string) => {
    const file = files.findLast((each) => each.kind === kind && each.slug === name)
    const stored =
      file !== undefined && from === undefined
        ? undefined
        : await contentInForce(connection, { kind, slug: name, at: from ?? at })
    const isStored = stored !== undefined && (file === undefined || stored.from > (file.from ?? at))
    if (!isStored && file !== undefined) paths.push(file.path)
    begun.add(isStored ? stored.from : file?.from)
    return isStored ? { content: stored.content, from: stored.from } : file
  }
  const content = async (kind: 'transformer' | 'template', name: string) => (await find(kind, name))?.content
  const found = await find('ingestion_model', slug)
  const source = found?.content
  const model = source && 'source' in source ? await askOfModel(judge, source) : undefined
  if (model === undefined || !model.ok) return undefined
  const { name, version } = model.value.contract
  // A model that stays in force keeps the version that it names, even if a newer one is published.
  const named = files.findLast(
    (file) =>
      file.kind === 'contract' &&
      (file.name === name || file.slug === name) &&
      (file.from ?? at) <= (found?.from ?? at),
  )
  const isOfProject = named !== undefined && found !== undefined && 'path' in found
  const stored = isOfProject ? undefined : await findNamedVersion(connection, 'contract', { name, version })
  if (stored === undefined && named !== undefined) paths.push(named.path)
  const contract = stored === undefined ? named?.content : sourceOf(stored)
  if (contract === undefined || !('source' in contract)) return undefined
  /**
   * All templates that a template includes, directly or through others; missing ones are left out. Undefined if it includes none.
   */
  const fragmentsOf = async (letter: Content): Promise<Map<string, Uint8Array> | undefined> => {
    const files = new Map<string, Uint8Array>()
    const slugs = await includedIn(running, letter)
    if (slugs.length === 0) return undefined
    for (let wanted = slugs.shift(); wanted !== undefined; wanted = slugs.shift()) {
      const found = files.has(wanted) ? undefined : await content('template', wanted)
      if (found === undefined || !('bytes' in found)) continue
      files.set(wanted, found.bytes)
      slugs.push(...(await includedIn(running, found)))
    }
    return files
  }
  const nodesOf = async (nodes: readonly ModelNode[]): Promise<ChainNode[] | undefined> => {
    const found: ChainNode[] = []
    for (const { key, when, transformer: wanted, template: letter, children } of nodes) {
      const transformer = await content('transformer', wanted)
      const template = letter === undefined ? undefined : await content('template', letter)
      const below = await nodesOf(children)
      if (transformer === undefined || !('source' in transformer) || below === undefined) return undefined
      if (letter !== undefined && (template === undefined || !('bytes' in template))) return undefined
      const bytes = template !== undefined && 'bytes' in template ? template.bytes : undefined
      const fragments = template && (await fragmentsOf(template))
      found.push({ key, when, transformer, template: bytes, fragments, children: below })
    }
    return found
  }
  const nodes = await nodesOf(model.value.nodes)
  if (nodes === undefined) return undefined
  return { paths, begins: begun.has(from), contract: contract.source, inputFormat: model.value.input, nodes }
}

/** The slugs that a template includes directly. One that can't be read includes none; its own findings are reported. */
async function includedIn({ judge, project }: Running, template: Content): Promise<string[]> {
  return [...((await readTemplate(judge, project.known, template))?.fragments ?? [])]
}

async function contentInForce(
  connection: Connection,
  { kind, slug, at }: { kind: 'ingestion_model' | 'transformer' | 'template'; slug: string; at: Instant },
): Promise<{ content: Content; from: Instant } | undefined> {
  const family = await findFamilyBySlug(connection, kind, slug)
  const inForce = family && (await findInForce(connection, family.id, at))
  if (inForce === undefined) return undefined
  return { content: contentOf(await readVersion(connection, inForce.versionId)), from: inForce.effectiveFrom }
}

/** How the store's files of cases change. */
export interface CaseFileChanges {
  counts: CaseFileCounts
  written: readonly { path: string; contentHash: string }[]
  removed: readonly string[]
}

/**
 * A project's case files replace the store's for the models that the project has cases of; those of other models stay. A file
 * that exports already produce from a case made on the store is no change of its own.
 *
 * @param now expectations that began by this instant replace earlier ones
 * @param unchangedAt the instant, if applying the project changes nothing in force
 */
export async function compareCaseFiles(
  connection: Connection,
  { cases }: ProjectArchive,
  { now, unchangedAt }: { now: Instant; unchangedAt: Instant | undefined },
): Promise<CaseFileChanges> {
  const rows = await listCaseFiles(connection)
  const current = currentPaths(
    rows.map(({ path }) => path),
    now,
  )
  const stored = new Map(rows.flatMap(({ path, contentHash }) => [[current.get(path) ?? '', contentHash] as const]))
  stored.delete('')
  const models = new Set([...cases.keys()].flatMap((path) => casePathOf(path)?.model ?? []))
  const different = [...cases]
    .map(([path, bytes]) => ({ path, contentHash: contentHashOf(bytes) }))
    .filter(({ path, contentHash }) => {
      const known = stored.get(path)
      return known === undefined || (known !== contentHash && !hashesOtherwise(path, cases.get(path)).includes(known))
    })
    .sort((one, other) => (one.path < other.path ? -1 : 1))
  const made: ReadonlyMap<string, string> =
    different.length === 0 || unchangedAt === undefined ? new Map() : await madeOnStore(connection, models, unchangedAt)
  const written = different.filter(({ path, contentHash }) => stored.has(path) || made.get(path) !== contentHash)
  const removed = [...stored.keys()].filter((path) => models.has(casePathOf(path)?.model ?? '') && !cases.has(path))
  const changed = written.filter(({ path }) => stored.has(path)).length
  const counts = { added: written.length - changed, changed, removed: removed.length }
  if (written.length + removed.length === 0) return { counts, written, removed }
  // As soon as anything is written, files whose current path differs from the stored one are moved to it.
  const moved = rows.filter(({ path }) => current.get(path) !== path && models.has(casePathOf(path)?.model ?? ''))
  const known = new Set(written.map(({ path }) => path))
  const paths = new Set(rows.map(({ path }) => path))
  const places = new Set(moved.map(({ path }) => current.get(path)))
  const again = [...cases].filter(([path]) => places.has(path) && !known.has(path))
  return {
    counts,
    written: [...written, ...again.map(([path, bytes]) => ({ path, contentHash: contentHashOf(bytes) }))],
    removed: [...removed.filter((path) => paths.has(path)), ...moved.map(({ path }) => path)],
  }
}

/** Hashes of a file with other line ends, except where line ends are content, as in CSV. */
function hashesOtherwise(path: string, bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined || /\.(?:csv|xml)$/.test(path)) return []
  return otherLineEnds(Buffer.from(bytes).toString('utf8')).map((text) => sha256Hex(text))
}

/** Hashes of cases made on the store for these models, by their path in an export. */
async function madeOnStore(
  connection: Connection,
  models: Iterable<string>,
  at: Instant,
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (const model of models) {
    const family = await findFamilyBySlug(connection, 'ingestion_model', model)
    const inForce = family && (await findInForce(connection, family.id, at))
    if (inForce === undefined) continue
    for (const { path, contentHash } of await madeCases(connection, model, inForce.versionId)) {
      hashes.set(path, contentHash)
    }
  }
  return hashes
}
