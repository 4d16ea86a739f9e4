import { describe, expect, test } from 'bun:test'
import { wantedOf } from '../../src/commands/check-pairs.ts'
import { UsageError } from '../../src/commands/command.ts'
import { told } from '../../src/commands/progress.ts'
import { readOptions, type Wanted } from '../../src/commands/test-options.ts'
import type { Binding } from '../../src/core/binding.ts'
import type { ModelNode } from '../../src/engines/ingestion/ingestion-model.ts'

const usual: Wanted = {
  ...{ folder: '.', parts: [''], update: undefined, tolerance: 0.5, watch: false, coverage: false, minima: [] },
  ...{ mutation: undefined, minScore: 0, isQuiet: false },
  files: { junit: undefined, tap: undefined, json: undefined, html: undefined },
}
const mutation = { sample: undefined, seed: 1, withinMs: 300_000 }

describe('the options of quire test', () => {
  test.each<[args: string, wanted: Partial<Wanted>]>([
    ['', {}],
    ['letters', { folder: 'letters' }],
    ['--case a --case b', { parts: ['a', 'b'] }],
    ['--update', { update: 'kept' }],
    ['--update --pages', { update: 'all' }],
    ['--tolerance 0', { tolerance: 0 }],
    ['--tolerance 12.345', { tolerance: 12.345 }],
    ['--watch', { watch: true }],
    ['--coverage', { coverage: true }],
    ['--min-coverage 80', { coverage: true, minima: [{ column: 'all', percent: 80 }] }],
    ['--min-coverage template=100', { coverage: true, minima: [{ column: 'template', percent: 100 }] }],
    ['--mutate', { mutation }],
    ['--mutate --sample 7 --seed 2 --seconds 3', { mutation: { sample: 7, seed: 2, withinMs: 3_000 } }],
    ['--mutate --sample 999999999', { mutation: { ...mutation, sample: 999_999_999 } }],
    ['--mutate --min-score 100', { mutation, minScore: 100 }],
    ['--mutate --coverage', { mutation, coverage: true }],
    ['--junit a --json -', { files: { ...usual.files, junit: 'a', json: '-' }, isQuiet: true }],
    ['--tap t --html h', { files: { ...usual.files, tap: 't', html: 'h' } }],
  ])('%p are what is meant by them', (args, wanted) => {
    expect(readOptions(args.split(' ').filter((arg) => arg !== ''))).toEqual({ ...usual, ...wanted })
  })

  test.each([
    ['a b', 'test takes one folder'],
    ['--pages', '--pages says what --update writes'],
    ['--watch --coverage', '--watch runs some of the cases'],
    ['--watch --min-coverage 8', '--watch runs some of the cases'],
    ['--mutate --watch', '--mutate compares all cases'],
    ['--mutate --update', '--mutate compares all cases'],
    ['--sample 1', 'go with --mutate'],
    ['--seed 1', 'go with --mutate'],
    ['--seconds 1', 'go with --mutate'],
    ['--min-score 1', 'go with --mutate'],
    ['--junit - --html -', 'only one report can go to stdout'],
    ['--tolerance 1.2345', '--tolerance takes points'],
    ['--tolerance 1000', '--tolerance takes points'],
    ['--tolerance x1', '--tolerance takes points'],
    ['--min-coverage 101', '--min-coverage takes percent'],
    ['--min-coverage nothing=8', 'The columns are '],
    ['--mutate --sample 0', '--sample takes a whole number from 1 on; 0 is none'],
    ['--mutate --sample 1000000000', '--sample takes a whole number'],
    ['--mutate --seed 1.5', '--seed takes a whole number'],
    ['--mutate --seconds x', '--seconds takes a whole number'],
    ['--mutate --min-score 101', '--min-score takes percent'],
    ['--mutate --min-score 1x', '--min-score takes percent'],
  ])('%p are refused, saying what is wanted', (args, words) => {
    expect(() => readOptions(args.split(' '))).toThrow(words)
    expect(() => readOptions(args.split(' '))).toThrow(UsageError)
  })
})

describe('what is wanted of a transformer', () => {
  const binding = (pointer: string) => ({ pointer }) as unknown as Binding
  const letter = { path: 'templates/letter.docx', bindings: [binding('/a')] }
  const notice = { path: 'notice@2.docx', bindings: [binding('/b')] }
  const broken = { path: 'broken.docx', bindings: undefined }
  const node = (transformer: string, template?: string) => ({ transformer, template }) as unknown as ModelNode
  const pairing = (more: Partial<Parameters<typeof wantedOf>[2]> = {}) => ({
    ...{ templates: [letter, notice], nodes: [], transformerCount: 2 },
    ...more,
  })

  test('is wanted by the templates of its nodes, before the one that it names', () => {
    const nodes = [node('one', 'letter'), node('one', 'notice'), node('other', 'broken'), node('one')]
    expect(wantedOf('t/one@3.yaml', 'broken', pairing({ nodes }))).toEqual([...letter.bindings, ...notice.bindings])
    expect(wantedOf('one.yaml', 'letter', pairing({ nodes: [node('one')] }))).toBeUndefined()
    expect(wantedOf('one.yaml', undefined, pairing({ nodes: [node('one', 'missing')] }))).toBeUndefined()
  })

  test('else by the one that it names, else by all where it is alone; and else nothing tells', () => {
    expect(wantedOf('one.yaml', 'notice', pairing())).toEqual(notice.bindings)
    expect(wantedOf('one.yaml', undefined, pairing({ transformerCount: 1 }))).toEqual([
      ...letter.bindings,
      ...notice.bindings,
    ])
    expect(wantedOf('one.yaml', 'missing', pairing())).toBe('unknown')
    expect(wantedOf('one.yaml', undefined, pairing())).toBe('unknown')
    expect(wantedOf('one.yaml', 'letter', pairing({ templates: [] }))).toBeUndefined()
    const alone = pairing({ templates: [letter, broken], transformerCount: 1 })
    expect(wantedOf('one.yaml', undefined, alone)).toBeUndefined()
  })
})

test('rows are counted as they are taken, and are the same', async () => {
  const lines: string[] = []
  const rows = told(
    { tell: (text) => void lines.push(text), clear() {} },
    'looking',
    (async function* () {
      yield* ['a', 'b']
    })(),
  )
  expect(await Array.fromAsync(rows)).toEqual(['a', 'b'])
  expect(lines).toEqual(['looking: 1', 'looking: 2'])
})
