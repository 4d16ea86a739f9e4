/** What is expected of a case, as files beside it: `<name>.expected/<node>/…`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Change, changedLines } from '../core/line-difference.ts'
import { expectedEnd } from '../core/project-layout.ts'
import { comparePages, type PageDifference } from '../engines/pdf/draw/page-difference.ts'
import type { ProjectFolder } from './folder.ts'
import type { ProjectCase } from './project.ts'
import { type NodeRun, readableJson, refusalJson } from './run.ts'

/** What is compared, each with the file that holds what is expected. */
export const expectedFiles = {
  output: 'output.json',
  text: 'document.txt',
  refusal: 'refusal.json',
} as const

const pageFile = /^page-([1-9]\d*)\.svg$/

/** One thing that is not as expected. */
export type Failure =
  | { kind: 'text'; file: string; changes: readonly Change[] }
  | { kind: 'page'; file: string; page: number; expected: string; actual: string; difference: PageDifference }
  | { kind: 'other'; file: string; message: string }

export interface Expectations {
  /** Below the project's folder. */
  folder: string
  /** Content by path below that folder, with slashes. */
  files: ReadonlyMap<string, string>
}

/** The project's folder has the findings of files that can't be read. */
export function readExpectations(project: ProjectFolder, { stem }: Pick<ProjectCase, 'stem'>): Expectations {
  const folder = `${stem}${expectedEnd}`
  const files = new Map<string, string>()
  for (const path of project.filesBelow(folder).filter((each) => isExpectation(basename(each)))) {
    const text = project.text(path)
    if (text !== undefined) files.set(path.slice(folder.length + 1), text)
  }
  return { folder, files }
}

/**
 * Compares what a case made with what is expected. Without expectations a case is right when no node refuses it; a node
 * that runs, or doesn't, other than expected is a failure.
 *
 * @param tolerance points by which what is drawn may be elsewhere
 * @param refusing nodes that may refuse it where nothing else is expected
 */
export async function compareCase(
  runs: readonly NodeRun[],
  expected: Expectations,
  tolerance: number,
  refusing: ReadonlySet<string> = new Set(),
): Promise<readonly Failure[]> {
  if (expected.files.size === 0) {
    return runs.flatMap(({ refusal, address }): Failure[] =>
      refusal === undefined || refusing.has(address)
        ? []
        : [{ kind: 'other', file: address, message: describeRefusal(refusal) }],
    )
  }
  const failures: Failure[] = []
  const compared = new Set<string>()
  for (const run of runs) failures.push(...(await compareNode(run, expected, { tolerance, compared })))
  for (const file of expected.files.keys()) {
    if (compared.has(file)) continue
    const isRun = runs.some(({ address }) => dirname(file) === address)
    const message = isRun ? 'The case made nothing that belongs to this file.' : 'No node of this name ran.'
    failures.push({ kind: 'other', file: `${expected.folder}/${file}`, message })
  }
  return failures
}

/** The nodes that are expected to refuse a case. */
export function refusingNodes({ files }: Expectations): Set<string> {
  return new Set(
    [...files.keys()].filter((file) => basename(file) === expectedFiles.refusal).map((file) => dirname(file)),
  )
}

async function compareNode(
  run: NodeRun,
  expected: Expectations,
  { tolerance, compared }: { tolerance: number; compared: Set<string> },
): Promise<Failure[]> {
  const failures: Failure[] = []
  const texts = textsOf(run)
  const within = (name: string) => `${run.address}/${name}`
  const names = [...expected.files.keys()].filter((file) => dirname(file) === run.address)
  const isExpected = names.length > 0
  if (!isExpected && run.refusal === undefined) {
    const message = 'This node ran, and nothing is expected of it. With --update what it made is written down.'
    failures.push({ kind: 'other', file: `${expected.folder}/${run.address}`, message })
  }
  if (run.refusal !== undefined && !expected.files.has(within(expectedFiles.refusal))) {
    failures.push({ kind: 'other', file: `${expected.folder}/${run.address}`, message: describeRefusal(run.refusal) })
    for (const name of names) compared.add(name)
    return failures
  }
  for (const [name, actual] of texts) {
    const wanted = expected.files.get(within(name))
    compared.add(within(name))
    if (wanted === undefined || isSame(wanted, actual)) continue
    const file = `${expected.folder}/${within(name)}`
    failures.push({ kind: 'text', file, changes: changedLines(wanted, actual) })
  }
  const pages = names.filter((file) => pageFile.test(file.slice(run.address.length + 1)))
  if (pages.length > 0 && run.refusal === undefined) {
    for (const page of pages) compared.add(page)
    failures.push(...(await compareDrawings(run, expected, tolerance)))
  }
  return failures
}

