/** Comparing the pages of a result with those in a folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { sha256Hex } from '../core/hash.ts'
import { expectedEnd } from '../core/project-layout.ts'
import { comparePages } from '../engines/pdf/draw/page-difference.ts'
import { htmlReport } from '../project/html-report.ts'
import { describeFailure } from '../project/text-report.ts'
import type { Failure } from '../suite/compare.ts'
import type { Made } from './result.ts'
import type { Page, PageOptions } from './types.ts'

/** Half a point: what rounding moves, and no eye sees. */
const usualTolerance = 0.5

export interface PagesOutcome {
  pass: boolean
  message: string
}

export interface ExpectedPages {
  /** Below the project's folder. */
  below: string
  tolerance: number
}

/**
 * @param named the folder, relative to the project's
 * @throws Error if nothing says which pages are meant, or the result has none
 */
export function pagesNamed(result: Made, named: string | undefined, options: PageOptions): ExpectedPages {
  const { stem } = result.setting
  const below = named ?? (stem === undefined ? undefined : `${stem}${expectedEnd}/${result.address}`)
  if (below === undefined) {
    throw new Error("Say where the expected pages are: toMatchPages('pages/letter'), below the project's folder.")
  }
  const { tolerance = usualTolerance } = options
  if (typeof tolerance !== 'number' || !(tolerance >= 0)) throw new TypeError('The tolerance is a number of points.')
  if (result.docx.length > 0) return { below, tolerance }
  throw new Error(`The node ${result.address} makes no pages.`)
}

export async function matchPages(result: Made, { below, tolerance }: ExpectedPages): Promise<PagesOutcome> {
  const { folder } = result.setting
  const path = join(folder, below)
  const pages = await result.pages()
  if (process.env.QUIRE_UPDATE === '1') {
    writePages(path, pages)
    return { pass: true, message: `The pages in ${path} were just written.` }
  }
  const expected = readPages(path)
  if (expected.size === 0) {
    const message = `${path} has no pages to compare with. QUIRE_UPDATE=1 writes them; look at them before you commit them.`
    return { pass: false, message }
  }
  const failures = compared(expected, pages, below, tolerance)
  if (failures.length === 0) return { pass: true, message: `The pages look as those in ${path}.` }
  const report = join(tmpdir(), `quire-pages-${sha256Hex(path).slice(0, 12)}.html`)
  writeFileSync(report, htmlReport([{ testCase: { stem: below }, failures }], 0))
  const lines = failures.flatMap(describeFailure).map((line) => `  ${line.replace(' (--html shows it)', '')}`)
  const message = [
    `The pages differ from those in ${relative(process.cwd(), path) || path}:`,
    ...lines,
    `Side by side, with what differs in frames: ${report}`,
    'If they are as they should be, QUIRE_UPDATE=1 writes them.',
  ].join('\n')
  return { pass: false, message }
}

function compared(
  expected: ReadonlyMap<number, string>,
  pages: readonly Page[],
  below: string,
  tolerance: number,
): Failure[] {
  const failures: Failure[] = []
  for (const [page, svg] of expected) {
    const file = `${below}/page-${page}.svg`
    const actual = pages[page - 1]?.svg
    if (actual === undefined) {
      failures.push({ kind: 'other', file, message: `The document ends at page ${pages.length}.` })
      continue
    }
    const difference = comparePages(svg, actual, tolerance)
    if (difference !== undefined) failures.push({ kind: 'page', file, page, expected: svg, actual, difference })
  }
  const extra = pages.filter(({ number }) => !expected.has(number)).map(({ number }) => number)
  if (extra.length > 0) {
    const message = `The document has ${pages.length} pages; nothing is expected of page ${extra.join(', ')}.`
    failures.push({ kind: 'other', file: below, message })
  }
  return failures
}

const pageFile = /^page-([1-9]\d{0,5})\.svg$/

function readPages(folder: string): Map<number, string> {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const numbered = names.flatMap((name) => {
    const number = pageFile.exec(name)?.[1]
    return number === undefined ? [] : [[Number(number), readFileSync(join(folder, name), 'utf8')] as const]
  })
  return new Map(numbered.sort(([one], [other]) => one - other))
}

function writePages(folder: string, pages: readonly Page[]): void {
  mkdirSync(folder, { recursive: true })
  for (const number of readPages(folder).keys()) {
    if (number > pages.length) rmSync(join(folder, `page-${number}.svg`))
  }
  for (const { number, svg } of pages) {
    const path = join(folder, `page-${number}.svg`)
    if (!existsSync(path) || readFileSync(path, 'utf8') !== `${svg}\n`) writeFileSync(path, `${svg}\n`)
  }
}
