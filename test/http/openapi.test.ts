import { describe, expect, test } from 'bun:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { AE, loginAccess, publicAccess, sessionAccess } from '../../src/http/access.ts'
import { describeOperations } from '../../src/http/openapi.ts'
import { defineOperation, emptyBody, jsonBody, type Operation } from '../../src/http/operation.ts'
import { object, oneOf, text, uuid } from '../../src/http/wire.ts'

const letter = object(
  { name: text({ minLength: 1, maxBytes: 9 }), kind: Type.Optional(oneOf(['a', 'b'])) },
  { $id: 'Letter' },
)

function operation(change: Partial<Operation> = {}): Operation {
  const made = defineOperation({
    id: 'read',
    method: 'GET',
    path: '/api/v1/letters',
    tag: 'letters',
    summary: 'Reads.',
    access: change.access ?? publicAccess,
    success: [{ status: 200, schema: letter }],
    failures: [404],
    handle: () => ({}),
  })
  return { ...made, ...change }
}

interface Described {
  parameters: { name: string; in: string; required: boolean; schema: unknown }[]
  requestBody?: unknown
  responses: Record<string, { content: Record<string, { schema: unknown }> }>
  schemas: Record<string, unknown>
}

/** The description of one operation, with the schemas that it names. */
function described(one: Operation): Described {
  const { paths, components } = describeOperations([one]) as {
    paths: Record<string, Record<string, Described>>
    components: Pick<Described, 'schemas'>
  }
  return { ...paths[one.path]![one.method.toLowerCase()]!, schemas: components.schemas }
}

