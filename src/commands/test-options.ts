import { parseArgs } from 'node:util'
import { limits } from '../core/limits.ts'
import { coverageColumns } from '../project/coverage/columns.ts'
import { type CoverageLimit, readCoverageLimit } from '../project/coverage/coverage-report.ts'
import { UsageError } from './command.ts'

/** What a call of `quire test` asks for. */
export type Wanted = ReturnType<typeof readOptions>

/** @throws UsageError */
export function readOptions(args: readonly string[]) {
  const file = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      case: { type: 'string', multiple: true, default: [''] },
      update: { type: 'boolean' },
      pages: { type: 'boolean' },
      tolerance: { type: 'string', default: '0.5' },
      watch: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      'min-coverage': { type: 'string', multiple: true, default: [] },
      mutate: { type: 'boolean' },
      ...{ sample: file, seed: file, seconds: file, 'min-score': file },
      ...{ junit: file, tap: file, json: file, html: file },
    },
    allowPositionals: true,
  })
  const { junit, tap, json, html, update, pages } = values
  const [folder = '.', ...rest] = positionals
  if (rest.length > 0) throw new UsageError('test takes one folder: quire test letters')
  if (pages === true && update !== true) {
    throw new UsageError('--pages says what --update writes: quire test --update --pages')
  }
  const minima = values['min-coverage'].map(limitOf)
  const coverage = values.coverage || minima.length > 0
  if (coverage && values.watch) throw new UsageError('--watch runs some of the cases, and --coverage wants them all')
  if (values.mutate === true && (values.watch || update === true)) {
    throw new UsageError('--mutate compares all cases with what is expected, so it goes without --watch and --update')
  }
  const { sample, seed, seconds } = values
  const minScore = values['min-score']
  if (values.mutate !== true && [sample, seed, seconds, minScore].some((each) => each !== undefined)) {
    throw new UsageError('--sample, --seed, --seconds and --min-score go with --mutate')
  }
  const files = { junit, tap, json, html }
  const toStdout = Object.values(files).filter((path) => path === '-')
  if (toStdout.length > 1) throw new UsageError('only one report can go to stdout')
  return {
    folder,
    parts: values.case,
    update: update === true ? (pages === true ? ('all' as const) : ('kept' as const)) : undefined,
    tolerance: pointsOf(values.tolerance),
    watch: values.watch,
    coverage,
    minima,
    mutation:
      values.mutate === true
        ? {
            sample: sample === undefined ? undefined : countOf('--sample', sample),
            seed: seed === undefined ? 1 : countOf('--seed', seed),
            withinMs: 1000 * (seconds === undefined ? limits.mutationSeconds : countOf('--seconds', seconds)),
          }
        : undefined,
    minScore: minScore === undefined ? 0 : percentOf('--min-score', minScore),
    files,
    isQuiet: toStdout.length > 0,
  }
}

function limitOf(text: string): CoverageLimit {
  const limit = readCoverageLimit(text)
  if (limit !== undefined) return limit
  throw new UsageError(
    `--min-coverage takes percent, such as 80, or of one column, such as template=80; ${text} is neither. The columns are ${coverageColumns.join(', ')}`,
  )
}

function countOf(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new UsageError(`${option} takes a whole number from 1 on; ${text} is none`)
}

function percentOf(option: string, text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text)
  throw new UsageError(`${option} takes percent, such as 80; ${text} is none`)
}

function pointsOf(text: string): number {
  if (/^\d{1,3}(?:\.\d{1,3})?$/.test(text)) return Number(text)
  throw new UsageError(`--tolerance takes points, such as 0.5; ${text} is none`)
}
