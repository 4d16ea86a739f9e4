import { Kind, type TObject, type TSchema } from '@sinclair/typebox'
import { idempotencyKeyPattern } from '../core/ids.ts'
import { API_VERSION } from '../core/version.ts'
import type { BodyForm, Operation, SingleBody } from './operation.ts'
import { rateOf } from './rates.ts'
import { configurationProblem, problem } from './wire.ts'

type Json = Record<string, unknown>

/** The OpenAPI 3.1.1 description of the operations; schemas that carry `$id` become components of that name. */
export function describeOperations(operations: readonly Operation[]): Json {
  const components: Json = {}
  const schemaOf = (schema: TSchema) => portable(schema, components)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const methods = paths[operation.path] ?? {}
    paths[operation.path] = methods
    methods[operation.method.toLowerCase()] = describe(operation, schemaOf)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Quire',
      version: API_VERSION,
      description: 'Document generation from versioned configuration.',
    },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'quire', description: '`__Host-quire` on https origins.' },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, in place of session, Origin and X-CSRF-Token.',
        },
      },
    },
  }
}

function describe(operation: Operation, schemaOf: (schema: TSchema) => unknown): Json {
  const { access } = operation
  const parameters = [
    ...parametersIn('path', operation.params, schemaOf),
    ...parametersIn('query', operation.query, schemaOf),
    ...headerParameters(operation),
  ]
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    security:
      access.kind === 'session' ? [{ session: [] }, ...(access.scope === undefined ? [] : [{ token: [] }])] : [],
    ...(access.kind === 'session' ? { 'x-roles': access.roles } : {}),
    ...(access.kind === 'session' && access.permission !== undefined ? { 'x-permission': access.permission } : {}),
    ...(access.kind === 'session' && access.scope !== undefined ? { 'x-token-scope': access.scope } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined ? {} : describeBody(operation.body, schemaOf)),
    ...(access.kind === 'session' ? { 'x-rate': rateOf(operation) } : {}),
    responses: { ...successes(operation, schemaOf), ...failures(operation, schemaOf) },
  }
}

function parametersIn(place: 'path' | 'query', schema: TObject | undefined, schemaOf: (schema: TSchema) => unknown) {
  const required = new Set(schema?.required ?? [])
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: required.has(name),
    schema: schemaOf(property),
  }))
}

const idempotencyKey = { type: 'string', minLength: 8, maxLength: 128, pattern: idempotencyKeyPattern.source }

function headerParameters({ method, access, headers }: Operation) {
  const list: Json[] = []
  const add = (name: string, { required }: { required: boolean }, schema: Json) =>
    list.push({ name, in: 'header', required, schema })
  if (method !== 'GET' && access.kind === 'session') {
    // Sessions need both, tokens neither.
    const required = access.scope === undefined
    add('Origin', { required }, { type: 'string', format: 'uri' })
    add('X-CSRF-Token', { required }, { type: 'string', minLength: 1 })
  }
  if (access.kind === 'login') add('Origin', { required: false }, { type: 'string', format: 'uri' })
  if (headers.idempotencyKey !== undefined)
    add('Idempotency-Key', { required: headers.idempotencyKey === 'required' }, idempotencyKey)
  // If the operation also takes If-None-Match, either header will do.
  if (headers.ifMatch !== undefined) {
    add('If-Match', { required: headers.ifNoneMatch === undefined }, { type: 'string', pattern: '^"[1-9][0-9]*"$' })
  }
  if (headers.ifNoneMatch !== undefined) add('If-None-Match', { required: false }, { type: 'string', const: '*' })
  return list
}

function describeBody(form: BodyForm, schemaOf: (schema: TSchema) => unknown): Json {
  const forms = form.kind === 'choice' ? form.of : [form]
  const content = Object.assign({}, ...forms.map((single) => describeSingle(single, schemaOf))) as Json
  // A zero-byte body has no representation in OpenAPI; its Content-Type is still wanted.
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } }
}

function describeSingle(form: SingleBody, schemaOf: (schema: TSchema) => unknown): Json {
  switch (form.kind) {
    case 'empty':
      return {}
    case 'json':
      return { 'application/json': { schema: schemaOf(form.schema), 'x-max-bytes': form.maxBytes } }
    case 'bytes':
      return { [form.mediaType]: { schema: { type: 'string', format: 'binary' }, 'x-max-bytes': form.maxBytes } }
    case 'multipart': {
      const fields = schemaOf(form.fields) as { properties: Json; required?: string[] }
      const schema = {
        ...fields,
        properties: { ...fields.properties, file: { type: 'string', format: 'binary' } },
        required: [...(fields.required ?? []), 'file'],
      }
      const encoding = { file: { contentType: form.fileMediaTypes.join(', ') } }
      return { 'multipart/form-data': { schema, encoding, 'x-max-bytes': form.maxBytes } }
    }
  }
}

