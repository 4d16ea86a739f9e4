import { describe, expect, test } from 'bun:test'
import { type Finding, fail, type Outcome } from '../../../src/core/finding.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import {
  compileTransformer,
  evaluateTransformer,
  type Transformer,
} from '../../../src/engines/declarative/declarative.ts'
import { cpuMsOf } from '../../support/cpu.ts'
import { codesOf, compile, evaluate, faultOf, sourceOf } from './compile.ts'

function refusalOf(source: string, format: 'yaml' | 'json' = 'yaml'): { findings: Finding[]; elapsedMs: number } {
  let compiled: Outcome<Transformer> = fail()
  const elapsedMs = cpuMsOf(() => {
    compiled = compileTransformer(source, format)
  })
  expect(compiled.ok).toBe(false)
  expect(compiled.findings.length).toBeGreaterThan(0)
  expect(compiled.findings.length).toBeLessThanOrEqual(limits.configurationIssues)
  return { findings: compiled.findings, elapsedMs }
}

/** Far above the 100 ms that is aimed at, so that a busy machine does not fail the test; what it guards is the order. */
const boundMs = 1_000

describe('a hostile source is refused, quickly and with its place', () => {
  const head = 'transform: declarative-v1\n'
  const sources: [name: string, source: string, code: string][] = [
    ['deeply nested flow', '['.repeat(100_000), 'depth'],
    ['deeply nested mappings', '{a: '.repeat(60_000), 'depth'],
    ['deeply nested blocks', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'depth'],
    ['deeply nested sequences', '- '.repeat(120_000), 'depth'],
    ['an alias bomb', `${head}a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\noutput: [*c, *c]`, 'no_alias'],
    ['many aliases', 'a: *b\n'.repeat(40_000), 'no_alias'],
    ['a tag', `${head}output: !!js/function "x"`, 'no_tag'],
    ['a merge key', `${head}output: { <<: { a: 1 } }`, 'no_alias'],
    ['a duplicate key', `${head}output: { a: 1, a: 2 }`, 'duplicate_key'],
    ['a key that is no scalar', `${head}output: { [a]: 1 }`, 'yaml'],
    ['a second document', `${head}output: 1\n---\noutput: 2`, 'yaml'],
    ['a directive', `%YAML 1.1\n---\n${head}output: yes`, 'yaml'],
    ['broken syntax', `${head}output: {a: [1, }`, 'yaml'],
    ['an infinite number', `${head}output: .inf`, 'yaml'],
    ['a number beyond every double', `${head}output: 1e999`, 'yaml'],
    ['nothing', '', 'yaml'],
    ['more bytes than allowed', `${head}output: ${'x'.repeat(limits.sourceBytes)}`, 'size'],
    ['more values than can be checked in time', `${head}output: [${'1,'.repeat(120_000)}1]`, 'size'],
  ]
  for (const [name, source, code] of sources) {
    test(name, () => {
      const { findings, elapsedMs } = refusalOf(source)
      expect(findings[0]).toMatchObject({ code, severity: 'error' })
      if (code !== 'size') expect(findings[0]?.line).toBeGreaterThanOrEqual(1)
      expect(elapsedMs).toBeLessThan(boundMs)
    })
  }

  test('deeply nested JSON', () => {
    expect(refusalOf('['.repeat(100_000), 'json').findings[0]?.code).toBe('json.depth')
  })

  test('ten thousand errors: the first hundred, and how many there are', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `  k${index}: $x${index}`)
    const { findings, elapsedMs } = refusalOf(`${head}output:\n${lines.join('\n')}\n`)
    expect(findings.length).toBe(limits.configurationIssues)
    expect(findings[99]).toMatchObject({ code: 'unknown_name', line: 102, path: '/output/k99' })
    expect(findings[99]?.message).toContain('$x99')
    expect(findings[99]?.message).toContain('number 100 of 10000 findings')
    expect(findings[98]?.message).not.toContain('findings')
    expect(elapsedMs).toBeLessThan(boundMs)
  })

  test('ten thousand errors of the text itself are counted, and the same in JSON', () => {
    const lastOf = (source: string, format: 'yaml' | 'json' = 'yaml') => refusalOf(source, format).findings.at(-1)
    const aliases = Array.from({ length: 10_000 }, (_, index) => `a${index}: *b\n`).join('')
    expect(lastOf(aliases)).toMatchObject({ code: 'no_alias', line: 100, column: 6 })
    expect(lastOf(aliases)?.message).toContain('of 10000 findings')
    expect(lastOf('a: 1\n'.repeat(10_000))).toMatchObject({ code: 'duplicate_key', line: 101, column: 1 })
    expect(lastOf('a: 1\n'.repeat(10_000))?.message).toContain('of 9999 findings')
    expect(lastOf(`"${'\\q'.repeat(10_000)}"`)?.message).toContain('of 10000 findings')
    const json = JSON.stringify({ transform: 'declarative-v1', output: Array(10_000).fill('$x') })
    expect(lastOf(json, 'json')?.message).toContain('of 10000 findings')
  })

  test('where reading ends at the limit of tokens, the count says that it is a lower bound', () => {
    for (const line of ['  ]', '\tk: 1', '  "\\q": 1']) {
      const { findings, elapsedMs } = refusalOf(`${head}output:\n${`${line}\n`.repeat(10_000)}`)
      expect([line, findings.length, findings.at(-1)?.message]).toEqual([
        line,
        limits.configurationIssues,
        expect.stringMatching(/of at least \d{3,4} findings/),
      ])
      expect(findings[0]?.line).toBe(3)
      expect(elapsedMs).toBeLessThan(boundMs)
    }
  })

  test('lines that make no sense together are named where they begin, not as too deep', () => {
    for (const line of ['  a: b: c', '  a: 1\n   b: 2']) {
      const { findings } = refusalOf(`${head}output:\n${`${line}\n`.repeat(10_000)}`)
      expect([line, findings[0]?.code, findings[0]?.line]).toEqual([line, 'yaml', expect.any(Number)])
      expect(findings[0]?.line).toBeLessThan(6)
    }
  })

  test('a rare form of YAML in a long source is read up to the token limit, and reported with its place', () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `  k${index}: v\n`).join('')
    expect(codesOf(`${head}output:\n  rare: 0x1F\n  last: 1\n`)).toEqual(['number'])
    const { findings } = refusalOf(`${head}output:\n${lines}  rare: 0x1F\n`)
    expect(findings).toMatchObject([{ code: 'size', line: 2_003, column: 9 }])
    expect(codesOf(`${head}output:\n${lines}  usual: one\n    two\n  last: "three\n    four"\n`)).toEqual([])
  })

  test('warnings never take the place of an error', () => {
    const needless = Array.from({ length: 300 }, (_, index) => `  k${index}: { $default: [/a, 1] }`).join('\n')
    const source = `${head}output:\n${needless}\n  last: $nothing\n`
    const contract = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } }
    const compiled = compileTransformer(source, 'yaml', { contract })
    expect(compiled.findings.length).toBe(limits.configurationIssues)
    expect(compiled.findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'unknown_name' }])
    expect(compiled.findings.at(-1)?.message).toContain('of 301 findings')
  })

  test('further documents are refused without being composed', () => {
    const { findings, elapsedMs } = refusalOf('---\n'.repeat(10_000))
    expect(findings[0]).toMatchObject({ code: 'yaml', line: 2, column: 1 })
    expect(findings.at(-1)?.message).toContain('of at least')
    expect(elapsedMs).toBeLessThan(boundMs)
  })

  test('huge numbers are refused or kept to the last digit', () => {
    const digits = '9'.repeat(200_000)
    expect(refusalOf(`${head}output: ${digits}`).findings[0]?.code).toBe('yaml')
    expect(refusalOf(`[${digits}]`, 'json').findings[0]?.code).toBe('json.number')
    const exact = '12345678901234567890.12345678901234567890'
    expect(evaluate(compile(sourceOf(`{ $text: "{n}", n: ${exact} }`)), {}).output).toBe(exact.slice(0, -1))
  })

  test('marks inside text are no anchors, aliases or tags', () => {
    const source = `${head}output:\n  a: "*x &y !z"\n  b: a*b & c!\n  c: |\n    *x\n    &y\n  d: '!no'\n  e: >\n    !t\n# &comment *comment\n`
    expect(codesOf(source)).toEqual([])
    expect(codesOf('--- |\n*x\n')).toEqual(['transform'])
  })

  test('an error in CRLF text has the right line', () => {
    const { findings } = refusalOf(`${head}output:\n  a: 1\n  b: $x\n`.replaceAll('\n', '\r\n'))
    expect(findings[0]).toMatchObject({ code: 'unknown_name', line: 4, column: 6 })
  })

  test('a formula and pattern of many parts', () => {
    expect(codesOf(sourceOf(`{ $calc: "${'('.repeat(5_000)}" }`))).toEqual(['calc'])
    expect(codesOf(sourceOf(`{ $calc: "${'1+'.repeat(5_000)}1" }`))).toEqual(['calc'])
    expect(codesOf(sourceOf(`{ $format: 1, number: "${'#'.repeat(5_000)}" }`))).toEqual(['pattern'])
  })

  test('loops in loops cost too much before they run', () => {
    const inner = '{ $each: /l, as: x, do: '
    expect(codesOf(sourceOf(`${inner.repeat(60)}1${' }'.repeat(60)}`))).toEqual(['cost'])
    const doubled = Array.from(
      { length: 40 },
      (_, index) => `  v${index + 1}: { $concat: [$v${index}, $v${index}] }\n`,
    ).join('')
    expect(codesOf(sourceOf('{ $count: $v40 }', `let:\n  v0: [1, 2]\n${doubled}`))).toEqual(['cost'])
  })
})