async function compareDrawings(run: NodeRun, expected: Expectations, tolerance: number): Promise<Failure[]> {
  const drawn = await run.drawPages()
  const failures: Failure[] = []
  const wanted = pagesOf(run.address, expected)
  for (const [page, svg] of wanted) {
    const file = `${expected.folder}/${run.address}/page-${page}.svg`
    const actual = drawn[page - 1]
    if (actual === undefined) {
      failures.push({ kind: 'other', file, message: `The document ends at page ${drawn.length}.` })
      continue
    }
    const difference = comparePages(svg, actual, tolerance)
    if (difference !== undefined) failures.push({ kind: 'page', file, page, expected: svg, actual, difference })
  }
  if (drawn.length > wanted.size) {
    const message = `The document has ${drawn.length} pages; ${wanted.size} are expected.`
    failures.push({ kind: 'other', file: `${expected.folder}/${run.address}`, message })
  }
  return failures
}

/**
 * Writes what a case made as what is expected from now on, and removes what it no longer makes.
 *
 * @param pages `all` for the pages of every document; `kept` where some are expected already
 * @returns the files that were written or removed, below the project's folder
 */
export async function updateCase(
  project: string,
  runs: readonly NodeRun[],
  expected: Expectations,
  pages: 'all' | 'kept',
): Promise<string[]> {
  const wanted = new Map<string, string>()
  for (const run of runs) {
    for (const [name, text] of textsOf(run)) wanted.set(`${run.address}/${name}`, text)
    if (run.refusal !== undefined) continue
    if (pages === 'kept' && pagesOf(run.address, expected).size === 0) continue
    const drawn = await run.drawPages()
    for (const [index, svg] of drawn.entries()) wanted.set(`${run.address}/page-${index + 1}.svg`, `${svg}\n`)
  }
  const changed: string[] = []
  for (const [file, text] of wanted) {
    if (isSame(expected.files.get(file), text)) continue
    const path = join(project, expected.folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    changed.push(`${expected.folder}/${file}`)
  }
  for (const file of expected.files.keys()) {
    if (wanted.has(file)) continue
    rmSync(join(project, expected.folder, file))
    changed.push(`${expected.folder}/${file}`)
  }
  return changed
}

/** What is expected has lost the line ends of Windows, which values may have. */
function isSame(expected: string | undefined, text: string): boolean {
  return expected === text || expected === text.replaceAll('\r\n', '\n')
}

export function describeRefusal({ step, message, issues }: NonNullable<NodeRun['refusal']>): string {
  const places = issues.map((issue) => `${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`)
  return [`${step}: ${message}`, ...places].join('\n')
}

/** A refused node's files are its refusal alone. */
function textsOf({ refusal, output, text }: NodeRun): [name: string, text: string][] {
  if (refusal !== undefined) return [[expectedFiles.refusal, refusalJson(refusal)]]
  return [
    ...(output === undefined ? [] : [[expectedFiles.output, readableJson(output)] as [string, string]]),
    ...(text === undefined ? [] : [[expectedFiles.text, text] as [string, string]]),
  ]
}

function pagesOf(address: string, { files }: Expectations): Map<number, string> {
  const pages = new Map<number, string>()
  for (const [file, svg] of files) {
    const number = dirname(file) === address ? pageFile.exec(file.slice(address.length + 1))?.[1] : undefined
    if (number !== undefined) pages.set(Number(number), svg)
  }
  return new Map([...pages].sort(([one], [other]) => one - other))
}

function isExpectation(name: string): boolean {
  return pageFile.test(name) || Object.values(expectedFiles).some((known) => known === name)
}
