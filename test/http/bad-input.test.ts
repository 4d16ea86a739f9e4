import { beforeAll, describe, expect, test } from 'bun:test'
import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import {
  isMutation,
  type JsonBody,
  type MultipartBody,
  type Operation,
  type SingleBody,
} from '../../src/http/operation.ts'
import { checkShape } from '../../src/http/shape.ts'
import { isTextSchema } from '../../src/http/wire.ts'
import { newKey, nobody } from '../support/author.ts'
import { describeOnBothDialects } from '../support/database.ts'
import { brokenBodies, stateOf } from '../support/refused.ts'
import { jsonOf, startTestApp, type TestApp } from './harness.ts'

/**
 * For every operation the table of bad requests that its own declaration implies, so that no operation is without one;
 * what an operation refuses for other reasons is in its module's tests. At exactly a limit it is accepted.
 */
let started: TestApp
let session: Record<string, string>

interface Attempt {
  body?: string | Uint8Array
  headers?: Record<string, string | undefined>
  path?: string
  query?: string
}

function pathOf(operation: Operation, id = nobody): string {
  return operation.path.replace(/\{(?:number|older|newer)\}/g, '1').replace(/\{\w+\}/g, id)
}

async function attempt(operation: Operation, { body, headers = {}, path = pathOf(operation), query = '' }: Attempt) {
  const { headers: use, method } = operation
  const wanted = {
    ...(use.idempotencyKey === undefined ? {} : { 'idempotency-key': newKey() }),
    ...(use.ifMatch === undefined ? {} : { 'if-match': '"1"' }),
  }
  // Every attempt from another address, or the throttle of logins would answer in the end.
  const address = `2001:db8:${(attempts++).toString(16)}::1`
  // A sign-in that succeeds ends the session that its browser had.
  const own = operation.id === 'login' ? { cookie: undefined } : {}
  const all = { ...session, ...own, ...wanted, ...headers }
  const sent = { method, path: path + query, headers: all, address, ...(body === undefined ? {} : { body }) }
  const response = await started.send(sent)
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, ...(isJson ? await jsonOf(response) : {}) } as Record<string, unknown>
}
let attempts = 0

/** Refused with 422, and nothing is as it was not before. */
async function refuses(operation: Operation, attempted: [name: string, attempt: Attempt, says?: string][]) {
  const before = await stateOf(started.database)
  for (const [name, one, says] of attempted) {
    const { status, code, detail } = await attempt(operation, one)
    expect([operation.id, name, status, code]).toEqual([operation.id, name, 422, 'validation_failed'])
    if (says !== undefined)
      expect([operation.id, name, detail]).toEqual([operation.id, name, expect.stringContaining(says)])
  }
  expect([operation.id, await stateOf(started.database)]).toEqual([operation.id, before])
}

function jsonBodyOf({ body }: Operation): JsonBody | undefined {
  const forms: readonly SingleBody[] = body === undefined ? [] : body.kind === 'choice' ? body.of : [body]
  return forms.find((form) => form.kind === 'json')
}

/** A value for any text: the first that a schema accepts is taken. */
const texts = [
  '{"type":"object"}',
  'a',
  'abc',
  'a long and odd phrase',
  nobody,
  '2026-11-20T09:30:00Z',
  'a'.repeat(64),
  'a'.repeat(16),
  'case.generated',
  'svc-intake-metadata-v1',
  'POL-1',
  '123456',
  'https://example.com/hook',
]

/** A value with everything optional in it, and one item in every list, so that each place has something to break. */
function sampleOf(schema: TSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema[Kind] === 'Union') return sampleOf(schema.anyOf[0])
  switch (schema.type) {
    case 'string':
      return texts.find((one) => checkShape(schema, one, 'body').length === 0) ?? 'a'
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return [sampleOf(schema.items)]
    case 'object':
      return objectSample(schema as TObject)
    default:
      return { any: 'thing' }
  }
}

function objectSample({ properties = {}, patternProperties = {} }: TObject): Record<string, unknown> {
  const named = Object.entries(patternProperties as Record<string, TSchema>).map(
    ([pattern, schema]): [string, unknown] => [texts.find((one) => new RegExp(pattern).test(one))!, sampleOf(schema)],
  )
  return Object.fromEntries([...Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]), ...named])
}

