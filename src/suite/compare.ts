/**
 * Compares a case's results with its expectations, which are files: `<node>/output.json`, `<node>/page-1.svg`. Plain
 * values, so that `quire test` compares in its own process and the server in its judge's.
 */
import { type Change, changedLines } from '../core/line-difference.ts'
import { expectedFiles, expectedPageOf } from '../core/project-layout.ts'
import type { StepName } from '../core/steps.ts'
import { comparePages, type PageDifference } from '../engines/pdf/draw/page-difference.ts'
import type { StepResult } from '../runner/job.ts'

export type Refusal = Extract<StepResult, { ok: false }>['failure'] & { step: StepName }

/** What a node made, or why it made nothing. */
export interface MadeNode {
  /** The keys down to the node, with slashes between them; also the folder of what is expected of it. */
  address: string
  /** Canonical JSON of what the transformer made. */
  output: string | undefined
  /** The text of the DOCX, if there is one that can be read. */
  text: string | undefined
  refusal: Refusal | undefined
  /** The pages of the DOCX, each an SVG; where they were drawn. */
  pages?: readonly string[]
}

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

/** Whether a file in a node's folder is one of those that say what is expected. */
export function isExpectation(name: string): boolean {
  return expectedPageOf(name) !== undefined || Object.values(expectedFiles).some((known) => known === name)
}

/** Whether pages are expected of a node. */
export function expectsPages(address: string, expected: Expectations): boolean {
  return pagesOf(address, expected).size > 0
}

/**
 * Compares a case's results with its expectations. Without expectations, a case passes if no node refuses it. With
 * them, a node that unexpectedly runs, or doesn't, is a failure.
 *
 * @param made with the pages of nodes that have expected pages
 * @param tolerance points by which what is drawn may be displaced
 * @param refusing nodes that may refuse the case if it has no expectations
 */
export function compareMade(
  made: readonly MadeNode[],
  expected: Expectations,
  { tolerance, refusing = new Set() }: { tolerance: number; refusing?: ReadonlySet<string> },
): Failure[] {
  if (expected.files.size === 0) {
    return made.flatMap(({ refusal, address }): Failure[] =>
      refusal === undefined || refusing.has(address)
        ? []
        : [{ kind: 'other', file: address, message: describeRefusal(refusal) }],
    )
  }
  const failures: Failure[] = []
  const compared = new Set<string>()
  for (const node of made) failures.push(...compareNode(node, expected, { tolerance, compared }))
  for (const file of expected.files.keys()) {
    if (compared.has(file)) continue
    const isRun = made.some(({ address }) => folderOf(file) === address)
    const message = isRun ? 'The case made nothing that belongs to this file.' : 'No node of this name ran.'
    failures.push({ kind: 'other', file: `${expected.folder}/${file}`, message })
  }
  return failures
}

function compareNode(
  node: MadeNode,
  expected: Expectations,
  { tolerance, compared }: { tolerance: number; compared: Set<string> },
): Failure[] {
  const failures: Failure[] = []
  const within = (name: string) => `${node.address}/${name}`
  const names = [...expected.files.keys()].filter((file) => folderOf(file) === node.address)
  if (names.length === 0 && node.refusal === undefined) {
    const message = 'This node ran, and nothing is expected of it. With --update what it made is written down.'
    failures.push({ kind: 'other', file: `${expected.folder}/${node.address}`, message })
  }
  if (node.refusal !== undefined && !expected.files.has(within(expectedFiles.refusal))) {
    failures.push({ kind: 'other', file: `${expected.folder}/${node.address}`, message: describeRefusal(node.refusal) })
    for (const name of names) compared.add(name)
    return failures
  }
  for (const [name, actual] of textsOf(node)) {
    const wanted = expected.files.get(within(name))
    compared.add(within(name))
    if (wanted === undefined || isSame(wanted, actual)) continue
    failures.push({ kind: 'text', file: `${expected.folder}/${within(name)}`, changes: changedLines(wanted, actual) })
  }
  const pages = names.filter((file) => expectedPageOf(file.slice(node.address.length + 1)) !== undefined)
  if (pages.length > 0 && node.refusal === undefined) {
    for (const page of pages) compared.add(page)
    failures.push(...compareDrawings(node, expected, tolerance))
  }
  return failures
}

function compareDrawings({ address, pages: drawn = [] }: MadeNode, expected: Expectations, tolerance: number) {
  const failures: Failure[] = []
  const wanted = pagesOf(address, expected)
  for (const [page, svg] of wanted) {
    const file = `${expected.folder}/${address}/page-${page}.svg`
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
    failures.push({ kind: 'other', file: `${expected.folder}/${address}`, message })
  }
  return failures
}

/**
 * A case's results as files of expectations, by their path below the folder.
 *
 * @param made with the pages of nodes whose pages are to be expected
 */
export function expectationsOf(made: readonly MadeNode[]): Map<string, string> {
  const wanted = new Map<string, string>()
  for (const node of made) {
    for (const [name, text] of textsOf(node)) wanted.set(`${node.address}/${name}`, text)
    if (node.refusal !== undefined) continue
    for (const [index, svg] of (node.pages ?? []).entries()) {
      wanted.set(`${node.address}/page-${index + 1}.svg`, `${svg}\n`)
    }
  }
  return wanted
}

/** What is expected has lost the line ends of Windows, which values may have. */
export function isSame(expected: string | undefined, text: string): boolean {
  return expected === text || expected === text.replaceAll('\r\n', '\n')
}

export function describeRefusal({ step, message, issues }: Refusal): string {
  const places = issues.map((issue) => `${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`)
  return [`${step}: ${message}`, ...places].join('\n')
}

/** A refused node's files are its refusal alone. */
function textsOf({ refusal, output, text }: MadeNode): [name: string, text: string][] {
  if (refusal !== undefined) return [[expectedFiles.refusal, refusalJson(refusal)]]
  return [
    ...(output === undefined ? [] : [[expectedFiles.output, readableJson(output)] as [string, string]]),
    ...(text === undefined ? [] : [[expectedFiles.text, text] as [string, string]]),
  ]
}

function pagesOf(address: string, { files }: Expectations): Map<number, string> {
  const pages = new Map<number, string>()
  for (const [file, svg] of files) {
    const number = folderOf(file) === address ? expectedPageOf(file.slice(address.length + 1)) : undefined
    if (number !== undefined) pages.set(number, svg)
  }
  return new Map([...pages].sort(([one], [other]) => one - other))
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** JSON as a file for people: sorted keys, two blanks a level, so that one value has one text. */
function readableJson(canonical: string): string {
  return `${JSON.stringify(JSON.parse(canonical), null, 2)}\n`
}

/** A refusal as a file for people. */
function refusalJson({ step, code, message, issues }: Refusal): string {
  return `${JSON.stringify({ step, code, message, issues }, null, 2)}\n`
}
