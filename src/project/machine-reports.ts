/** Results in the formats that CI systems read. */
import { canonicalJson } from '../core/canonical.ts'
import type { JsonObject } from '../core/json.ts'
import { type Counts, gapsOf, type ProjectCoverage } from './coverage/coverage.ts'
import type { MutationResult } from './mutation/mutate.ts'
import type { CaseResult } from './test-cases.ts'
import { describeFailure } from './text-report.ts'

/**
 * JUnit's XML as Jenkins, GitLab and GitHub's actions read it, valid by the schemas of Ant and Jenkins: a suite for each
 * model, seconds as decimals. `file` is an extension, by which GitLab and actions link a case to its input.
 */
export function junitReport(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ testCase }) => testCase.model.slug)].map(([slug, cases]) => {
    const head = `name="${xmlAttribute(slug)}" ${countsOf(cases)} skipped="0"`
    return `  <testsuite ${head}>\n${cases.map(junitCase).join('')}  </testsuite>\n`
  })
  const head = `name="quire test" ${countsOf(results)}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${head}>\n${suites.join('')}</testsuites>\n`
}

function countsOf(results: readonly CaseResult[]): string {
  return `tests="${results.length}" failures="${failed(results)}" errors="0" time="${seconds(results)}"`
}

function junitCase(result: CaseResult): string {
  const { testCase, failures } = result
  const names = `classname="${xmlAttribute(testCase.model.slug)}" name="${xmlAttribute(testCase.name)}"`
  const head = `${names} file="${xmlAttribute(testCase.input)}" time="${seconds([result])}"`
  const [first] = failures
  if (first === undefined) return `    <testcase ${head}/>\n`
  const text = failures.flatMap(describeFailure).join('\n')
  const message = xmlAttribute(text.split('\n')[0] ?? '')
  const failure = `<failure type="${first.kind}" message="${message}">${xmlText(text)}</failure>`
  return `    <testcase ${head}>\n      ${failure}\n    </testcase>\n`
}

/** The Test Anything Protocol, version 14: what failed comes below its line as a block of YAML. */
export function tapReport(results: readonly CaseResult[]): string {
  const lines = results.map(({ testCase, failures }, index) => {
    const line = `${failures.length === 0 ? 'ok' : 'not ok'} ${index + 1} - ${tapDescription(testCase.stem)}\n`
    if (failures.length === 0) return line
    return `${line}  ---\n${yamlMessage(failures.flatMap(describeFailure).join('\n'))}  ...\n`
  })
  return `TAP version 14\n1..${results.length}\n${lines.join('')}`
}

/** In one line, where `#` would begin a directive. */
function tapDescription(name: string): string {
  return JSON.stringify(name.toWellFormed())
    .slice(1, -1)
    .replace(/\\(["\\])/g, '$1')
    .replace(/[#\\]/g, '\\$&')
}

/**
 * What YAML can't have in a block: lone carriage returns and other controls, and what some readers take for a break. A blank at
 * the start of a block or the end of the text would be lost as well.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** A member of a YAML block, with the indentation of TAP. */
function yamlMessage(told: string): string {
  const text = told.toWellFormed()
  if (text.search(unprintable) >= 0 || text.endsWith('\n')) {
    const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
    return `  message: ${JSON.stringify(text).replace(unprintable, escaped)}\n`
  }
  // Lines may begin with blanks themselves, so the indentation is stated.
  const lines = text.split('\n').map((line) => `    ${line}\n`)
  return `  message: |2-\n${lines.join('')}`
}

/**
 * One object: counts `passed` and `failed`, the failures of each case as lines, and `coverage` if measured: `{reached, of}`
 * for each column of each document, and every place that no case reached. `mutation` has its counts and every change that no
 * case noticed.
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
    ...(testCase.from === undefined ? {} : { from: testCase.from }),
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

/** Text in an attribute, where readers take line breaks and tabs for blanks. */
function xmlAttribute(text: string): string {
  return xmlText(text).replace(/[\t\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Text for XML 1.0, where most control characters can't be written, and a carriage return only as a reference. */
function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"\r]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  )
}
