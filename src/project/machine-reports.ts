/** Results in the formats that CI systems read. */
import { canonicalJson } from '../core/canonical.ts'
import type { JsonObject } from '../core/json.ts'
import { type Counts, gapsOf, type ProjectCoverage } from './coverage/coverage.ts'
import type { MutationResult } from './mutation/mutate.ts'
import type { CaseResult } from './test-cases.ts'
import { describeFailure } from './text-report.ts'

/**
 * JUnit's XML as Jenkins, GitLab and GitHub's actions read it: a suite for each model, seconds as decimals. `file` is not of
 * JUnit's own: GitLab and actions link a case to its input by it.
 */
export function junitReport(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ testCase }) => testCase.model.slug)].map(([slug, cases]) => {
    const head = `name="${xmlText(slug)}" tests="${cases.length}" failures="${failed(cases)}" time="${seconds(cases)}"`
    return `  <testsuite ${head}>\n${cases.map(junitCase).join('')}  </testsuite>\n`
  })
  const head = `name="quire test" tests="${results.length}" failures="${failed(results)}" time="${seconds(results)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${suites.join('')}</testsuites>\n`
}

function junitCase(result: CaseResult): string {
  const { testCase, failures } = result
  const names = `classname="${xmlText(testCase.model.slug)}" name="${xmlText(testCase.name)}"`
  const head = `${names} file="${xmlText(testCase.input)}" time="${seconds([result])}"`
  if (failures.length === 0) return `    <testcase ${head}/>\n`
  const text = failures.flatMap(describeFailure).join('\n')
  const message = xmlText(text.split('\n')[0] ?? '')
  return `    <testcase ${head}>\n      <failure message="${message}">${xmlText(text)}</failure>\n    </testcase>\n`
}

/** The Test Anything Protocol, version 14: what failed comes below its line as a block of YAML. */
export function tapReport(results: readonly CaseResult[]): string {
  const lines = results.map(({ testCase, failures }, index) => {
    const line = `${failures.length === 0 ? 'ok' : 'not ok'} ${index + 1} - ${testCase.stem.replace(/[#\\]/g, '\\$&')}\n`
    if (failures.length === 0) return line
    const text = failures.flatMap(describeFailure).flatMap((each) => each.split('\n'))
    return `${line}  ---\n  message: |-\n${text.map((each) => `    ${each}\n`).join('')}  ...\n`
  })
  return `TAP version 14\n1..${results.length}\n${lines.join('')}`
}

/**
 * One object: `passed` and `failed` as counts, for each case its failures as lines, and `coverage` where it was measured:
 * `{reached, of}` for each column of each document, and every place that no case reached. `mutation` has its counts and every
 * change that no case noticed.
 */
export function jsonReport(
  results: readonly CaseResult[],
  coverage?: ProjectCoverage,
  mutation?: MutationResult,
): string {
  const count = failed(results)
  const cases = results.map(({ testCase, failures, durationMs }) => ({
    case: testCase.stem,
    model: testCase.model.slug,
    passed: failures.length === 0,
    duration_ms: Math.round(durationMs),
    failures: failures.flatMap(describeFailure),
  }))
  const measured = coverage === undefined ? {} : { coverage: coverageJson(coverage) }
  const tried = mutation === undefined ? {} : { mutation: mutationJson(mutation) }
  return `${canonicalJson({ passed: results.length - count, failed: count, cases, ...measured, ...tried })}\n`
}

function coverageJson({ sources, documents, counts }: ProjectCoverage): JsonObject {
  return {
    all: countsJson(counts),
    documents: documents.map((each) => ({ document: each.document, ...countsJson(each.counts) })),
    gaps: sources.flatMap((source) =>
      gapsOf(source).map(({ place, line, excerpt, gap, byRefusal }) => ({
        file: source.file,
        place,
        ...(line === undefined ? {} : { line }),
        excerpt,
        gap,
        by_refusal: byRefusal,
      })),
    ),
  }
}

function mutationJson({ noticed, survivors, refused, untried, possible }: MutationResult): JsonObject {
  return {
    noticed,
    refused,
    untried,
    possible,
    survivors: survivors.map(({ file, place, line, what, change, isReached }) => ({
      file,
      place,
      ...(line === undefined ? {} : { line }),
      what,
      change: [...change],
      is_reached: isReached,
    })),
  }
}

function countsJson(counts: Counts): JsonObject {
  return Object.fromEntries(Object.entries(counts).map(([column, { reached, of }]) => [column, { reached, of }]))
}

function failed(results: readonly CaseResult[]): number {
  return results.filter(({ failures }) => failures.length > 0).length
}

function seconds(results: readonly CaseResult[]): string {
  return (results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3)
}

/** Text in XML 1.0, where most control characters can't be written at all. */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  )
}
