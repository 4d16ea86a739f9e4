import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { keywordHint, otherFormat, otherKeyword } from '../../../src/engines/schema/keyword-slips.ts'
import { compileSchemaValue } from '../../../src/engines/schema/schema.ts'

describe('a schema with a slip', () => {
  test.each<[schema: JsonValue, path: string, hint: string]>([
    [{ type: 'String' }, '/type', 'Write "string" in small letters.'],
    [{ type: 'INTEGER' }, '/type', 'Write "integer" in small letters.'],
    [{ type: 'Int' }, '/type', 'Write "integer".'],
    [{ properties: { a: { type: 'date' } } }, '/properties/a/type', 'Write "type": "string", "format": "date".'],
    [
      { properties: { a: { required: true } } },
      '/properties/a/required',
      'List the name in the object around it: "required": ["a"], beside "properties".',
    ],
    [
      { required: true },
      '/required',
      'Leave it out: what "required" of the object around it does not list may be missing.',
    ],
    [
      { properties: { a: { required: false } } },
      '/properties/a/required',
      'Leave it out: what "required" of the object around it does not list may be missing.',
    ],
    [{ required: 'name' }, '/required', 'Write "required": ["name"].'],
    [{ items: [{}] }, '/items', 'Write "prefixItems" for a schema of each place, and "items" for the others.'],
    [
      { exclusiveMinimum: true },
      '/exclusiveMinimum',
      'Write the bound itself into "exclusiveMinimum", and leave "minimum" out.',
    ],
    [
      { exclusiveMaximum: false },
      '/exclusiveMaximum',
      'Write the bound itself into "exclusiveMaximum", and leave "maximum" out.',
    ],
    [{ enum: 'x' }, '/enum', 'Write a list: "enum": ["x"].'],
    [{ anyOf: {} }, '/anyOf', 'Write a list of schemas: "anyOf": [{ … }, { … }].'],
    [{ properties: { a: 'string' } }, '/properties/a', 'Write a schema: "a": { "type": "string" }.'],
    [{ properties: ['a'] }, '/properties', 'Write an object: "properties": { "name": { "type": "string" } }.'],
    [{ uniqueItems: 'true' }, '/uniqueItems', 'Write true without quotes.'],
    [{ minimum: '-2.5' }, '/minimum', 'Write -2.5 without quotes.'],
    [{ minLength: '12' }, '/minLength', 'Write 12 without quotes.'],
    [
      { allOf: [{ items: [{}] }] },
      '/allOf/0/items',
      'Write "prefixItems" for a schema of each place, and "items" for the others.',
    ],
  ])('is told what to write: %j at %s', (schema, path, hint) => {
    expect(keywordHint(schema, path)).toBe(hint)
    const compiled = compileSchemaValue(schema)
    const told = compiled.findings.filter((finding) => finding.path === path).map((finding) => finding.hint)
    expect([compiled.ok, told]).toEqual([false, expect.arrayContaining([hint])])
  })

  test('is told nothing special where nothing is known of it', () => {
    for (const [schema, path] of [
      [{ type: 'constructor' }, '/type'],
      [{ type: 7 }, '/type'],
      [{ minimum: 'x' }, '/minimum'],
      [{ minimum: '1e3' }, '/minimum'],
      [{ minimum: null }, '/minimum'],
      [{ required: 7 }, '/required'],
      [{ items: 7 }, '/items'],
      [{ properties: 7 }, '/properties'],
      [{}, '/toString'],
      [{}, ''],
    ] as const)
      expect([schema, keywordHint(schema as JsonValue, path)]).toEqual([schema, undefined])
  })

  test('names what to write instead of a format that checks nothing', () => {
    const instead = {
      ...{ datetime: 'date-time', timestamp: 'date-time', 'iso-date': 'date', iso8601: 'date or date-time' },
      ...{ mail: 'email', 'e-mail': 'email', url: 'uri', guid: 'uuid', ip: 'ipv4 or ipv6' },
      ...{
        float: 'type : number',
        double: 'type : number',
        int32: 'minimum and maximum',
        int64: 'minimum and maximum',
      },
    }
    for (const [name, wanted] of Object.entries(instead)) {
      const named = [...(otherFormat(name) ?? '').matchAll(/"([^"]+)"/g)].map(([, word]) => word)
      expect([name, named]).toEqual([name, wanted.split(/ (?:or|and|:) /)])
    }
    const [pattern] = /"(.*)"/.exec(otherFormat('phone') ?? '') ?? []
    expect(new RegExp(JSON.parse(pattern ?? '""')).test('+4930123456')).toBe(true)
    expect(otherFormat('iban')).toBe('Write a pattern; check digits are not checked.')
  })

  test('names what to write instead of a keyword or a type of another language', () => {
    const quoted = (text: string | undefined) => [...(text ?? '').matchAll(/"([^"]+)"/g)].map(([, word]) => word)
    const keywords: Record<string, string> = {
      ...{ min: 'minimum minLength minItems', max: 'maximum maxLength maxItems', length: 'minLength maxLength' },
      ...{ size: 'minItems maxItems', regex: 'pattern', property: 'properties', fields: 'properties' },
      ...{ requiredproperties: 'required', mandatory: 'required', optional: 'required', nullable: 'type string null' },
      ...{ additionalitems: 'prefixItems items', additionalproperty: 'additionalProperties' },
      ...{ values: 'enum', options: 'enum', choices: 'enum', example: 'examples', desc: 'description' },
      ...{
        comment: '$comment',
        id: '$id',
        schema: '$schema',
        ref: '$ref',
        defs: '$defs',
        discriminator: 'oneOf const',
      },
      ...{ divisibleby: 'multipleOf', extends: 'allOf', disallow: 'not' },
    }
    for (const [name, wanted] of Object.entries(keywords))
      expect([name, quoted(otherKeyword(name))]).toEqual([name, wanted.split(' ')])
    const types: Record<string, string> = {
      ...{ int: 'integer', long: 'integer', float: 'number', double: 'number', decimal: 'number', bool: 'boolean' },
      ...{ str: 'string', text: 'string', list: 'array', map: 'object', dict: 'object', objekt: 'object' },
      ...{ date: 'type string format date', datetime: 'type string format date-time', file: 'type string' },
      ...{ 'date-time': 'type string format date-time', email: 'type string format email', enum: 'enum a b' },
    }
    for (const [name, wanted] of Object.entries(types))
      expect([name, quoted(keywordHint({ type: name }, '/type'))]).toEqual([name, wanted.split(' ')])
    for (const name of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])
      expect(quoted(keywordHint({ type: name.toUpperCase() }, '/type'))).toEqual([name])
    for (const keyword of ['anyOf', 'oneOf', 'allOf'])
      expect(keywordHint({ [keyword]: {} }, `/${keyword}`)).toBe(
        `Write a list of schemas: "${keyword}": [{ … }, { … }].`,
      )
  })

  test('has keywords and formats of other languages told apart from unknown ones, in any case', () => {
    expect([otherKeyword('regex'), otherKeyword('REGEX'), otherKeyword('RequiredProperties')]).toEqual([
      ...['Write "pattern".', 'Write "pattern".', 'Write "required".'],
    ])
    expect([otherFormat('DateTime'), otherFormat('guid')]).toEqual(['Write "date-time".', 'Write "uuid".'])
    for (const name of ['constructor', 'x', 'pattern'])
      expect([otherKeyword(name), otherFormat(name)]).toEqual([undefined, undefined])
    const { findings } = compileSchemaValue({ regex: '^a', type: 'string', format: 'guid' })
    expect(findings.map(({ hint }) => hint)).toEqual(expect.arrayContaining(['Write "pattern".', 'Write "uuid".']))
  })
})
