import { describe, expect, test } from 'bun:test'
import { parse } from 'yaml'
import type { TemplateDraft } from '../../src/console/api/types.ts'
import { checkDocument } from '../../src/console/engines/document.ts'
import { schemaCompletions } from '../../src/console/views/contract/schema-completions.ts'
import { takenByShown } from '../../src/console/views/template/filled.ts'
import { chosen, waitingFile } from '../../src/console/views/template/waiting-files.ts'
import { applyFix } from '../../src/console/views/workspace/fixes.ts'
import type { Fix } from '../../src/console/views/workspace/links.ts'
import { declaredAt } from '../../src/console/views/workspace/schema-places.ts'
import { traceOf } from '../../src/console/views/workspace/trace.ts'
import type { Binding } from '../../src/core/binding.ts'
import type { JsonValue } from '../../src/core/json.ts'

const contract = `{
  "type": "object",
  "required": ["number", "lines"],
  "properties": {
    "number": { "type": "string" },
    "customer": { "$ref": "#/$defs/person" },
    "lines": {
      "type": "array",
      "maxItems": 9,
      "items": { "type": "object", "required": ["amount"], "properties": { "amount": { "type": "number" } } }
    }
  },
  "$defs": { "person": { "type": "object", "properties": { "name": { "type": "string" } } } }
}
`
const source = `transform: declarative-v1
output:
  reference: /number
  rows:
    $each: /lines
    as: l
    do: { price: $l/amount }
`
const input = '{ "number": "A-1", "lines": [{ "amount": 1.5 }, { "amount": 2 }] }'
let paragraph = 0
const bound = (pointer: string, shape: Binding['shape'] = 'scalar', required = true): Binding => {
  return { pointer, shape, required, part: 'word/document.xml', paragraph: ++paragraph, position: 0 }
}
const wanted = [bound('/reference'), bound('/rows', 'list'), bound('/rows/*/price')]

function checked(changes: { source?: string; contract?: string; bindings?: Binding[]; input?: string } = {}) {
  return checkDocument({
    source: changes.source ?? source,
    format: 'yaml',
    schema: changes.contract ?? contract,
    bindings: changes.bindings ?? wanted,
    includesOthers: false,
    input: changes.input ?? input,
    params: {},
    above: [],
  })
}

/** The texts after the fix of the first link that has one, and what is broken then. */
function mended(changes: Parameters<typeof checked>[0] = {}) {
  const texts = { contract: changes.contract ?? contract, transformer: changes.source ?? source }
  const fix = checked(changes).links[0]?.fix
  const after = fix && applyFix(fix, texts)
  return {
    fix,
    ...after,
    links: after && checked({ ...changes, source: after.transformer, contract: after.contract }).links,
  }
}