/** A place in a body, however deep, with what may be there. */
interface Place {
  tokens: readonly string[]
  schema: TSchema
  isRequired: boolean
}

function placesOf(schema: TSchema, tokens: readonly string[] = []): Place[] {
  const inside = (name: string, within: TSchema, isRequired: boolean): Place[] => {
    const place = [...tokens, name]
    return [{ tokens: place, schema: within, isRequired }, ...placesOf(within, place)]
  }
  if (schema.type === 'array') return inside('0', schema.items, false)
  if (schema.type !== 'object') return []
  const { properties = {}, patternProperties = {}, required = [] } = schema as TObject
  const sample = Object.keys(objectSample(schema as TObject)).filter((name) => !(name in properties))
  return [
    ...Object.entries(properties).flatMap(([name, within]) => inside(name, within, required.includes(name))),
    ...Object.values(patternProperties as Record<string, TSchema>).flatMap((within) =>
      sample.flatMap((name) => inside(name, within, false)),
    ),
  ]
}

/** The body with another value at a place, or without one. */
function changed(good: unknown, [token, ...rest]: readonly string[], value: unknown): unknown {
  if (token === undefined) return value
  if (Array.isArray(good))
    return good.map((item, index) => (index === Number(token) ? changed(item, rest, value) : item))
  const object = good as Record<string, unknown>
  const { [token]: before, ...others } = object
  if (rest.length === 0 && value === undefined) return others
  return { ...object, [token]: changed(before, rest, value) }
}

/** As the problem names it: `metadata.source_object`, `roles[0]`. */
function nameOf(tokens: readonly string[]): string {
  return tokens.reduce(
    (name, token) => (/^\d+$/.test(token) ? `${name}[${token}]` : name === '' ? token : `${name}.${token}`),
    '',
  )
}

/** Values of a schema just past its limits, and at them. */
function edgesOf(schema: TSchema): { past: unknown[]; at: unknown[] } {
  const past: unknown[] = []
  const at: unknown[] = []
  const { minLength, maxLength, maxBytes, minimum, maximum, maxItems, minItems, maxProperties } = schema
  if (isTextSchema(schema)) {
    if (maxLength !== undefined) past.push('a'.repeat(maxLength + 1))
    if (maxLength !== undefined) at.push('a'.repeat(maxLength), '𝒳'.repeat(maxLength))
    if (maxBytes !== undefined) past.push('a'.repeat(maxBytes + 1))
    if (maxBytes !== undefined) at.push('a'.repeat(maxBytes))
    if (minLength > 0) past.push('a'.repeat(minLength - 1))
    if (minLength > 0) at.push('a'.repeat(minLength))
    if (schema.pattern !== undefined) past.push('\u0007', ' ')
    if (schema.format !== undefined) past.push('nonsense')
  }
  if (minimum !== undefined) past.push(minimum - 1)
  if (maximum !== undefined) past.push(maximum + 1)
  if (minimum !== undefined) at.push(minimum)
  if (maximum !== undefined) at.push(maximum)
  if (schema.type === 'array') {
    if (maxItems !== undefined) past.push(Array(maxItems + 1).fill(sampleOf(schema.items)))
    if (minItems > 0) past.push(Array(minItems - 1).fill(sampleOf(schema.items)))
    if (maxItems !== undefined && schema.uniqueItems !== true) at.push(Array(maxItems).fill(sampleOf(schema.items)))
  }
  if (maxProperties !== undefined) {
    const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, 'a']))
    past.push(named(maxProperties + 1))
    at.push(named(maxProperties))
  }
  if (schema[Kind] === 'Union') {
    for (const member of schema.anyOf as TSchema[]) {
      const edges = edgesOf(member)
      past.push(...edges.past)
      at.push(...edges.at)
    }
  }
  if (schema[Kind] === 'Union') past.push('no-such-value', 9999)
  const fits = (value: unknown) => checkShape(schema, value, 'body').length === 0
  return { past: past.filter((value) => !fits(value)), at: at.filter(fits) }
}

function wrongTypes(schema: TSchema): unknown[] {
  return [null, true, 7.5, 'text', [], {}].filter((value) => checkShape(schema, value, 'body').length > 0)
}

const operations = async () => started.app.operations

