/**
 * Writes the parts of the typed client that come from the OpenAPI description: src/client/problems.ts, with a type for every
 * problem, and src/client/quire.ts, with a type for every other named schema and a method for every operation. Run: bun run
 * build:client
 */
import { join } from 'node:path'
import { createApp } from '../src/app.ts'
import { faultKinds } from '../src/core/faults.ts'
import { describeOperations } from '../src/http/openapi.ts'

const folder = join(import.meta.dir, '../src/client')
const generated =
  '/** Made by scripts/build-client.ts from the OpenAPI description: change that, and run `bun run build:client`. */'

/** The schemas of problems and of their parts, which the client's error files use without the operations. */
const problemNames = ['Problem', 'ConfigurationProblem']
const problemParts = ['Dependency', 'ConfigurationIssue']

interface Schema {
  $ref?: string
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  allOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  format?: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Media {
  schema?: Schema
  encoding?: { file?: { contentType: string } }
}

interface DescribedOperation {
  operationId: string
  summary: string
  parameters?: readonly Parameter[]
  requestBody?: { content: Readonly<Record<string, Media>> }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, Media>> }>>
}

export interface Description {
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: { schemas: Readonly<Record<string, Schema>> }
}

/** The client's generated files by path, formatted. */
export function clientSources(description: Description): Map<string, string> {
  const sources: [string, string][] = [
    ['problems.ts', problemsSource(description)],
    ['quire.ts', operationsSource(description)],
  ]
  return new Map(sources.map(([name, source]) => [join(folder, name), formatted(source)]))
}

/** Problems as one union, whose members are distinguished by `code`, and the two variants by `errors`. */
function problemsSource({ components: { schemas } }: Description): string {
  return [
    generated,
    ...problemParts.map((name) => `export type ${name} = ${typeOf(schemas[name] ?? {})}\n`),
    ...problemNames.map((name) => {
      const { properties = {}, required } = schemas[name] ?? {}
      const codes = (properties.code?.enum ?? []) as (keyof typeof faultKinds)[]
      const members = codes.map((code) => {
        const own = {
          type: { const: `/problems/${code}` },
          status: { const: faultKinds[code].status },
          code: { const: code },
        }
        const { dependencies, ...others } = properties
        const tellsOf = code === 'dependency_unavailable' ? properties : others
        return objectTypeOf({ properties: { ...tellsOf, ...own }, required: required ?? [] })
      })
      return `export type ${name} = ${members.map((member) => `\n  | ${member}`).join('')}\n`
    }),
    `/** What something between the client and Quire refused, such as a proxy. */
     export type ForeignProblem = { code: 'unknown'; detail: string; status: number }\n`,
    `/** Whatever can be refused. */
     export type AnyProblem = ${[...problemNames, 'ForeignProblem'].join(' | ')}\n`,
  ].join('\n')
}

function operationsSource({ paths, components }: Description): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const streamed = operations.filter(({ operation }) => answerOf(operation).includes(bytesType) || isEvents(operation))
  const others = Object.entries(components.schemas).filter(
    ([name]) => !problemNames.includes(name) && !problemParts.includes(name),
  )
  return [
    generated,
    `import type { ConfigurationIssue, Dependency } from './problems.ts'`,
    `import { type Answer, type ClientOptions, type OperationInput, type OperationSpec, type StreamAnswer, Transport } from './transport.ts'\n`,
    `export type * from './problems.ts'\n`,
    ...others.map(([name, schema]) => `export type ${name} = ${typeOf(schema)}\n`),
    `/** What an operation may carry beside its own input. */
     export interface CallOptions { headers?: Readonly<Record<string, string>>; signal?: AbortSignal }\n`,
    'export const operations = {',
    ...operations.map(
      ({ path, method, operation }) => `  ${operation.operationId}: ${specOf(path, method, operation)},`,
    ),
    '} as const satisfies Record<string, OperationSpec>\n',
    `/** The operations that answer bytes or events, which \`stream\` gives as they come. */
     export type StreamedOperation = ${streamed.map(({ operation }) => `'${operation.operationId}'`).join(' | ')}\n`,
    `/** Every operation of the interface as a method. A refusal is thrown as a QuireRefusal, anything else is answered. */
     export class QuireOperations {
       readonly #transport: Transport

       constructor(options: ClientOptions) { this.#transport = new Transport(options) }

       /** The response itself, whatever its status. */
       raw(operation: keyof typeof operations, input: OperationInput = {}): Promise<Response> {
         return this.#transport.send(operations[operation], input)
       }

       /** The bytes of an answer as they come, however many there are. */
       stream(operation: StreamedOperation, input: OperationInput = {}): Promise<StreamAnswer> {
         return this.#transport.stream(operations[operation], input)
       }
    `,
    ...operations.map(({ operation }) => methodOf(operation)),
    '}\n',
  ].join('\n')
}

