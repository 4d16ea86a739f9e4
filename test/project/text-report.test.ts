import { expect, test } from 'bun:test'
import type { CaseResult } from '../../src/project/test-cases.ts'
import {
  caseLines,
  describeFailure,
  differingLine,
  laterLines,
  summaryLine,
  unwrittenLine,
} from '../../src/project/text-report.ts'
import type { Failure } from '../../src/suite/compare.ts'

const result = (more: object = {}) =>
  ({
    ...{ testCase: { stem: 'cases/letter/ann' }, failures: [], updated: [], hasExpectations: true },
    ...more,
  }) as unknown as CaseResult
const said: Failure = { kind: 'other', message: 'one\ntwo', file: 'cases/letter/ann.json' } as Failure
const text = {
  ...{ kind: 'text', file: 'ann.txt' },
  changes: [
    { line: 3, lines: ['-old', '+new'] },
    { line: 9, lines: ['+more'] },
  ],
} as unknown as Failure
const page = (missing: number, added: number, isRearranged: boolean) =>
  ({
    ...{ kind: 'page', file: 'ann.pdf' },
    difference: { missing: Array(missing).fill({}), added: Array(added).fill({}), isRearranged },
  }) as unknown as Failure

test('a failure is reported with its place first: of a text line by line, of a page by what is gone and new', () => {
  expect(describeFailure(said)).toEqual(['cases/letter/ann.json: one', '  two'])
  expect(describeFailure(text)).toEqual(['ann.txt:3', '  -old', '  +new', 'ann.txt:9', '  +more'])
  expect([page(2, 1, true), page(0, 1, true), page(0, 0, true), page(0, 0, false)].flatMap(describeFailure)).toEqual([
    ...['2 gone, 1 new', '0 gone, 1 new', 'of another size, or in another order', '0 gone, 0 new'].map(
      (what) => `ann.pdf is drawn otherwise: ${what} (--html shows it)`,
    ),
  ])
})

test('a case that failed is named, and what it says is below it; one that passed says nothing', () => {
  expect(caseLines(result())).toBe('')
  expect(caseLines(result({ failures: [said, text] }))).toBe(
    'failed cases/letter/ann\n  cases/letter/ann.json: one\n    two\n  ann.txt:3\n    -old\n    +new\n  ann.txt:9\n    +more\n',
  )
  expect(caseLines(result({ failures: [said], updated: ['ann.txt', 'ann.pdf'] }))).toBe(
    'wrote ann.txt\nwrote ann.pdf\n',
  )
})

test('cases that run with what comes into force later are counted for each instant, and those of now not at all', () => {
  const from = (instant?: string) => result({ testCase: { stem: 'x', from: instant } })
  expect(laterLines([from(), from('2027-01-01'), from('2026-12-01'), from('2027-01-01')])).toBe(
    '2 cases were run with what is in force from 2027-01-01 on\n1 case was run with what is in force from 2026-12-01 on\n',
  )
  expect(laterLines([from()])).toBe('')
})

test('cases that compare nothing are counted once, as long as nothing was written for them', () => {
  const without = result({ hasExpectations: false })
  expect(unwrittenLine([result()])).toBe('')
  expect(unwrittenLine([without, result({ hasExpectations: false, updated: ['x'] })])).toStartWith(
    '1 case has no expectations, so only a refusal fails; quire test --update writes down what it makes\n',
  )
  expect(unwrittenLine([without, without])).toStartWith('2 cases have no expectations, so only a refusal fails')
})

test('cases that differ are told how to keep what they make, and those that failed otherwise are not', () => {
  expect(differingLine([result({ failures: [said] })])).toBe('')
  expect(differingLine([result({ failures: [said, text] }), result({ failures: [said] })])).toStartWith(
    '1 case differs from what is expected; where that is meant, quire test --update writes down what it makes',
  )
  expect(differingLine([result({ failures: [text] }), result({ failures: [page(1, 0, false)] })])).toStartWith(
    '2 cases differ from what is expected',
  )
})

test('the last line counts what passed and failed, and says how long it took', () => {
  expect(summaryLine([result(), result({ failures: [said, text] }), result()], 1_250)).toBe(
    '2 passed, 1 failed in 1.3 s\n',
  )
})