describeOnBothDialects('bad input', (dialect) => {
  beforeAll(async () => {
    started = await startTestApp(dialect)
    await started.addUser('root', ['administrator', 'auditor'])
    session = await started.signIn('root')
  })

  describe('JSON bodies', () => {
    test('of every operation are refused for every property that is missing, of another type or past a limit', async () => {
      let tried = 0
      for (const operation of await operations()) {
        const form = jsonBodyOf(operation)
        if (form === undefined) continue
        const good = objectSample(form.schema as unknown as TObject)
        expect([operation.id, checkShape(form.schema, good, 'body')]).toEqual([operation.id, []])
        const rows: [string, Attempt, string][] = []
        for (const { tokens, schema, isRequired } of placesOf(form.schema)) {
          const name = nameOf(tokens)
          const send = (value: unknown) => ({ body: JSON.stringify(changed(good, tokens, value)) })
          if (isRequired) rows.push([`no ${name}`, send(undefined), name])
          for (const value of [...wrongTypes(schema), ...edgesOf(schema).past]) {
            rows.push([`${name} ${JSON.stringify(value).slice(0, 60)}`, send(value), name])
          }
          if (schema.type === 'object' && schema.patternProperties === undefined) {
            const more = { ...objectSample(schema as TObject), colour: 'red' }
            rows.push([`${name} with more`, send(more), `${name}.colour`])
          }
        }
        await refuses(operation, rows)
        tried += rows.length
      }
      expect(tried).toBeGreaterThan(500)
    })

    test('of every operation are refused where they are not the one object that is wanted', async () => {
      for (const operation of await operations()) {
        const form = jsonBodyOf(operation)
        if (form === undefined) continue
        const good = objectSample(form.schema as unknown as TObject)
        await refuses(
          operation,
          brokenBodies(good).map(([name, body]) => [name, { body }]),
        )
      }
    })

    test('are read to exactly their limit of bytes, and not one further', async () => {
      for (const operation of await operations()) {
        const form = jsonBodyOf(operation)
        if (form === undefined) continue
        const text = JSON.stringify(objectSample(form.schema as unknown as TObject))
        const padded = (size: number) => text + ' '.repeat(size - Buffer.byteLength(text))
        await refuses(operation, [['one byte over', { body: padded(form.maxBytes + 1) }, String(form.maxBytes)]])
        const { detail = '' } = await attempt(operation, { body: padded(form.maxBytes) })
        expect([operation.id, String(detail).includes(`${form.maxBytes} bytes`)]).toEqual([operation.id, false])
      }
    })

    test('are accepted with every property exactly at its limit', async () => {
      let tried = 0
      for (const operation of await operations()) {
        const form = jsonBodyOf(operation)
        if (form === undefined) continue
        const good = objectSample(form.schema as unknown as TObject)
        for (const { tokens, schema } of placesOf(form.schema)) {
          const name = nameOf(tokens)
          for (const value of edgesOf(schema).at) {
            const body = JSON.stringify(changed(good, tokens, value))
            const { status, detail = '' } = await attempt(operation, { body })
            // Some are refused for what they mean, such as a password of one letter; none for how long they are.
            const isLimitRefused = ['have', 'be'].some((verb) =>
              String(detail).includes(`Body field ${name} must ${verb} at `),
            )
            const isAccepted = status !== 500 && !isLimitRefused
            expect([operation.id, name, isAccepted, isAccepted ? '' : detail]).toEqual([operation.id, name, true, ''])
            tried++
          }
        }
      }
      expect(tried).toBeGreaterThan(90)
    })
  })

  describe('other bodies', () => {
    test('of every mutation are refused by their media type before anything else of them is looked at', async () => {
      for (const operation of await operations()) {
        if (!isMutation(operation.method)) continue
        const before = await stateOf(started.database)
        for (const type of [undefined, 'text/plain', 'application/jsonp', 'application/json; charset=latin1', '']) {
          const { status, code } = await attempt(operation, { body: '{', headers: { 'content-type': type } })
          expect([operation.id, type, status, code]).toEqual([operation.id, type, 415, 'unsupported_media_type'])
        }
        expect([operation.id, await stateOf(started.database)]).toEqual([operation.id, before])
      }
    })

    test('that are forms are refused without their file, with two, with an unknown field and without an end', async () => {
      let forms = 0
      for (const operation of await operations()) {
        const { body } = operation
        const all = body === undefined ? [] : body.kind === 'choice' ? body.of : [body]
        const form = all.find((one): one is MultipartBody => one.kind === 'multipart')
        if (form === undefined) continue
        forms++
        const fields = Object.entries(objectSample(form.fields)).map(([name, value]) => part(name, String(value)))
        const file = part('file', 'PK', form.fileMediaTypes[0]!)
        const send = (...parts: string[]): Attempt => ({
          body: `${parts.join('')}--b--\r\n`,
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        })
        const others = (name: string) =>
          Object.entries(objectSample(form.fields))
            .filter(([field]) => field !== name)
            .map(([field, value]) => part(field, String(value)))
        for (const [name, schema] of Object.entries(form.fields.properties)) {
          const { past, at } = edgesOf(schema)
          const required = form.fields.required ?? []
          await refuses(operation, [
            ...past.map((value): [string, Attempt] => [
              `${name} ${value}`,
              send(...others(name), part(name, String(value)), file),
            ]),
            ...(required.includes(name) ? [[`no ${name}`, send(...others(name), file)] as [string, Attempt]] : []),
          ])
          for (const value of at) {
            const { detail = '' } = await attempt(operation, send(...others(name), part(name, String(value)), file))
            expect([operation.id, name, String(detail).includes(`field ${name} must`)]).toEqual([
              operation.id,
              name,
              false,
            ])
          }
        }
        await refuses(operation, [
          ['no file', send(...fields)],
          ['two files', send(...fields, file, file)],
          ['an unknown field', send(...fields, file, part('colour', 'red'))],
          [
            'another boundary',
            { ...send(...fields, file), headers: { 'content-type': 'multipart/form-data; boundary=c' } },
          ],
          ['nothing', { body: '', headers: { 'content-type': 'multipart/form-data; boundary=b' } }],
        ])
      }
      expect(forms).toBe(8)
    })
  })

  describe('addresses', () => {
    test('with a malformed id are 422 where the operation says so, else 404', async () => {
      for (const operation of await operations()) {
        if (operation.params === undefined) continue
        const wanted = operation.failures.includes(422) ? 422 : 404
        const before = await stateOf(started.database)
        for (const id of ['x', nobody.slice(1), `${nobody}0`, '%00', '..%2f', '{}', nobody.replaceAll('-', '')]) {
          const body = goodBody(operation)
          const { status } = await attempt(operation, { path: pathOf(operation, id), ...body })
          expect([operation.id, id, status]).toEqual([operation.id, id, wanted])
        }
        expect([operation.id, await stateOf(started.database)]).toEqual([operation.id, before])
      }
    })

    test('with the id of nothing are 404 once all else is well-formed, and change nothing', async () => {
      const before = await stateOf(started.database)
      for (const operation of await operations()) {
        if (operation.params === undefined) continue
        const wanted: Record<string, string> = { at: '2026-11-20T09:30:00Z', case_hash: '0'.repeat(64) }
        const given = (operation.query?.required ?? []).map((name) => `${name}=${wanted[name]}`)
        const query = given.length === 0 ? '' : `?${given.join('&')}`
        const { status, code } = await attempt(operation, { ...goodBody(operation), query })
        expect([operation.id, status, code]).toEqual([operation.id, 404, 'not_found'])
      }
      expect(await stateOf(started.database)).toBe(before)
    })

    test('with a query are refused for every field that is unknown, given twice, of another shape or past a limit', async () => {
      for (const operation of await operations()) {
        if (operation.method !== 'GET' || !operation.failures.includes(422)) continue
        // Providers add fields of their own to the way back from them.
        if (operation.query?.additionalProperties === true) {
          expect(operation.id).toBe('finishProviderSignIn')
          continue
        }
        const rows: [string, Attempt][] = [
          ['unknown', { query: '?colour=red' }],
          ['__proto__', { query: '?__proto__=1' }],
          ['constructor', { query: '?constructor=1' }],
          ['broken escape', { query: '?limit=%zz' }],
          ['NUL', { query: '?cursor=%00' }],
        ]
        for (const [name, schema] of Object.entries(operation.query?.properties ?? {})) {
          const good = encodeURIComponent(String(sampleOf(schema)))
          rows.push([`${name} twice`, { query: `?${name}=${good}&${name}=${good}` }])
          for (const value of edgesOf(schema).past) {
            rows.push([
              `${name}=${String(value).slice(0, 40)}`,
              { query: `?${name}=${encodeURIComponent(String(value))}` },
            ])
          }
          for (const value of edgesOf(schema).at) {
            const { status, detail = '' } = await attempt(operation, {
              query: `?${name}=${encodeURIComponent(String(value))}`,
            })
            // Some are refused for what they mean, such as a position after the chain's end.
            const { minimum, maximum, minLength, maxLength } = schema
            const words = [`least ${minimum ?? minLength}`, `most ${maximum ?? maxLength}`]
            const refusal = new RegExp(`Query field ${name} must \\w+ at (?:${words.join('|')})\\b`)
            const isLimitRefused = refusal.test(String(detail))
            expect([operation.id, name, status === 500 || isLimitRefused]).toEqual([operation.id, name, false])
          }
          if (schema.type === 'integer') {
            for (const value of ['', '1.0', '+1', '01', '1e1', ' 1', 'one', '9'.repeat(30)]) {
              rows.push([`${name}=${value}`, { query: `?${name}=${encodeURIComponent(value)}` }])
            }
          }
        }
        await refuses(operation, rows)
      }
    })
  })

  describe('headers', () => {
    test('that are keys and revision tags are refused in any other form, and accepted at their limits', async () => {
      for (const operation of await operations()) {
        const { headers: use } = operation
        const good = goodBody(operation)
        const isCreate = operation.params === undefined
        if (use.idempotencyKey !== undefined) {
          const keys = ['a'.repeat(7), 'a'.repeat(129), '-startsbad', 'has space', 'ümlauts-are-not', '']
          await refuses(
            operation,
            keys.map((key) => [`key ${key}`, { ...good, headers: { ...good.headers, 'idempotency-key': key } }]),
          )
          for (const key of isCreate ? [] : ['a'.repeat(8), 'a'.repeat(128)]) {
            const { status } = await attempt(operation, {
              ...good,
              headers: { ...good.headers, 'idempotency-key': key },
            })
            expect([operation.id, key.length, status]).toEqual([operation.id, key.length, 404])
          }
        }
        if (use.idempotencyKey === 'required') {
          await refuses(operation, [
            ['no key', { ...good, headers: { ...good.headers, 'idempotency-key': undefined } }],
          ])
        }
        if (use.ifMatch !== undefined) {
          await refuses(
            operation,
            ['1', '"0"', '"01"', '"a"', '', '"1', '"1" "2"'].map((tag) => [
              `If-Match ${tag}`,
              { ...good, headers: { ...good.headers, 'if-match': tag } },
            ]),
          )
        }
        if (use.ifNoneMatch !== undefined) {
          await refuses(operation, [
            ['If-None-Match', { ...good, headers: { ...good.headers, 'if-none-match': '"1"' } }],
          ])
        }
      }
    })
  })
})

/** What passes every check of form: JSON where the operation takes it, else a file. */
function goodBody(operation: Operation): Attempt {
  if (!isMutation(operation.method)) return {}
  const form = jsonBodyOf(operation)
  if (form !== undefined) return { body: JSON.stringify(objectSample(form.schema as unknown as TObject)) }
  const { body } = operation
  if (body?.kind === 'multipart') {
    const fields = Object.entries(objectSample(body.fields)).map(([name, value]) => part(name, String(value)))
    const parts = [...fields, part('file', 'PK', body.fileMediaTypes[0]!)]
    return { body: `${parts.join('')}--b--\r\n`, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
  }
  const bytes = body?.kind === 'choice' ? body.of.find((one) => one.kind === 'bytes') : undefined
  if (bytes === undefined) return {}
  return { body: new Uint8Array([80, 75]), headers: { 'content-type': bytes.mediaType } }
}

function part(name: string, value: string, type?: string): string {
  const about = type === undefined ? '' : `; filename="file"\r\nContent-Type: ${type}`
  return `--b\r\nContent-Disposition: form-data; name="${name}"${about}\r\n\r\n${value}\r\n`
}
