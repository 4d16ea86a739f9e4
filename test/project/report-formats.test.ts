/** The reports for machines, read back by parsers that know nothing of Quire. */
import { describe, expect, test } from 'bun:test'
import { load } from 'js-yaml'
import { SaxesParser } from 'saxes'
import { parse } from 'yaml'
import { junitReport, tapReport } from '../../src/project/machine-reports.ts'
import type { CaseResult } from '../../src/project/test-cases.ts'
import { describeFailure } from '../../src/project/text-report.ts'
import type { Failure } from '../../src/suite/compare.ts'
import { folderWith, greeting, projectAt } from './fixture.ts'

const [template] = projectAt(folderWith(greeting)).cases
if (template === undefined) throw new Error('the project has a case')

const failure = (message: string): Failure => ({ kind: 'other', file: 'letter', message })
const text = (lines: string[]): Failure => ({ kind: 'text', file: 'a/document.txt', changes: [{ line: 1, lines }] })

function resultOf(name: string, failures: readonly Failure[], durationMs = 1.26): CaseResult {
  const stem = `cases/greeting/${name}`
  const testCase = { ...template, name, stem, input: `${stem}.json` } as CaseResult['testCase']
  const input = { raw: '{}', params: undefined }
  return { testCase, input, runs: [], failures, hasExpectations: true, updated: [], durationMs }
}

/** Names that file systems allow, and texts that documents can have. */
const names = [
  'plain',
  'a # b',
  'ok # TODO later',
  'back\\slash',
  'line\nbreak',
  'tab\there',
  'quo"te & <tag>',
  ' été 🙂 ',
  '\u0001',
  '\ud800',
]
const texts = [
  'one line',
  'two\nlines',
  '   begins with blanks\nand goes on',
  'ends with blanks  \n',
  '\n\nempty lines around\n\n',
  'bell \u0007, escape \u001b[31mred, nul \u0000',
  'carriage\rreturn and\r\nboth',
  'next line \u0085, separators \u2028 \u2029, no byte order mark \ufeff',
  'not a character \uffff and half of one \udc00',
  ']]> <!-- &amp; "quoted" \'too\'',
  '...\n---\n  ...\nok 7 - not a test\nBail out!\n1..9\n# comment\npragma +strict',
  '%YAML 1.2',
  '\ttab first',
  '🙂',
]
const results = [
  ...names.map((name) => resultOf(name, [])),
  ...texts.map((each, index) => resultOf(`case-${index}`, [failure(each), text([` ${each}`, '-before', `+${each}`])])),
  resultOf('fast', [], 0),
  resultOf('slow', [failure('slow')], 123_456.789),
]

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** Strict XML 1.0 with one root. */
function readXml(xml: string): Element {
  const top: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', (more) => {
    const last = open.at(-1)
    if (last !== undefined) last.text += more
  })
  parser.write(xml).close()
  const [root] = top.children
  if (root === undefined || top.children.length > 1) throw new Error('one root')
  return root
}

const seconds = /^\d+\.\d{3}$/
const count = /^\d+$/
/** What Jenkins's junit-10.xsd and Ant's JUnit.xsd ask of the elements that are here; `file` is GitLab's. */
const rules: Record<string, { attributes: Record<string, RegExp>; children: string[] }> = {
  testsuites: {
    attributes: { name: /./, tests: count, failures: count, errors: count, time: seconds },
    children: ['testsuite'],
  },
  testsuite: {
    attributes: { name: /./, tests: count, failures: count, errors: count, skipped: count, time: seconds },
    children: ['testcase'],
  },
  testcase: { attributes: { name: /./s, classname: /./, file: /./s, time: seconds }, children: ['failure'] },
  failure: { attributes: { type: /^\w+$/, message: /^/ }, children: [] },
}

function check(element: Element): void {
  const rule = rules[element.name]
  if (rule === undefined) throw new Error(`${element.name} is not of JUnit`)
  expect(Object.keys(element.attributes).sort()).toEqual(Object.keys(rule.attributes).sort())
  for (const [name, pattern] of Object.entries(rule.attributes)) expect(element.attributes[name]).toMatch(pattern)
  for (const child of element.children) {
    expect(rule.children).toContain(child.name)
    check(child)
  }
}

