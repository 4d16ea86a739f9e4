/** The cases of a project: run before it is applied, and kept as files so that an export has them. */
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

/** What is expected of a node that refuses a case, below the folder of what is expected. */
const refusalFile = 'refusal.json'

interface ProjectCase extends CaseInput {
  /** Nodes that are expected to refuse it, from each instant on; the latest first, and undefined for those of all time. */
  expected: readonly { from: Instant | undefined; refusing: ReadonlySet<string> }[]
}

/** Those that are expected to at an instant. */
function refusingAt({ expected }: ProjectCase, at: Instant): ReadonlySet<string> {
  return expected.find(({ from }) => from === undefined || from <= at)?.refusing ?? new Set()
}

/** The cases of each model, in the order of their paths. */
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

/** The cases that the store keeps for a model, with what is expected of them at an instant. */
export async function storedCases(
  connection: Connection,
  model: string,
  at: Instant,
): Promise<(CaseInput & { refusing: ReadonlySet<string> })[]> {
  const rows = await readFilesBelow(connection, `${casesFolder}/${model}/`)
  const found = casesOf({ cases: new Map(rows.map(({ path, content }) => [path, content])) }).get(model) ?? []
  return found.map((each) => ({ ...each, refusing: refusingAt(each, at) }))
}

/** A model's cases that were run, and what is refused of them. */
interface ModelRun {
  /** The instant that they were run for, where that is later than the project's. */
  from: Instant | undefined
  cases: readonly ProjectCase[]
  refusals: readonly CaseRefusal[]
}

/** Runs of cases by their instant and model, earliest first and then in the order of the project. */
export type CaseRuns = ReadonlyMap<string, ModelRun>

/**
 * Runs the cases that applying the project can make other results for, with what the project has, else with what is in
 * force at the instant: those whose own files change, and those of models that the changes reach. They run again for each
 * later instant at which something begins that their model reads, with what will be in force then.
 *
 * @param changed paths in the project: of configuration that changes, and of files of cases
 * @param known runs for a part of these changes, which need not be made again
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
 * Counts the cases run for now and for later instants, and lists those that are refused although no refusal is expected.
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

/** What a chain is found in. */
export interface Running {
  connection: Connection
  judge: Judge
  project: ProjectArchive & { known: KnownContents }
  at: Instant
  /** Instants after that one at which something begins, earliest first. */
  later: readonly Instant[]
  /** Those found so far, by the instant and the model's slug: a plan asks for each twice. */
  chains: Map<string, Promise<Chain | undefined>>
}

interface Chain {
  /** Paths of the project's files that it is made of. */
  paths: string[]
  /** Whether a part of it begins at its very instant. */
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

/** Undefined if something that the model needs is nowhere, or the model can't be read: other findings say so. */
async function chainOf(running: Running, slug: string, from: Instant | undefined): Promise<Chain | undefined> {
  const { connection, judge, project, at } = running
  const paths: string[] = []
  const begun = new Set<Instant | undefined>()
  const files = [
    ...project.files,
    ...project.scheduled.filter((file) => from !== undefined && (file.from ?? at) <= from),
  ]
  /** The file of the project, unless the store has scheduled something else for after it. */
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
  // A model that stays goes on with the version that it names, whatever is published later.
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
  /** What a template includes, and these include; what is nowhere is left out. Undefined if it includes nothing. */
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

/**
 * The slugs that a template includes itself. One that can't be read includes nothing: its own mistakes are reported.
 */
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

/** What becomes of the store's files of cases. */
export interface CaseFileChanges {
  counts: CaseFileCounts
  written: readonly { path: string; contentHash: string }[]
  removed: readonly string[]
}

/**
 * A project's folder of cases takes the place of the store's for the models that the project has cases of; those of other
 * models stay. A file that an export has because the case was made on the store changes nothing, where nothing else does.
 *
 * @param now what is expected since then takes the place of what was before
 * @param unchangedAt the instant, where applying the project leaves what is in force as it is
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
  // What counts under another path by now is kept under that one, as soon as anything is written.
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

/** The hashes of a file with other line ends, unless they are a part of what it says, as those of CSV. */
function hashesOtherwise(path: string, bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined || /\.(?:csv|xml)$/.test(path)) return []
  return otherLineEnds(Buffer.from(bytes).toString('utf8')).map((text) => sha256Hex(text))
}

/** The hashes of cases that were made on the store for these models, by the path that an export gives them. */
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
