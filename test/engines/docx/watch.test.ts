import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { composeTemplate, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { features } from './features.ts'
import { compiled, p, tbl, tr, wordPackage } from './word-package.ts'

function watched(template: Uint8Array) {
  const outcome = watchTemplate(template)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.findings))
  return outcome.value
}

/** `excerpt: gap` of every point that no data reaches. */
function gaps(body: string, ...all: JsonValue[]): string[] {
  const { coverage, compose } = watched(wordPackage(body))
  for (const data of all) compose(data)
  const reached = new Set(coverage.take())
  return coverage.points.flatMap(({ excerpt, gap }, number) => (reached.has(number) ? [] : [`${excerpt}: ${gap}`]))
}

describe('what data reaches of a template', () => {
  test('is both answers of a condition, and the values between its tags', () => {
    const body = p('Dear {{#if /vip}}friend {{/name}}{{#else}}reader{{#end}}, hello')
    expect(gaps(body, { vip: false })).toEqual([
      'Dear {{#if /vip}}friend {{/name}}{{#else}}reade…, of which {{#if /vip}}: is never true',
      'Dear {{#if /vip}}friend {{/name}}{{#else}}reader{{#end}}, hello, of which {{/name}}: is never filled',
    ])
    expect(gaps(body, { vip: true, name: 'Ann' })).toEqual([
      'Dear {{#if /vip}}friend {{/name}}{{#else}}reade…, of which {{#if /vip}}: is never false',
    ])
    expect(gaps(body, { vip: true, name: 'Ann' }, {})).toEqual([])
  })

  test('is both answers of each test that and and or join', () => {
    const body = p('{{#if /a > 3 and not /b}}x{{#end}}')
    expect(gaps(body, { a: 9, b: false }, { a: 1, b: false })).toEqual([
      '{{#if /a > 3 and not /b}}x{{#end}}, of which /b: is never true',
    ])
  })

  test('is a paragraph of nothing but blocks, also where none of them leaves anything', () => {
    const body = p('{{#if /a}}x{{#end}}{{#each /rows}}{{.}}{{#end}}')
    expect(gaps(body, { a: false, rows: [] }, { a: true, rows: [1] }, { a: true, rows: [1, 2] })).toEqual([])
  })

  test('is a loop with no item, with one and with several', () => {
    const body = tbl(tr('{{#each /rows}}{{./a}}', '{{#end}}'))
    const row = { a: 1 }
    expect(gaps(body, { rows: [] })).toEqual([
      '{{#each /rows}}{{./a}}, of which {{#each /rows}}: never has exactly one item',
      '{{#each /rows}}{{./a}}, of which {{#each /rows}}: never has several items',
      '{{#each /rows}}{{./a}}, of which {{./a}}: is never filled',
    ])
    expect(gaps(body, { rows: [row] })).toEqual([
      '{{#each /rows}}{{./a}}, of which {{#each /rows}}: never has no item',
      '{{#each /rows}}{{./a}}, of which {{#each /rows}}: never has several items',
    ])
    expect(gaps(body, { rows: [] }, { rows: [row] }, { rows: [row, row] })).toEqual([])
  })

  test('names the tag where there are others around it', () => {
    const chain = p('{{#if /a > 3}}much{{#else if /a = 0}}neg{{#else}}little{{#end}}')
    expect(gaps(chain, { a: 1 }, { a: 9 })).toEqual([
      '{{#if /a > 3}}much{{#else if /a = 0}}neg{{#else}}little{{#end}}, of which {{#else if /a = 0}}: is never true',
    ])
    expect(gaps(p('Dear {{#if /x}}{{/a}}{{#end}} of {{/b}}'), { b: 1, x: false })).toContain(
      'Dear {{#if /x}}{{/a}}{{#end}} of {{/b}}, of which {{/a}}: is never filled',
    )
  })

  test('is a value with a default, and the default', () => {
    const body = p('{{/a | default "none"}}')
    expect(gaps(body, { a: 1 })).toEqual(['{{/a | default "none"}}: is a default that is never taken'])
    expect(gaps(body, {})).toEqual(['{{/a | default "none"}}: never has a value'])
  })

  test('says what has to be reached before', () => {
    const { coverage } = watched(
      wordPackage(p('{{#if /a}}{{/b}}{{#else}}{{/c}}{{#end}}{{/d}}{{#each /e}}{{.}}{{#end}}')),
    )
    const [whenTrue, whenFalse, one, several] = [0, 1, 6, 7]
    const ofLoop = [[], [], [], [one, several]]
    expect(coverage.points.map(({ inside }) => inside)).toEqual([[], [], [whenTrue], [whenFalse], [], ...ofLoop])
  })

  test('is nothing of a list that is missing, which is refused', () => {
    const { coverage, compose } = watched(wordPackage(p('{{#each /rows}}') + p('x') + p('{{#end}}')))
    expect(compose({}).ok).toBe(false)
    expect(coverage.take()).toEqual([])
  })
})

test.each(features)('a watched template makes the same bytes as the plain one: $name', ({ template, data }) => {
  expect(watched(template).compose(data)).toEqual(composeTemplate(compiled(template), data))
})

test('every tag of every feature that reads data is a point, or a part of one', () => {
  for (const { template, data } of features) {
    const { coverage, compose } = watched(template)
    compose(data)
    const places = new Set(coverage.points.map(({ place }) => place))
    const bindings = compiled(template).bindings.map(
      ({ part, paragraph, position }) => `${part}#${paragraph}:${position}`,
    )
    expect(bindings.filter((place) => !places.has(place))).toEqual([])
    expect(coverage.points.filter(({ excerpt }) => excerpt === '')).toEqual([])
  }
})