/** What XML 1.0 can't have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const written = (told: string) => told.toWellFormed().replace(unwritable, '\ufffd')
const toldOf = ({ failures }: CaseResult) => failures.flatMap(describeFailure).join('\n')

describe('the report for JUnit', () => {
  const root = readXml(junitReport(results))
  const cases = root.children.flatMap(({ children }) => children)

  test('has the elements and attributes of its schemas, and counts that are right', () => {
    check(root)
    const failed = results.filter(({ failures }) => failures.length > 0).length
    for (const element of [root, ...root.children]) {
      const { tests, failures } = element.attributes
      expect([Number(tests), Number(failures)]).toEqual([results.length, failed])
    }
    expect(cases.filter(({ children }) => children.length > 0)).toHaveLength(failed)
    const total = cases.reduce((sum, { attributes }) => sum + Number(attributes.time), 0)
    expect(Number(root.attributes.time)).toBeCloseTo(total, 1)
  })

  test('gives names and texts back as they were, except for what XML can’t have', () => {
    expect(cases.map(({ attributes }) => attributes.name)).toEqual(
      results.map(({ testCase }) => written(testCase.name)),
    )
    for (const [index, { children }] of cases.entries()) {
      const result = results[index]
      if (result === undefined || result.failures.length === 0) continue
      expect(children[0]?.text).toBe(written(toldOf(result)))
      expect(children[0]?.attributes.message).toBe(written(toldOf(result).split('\n')[0] ?? ''))
    }
  })
})

interface TapTest {
  ok: boolean
  number: number
  description: string
  message: string | undefined
}

/** TAP 14 as its specification has it, and nothing besides: a line that is none of it is an error. */
function readTap(tap: string, yaml: (block: string) => unknown): TapTest[] {
  const lines = tap.split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.shift()).toBe('TAP version 14')
  const plan = /^1\.\.(\d+)$/.exec(lines.shift() ?? '')
  const tests: TapTest[] = []
  for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
    const found = /^(not )?ok (\d+) - ((?:[^#\\]|\\[#\\])*)$/.exec(line)
    if (found === null) throw new Error(`not of TAP 14: ${line}`)
    const [, not, number, description = ''] = found
    let message: string | undefined
    if (lines[0] === '  ---') {
      lines.shift()
      const block: string[] = []
      for (let inner = lines.shift(); inner !== '  ...'; inner = lines.shift()) {
        if (inner === undefined || !inner.startsWith('  ')) throw new Error(`not of the block: ${inner}`)
        block.push(inner.slice(2))
      }
      message = (yaml(`${block.join('\n')}\n`) as { message: string }).message
    }
    tests.push({
      ok: not === undefined,
      number: Number(number),
      description: description.replace(/\\([#\\])/g, '$1'),
      message,
    })
  }
  expect(tests).toHaveLength(Number(plan?.[1]))
  return tests
}

describe('the report as TAP', () => {
  test.each([
    ['yaml', (block: string) => parse(block)],
    ['js-yaml', (block: string) => load(block)],
  ])('is TAP 14 line by line, with blocks that %s reads', (_parser, yaml) => {
    const tests = readTap(tapReport(results), yaml)
    expect(tests.map(({ number }) => number)).toEqual(results.map((_, index) => index + 1))
    for (const [index, { ok, message }] of tests.entries()) {
      const result = results[index]
      if (result === undefined) throw new Error('as many tests as results')
      expect(ok).toBe(result.failures.length === 0)
      expect(message).toBe(ok ? undefined : toldOf(result).toWellFormed())
    }
  })

  test('names each case in one line, where controls are escaped', () => {
    const told = readTap(tapReport(results), parse).map(({ description }) => description)
    expect(told.slice(0, names.length)).toEqual(
      names.map(
        (name) =>
          `cases/greeting/${JSON.stringify(name.toWellFormed())
            .slice(1, -1)
            .replace(/\\(["\\])/g, '$1')}`,
      ),
    )
  })
})