describe('the links of a document', () => {
  test('hold where the transformer reads what is declared and makes what is wanted', () => {
    const { links, output, findings } = checked()
    expect([links, findings]).toEqual([[], []])
    expect(output).toEqual({ reference: 'A-1', rows: [{ price: 1.5 }, { price: 2 }] })
  })

  test('a name that is nearly one that nothing uses is renamed in the transformer', () => {
    const { fix, transformer, links } = mended({ source: source.replace('reference:', 'referense:') })
    expect(fix).toEqual({ kind: 'rename-output', at: '', from: 'referense', to: 'reference' })
    expect([transformer, links]).toEqual([source, []])
    const inLoop = mended({ source: source.replace('price:', 'prise:') })
    expect(inLoop.fix).toEqual({ kind: 'rename-output', at: '/rows/*', from: 'prise', to: 'price' })
    expect([inLoop.transformer, inLoop.links]).toEqual([source, []])
  })

  test('a value that nothing makes gets a line that reads what the contract calls so', () => {
    const bindings = [...wanted, bound('/name')]
    const { fix, transformer } = mended({ bindings })
    expect(fix).toEqual({ kind: 'add-output', at: '', name: 'name', reads: '/customer/name' })
    expect(transformer).toBe(`${source.trimEnd()}\n  name: /customer/name\n`)
    const unknown = mended({ bindings: [...wanted, bound('/rows/*/weight')] })
    expect(unknown.transformer).toContain('do: { price: $l/amount, weight: /weight }')
    // The next fix declares what the new line reads.
    expect(unknown.links).toMatchObject([{ kind: 'undeclared', fix: { kind: 'declare', parent: '', name: 'weight' } }])
  })

  test('what is optional in the template need not be made', () => {
    expect(checked({ bindings: [...wanted, bound('/note', 'scalar', false)] }).links).toEqual([])
  })

  test('a place that is nearly a declared one is read instead, on its line alone, and marked in what shows it', () => {
    const slip = source.replace('/number', '/numbr')
    const { links } = checked({ source: slip, input: '{ "numbr": "A-1", "lines": [] }' })
    expect(links).toEqual([
      {
        kind: 'undeclared',
        severity: 'error',
        pointer: '/numbr',
        lines: [3],
        contractPlace: '',
        bindings: ['/reference'],
        fix: { kind: 'read-other', from: 'numbr', to: 'number', lines: [3] },
      },
    ])
    expect(mended({ source: slip })).toMatchObject({ transformer: source, links: [] })
    const inLoop = source.replace('$l/amount', '$l/amout')
    expect(mended({ source: inLoop })).toMatchObject({ transformer: source, links: [] })
  })

  test('a place like no other is declared in the contract, where it is read', () => {
    const slip = source.replace('$l/amount', '{ $default: [$l/currency, ""] }')
    const { fix, contract: declared, links } = mended({ source: slip })
    expect(fix).toEqual({ kind: 'declare', parent: '/properties/lines/items', name: 'currency' })
    expect(JSON.parse(declared ?? '').properties.lines.items.properties).toEqual({
      amount: { type: 'number' },
      currency: { type: 'string' },
    })
    expect(links).toEqual([])
  })

  test('the pages follow while a link is broken, as long as there is a value', () => {
    const { output, checked: whole } = checked({
      source: source.replace('/number', '/numbr'),
      input: '{ "numbr": "A-1", "lines": [] }',
    })
    expect([output, whole]).toEqual([{ reference: 'A-1', rows: [] }, undefined])
    expect(checked({ bindings: [...wanted, bound('/name')] }).output).toBeDefined()
  })

  test('what no binding uses is a remark, and can be removed', () => {
    const more = source.replace('  rows:', '  draft:\n    by: me\n    at: now\n  rows:')
    const { links } = checked({ source: more })
    expect(links).toMatchObject([{ kind: 'unused', severity: 'warning', pointer: '/draft' }])
    expect(mended({ source: more })).toMatchObject({ transformer: source, links: [] })
    const inBraces = mended({ source: source.replace('{ price:', '{ id: 1, price:') })
    expect(inBraces).toMatchObject({ transformer: source, links: [] })
    const last = mended({ source: source.replace('$l/amount }', '$l/amount, id: 1 }') })
    expect(last).toMatchObject({ transformer: source, links: [] })
    expect(checkDocument({ ...asked(more), includesOthers: true }).links).toEqual([])
  })

  test('a name is written as the contract has it, whatever characters are in it', () => {
    const slip = source.replace('/number', '{ $concat: [/old, " and ", $l/old/x, /older] }')
    const read = (to: string, transformer = slip) =>
      applyFix({ kind: 'read-other', from: 'old', to, lines: [3] }, { contract, transformer })?.transformer.split(
        '\n',
      )[2]
    expect(read('new$&v')).toBe('  reference: { $concat: ["/new$&v", " and ", "$l/new$&v/x", /older] }')
    expect(read('a~b/c')).toBe('  reference: { $concat: [/a~0b~1c, " and ", $l/a~0b~1c/x, /older] }')
    const quoted = source.replace('/number', `{ $concat: ['/old', "/old"] }`)
    expect(read(`it's "so"`, quoted)).toBe(`  reference: { $concat: ['/it''s "so"', "/it's \\"so\\""] }`)
  })

  test('a line that is added is YAML that reads its place, whatever characters are in it', () => {
    const added = (reads: string, at = '', transformer = source) => {
      const after = applyFix({ kind: 'add-output', at, name: 'extra', reads }, { contract, transformer })?.transformer
      const { output } = parse(after ?? '')
      return [at === '' ? output.extra : output.rows.do.extra, Object.keys(output.rows.do)]
    }
    for (const reads of ['/price: net', '/a #b', '/p, q', '/x]', '/$&', '/naïve~1b', '/a b']) {
      expect(added(reads)).toEqual([reads, ['price']])
      expect(added(reads, '/rows/*')).toEqual([reads, ['price', 'extra']])
    }
    const wants = checked({ bindings: [...wanted, bound('/a~1b')] }).links[0]?.fix
    expect(wants).toEqual({ kind: 'add-output', at: '', name: 'a/b', reads: '/a~1b' })
  })

  test('no word counts as unused where the draft or the file on the screen includes another template', () => {
    const more = source.replace('  rows:', '  total: 1\n  rows:')
    const shown = (fragments?: string[]) => {
      const { bindings, includesOthers } = takenByShown({ bindings: wanted, ...(fragments && { fragments }) })
      const { links, findings } = checkDocument({ ...asked(more), bindings, includesOthers })
      return [links.map(({ kind }) => kind), findings.map(({ code }) => code)]
    }
    expect(shown()).toEqual([['unused'], ['unused_output']])
    expect(shown(['clause'])).toEqual([[], []])
    expect(takenByShown(undefined)).toEqual({ bindings: undefined, includesOthers: false })
  })

  test('nothing is proposed where something else than a plain object makes the value', () => {
    const merged = source
      .replace('output:\n', 'output:\n  $merge:\n  - a: 1\n  - b: 2\n')
      .replace(/ {2}reference[\s\S]*/, '')
    const fix: Fix = { kind: 'add-output', at: '', name: 'name', reads: '/number' }
    expect(applyFix(fix, { contract, transformer: merged })).toBeUndefined()
    expect(applyFix({ ...fix, at: '/rows' }, { contract, transformer: source })).toBeUndefined()
  })

  test('a source in JSON is mended in JSON', () => {
    const transformer = JSON.stringify({ transform: 'declarative-v1', output: { reference: '/number' } }, undefined, 2)
    const fix: Fix = { kind: 'add-output', at: '', name: 'name', reads: '/customer/name' }
    const after = applyFix(fix, { contract, transformer })?.transformer ?? ''
    expect(JSON.parse(after).output).toEqual({ reference: '/number', name: '/customer/name' })
    expect(after.split('\n')).toContain('    "name": "/customer/name"')
  })

  test('of a node under another one, the input is what the one above makes, and no contract declares it', () => {
    const above = [{ source: 'transform: declarative-v1\noutput: { made: /number }\n', format: 'yaml' as const }]
    const below = 'transform: declarative-v1\noutput: { reference: /made }\n'
    const { output, links } = checkDocument({ ...asked(below), above, bindings: [bound('/reference')] })
    expect([output, links]).toEqual([{ reference: 'A-1' }, []])
  })
})

