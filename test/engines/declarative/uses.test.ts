/** Which uses of a value a template can't mean, by the value's type. */
import { describe, expect, test } from 'bun:test'
import type { Binding, BindingUse } from '../../../src/core/binding.ts'
import { typeOfSchema } from '../../../src/engines/declarative/contract.ts'
import { stepInto } from '../../../src/engines/declarative/types.ts'
import { misuseOf } from '../../../src/engines/declarative/uses.ts'

const properties = {
  text: { type: 'string' },
  number: { type: 'number' },
  day: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
  flag: { type: 'boolean' },
  mixed: { type: ['number', 'boolean'] },
  kind: { enum: ['annual', 'monthly'] },
  other: { enum: ['weekly', 'monthly'] },
  last: { enum: ['weekly'] },
  digits: { enum: ['1', '2.50'] },
  days: { enum: ['2026-01-01', 'never'] },
  shade: { enum: ['#ff0000', 'red'] },
  eight: { enum: [...'abcdefgh'] },
  nine: { enum: [...'abcdefghi'] },
  nothing: { type: 'null' },
  anything: {},
  either: { anyOf: [{ type: 'boolean' }, {}] },
  object: { type: 'object', properties: { inner: { type: 'number' } } },
  list: { type: 'array', items: { type: 'number' } },
}
type Name = keyof typeof properties
const root = typeOfSchema({ type: 'object', required: Object.keys(properties), properties })

function misuse(name: Name, use: BindingUse | undefined) {
  const step = stepInto(root, name)
  if (!step.ok) throw new Error(`there is no ${name}`)
  const binding: Binding = { pointer: `/${name}`, shape: 'scalar', required: true, part: '', paragraph: 0, position: 0 }
  return misuseOf(use === undefined ? binding : { ...binding, use }, step.type, root)
}

const all = Object.keys(properties) as Name[]
const never: Name[] = ['anything', 'either', 'nothing']
const takenBy = (use: BindingUse) => all.filter((name) => !never.includes(name) && misuse(name, use) === undefined)

describe('a format', () => {
  test.each<[BindingUse['as'], Name[]]>([
    ['members', ['object']],
    ['number', ['text', 'number', 'digits']],
    ['date', ['text', 'day', 'moment', 'days']],
    ['time', ['text', 'moment', 'days']],
    ['color', ['text', 'shade']],
    ['test', all.filter((name) => !never.includes(name))],
  ])('%s takes the types that can be meant: %j', (as, taken) => {
    expect(takenBy({ as })).toEqual(taken)
  })

  test('is taken where nothing is known of the value, or it is null, and where a tag has no use', () => {
    for (const name of never) {
      for (const as of ['members', 'number', 'date', 'time', 'color', 'equal', 'order'] as const) {
        expect([name, as, misuse(name, { as, values: ['x'] })]).toEqual([name, as, undefined])
      }
    }
    expect(misuse('flag', undefined)).toBeUndefined()
  })

  test('that fits only one of the types is refused', () => {
    expect(misuse('mixed', { as: 'number' })).toMatchObject({ does: 'writes a number', is: 'a number or a boolean' })
  })
})

describe('a comparison', () => {
  const equal = (value: string | number | boolean): BindingUse => ({ as: 'equal', values: [value] })
  const order = (value: string | number | boolean): BindingUse => ({ as: 'order', values: [value] })
  test.each<[BindingUse, Name[]]>([
    [equal(true), ['flag', 'mixed']],
    [order(true), []],
    [equal(1), ['text', 'number', 'mixed', 'digits']],
    [equal(2), ['text', 'number', 'mixed']],
    [equal('2.5'), ['text', 'number', 'mixed', 'digits']],
    [order(2), ['text', 'number', 'mixed', 'digits']],
    [equal('annual'), ['text', 'kind']],
    [order('b'), ['text', 'kind', 'other', 'last', 'digits', 'days', 'shade', 'eight', 'nine']],
    [equal('b'), ['text', 'eight', 'nine']],
    [equal('2026-01-01'), ['text', 'day', 'days']],
    [equal('2026-01-01T00:00:00Z'), ['text', 'day', 'moment']],
    [
      order('2026-01-01'),
      ['text', 'day', 'moment', 'kind', 'other', 'last', 'digits', 'days', 'shade', 'eight', 'nine'],
    ],
  ])('%j takes the types that can hold it: %j', (use, taken) => {
    expect(takenBy(use)).toEqual(taken)
  })

  test.each<[Name, BindingUse['as'], Name[]]>([
    [
      'text',
      'equal',
      ['text', 'number', 'day', 'moment', 'mixed', 'kind', 'other', 'last', 'digits', 'days', 'shade', 'eight', 'nine'],
    ],
    ['number', 'equal', ['text', 'number', 'mixed', 'digits']],
    ['day', 'equal', ['text', 'day', 'days']],
    ['day', 'order', ['text', 'day', 'moment', 'days']],
    ['flag', 'equal', ['flag', 'mixed']],
    ['flag', 'order', []],
    ['kind', 'equal', ['text', 'kind', 'other']],
    ['digits', 'equal', ['text', 'number', 'mixed', 'digits']],
    [
      'digits',
      'order',
      ['text', 'number', 'mixed', 'kind', 'other', 'last', 'digits', 'days', 'shade', 'eight', 'nine'],
    ],
    ['object', 'equal', ['object']],
    ['list', 'equal', ['list']],
  ])('with a value at %s (%s) takes the types that can be alike: %j', (pointer, as, taken) => {
    expect(takenBy({ as, pointers: [`/${pointer}`] })).toEqual(taken)
  })

  test('with null, with an unknown type and with a missing value says nothing', () => {
    for (const use of [
      { values: [null] },
      { pointers: ['/anything'] },
      { pointers: ['/either'] },
      { pointers: ['/x'] },
    ]) {
      for (const name of all) expect([name, misuse(name, { as: 'equal', ...use })]).toEqual([name, undefined])
    }
  })

  test('is refused for the first of its values that can not be, in words that say what can', () => {
    const is = 'one of annual, monthly'
    expect(misuse('kind', { as: 'equal', values: ['annual', null, 'x', 'y'] })).toEqual({
      ...{ does: 'compares with "x"', is, hint: 'Known here: annual, monthly.' },
    })
    expect(misuse('kind', { as: 'equal', pointers: ['/other', '/last'] })).toEqual({
      ...{ does: 'compares with /last, which is one of weekly', is },
      hint: 'Compare values of one type: numbers, texts, dates or flags.',
    })
    expect(misuse('eight', equal('zz'))?.is).toBe('one of a, b, c, d, e, f, g, h')
    expect(misuse('nine', equal('zz'))?.is).toBe('one of a, b, c, d, e, f, g, h, …')
  })
})