function successes({ success }: Operation, schemaOf: (schema: TSchema) => unknown): Json {
  const responses: Record<string, Json> = {}
  for (const { status, schema, mediaType, headers } of success) {
    const before = (responses[status]?.content ?? {}) as Record<string, Json>
    const type = mediaType ?? (schema === undefined ? undefined : 'application/json')
    const content =
      type === undefined
        ? before
        : { ...before, [type]: schema === undefined ? {} : { schema: either(before[type]?.schema, schemaOf(schema)) } }
    const described = Object.entries({ ...headers, 'X-Correlation-Id': 'Names this request in the log.' }).map(
      ([name, description]) => [name, { description, schema: { type: 'string' } }],
    )
    responses[status] = {
      description: 'Success',
      headers: { ...(responses[status]?.headers as Json), ...Object.fromEntries(described) },
      ...(Object.keys(content).length === 0 ? {} : { content }),
    }
  }
  return responses
}

/** An operation of both surfaces may answer one status with either of two bodies. */
function either(first: unknown, second: unknown): unknown {
  if (first === undefined) return second
  const { anyOf = [first] } = first as { anyOf?: unknown[] }
  return { anyOf: [...anyOf, second] }
}

const retryAfter =
  'Seconds after which to send the request again. Also where too many requests are at work, in all or of this user, and while the service stops; nothing was changed then, unless the problem says otherwise.'

const rateRetryAfter =
  'Seconds after which to send the request again. Users and tokens may send so many reads, changes and costly requests (`x-rate`) in a minute as QUIRE_RATES says; attempts to sign in have bounds of their own. Nothing was changed.'

function failures({ failures: statuses, variant, refusals }: Operation, schemaOf: (schema: TSchema) => unknown): Json {
  const general = schemaOf(problem)
  const configuration = schemaOf(configurationProblem)
  const schema =
    variant === 'general' ? general : variant === 'configuration' ? configuration : { anyOf: [configuration, general] }
  const seconds = { type: 'string', pattern: '^[1-9][0-9]*$' }
  const headers: Record<number, Json> = {
    429: { 'Retry-After': { description: rateRetryAfter, schema: seconds } },
    405: { Allow: { required: true, schema: { type: 'string' } } },
    503: { 'Retry-After': { description: retryAfter, schema: seconds } },
  }
  const one = (status: number) => ({
    description: refusals[status] ?? 'Refused',
    ...(headers[status] === undefined ? {} : { headers: headers[status] }),
    // The configuration form has no code for it.
    content: { 'application/problem+json': { schema: status === 429 ? general : schema } },
  })
  return Object.fromEntries(statuses.map((status) => [status, one(status)]))
}

/** A TypeBox schema as plain JSON Schema: unions of literals become `enum`, named schemas references. */
function portable(schema: TSchema, components: Json): unknown {
  const { $id } = schema
  if ($id === undefined) return plain(schema, components)
  if (!($id in components)) {
    // Registered before it is filled, so that a schema that contains itself comes to an end.
    components[$id] = {}
    components[$id] = plain(schema, components)
  }
  return { $ref: `#/components/schemas/${$id}` }
}

function plain(schema: TSchema, components: Json): unknown {
  if (schema[Kind] === 'Union' && schema.anyOf.every((member: TSchema) => typeof member.const === 'string')) {
    const { description } = schema
    const values = schema.anyOf.map((member: TSchema) => member.const)
    return { type: 'string', enum: values, ...(description === undefined ? {} : { description }) }
  }
  const result: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$id') continue
    if (keyword === 'maxBytes') result['x-max-bytes'] = value
    else if (keyword === 'properties') {
      result.properties = Object.fromEntries(
        Object.entries<TSchema>(value).map(([name, property]) => [name, portable(property, components)]),
      )
    } else if (keyword === 'items' || (keyword === 'additionalProperties' && typeof value === 'object')) {
      result[keyword] = portable(value, components)
    } else if (keyword === 'patternProperties') {
      // TypeBox writes a record as a pattern that fits every name.
      const [property] = Object.values<TSchema>(value)
      if (property !== undefined) result.additionalProperties = portable(property, components)
    } else if (keyword === 'anyOf' || keyword === 'allOf') {
      result[keyword] = value.map((member: TSchema) => portable(member, components))
    } else result[keyword] = value
  }
  return result
}
