/** OpenAPI as far as the reference reads it. Pure. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  description?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  minProperties?: number
}

interface Content {
  content?: Record<string, { schema?: Schema; encoding?: { file?: { contentType?: string } } }>
  description?: string
}

interface RawOperation {
  operationId?: string
  tags?: string[]
  summary?: string
  parameters?: Parameter[]
  requestBody?: Content
  responses?: Record<string, Content>
  security?: Record<string, unknown>[]
  'x-roles'?: string[]
  'x-permission'?: string
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}

export interface Description {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, RawOperation>>
  components?: { schemas?: Record<string, Schema> }
}

export interface Operation {
  id: string
  method: string
  path: string
  summary: string | undefined
  parameters: readonly Parameter[]
  body: readonly { mediaType: string; schema: Schema }[]
  answers: readonly { status: string; description: string; contents: { mediaType: string; schema: Schema }[] }[]
  roles: readonly string[] | undefined
  permission: string | undefined
  caller: Caller
  /** The media type of the file in a form. */
  fileMediaType: string | undefined
}

/** Who calls it: anybody, a program with a token, or only a person with a session. */
export type Caller = 'nobody' | 'token' | 'person'

/** Operations by their first tag, in the description's order; only those with the text in path, name or summary. */
export function groupsOf(api: Description, find: string): [string, Operation[]][] {
  const wanted = find.trim().toLowerCase()
  const groups = new Map<string, Operation[]>()
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, raw] of Object.entries(methods)) {
      const { operationId = '', summary, tags = ['other'] } = raw
      if (![path, operationId, summary ?? ''].some((text) => text.toLowerCase().includes(wanted))) continue
      const group = tags[0] ?? 'other'
      const operations = groups.get(group) ?? []
      groups.set(group, [...operations, operationOf(path, method, raw)])
    }
  }
  return [...groups]
}

function operationOf(path: string, method: string, raw: RawOperation): Operation {
  return {
    id: raw.operationId ?? `${method} ${path}`,
    method,
    path,
    summary: raw.summary,
    parameters: raw.parameters ?? [],
    body: contentsOf(raw.requestBody),
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => ({
      status,
      description: answer.description ?? '',
      contents: contentsOf(answer),
    })),
    roles: raw['x-roles'],
    permission: raw['x-permission'],
    caller: callerOf(raw),
    fileMediaType: raw.requestBody?.content?.['multipart/form-data']?.encoding?.file?.contentType,
  }
}

function callerOf({ security = [] }: RawOperation): Caller {
  if (security.some((one) => 'token' in one)) return 'token'
  return security.some((one) => 'session' in one) ? 'person' : 'nobody'
}

function contentsOf(content: Content | undefined): { mediaType: string; schema: Schema }[] {
  return Object.entries(content?.content ?? {}).map(([mediaType, { schema = {} }]) => ({ mediaType, schema }))
}

export function resolve(schema: Schema, api: Description): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : (api.components?.schemas?.[name] ?? schema)
}
