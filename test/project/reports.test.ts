import { expect, test } from 'bun:test'
import { comparePages } from '../../src/engines/pdf/draw/page-difference.ts'
import { htmlReport } from '../../src/project/html-report.ts'
import { jsonReport, junitReport, tapReport } from '../../src/project/machine-reports.ts'
import type { CaseResult } from '../../src/project/test-cases.ts'
import { caseLines, describeFailure, differingLine, summaryLine, unwrittenLine } from '../../src/project/text-report.ts'
import type { Failure } from '../../src/suite/compare.ts'
import { folderWith, greeting, projectAt } from './fixture.ts'

const [ann, bob] = projectAt(folderWith(greeting)).cases
if (ann === undefined || bob === undefined) throw new Error('the project has two cases')

const drawing = (x: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><defs><path id="g0" d="M0 0Z"/></defs><rect/><g><use href="#g0" x="${x}"/></g></svg>`
const difference = comparePages(drawing(1), drawing(5), 0.5)
if (difference === undefined) throw new Error('the drawings differ')
const failures: Failure[] = [
  { kind: 'text', file: 'a/output.json', changes: [{ line: 3, lines: [' {', '-"<b>&"', '+"\u0001"'] }] },
  { kind: 'page', file: 'a/page-1.svg', page: 1, expected: drawing(1), actual: drawing(5), difference },
  { kind: 'other', file: 'letter', message: 'validate: wrong\n/name: must be' },
]
const results: CaseResult[] = [
  {
    testCase: ann,
    input: { raw: '{}', params: undefined },
    runs: [],
    failures: [],
    hasExpectations: true,
    updated: [],
    durationMs: 12.4,
  },
  {
    testCase: bob,
    input: { raw: '{}', params: undefined },
    runs: [],
    failures,
    hasExpectations: true,
    updated: [],
    durationMs: 30,
  },
]

test('a failure begins with its file, and with the line in a text', () => {
  expect(failures.map(describeFailure)).toEqual([
    ['a/output.json:3', '   {', '  -"<b>&"', '  +"\u0001"'],
    ['a/page-1.svg is drawn otherwise: 1 gone, 1 new (--html shows it)'],
    ['letter: validate: wrong', '  /name: must be'],
  ])
  const moved = { ...difference, missing: [], added: [], isRearranged: true }
  const page: Failure = { kind: 'page', file: 'p', page: 1, expected: '', actual: '', difference: moved }
  expect(describeFailure(page)).toEqual([
    'p is drawn otherwise: of another size, or in another order (--html shows it)',
  ])
})

test('a case that passed prints nothing; an update prints the files that it wrote', () => {
  expect(results.slice(0, 1).map(caseLines)).toEqual([''])
  expect(results.slice(1).map(caseLines).join('')).toStartWith('failed cases/greeting/bob\n  a/output.json:3\n')
  expect(
    caseLines({
      testCase: ann,
      input: { raw: '{}', params: undefined },
      runs: [],
      failures: [],
      hasExpectations: true,
      updated: ['x'],
      durationMs: 1,
    }),
  ).toBe('wrote x\n')
})

test('cases that compare nothing are reported, since only a refusal fails them', () => {
  const [first, ...others] = results
  if (first === undefined) throw new Error('there are results')
  const none = { ...first, hasExpectations: false }
  expect(unwrittenLine(results)).toBe('')
  expect(unwrittenLine([none, ...others])).toBe(
    '1 case has no expectations, so only a refusal fails; quire test --update writes down what it makes\n',
  )
  expect(unwrittenLine([none, none])).toStartWith('2 cases have no expectations')
  expect(unwrittenLine([{ ...none, updated: ['x'] }])).toBe('')
})

test('the last lines say how to go on where a difference is meant, and count, in seconds', () => {
  const meant = 'from what is expected; where that is meant, quire test --update writes down what'
  expect(differingLine(results)).toBe(`1 case differs ${meant} it makes\n`)
  expect(differingLine([...results, ...results])).toBe(`2 cases differ ${meant} they make\n`)
  const refused = results.map((result) => ({ ...result, failures: failures.filter(({ kind }) => kind === 'other') }))
  expect(differingLine(refused)).toBe('')
  expect(summaryLine(results, 1234)).toBe('1 passed, 1 failed in 1.2 s\n')
})

test('the report for JUnit has a suite for each model, with seconds and failures as well-formed XML', () => {
  expect(junitReport(results)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="quire test" tests="2" failures="1" errors="0" time="0.042">
  <testsuite name="greeting" tests="2" failures="1" errors="0" time="0.042" skipped="0">
    <testcase classname="greeting" name="ann" file="cases/greeting/ann.json" time="0.012"/>
    <testcase classname="greeting" name="bob" file="cases/greeting/bob.json" time="0.030">
      <failure type="text" message="a/output.json:3">a/output.json:3
   {
  -&#34;&#60;b&#62;&#38;&#34;
  +&#34;\ufffd&#34;
a/page-1.svg is drawn otherwise: 1 gone, 1 new (--html shows it)
letter: validate: wrong
  /name: must be</failure>
    </testcase>
  </testsuite>
</testsuites>
`)
})

test('the report as TAP numbers the cases, and has what failed in a block below its line', () => {
  const printable = results.map((each) => ({ ...each, failures: each.failures.slice(1) }))
  expect(tapReport(printable)).toBe(`TAP version 14
1..2
ok 1 - cases/greeting/ann
not ok 2 - cases/greeting/bob
  ---
  message: |2-
    a/page-1.svg is drawn otherwise: 1 gone, 1 new (--html shows it)
    letter: validate: wrong
      /name: must be
  ...
`)
})

test('the report as JSON has counts, and each case with its failures', () => {
  const { cases, ...counts } = JSON.parse(jsonReport(results))
  expect(counts).toEqual({ passed: 1, failed: 1 })
  expect(cases[0]).toEqual({
    case: 'cases/greeting/ann',
    model: 'greeting',
    passed: true,
    duration_ms: 12,
    failures: [],
  })
  expect(cases[1].failures).toHaveLength(7)
})

test('the report as HTML shows text safely, and both pages with what changed marked and names apart', () => {
  const html = htmlReport(results, 1234)
  expect(html).toContain('<h1 class="bad">1 passed, 1 failed in 1.2 s</h1>')
  expect(html).toContain('<span class="gone">-&#34;&#60;b&#62;&#38;&#34;</span>')
  const [expected = '', actual = ''] = html.match(/<figure>.*?<\/figure>/gs) ?? []
  const names = [expected, actual].map((figure) => / id="(\w+)"/.exec(figure)?.[1])
  expect(new Set(names).size).toBe(2)
  expect(expected).toContain(`<g class="gone"><g><use href="#${names[0]}" x="1"/></g></g>`)
  expect(actual).toContain(`<g class="new"><g><use href="#${names[1]}" x="5"/></g></g>`)
})