function specOf(path: string, method: string, operation: DescribedOperation): string {
  const takesKey = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
  const content = operation.requestBody?.content ?? {}
  const fileType = content['multipart/form-data']?.encoding?.file?.contentType ?? bytesTypeOf(content)
  const fields = [`method: '${method}'`, `path: '${path}'`]
  if (takesKey) fields.push('key: true')
  if (fileType !== undefined) fields.push(`fileType: '${fileType}'`)
  return `{ ${fields.join(', ')} }`
}

function bytesTypeOf(content: Readonly<Record<string, Media>>): string | undefined {
  return Object.keys(content).find((type) => type !== 'application/json' && type !== 'multipart/form-data')
}

function methodOf(operation: DescribedOperation): string {
  const { operationId, summary } = operation
  const input = inputOf(operation)
  const isOptional = !input.includes(': ') || !/(?:params|query|body|form|bytes): /.test(input)
  return `
    /** ${summary} */
    ${operationId}(input: (${input}) & CallOptions${isOptional ? ' = {}' : ''}): Promise<Answer<${answerOf(operation)}>> {
      return this.#transport.call(operations.${operationId}, input) as Promise<Answer<never>>
    }
  `
}

function inputOf({ parameters = [], requestBody }: DescribedOperation): string {
  const members: string[] = []
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  if (inPath.length > 0) members.push(`params: ${membersOf(inPath)}`)
  if (inQuery.length > 0) {
    const isOptional = inQuery.every(({ required }) => !required)
    members.push(`query${isOptional ? '?' : ''}: ${membersOf(inQuery)}`)
  }
  const headers = new Set(parameters.filter((one) => one.in === 'header').map(({ name }) => name))
  if (headers.has('Idempotency-Key')) members.push('idempotencyKey?: string')
  if (headers.has('If-Match')) members.push('ifMatch?: string')
  if (headers.has('If-None-Match')) members.push(`ifNoneMatch?: '*'`)
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, media]) => bodyTypeOf(type, media))
  const common = `{ ${members.join('; ')} }`
  return bodies.length === 0 ? common : `${common} & (${bodies.join(' | ')})`
}

function bodyTypeOf(type: string, { schema = {} }: Media): string {
  if (type === 'application/json') return `{ body: ${typeOf(schema)} }`
  return type === 'multipart/form-data' ? `{ form: ${typeOf(schema)} }` : '{ bytes: Blob | Uint8Array<ArrayBuffer> }'
}

function membersOf(parameters: readonly Parameter[]): string {
  const members = parameters.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`)
  return `{ ${members.join('; ')} }`
}

const bytesType = 'Uint8Array<ArrayBuffer>'

/** JSON as its type, files as bytes; live streams are available through `stream` and `raw`. */
function answerOf({ responses }: DescribedOperation): string {
  const types = Object.entries(responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([, { content = {} }]) => {
      const media = Object.entries(content).filter(([type]) => type !== 'text/event-stream')
      if (media.length === 0) return ['undefined']
      return media.map(([type, { schema }]) => (type === 'application/json' ? typeOf(schema ?? {}) : bytesType))
    })
  return [...new Set(types)].join(' | ')
}

function isEvents({ responses }: DescribedOperation): boolean {
  return Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content)
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf !== undefined) return `(${schema.anyOf.map(typeOf).join(' | ')})`
  if (schema.allOf !== undefined) return `(${schema.allOf.map(typeOf).join(' & ')})`
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob | Uint8Array<ArrayBuffer>' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
    case 'null':
      return schema.type
    case 'array':
      return `(${typeOf(schema.items ?? {})})[]`
    case 'object':
      return objectTypeOf(schema)
    default:
      return 'unknown'
  }
}

function objectTypeOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties)}>`
  const members = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`
}

function formatted(source: string): string {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [process.execPath, 'x', 'biome', 'format', `--stdin-file-path=${join(folder, 'quire.ts')}`],
    { stdin: Buffer.from(source), cwd: join(import.meta.dir, '..') },
  )
  if (exitCode !== 0) throw new Error(`the client could not be formatted: ${stderr}`)
  return stdout.toString()
}

/** The table of operations needs no services, since none is called. */
export function describedInterface(): Description {
  const nothing: never = new Proxy({}, { get: () => nothing }) as never
  return describeOperations(createApp(nothing).operations) as unknown as Description
}

if (import.meta.main) {
  for (const [path, source] of clientSources(describedInterface())) await Bun.write(path, source)
}