describe('the description of an operation', () => {
  test('has its name, its tag, its words, and who may call it', () => {
    const open = described(operation())
    expect(open).toMatchObject({ operationId: 'read', tags: ['letters'], summary: 'Reads.', security: [] })
    for (const name of ['x-roles', 'x-permission', 'parameters', 'requestBody']) expect(open).not.toHaveProperty(name)
    const closed = described(operation({ access: sessionAccess(AE) }))
    expect(closed).toMatchObject({ security: [{ session: [] }], 'x-roles': [...AE] })
  })

  test('stands under its path and its method, beside the other methods of the path', () => {
    const { paths } = describeOperations([operation(), operation({ id: 'write', method: 'POST' })]) as {
      paths: Record<string, Record<string, unknown>>
    }
    expect(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ['/api/v1/letters', ['get', 'post']],
    ])
  })

  test('lists parameters of path and query, each with its schema and whether it must be there', () => {
    const { parameters } = described(
      operation({
        params: object({ id: uuid }),
        query: object({ limit: Type.Optional(Type.Integer({ minimum: 1 })), kind: oneOf(['a', 'b']) }),
      }),
    )
    expect(parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      { name: 'limit', in: 'query', required: false, schema: { type: 'integer', minimum: 1 } },
      { name: 'kind', in: 'query', required: true, schema: { type: 'string', enum: ['a', 'b'] } },
    ])
  })

  test('lists the headers that a mutation, a login and conditions want', () => {
    const headersOf = (change: Partial<Operation>) =>
      (described(operation(change)).parameters ?? []).map(({ name, required }) => [name, required])
    const access = sessionAccess(AE)
    const guards = [
      ['Origin', true],
      ['X-CSRF-Token', true],
    ]
    expect(headersOf({ access })).toEqual([])
    expect(headersOf({ access, method: 'PUT' })).toEqual(guards)
    expect(headersOf({ method: 'POST' })).toEqual([])
    expect(headersOf({ method: 'POST', access: loginAccess })).toEqual([['Origin', false]])
    for (const use of ['required', 'optional'] as const) {
      expect(headersOf({ headers: { idempotencyKey: use } })).toEqual([['Idempotency-Key', use === 'required']])
    }
    expect(headersOf({ headers: { ifMatch: 'used' } })).toEqual([['If-Match', true]])
    expect(headersOf({ headers: { ifMatch: 'used', ifNoneMatch: 'used' } })).toEqual([
      ['If-Match', false],
      ['If-None-Match', false],
    ])
  })

  test('gives the headers the forms that the guards accept', () => {
    const { parameters } = described(
      operation({
        method: 'PUT',
        access: sessionAccess(AE),
        headers: { idempotencyKey: 'required', ifMatch: 'used', ifNoneMatch: 'used' },
      }),
    )
    const key = { minLength: 8, maxLength: 128, pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$' }
    expect(parameters.map((one) => [one.in, one.schema])).toEqual([
      ['header', { type: 'string', format: 'uri' }],
      ['header', { type: 'string', minLength: 1 }],
      ['header', { type: 'string', ...key }],
      ['header', { type: 'string', pattern: '^"[1-9][0-9]*"$' }],
      ['header', { type: 'string', const: '*' }],
    ])
    expect(described(operation({ access: loginAccess, method: 'POST' })).parameters[0]!.schema).toEqual({
      type: 'string',
      format: 'uri',
    })
  })

  test('names every form of body with its limit, and none where there is no byte to send', () => {
    const fields = object({ name: text(), note: Type.Optional(text()) })
    const multipart = { kind: 'multipart', fields, fileMediaTypes: ['application/x-letter'], maxBytes: 8 } as const
    const bytes = { kind: 'bytes', mediaType: 'application/x-letter', maxBytes: 7 } as const
    const json = jsonBody(letter, 9)
    expect(described(operation({ body: emptyBody })).requestBody).toBeUndefined()
    const binary = { type: 'string', format: 'binary' }
    expect(described(operation({ body: { kind: 'choice', of: [json, bytes, multipart] } })).requestBody).toEqual({
      required: true,
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Letter' }, 'x-max-bytes': 9 },
        'application/x-letter': { schema: binary, 'x-max-bytes': 7 },
        'multipart/form-data': {
          schema: {
            type: 'object',
            additionalProperties: false,
            properties: { name: { type: 'string' }, note: { type: 'string' }, file: binary },
            required: ['name', 'file'],
          },
          encoding: { file: { contentType: 'application/x-letter' } },
          'x-max-bytes': 8,
        },
      },
    })
  })

  test('has each status that it answers, with its headers and its forms of content', () => {
    const pdf = 'application/pdf'
    const { responses } = described(
      operation({
        success: [
          { status: 200, schema: letter, headers: { ETag: 'The revision.' } },
          { status: 200, schema: object({}), headers: { Location: 'Where it is.' } },
          { status: 200, mediaType: pdf },
          { status: 204 },
        ],
      }),
    )
    const header = (description: string) => ({ description, schema: { type: 'string' } })
    const correlation = { 'X-Correlation-Id': header('Names this request in the log.') }
    expect<unknown>(responses['200']).toEqual({
      description: 'Success',
      headers: { ETag: header('The revision.'), Location: header('Where it is.'), ...correlation },
      content: {
        'application/json': {
          schema: {
            anyOf: [
              { $ref: '#/components/schemas/Letter' },
              { type: 'object', additionalProperties: false, properties: {} },
            ],
          },
        },
        [pdf]: {},
      },
    })
    expect<unknown>(responses['204']).toEqual({ description: 'Success', headers: correlation })
  })

  test('has each refusal in the form of its surface, and Allow with 405', () => {
    const statuses = (change: Partial<Operation>) => Object.keys(described(operation(change)).responses).map(Number)
    expect(statuses({})).toEqual([200, 404, 405, 500])
    expect(statuses({ access: sessionAccess(AE) })).toEqual([200, 401, 404, 405, 429, 500, 503])
    const general = { $ref: '#/components/schemas/Problem' }
    const configuration = { $ref: '#/components/schemas/ConfigurationProblem' }
    for (const [variant, schema] of [
      ['general', general],
      ['configuration', configuration],
      ['configuration-unless-multipart', { anyOf: [configuration, general] }],
    ] as const) {
      const { responses } = described(operation({ variant }))
      const content = { 'application/problem+json': { schema } }
      expect<unknown>(responses['404']).toEqual({ description: 'Refused', content })
      expect<unknown>(responses['405']).toEqual({
        description: 'Refused',
        headers: { Allow: { required: true, schema: { type: 'string' } } },
        content,
      })
      const limited = described(operation({ variant, access: sessionAccess(AE) }))
      expect(limited).toMatchObject({ 'x-rate': 'reads' })
      expect<unknown>(limited.responses['429']).toMatchObject({
        headers: { 'Retry-After': { schema: { pattern: '^[1-9][0-9]*$' } } },
        content: { 'application/problem+json': { schema: general } },
      })
    }
  })

  test('writes schemas as plain JSON Schema, each named one once as a component', () => {
    const inner = object({ at: text({ format: 'date-time' }) }, { $id: 'Inner' })
    const schema = object({
      one: inner,
      list: Type.Array(inner, { maxItems: 3 }),
      either: Type.Union([inner, Type.Null()]),
      all: Type.Unsafe({ allOf: [inner] }) as TSchema,
      record: Type.Record(Type.String(), inner, { maxProperties: 2 }),
      open: Type.Object({}, { additionalProperties: inner }),
      loose: Type.Object({}, { additionalProperties: true }),
      text: text({ maxBytes: 5 }),
      union: Type.Union([Type.Literal('x'), Type.Literal(1)]),
    })
    const one = described(operation({ success: [{ status: 200, schema }] }))
    const reference = { $ref: '#/components/schemas/Inner' }
    expect(one.responses['200']!.content['application/json']!.schema).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        one: reference,
        list: { type: 'array', items: reference, maxItems: 3 },
        either: { anyOf: [reference, { type: 'null' }] },
        all: { allOf: [reference] },
        record: { type: 'object', additionalProperties: reference, maxProperties: 2 },
        open: { type: 'object', properties: {}, additionalProperties: reference },
        loose: { type: 'object', properties: {}, additionalProperties: true },
        text: { type: 'string', 'x-max-bytes': 5 },
        union: {
          anyOf: [
            { type: 'string', const: 'x' },
            { type: 'number', const: 1 },
          ],
        },
      },
      required: ['one', 'list', 'either', 'all', 'record', 'open', 'loose', 'text', 'union'],
    })
    expect(one.schemas.Inner).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { at: { type: 'string', format: 'date-time' } },
      required: ['at'],
    })
    expect(Object.keys(one.schemas).toSorted()).toEqual([
      'ConfigurationIssue',
      'ConfigurationProblem',
      'Dependency',
      'Inner',
      'Problem',
    ])
  })
})