describe('growth while running ends in fuel', () => {
  function doubling(first: string, step: (name: string) => string, count = 60): string {
    const lets = Array.from({ length: count }, (_, index) => `  v${index + 1}: ${step(`$v${index}`)}\n`).join('')
    return `let:\n  v0: ${first}\n${lets}`
  }

  const growing: [string, string][] = [
    ['text', doubling('abc', (name) => `{ $text: "{a}{a}", a: ${name} }`)],
    ['replaced text', doubling('aa', (name) => `{ $replace: ${name}, find: a, with: aa }`)],
    ['numbers', doubling('1.5', (name) => `{ $calc: "a * a", a: ${name} }`)],
    ['shared arrays', doubling('[1]', (name) => `[${name}, ${name}]`)],
    ['shared objects', doubling('{ a: 1 }', (name) => `{ a: ${name}, b: ${name} }`)],
  ]
  for (const [name, lets] of growing) {
    test(name, () => {
      const transformer = compile(sourceOf('$v60', lets))
      expect(cpuMsOf(() => expect(faultOf(transformer, {}).code).toBe('fuel'))).toBeLessThan(boundMs)
    })
  }
})

test('an output nested too deep to be read again is refused, not a crash', () => {
  const chain = Array.from({ length: 6_000 }, (_, index) => `  v${index + 1}: [$v${index}]\n`).join('')
  const lets = `let:\n  v0: [1]\n${chain}`
  expect(faultOf(compile(sourceOf('$v6000', lets)), {}).message).toContain('nested')
  const bits = Array.from({ length: 60 }, (_, index) => `$v${index * 100}`).join(', ')
  expect(faultOf(compile(sourceOf(`[${bits}]`, lets)), {}, { lineage: true }).message).toContain('nested')
  expect(evaluate(compile(sourceOf('$v100', lets)), {}, { lineage: true }).lineage?.length).toBe(1)
})