function asked(text: string) {
  const format = 'yaml' as const
  return {
    source: text,
    format,
    schema: contract,
    bindings: wanted,
    includesOthers: false,
    input,
    params: {},
    above: [],
  }
}

describe('where a contract declares a place', () => {
  const root = JSON.parse(contract)

  test('through references, items and parts that are chosen from', () => {
    expect(declaredAt(root, '/customer/name').place).toBe('/$defs/person/properties/name')
    expect(declaredAt(root, '/lines/0/amount').place).toBe('/properties/lines/items/properties/amount')
    const chosen = {
      type: 'object',
      properties: {},
      oneOf: [{ properties: { iban: {} } }, { properties: { card: {} } }],
    }
    expect(declaredAt(chosen, '/card').place).toBe('/oneOf/1/properties/card')
    expect(declaredAt(chosen, '/cash').missing).toMatchObject({ parent: '', siblings: ['iban', 'card'] })
  })

  test('nobody can tell where any name may be', () => {
    expect(declaredAt({ type: 'object' }, '/a/b')).toEqual({ place: '' })
    const open = { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } }
    expect(declaredAt(open, '/b')).toEqual({ place: '' })
    expect(declaredAt({ $ref: '#' }, '/b')).toEqual({ place: '' })
  })

  test('its own properties come before those that it takes from elsewhere', () => {
    const twice = (more: object) => ({ properties: { a: {} }, ...more }) as JsonValue
    for (const word of ['allOf', 'anyOf', 'oneOf'])
      expect(declaredAt(twice({ [word]: [{ properties: { a: {}, b: {} } }] }), '/a').place).toBe('/properties/a')
    const choices = [{ properties: { a: {} } }, { properties: { a: {} } }]
    expect(declaredAt({ anyOf: choices }, '/a').place).toBe('/anyOf/0/properties/a')
    for (const word of ['if', 'then', 'else'])
      expect(declaredAt(twice({ [word]: { properties: { b: {} } } }), '/b').place).toBe(`/${word}/properties/b`)
  })

  test('items are found by any index, and only where an item is meant', () => {
    const rows = { prefixItems: [{ properties: { a: {} } }], items: { properties: { b: {} } } }
    const root: JsonValue = { properties: { rows, '7': {} } }
    expect(declaredAt(root, '/rows/*/b').place).toBe('/properties/rows/items/properties/b')
    expect(declaredAt(root, '/rows/0/a').place).toBe('/properties/rows/prefixItems/0/properties/a')
    expect(declaredAt(root, '/rows/07/b')).toEqual({ place: '/properties/rows' })
    expect(declaredAt(root, '/7').place).toBe('/properties/7')
    // No property is missing where an item is.
    expect(declaredAt({ properties: { a: {} } }, '/3')).toEqual({ place: '' })
  })

  test('a missing name is told with the object that could declare it, below the names that lead there', () => {
    const inner = { properties: { 'x/y': {}, b: {} } }
    const { place, missing } = declaredAt({ properties: { 'a~b': inner } }, '/a~0b/c')
    expect(place).toBe('/properties/a~0b')
    expect(missing).toEqual({ name: 'c', parent: '/properties/a~0b', within: '/a~0b', siblings: ['x/y', 'b'] })
    expect(declaredAt({ properties: { 'a~b': inner } }, '/a~0b/x~1y').place).toBe('/properties/a~0b/properties/x~1y')
    for (const open of [{ additionalProperties: true }, { patternProperties: { x: {} } }])
      expect(declaredAt({ properties: { a: {} }, ...open }, '/b').missing).toBeUndefined()
    const closed = { properties: { a: {} }, additionalProperties: false }
    expect(declaredAt(closed, '/b').missing?.name).toBe('b')
    // What another document declares is unknown; only references within this one are followed.
    expect(declaredAt({ properties: { a: { $ref: 'https://x.invalid/y' } } }, '/a/b')).toEqual({
      place: '/properties/a',
    })
  })

  test('a schema of itself, or of itself many times over, is read in no time', () => {
    const list: JsonValue = { properties: { value: {}, next: { $ref: '#' } } }
    expect(declaredAt(list, `${'/next'.repeat(40)}/value`).place).toBe('/properties/value')
    const many: JsonValue = { anyOf: Array.from({ length: 9 }, () => ({ $ref: '#' })), properties: { a: {} } }
    expect(declaredAt(many, '/a').place).toBe('/properties/a')
  })
})

