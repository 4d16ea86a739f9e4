import { describe, expect, test } from 'bun:test'
import { isJsonObject } from '../../../src/core/json.ts'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'
import { transformerSchema } from '../../../src/engines/declarative/language-schema.ts'
import { operators } from '../../../src/engines/declarative/operators/table.ts'
import { judgeOf } from '../../support/judge.ts'

const found = judgeOf(transformerSchema())

test('every operator and argument is described, as the reference has it', () => {
  const { $defs = {} } = transformerSchema()
  for (const { name, doc, args } of operators.values()) {
    const definition = isJsonObject($defs) ? $defs[name] : undefined
    const properties = isJsonObject(definition) && isJsonObject(definition.properties) ? definition.properties : {}
    expect([name, isJsonObject(definition) && definition.description]).toEqual([name, doc])
    for (const [key, spec] of Object.entries(args)) {
      expect(properties[key === 'subject' ? name : key]).toMatchObject({ description: spec.doc })
    }
  }
})

const output = (text: string) => `transform: declarative-v1\noutput: ${text}\n`

describe('a mistake in a transformer that the compiler refuses by its form', () => {
  test.each([
    ['another language', 'transform: declarative-v2\noutput: 1\n'],
    ['no output', 'transform: declarative-v1\n'],
    ['an unknown key', `${output('1')}outputs: 2\n`],
    ['a contract without a version', `${output('1')}contract: policy\n`],
    ['a version from 0', `${output('1')}template: letter@0\n`],
    ['a param of an unknown type', `${output('1')}params: { a: number }\n`],
    ['a name that is none', `${output('1')}let: { "1a": 2 }\n`],
    ['a table in a table', `${output('1')}tables: { a: { b: { c: 1 } } }\n`],
    ['lets in a list', `${output('1')}let: [1]\n`],
    ['an unknown operator', output('{ $txt: a }')],
    ['one deep inside', output('{ a: [{ b: { $sum: /x, as: i, of: { $map: $i } } }] }')],
    ['two operators', output('{ $count: /a, $sum: /b }')],
    ['two operators, one with slots', output('{ $text: a, $sum: /b }')],
    ['an unknown argument', output('{ $trim: /a, sides: both }')],
    ['a missing argument', output('{ $pad: /a }')],
    ['an unknown choice', output('{ $case: /a, to: big }')],
    ['a number out of range', output('{ $pad: /a, to: 1001 }')],
    ['no whole number', output('{ $pad: /a, to: 1.5 }')],
    ['no flag', output('{ $trim: /a, inside: "yes" }')],
    ['a variable that is no name', output('{ $each: /a, as: $x, do: 1 }')],
    ['a text that is a list', output('{ $text: [a] }')],
    ['one value where several are wanted', output('{ $dateDiff: /a, unit: days }')],
    ['too few of them', output('{ $dateDiff: [/a], unit: days }')],
    ['an unknown comparison', output('{ $is: [/a, "==", 1] }')],
    ['a comparison of three', output('{ $is: [/a, "=", 1, 2] }')],
    ['tests that are none', output('{ $all: [] }')],
    ['an unknown argument of sort', output('{ $each: /a, as: i, sort: { by: $i, order: desc } }')],
    ['a sort without a key', output('{ $each: /a, as: i, sort: { descending: true } }')],
    ['no sort key', output('{ $each: /a, as: i, sort: 1 }')],
    ['one in a sequence of them', output('{ $each: /a, as: i, sort: [{ by: $i }, { of: $i }] }')],
    ['a list', '[1]'],
  ])('%s is refused by the schema as well', (_what, text) => {
    const compiled = compileTransformer(text, 'yaml')
    expect([text, compiled.ok]).toEqual([text, false])
    expect([text, found(text).length > 0]).toEqual([text, true])
  })

  test.each([
    ['what $const keeps', output('{ $const: { $anything: [1, { $x: 2, $y: 3 }] } }')],
    ['a key with two dollar signs', output('{ $$ref: /a, "": 1 }')],
    ['one sort key', output('{ $each: /a, as: i, sort: { by: $i } }')],
    [
      'several sort keys',
      output('{ $each: /a, as: i, sort: [{ by: $i/a, descending: true }, { by: $i/b, locale: de }] }'),
    ],
    ['slots and cases of any name', output('{ $match: /a, x y: 1, else: { $text: "{b}", b: /c } }')],
  ])('while %s is taken by both', (_what, text) => {
    expect([text, compileTransformer(text, 'yaml').ok, found(text)]).toEqual([text, true, []])
  })
})
