import { describe, expect, test } from 'bun:test'
import { readZone } from '../../../src/core/locale/zone.ts'
import { watchTransformer } from '../../../src/engines/declarative/declarative.ts'
import { codesOf, compile, evaluate, faultOf, findingsOf, outputOf, sourceOf } from './compile.ts'

const berlin = `tables:
  berlin:
    2026-10-25T01:00:00Z: "+01:00"
    2026-01-01T00:00:00Z: "+01:00"
    2026-03-29T01:00:00Z: +02:00
    until: 2027-01-01T00:00:00Z
`
const at = (instant: string) => outputOf('{ $inZone: /at, zone: berlin }', { at: instant }, berlin)

describe('$inZone', () => {
  test.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
    ['2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
    ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['2026-10-25T00:30:00Z', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00+01:00'],
    ['2026-06-30T20:15:00-05:00', '2026-07-01T03:15:00+02:00'],
    ['2026-12-31T23:59:59Z', '2027-01-01T00:59:59+01:00'],
  ])('shows %s as %s', (instant, local) => {
    expect(at(instant)).toBe(local)
  })

  test('gives no offset outside of its table, and none to what is no instant', () => {
    const transformer = compile(sourceOf('{ $inZone: /at, zone: berlin }', berlin))
    const fault = (instant: string) => faultOf(transformer, { at: instant })
    expect(fault('2025-12-31T23:59:59Z')).toMatchObject({ code: 'no_row', path: '/output' })
    expect(fault('2027-01-01T00:00:00Z')).toMatchObject({ code: 'no_row' })
    expect(fault('2026-05-01T00:00:00')).toMatchObject({ code: 'type' })
    expect(fault('2026-05-01')).toMatchObject({ code: 'type' })
  })

  test('takes a zone that comes with the input, and tells what is wrong with one', () => {
    const source = '{ $inZone: 2026-05-01T00:00:00Z, zone: /zone }'
    const zone = { '2026-01-01T00:00:00Z': '-03:30', until: '2027-01-01T00:00:00Z' }
    expect(outputOf(source, { zone })).toBe('2026-04-30T20:30:00-03:30')
    for (const wrong of [
      {},
      { ...zone, until: 'never' },
      { ...zone, '2026': 'Z' },
      { '2026-01-01T00:00:00Z': 'Z' },
      'UTC',
    ]) {
      expect([wrong, faultOf(compile(sourceOf(source)), { zone: wrong })]).toMatchObject([wrong, { code: 'type' }])
    }
  })

  test('refuses at compilation a table that is missing or isn’t a zone, and a date without time', () => {
    expect(codesOf(sourceOf('{ $inZone: /at, zone: paris }', berlin))).toEqual(['unknown_table'])
    const rows = 'tables: { paris: { 2026-01-01T00:00:00Z: 60, until: 2027-01-01T00:00:00Z } }\n'
    expect(findingsOf(sourceOf('{ $inZone: /at, zone: paris }', rows))).toMatchObject([
      { code: 'type', message: '"zone" has no offset such as "+02:00" at 2026-01-01T00:00:00Z.' },
    ])
    const contract = { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date' } } }
    expect(codesOf(sourceOf('{ $inZone: /at, zone: berlin }', berlin), { contract })).toEqual(['type'])
  })

  test('reports the whole zone if it comes from there, and leaves no row of its table unreached', () => {
    const options = { lineage: true } as const
    const input = { at: '2026-05-01T00:00:00Z', zone: { '2026-01-01T00:00:00Z': 'Z', until: '2027-01-01T00:00:00Z' } }
    const transformer = compile(sourceOf('{ a: { $inZone: /at, zone: /zone } }'))
    expect(evaluate(transformer, input, options).lineage?.[0]?.inputs).toEqual(['/at', '/zone'])
    const watched = watchTransformer(sourceOf('{ $inZone: /at, zone: berlin }', berlin), 'yaml')
    if (!watched.ok) throw new Error('compiles')
    evaluate(watched.value.transformer, input)
    const { coverage } = watched.value
    expect(coverage.take()).toHaveLength(coverage.points.length)
  })

  test('reads rows in any order, and wants an end', () => {
    expect(readZone([['until', '2027-01-01T00:00:00Z']])).toEqual({ ok: false, problem: 'has no offset' })
    expect(readZone([['2026-01-01T00:00:00Z', '+01:00']])).toMatchObject({
      ok: false,
      problem: 'has no row "until", which says where it ends',
    })
  })
})
