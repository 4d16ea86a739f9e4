/** The cases of a model: those stored as files, and inputs made for its contract. */
import { canonicalHash } from '../../core/canonical.ts'
import { currentPaths, datedCaseOf } from '../../core/dated-cases.ts'
import { Fault } from '../../core/faults.ts'
import type { Instant } from '../../core/instant.ts'
import {
  type CasePath,
  casePathOf,
  casesFolder,
  expectedEnd,
  inputEndsFor,
  paramsEnd,
} from '../../core/project-layout.ts'
import type { Connection } from '../../db/database.ts'
import type { InputFormat } from '../../engines/ingestion/input-format.ts'
import { madeCasesOf } from './made-cases.service.ts'
import { type CaseFileHead, listModelFiles, readFilesBelow } from './suites.reads.ts'

/** A file of a case by its path in a project. */
export type SuiteFile = Pick<CaseFileHead, 'path' | 'contentHash'> & Partial<Omit<CaseFileHead, 'path' | 'contentHash'>>

export interface SuiteCase {
  name: string
  input: SuiteFile
  params: SuiteFile | undefined
  /** The files expected at the instant, by path within the case's folder. */
  expected: ReadonlyMap<string, SuiteFile>
  /** Paths of expected files of earlier and later times. */
  replaced: readonly string[]
  later: readonly string[]
  /** `contract`: an input that was made for the contract, without any expected files. */
  origin: 'suite' | 'contract'
  /** The input, if it isn't a file. */
  payload?: string
  /** Equal for equal files. */
  hash: string
}

/** The content that a case runs with. */
export interface CaseContent {
  raw: string
  params: string | undefined
  /** By path within the case's folder. */
  expected: Map<string, string>
}

/**
 * The cases of a model, ordered by name.
 *
 * @param chain the model's input format, and the contract version whose cases are included
 * @param at the instant for which expectations apply
 */
export async function casesOfSuite(
  connection: Connection,
  slug: string,
  chain: { contractVersionId: string | undefined; inputFormat: InputFormat | undefined },
  at: Instant,
): Promise<SuiteCase[]> {
  const files = await listModelFiles(connection, slug)
  const cases = storedCases(files, inputEndsFor(chain.inputFormat?.format), at)
  const { contractVersionId } = chain
  // Cases of contracts are JSON, which a model with another input format can't read.
  if (contractVersionId === undefined || chain.inputFormat !== undefined) return cases
  const known = new Set([...cases.map(({ name }) => name), ...files.map(({ contentHash }) => contentHash)])
  for (const { path, payload, contentHash } of await madeCasesOf(connection, slug, contractVersionId)) {
    const name = casePathOf(path)?.name ?? path
    if (known.has(name) || known.has(contentHash)) continue
    const input = { path, contentHash }
    const nothing = { params: undefined, expected: new Map(), replaced: [], later: [] }
    cases.push(suiteCase({ name, input, ...nothing, origin: 'contract', payload }))
  }
  return cases.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Cases stored as files, in any format. */
export function casesAsFiles(files: readonly CaseFileHead[], at: Instant): SuiteCase[] {
  return storedCases(files, [...inputEndsFor('csv'), ...inputEndsFor('xml')], at)
}

function storedCases(files: readonly CaseFileHead[], ends: readonly string[], at: Instant): SuiteCase[] {
  const current = currentPaths(
    files.map(({ path }) => path),
    at,
  )
  const known = files.flatMap((file) => {
    const place = casePathOf(file.path)
    return place === undefined ? [] : [{ file, ...laterCaseOf(place, at) }]
  })
  const placed = known.flatMap(({ file, isLater }) => {
    const place = isLater ? undefined : casePathOf(current.get(file.path) ?? '')
    return place === undefined ? [] : [{ file, place }]
  })
  const names = Map.groupBy(placed, ({ place }) => place.name)
  const ofName = Map.groupBy(known, ({ name }) => name)
  return [...names].flatMap(([name, own]) => {
    const fileOf = (part: CasePath['part']) => own.find(({ place }) => place.part === part)?.file
    const input = own.find(({ file, place }) => place.part === 'input' && ends.some((end) => file.path.endsWith(end)))
    if (input === undefined) return []
    const expected = own.flatMap(({ file, place }) =>
      typeof place.part === 'object' ? [[place.part.expected, file] as const] : [],
    )
    const all = ofName.get(name) ?? []
    const later = all.flatMap(({ file, isLater }) => (isLater ? [file.path] : []))
    const replaced = all.flatMap(({ file, isLater }) => (isLater || current.has(file.path) ? [] : [file.path]))
    const rest = { params: fileOf('params'), expected: new Map(expected), replaced, later, origin: 'suite' as const }
    return [suiteCase({ name, input: input.file, ...rest })]
  })
}

/** The case to which a file belongs, and whether it is an expectation for after the instant. */
function laterCaseOf(place: CasePath, at: Instant): { name: string; isLater: boolean } {
  if (typeof place.part !== 'object') return { name: place.name, isLater: false }
  const { name, from } = datedCaseOf(place)
  return { name, isLater: from !== undefined && from > at }
}

function suiteCase(found: Omit<SuiteCase, 'hash'>): SuiteCase {
  const { input, params, expected, origin } = found
  const files = [input, ...(params === undefined ? [] : [params]), ...expected.values()]
  return { ...found, hash: canonicalHash([origin, ...files.map(({ path, contentHash }) => [path, contentHash])]) }
}

/** The content of a case's files. @throws Fault conflict if one has changed since the case was listed */
export async function readCase(connection: Connection, slug: string, found: SuiteCase): Promise<CaseContent> {
  if (found.payload !== undefined) return { raw: found.payload, params: undefined, expected: new Map() }
  const decoder = new TextDecoder()
  const rows = await readFilesBelow(connection, `${stemOf(slug, found.name)}.`)
  const hashes = new Map(rows.map(({ path, contentHash }) => [path, contentHash]))
  const { input, params, expected: files } = found
  const wanted = [input, ...(params === undefined ? [] : [params]), ...files.values()]
  if (wanted.some(({ path, contentHash }) => hashes.get(path) !== contentHash)) {
    throw new Fault('conflict', `The case ${found.name} was changed while it was read. Read it again.`)
  }
  const texts = new Map(rows.map(({ path, content }) => [path, decoder.decode(content)]))
  const expected = [...found.expected].map(([file, { path }]) => [file, texts.get(path) ?? ''] as const)
  return {
    raw: texts.get(found.input.path) ?? '',
    params: found.params && texts.get(found.params.path),
    expected: new Map(expected),
  }
}

/** Common beginning of the paths of a case's files. */
export function stemOf(slug: string, name: string): string {
  return `${casesFolder}/${slug}/${name}`
}

export function paramsPathOf(slug: string, name: string): string {
  return `${stemOf(slug, name)}${paramsEnd}`
}

export function expectedFolderOf(slug: string, name: string): string {
  return `${stemOf(slug, name)}${expectedEnd}`
}