describe('names that mean something to JavaScript', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', '0']

  test('are members like any others, in source and input', () => {
    const value = names.map((name) => `"${name}": { $default: [/${name}, none] }`).join('\n')
    const transformer = compile(sourceOf(value))
    const empty = evaluate(transformer, {}).output as { [key: string]: JsonValue }
    expect(Object.keys(empty).sort()).toEqual([...names].sort())
    for (const name of names) expect(Object.getOwnPropertyDescriptor(empty, name)?.value).toBe('none')
    const input = JSON.parse(`{${names.map((name) => `"${name}": "own"`).join(',')}}`) as JsonValue
    const full = evaluate(transformer, input, { lineage: true }).output as { [key: string]: JsonValue }
    for (const name of names) expect(Object.getOwnPropertyDescriptor(full, name)?.value).toBe('own')
    expect(({} as { own?: string }).own).toBeUndefined()
  })

  test('pass through merging and entries without touching a prototype', () => {
    const transformer = compile(sourceOf('{ $fromEntries: { $entries: { $merge: [/o, {}] } } }'))
    const output = evaluate(transformer, JSON.parse('{"o": {"__proto__": {"polluted": true}}}') as JsonValue).output
    expect(Object.keys(output as object)).toEqual(['__proto__'])
    expect((output as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
  })

  test('name tables, params, slots and contract properties safely', () => {
    expect(codesOf(sourceOf('{ $lookup: constructor, key: a }'))).toEqual(['unknown_table'])
    expect(codesOf(sourceOf('$toString'))).toEqual(['unknown_name'])
    expect(codesOf(sourceOf('{ $constructor: 1 }'))).toEqual(['unknown_operator'])
    const contract = { type: 'object', properties: { a: { type: 'string' } } }
    expect(codesOf(sourceOf('/constructor'), { contract })).toEqual(['unknown_path'])
    const params = JSON.parse('{"__proto__": 1}') as Record<string, JsonValue>
    expect(evaluateTransformer(compile(sourceOf('1')), {}, { params }).ok).toBe(false)
  })
})
