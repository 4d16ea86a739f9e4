import { describe, expect, test } from 'bun:test'
import { parseInstant } from '../../../src/core/instant.ts'
import type { ProjectFile } from '../../../src/modules/projects/projects.files.ts'
import { namedFile, numberFor } from '../../../src/modules/projects/projects.numbers.ts'

const at = (day: number) => parseInstant(`2027-01-0${day}T00:00:00Z`)!
const file = (slug: string, more: Partial<ProjectFile> = {}): ProjectFile => ({
  ...{ path: `contracts/${slug}.json`, kind: 'contract', slug, name: slug, texts: undefined },
  content: { source: '{}', format: 'json' },
  ...more,
})

describe('the file that a source names', () => {
  test('has that name, else that slug, and is of that kind', () => {
    const files = [file('one', { name: 'other' }), file('other', { name: 'One' }), file('tpl', { kind: 'template' })]
    const named = (reference: string, kind: ProjectFile['kind'] = 'contract') =>
      namedFile(files, { kind, reference }, undefined)?.slug
    expect([named('other'), named('One'), named('one'), named('none')]).toEqual(['one', 'other', 'one', undefined])
    expect([named('tpl'), named('tpl', 'template'), named('one', 'template')]).toEqual([undefined, 'tpl', undefined])
  })

  test('is the latest that is there at its instant: what comes with it, or was there before', () => {
    const [now, first, second] = [file('c'), file('c', { from: at(1) }), file('c', { from: at(2) })]
    const named = (from: ProjectFile['from']) =>
      namedFile([now, first, second], { kind: 'contract', reference: 'c' }, from)
    expect([named(undefined), named(at(1)), named(at(2)), named(at(3))]).toEqual([now, first, second, second])
    expect(namedFile([second], { kind: 'contract', reference: 'c' }, at(1))).toBeUndefined()
  })
})

describe('the number of a version', () => {
  const of = (numbers: number[], known: number | undefined, latest: number) => {
    const named = numbers.map((number, index) => ({ path: `transformers/t${index}.yaml#/contract`, number }))
    const { number, findings } = numberFor(file('c'), named, { known, latest })
    return [number, findings.map(({ path, hint }) => `${path}: ${hint}`)]
  }

  test('is the one that its content has already, else the one that a source names beyond all that there are, else the next', () => {
    expect(of([], undefined, 0)).toEqual([1, []])
    expect(of([], undefined, 4)).toEqual([5, []])
    expect(of([], 2, 4)).toEqual([2, []])
    expect(of([7], undefined, 0)).toEqual([7, []])
    expect(of([5], undefined, 4)).toEqual([5, []])
    expect(of([2, 2], 2, 4)).toEqual([2, []])
  })

  test('is told to each source that names another one', () => {
    expect(of([4], undefined, 4)).toEqual([5, ['transformers/t0.yaml#/contract: Write 5 there.']])
    expect(of([7, 8, 7], undefined, 0)).toEqual([7, ['transformers/t1.yaml#/contract: Write 7 there.']])
    expect(of([3], 2, 4)).toEqual([2, ['transformers/t0.yaml#/contract: Write 2 there.']])
    const named = [{ path: 'x', number: 3 }]
    expect(numberFor(file('c'), named, { known: 1, latest: 1 }).findings).toEqual([
      {
        ...{ code: 'project.version', severity: 'error', path: 'x', hint: 'Write 1 there.' },
        message: 'It names version 3, and contracts/c.json is version 1.',
      },
    ])
  })
})