test('the editor of a contract offers the keywords that are about the document itself, each with what it is for', () => {
  expect(schemaCompletions()).toEqual([
    { label: '$ref', detail: 'another schema of this document', type: 'keyword' },
    { label: '$defs', detail: 'schemas to refer to', type: 'keyword' },
    { label: '$schema', detail: 'the dialect', type: 'keyword' },
    { label: '$comment', detail: 'for readers of the schema', type: 'keyword' },
  ])
})

describe('a file that waits', () => {
  const file = new File(['x'], 'letter.docx')
  const draft = (revision: number) => ({ revision }) as TemplateDraft

  test('is saved over the draft that it was chosen over, also one that takes its place', () => {
    const first = chosen(file, undefined, draft(3))
    expect(first).toEqual({ file, seen: draft(3) })
    // What is there now was hidden by the first file.
    expect(chosen(file, first, draft(4)).seen).toEqual(draft(3))
    expect(chosen(file, undefined, undefined).seen).toBeUndefined()
    expect(chosen(file, { file, seen: undefined }, draft(1)).seen).toBeUndefined()
  })

  test('is there again on the next visit of the same person, and leaving asks on whichever screen', () => {
    const kept = new Map<string, string>()
    const sessionStorage = { getItem: (name: string) => kept.get(name) ?? null }
    const page = Object.assign(new EventTarget(), { sessionStorage })
    const signIn = (person: string) => kept.set('quire.person', person)
    const before = Reflect.get(globalThis, 'window')
    Object.assign(globalThis, { window: page })
    try {
      signIn('ada')
      const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }))
      const waits = waitingFile('one')
      expect(asks()).toBe(false)
      waits.value = { file, seen: draft(3) }
      expect([asks(), waitingFile('one').value, waitingFile('two').value]).toEqual([true, waits.value, undefined])
      signIn('grace')
      expect([asks(), waitingFile('one').value]).toEqual([false, undefined])
      signIn('ada')
      expect(waitingFile('one').value).toEqual({ file, seen: draft(3) })
      waits.value = undefined
      expect(asks()).toBe(false)
    } finally {
      Object.assign(globalThis, { window: before })
    }
  })
})

