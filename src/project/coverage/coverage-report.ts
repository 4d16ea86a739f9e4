/** Coverage for people, and what may not fall below a limit. */
import type { CoveragePoint } from '../../core/coverage.ts'
import { type CoverageColumn, coverageColumns } from './columns.ts'
import { type Counts, gapsOf, type ProjectCoverage, percentOf, type SourceCoverage } from './coverage.ts'

/** How many gaps of a source people see; machine reports list all. Rules that no case breaks are often most of them. */
const shown = { gaps: 20, refusals: 5 }

/** The least that every document must have in a column. */
export interface CoverageLimit {
  column: CoverageColumn | 'all'
  percent: number
}

/** `template=80`, or `80` for all columns together; undefined if it is neither. */
export function readCoverageLimit(text: string): CoverageLimit | undefined {
  const [, name = 'all', percent = ''] = /^(?:([a-z]+)=)?(\d{1,3})$/.exec(text) ?? []
  const column = [...coverageColumns, 'all' as const].find((each) => each === name)
  return column === undefined || percent === '' || Number(percent) > 100
    ? undefined
    : { column, percent: Number(percent) }
}

/** A line for each document that has less than is wanted. */
export function missedLimits({ documents }: ProjectCoverage, limits: readonly CoverageLimit[]): string[] {
  return limits.flatMap(({ column, percent }) =>
    documents.flatMap(({ document, counts }) => {
      const has = percentOf(counts[column])
      const what = column === 'all' ? '' : `${column} `
      return has === undefined || has >= percent
        ? []
        : [`${what}coverage of ${document} is ${has} %, and --min-coverage wants ${percent} %`]
    }),
  )
}

/** Where a point is: file and line, with a pointer for contracts, or the paragraph of a template. */
export function placeText(file: string, { place, line }: Pick<CoveragePoint, 'place' | 'line'>): string {
  if (line !== undefined) return `${file}:${line}${file.endsWith('.json') ? ` ${place}` : ''}`
  const [, part = '', paragraph] = /([^/]*?)(?:\.xml)?#(\d+):\d+$/.exec(place) ?? []
  if (paragraph === undefined) return `${file} ${place}`
  return `${file}, ${part === 'document' ? '' : `${part}, `}paragraph ${paragraph}`
}

/** What no case reaches, then a table with a row for each document. A column that isn't measured has a dash. */
export function coverageLines(coverage: ProjectCoverage): string {
  const gaps = coverage.sources.flatMap((source) => sourceLines(source))
  return [...gaps, ...(gaps.length === 0 ? [] : ['']), ...tableLines(coverage)].map((line) => `${line}\n`).join('')
}

/** One row for each document, and one for all sources; the first has the names of the columns. */
export function coverageTable({ documents, counts }: ProjectCoverage): string[][] {
  const cells = (each: Counts) =>
    [...coverageColumns, 'all' as const].map((column) => {
      const percent = percentOf(each[column])
      return percent === undefined ? '–' : `${percent} %`
    })
  return [
    ['document', ...coverageColumns, 'all'],
    ...documents.map((each) => [each.document, ...cells(each.counts)]),
    ['all of them', ...cells(counts)],
  ]
}

function tableLines(coverage: ProjectCoverage): string[] {
  const rows = coverageTable(coverage)
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  )
}

function sourceLines(source: SourceCoverage): string[] {
  const [gaps, refusals] = [false, true].map((byRefusal) => gapsOf(source).filter((gap) => gap.byRefusal === byRefusal))
  return [
    ...listed(source.file, gaps ?? [], shown.gaps, 'places that no case reaches'),
    ...listed(source.file, refusals ?? [], shown.refusals, 'rules that no case breaks'),
  ]
}

function listed(file: string, gaps: readonly CoveragePoint[], most: number, what: string): string[] {
  const lines = gaps.slice(0, most).map((gap) => gapLine(file, gap))
  const rest = gaps.length - lines.length
  return rest === 0 ? lines : [...lines, `${file}: ${rest} more ${what} (--json and --html list them)`]
}

export function gapLine(file: string, gap: CoveragePoint): string {
  return `${placeText(file, gap)}: ${gap.gap}: ${gap.excerpt}`
}