describe('what belongs together', () => {
  const { lineage } = checked()
  const [reference, , price] = wanted as [Binding, Binding, Binding]
  const mark = (binding: Binding, pointer: string) => ({ ...binding, pointer })

  test('a word on the page leads to its own turn of the loop', () => {
    const place = `${price.part}#${price.paragraph}:0`
    const trace = traceOf({ in: 'page', place, pointer: '/rows/1/price' }, { lineage, bindings: wanted })
    expect(trace).toMatchObject({
      outputs: ['/rows/1/price'],
      lines: [7],
      inputs: ['/lines/1/amount'],
      bindings: [price],
    })
    expect([trace.isOnPage(mark(price, '/rows/1/price')), trace.isOnPage(mark(price, '/rows/0/price'))]).toEqual([
      true,
      false,
    ])
  })

  test('a binding leads to all its values, a line and a value of the input to what comes of them', () => {
    const place = `${price.part}#${price.paragraph}:0`
    const ofBinding = traceOf({ in: 'template', place, pointer: price.pointer }, { lineage, bindings: wanted })
    expect(ofBinding.inputs).toEqual(['/lines/0/amount', '/lines/1/amount'])
    expect(ofBinding.isOnPage(mark(price, '/rows/0/price'))).toBe(true)
    const ofLine = traceOf({ in: 'transformer', line: 3 }, { lineage, bindings: wanted })
    expect(ofLine).toMatchObject({ outputs: ['/reference'], bindings: [reference] })
    expect(ofLine.isOnPage(mark(reference, '/reference'))).toBe(true)
    const ofInput = traceOf({ in: 'input', pointers: ['/lines/0'] }, { lineage, bindings: wanted })
    expect(ofInput).toMatchObject({ outputs: ['/rows/0/price'] })
    expect(ofInput.isOnPage(mark(reference, '/reference'))).toBe(false)
  })
})
