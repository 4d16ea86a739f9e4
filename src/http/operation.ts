import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Log } from '../core/log.ts'
import type { Access, Principal, PublicAccess, SessionAccess } from './access.ts'
import type { IfMatch } from './conditional.ts'
import type { IdempotentRequest } from './idempotent-request.ts'

/**
 * One operation of the interface, declared once. The guards, the 405 `Allow`, the OpenAPI description and the tests all
 * read this declaration; nothing else is served.
 */
export interface Operation {
  /** The interface's operation name, unique: `createContract`. */
  readonly id: string
  readonly method: Method
  /** `{name}` matches one path segment: `/api/v1/templates/{templateId}/versions:resolve`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly variant: Variant
  /** It checks, compiles or draws content, and so takes long. */
  readonly isTrial: boolean
  /** A trial that keeps what it makes: a case, what is expected of one. */
  readonly isKept: boolean
  /** It takes long without being a trial, and counts as costly. */
  readonly isCostly: boolean
  /** What the operation is about, for the issues of configuration problems: `transformer`. */
  readonly resourceKind: string
  readonly access: Access
  readonly params: TObject | undefined
  readonly query: TObject | undefined
  readonly headers: HeaderUse
  readonly body: BodyForm | undefined
  /** The first one is answered unless the handler says otherwise. */
  readonly success: Successes
  /** Every refusal the operation can answer, ascending; 405 and 500 (and for sessions 401, 429 and 503) included. */
  readonly failures: readonly number[]
  /** What the description says of refusals that are this operation's own, by status. */
  readonly refusals: Refusals
  handle(context: HandlerContext): Promise<Answer> | Answer
}

export type Refusals = Readonly<Partial<Record<number, string>>>

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Which problem body refusals take. Paths that both surfaces share (`POST /templates`) are configuration for JSON and
 * general for multipart.
 */
export type Variant = 'general' | 'configuration' | 'configuration-unless-multipart'

/** How the operation uses conditional and idempotency headers; one that isn't named is ignored. */
export interface HeaderUse {
  readonly idempotencyKey?: 'required' | 'optional'
  /** Its shape is checked with the body; the handler refuses a missing (428) or stale (412) one, after 404. */
  readonly ifMatch?: 'used'
  /** Only `If-None-Match: *`, for the first draft of a family. */
  readonly ifNoneMatch?: 'used'
}

export type BodyForm = SingleBody | { readonly kind: 'choice'; readonly of: readonly SingleBody[] }
export type SingleBody = JsonBody | EmptyBody | MultipartBody | BytesBody

export interface JsonBody<T extends TSchema = TSchema> {
  readonly kind: 'json'
  readonly schema: T
  readonly maxBytes: number
}
/** A mutation without input: Content-Type is still wanted, and not one byte of body. */
export interface EmptyBody {
  readonly kind: 'empty'
}
/** multipart/form-data with text fields and exactly one file part named `file`. */
export interface MultipartBody<T extends TObject = TObject> {
  readonly kind: 'multipart'
  readonly fields: T
  /** What the file may be. */
  readonly fileMediaTypes: readonly string[]
  readonly maxBytes: number
}
export interface BytesBody {
  readonly kind: 'bytes'
  readonly mediaType: string
  readonly maxBytes: number
}

export interface Upload {
  fileName: string
  mediaType: string
  bytes: Uint8Array
}

/** What the handler gets for one form of body; a choice gets it tagged with its `kind`. */
export type BodyValue<B> = B extends { kind: 'choice'; of: readonly (infer Single)[] }
  ? Tagged<Single>
  : B extends JsonBody<infer T>
    ? Static<T>
    : B extends MultipartBody<infer T>
      ? { fields: Static<T>; file: Upload }
      : B extends BytesBody
        ? Uint8Array
        : undefined

type Tagged<Single> = Single extends { kind: infer K } ? { kind: K; value: BodyValue<Single> } : never

/** What an operation can answer; never nothing. */
export type Successes = readonly [Success, ...Success[]] | readonly [...Success[], Success]

export interface Success {
  readonly status: number
  /** For a JSON body; without it the answer has no body, or one of `mediaType`. */
  readonly schema?: TSchema
  readonly mediaType?: string
  /** Response headers by name, each with its meaning. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a handler answers with. A `stream` is sent unchanged; otherwise `body` is written as JSON. */
export interface Answer<Body = unknown> {
  status?: number
  body?: Body
  headers?: Readonly<Record<string, string>>
  /** Values of Set-Cookie, a header each. */
  cookies?: readonly string[]
  stream?: ReadableStream<Uint8Array> | Uint8Array
}

export interface HandlerContext<
  A = Access,
  P = Record<string, unknown>,
  Q = Record<string, unknown>,
  B = unknown,
  H = HeaderUse,
> {
  /** For headers that are not declared, such as Range and Accept. Its body has already been read. */
  request: Request
  correlationId: string
  /** Trace context of the request, in the stored form, if it has one. */
  traceparent: string | undefined
  clientAddress: string
  /** The request's Host, in lower case. */
  host: string
  /** The checked browser origin; of a read with a session, the one that its CSRF token is for. */
  origin: A extends PublicAccess ? undefined : string
  principal: A extends SessionAccess ? Principal : undefined
  params: P
  query: Q
  body: B
  ifMatch: IfMatch | undefined
  /** True for `If-None-Match: *`. */
  ifNoneMatch: boolean
  idempotency: H extends { idempotencyKey: 'required' } ? IdempotentRequest : IdempotentRequest | undefined
  log: Log
}

export interface Definition<
  A extends Access,
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends BodyForm | undefined,
  H extends HeaderUse,
  S extends Successes,
> {
  id: string
  method: Method
  path: string
  tag: string
  summary: string
  variant?: Variant
  isTrial?: true
  isKept?: true
  isCostly?: true
  resourceKind?: string
  access: A
  params?: P
  query?: Q
  headers?: H
  body?: B
  success: S
  failures: readonly number[]
  refusals?: Refusals
  handle(
    context: HandlerContext<A, StaticOrEmpty<P>, StaticOrEmpty<Q>, BodyValue<B>, H>,
  ): Promise<Answer<AnswerBody<S>>> | Answer<AnswerBody<S>>
}

type StaticOrEmpty<T> = T extends TObject ? Static<T> : Record<never, never>
type AnswerBody<S extends Successes> = S[number] extends infer One
  ? One extends { schema: infer T extends TSchema }
    ? Static<T>
    : never
  : never

/** Declares an operation; the types of what its handler gets and answers follow from the schemas. */
export function defineOperation<
  const A extends Access,
  const S extends Successes,
  P extends TObject | undefined = undefined,
  Q extends TObject | undefined = undefined,
  const B extends BodyForm | undefined = undefined,
  const H extends HeaderUse = Record<never, never>,
>(definition: Definition<A, P, Q, B, H, S>): Operation {
  const { access, failures } = definition
  const always = access.kind === 'session' ? [401, 405, 429, 500, 503] : [405, 500]
  return {
    id: definition.id,
    method: definition.method,
    path: definition.path,
    tag: definition.tag,
    summary: definition.summary,
    variant: definition.variant ?? 'general',
    isTrial: definition.isTrial ?? false,
    isKept: definition.isKept ?? false,
    isCostly: definition.isCostly ?? false,
    resourceKind: definition.resourceKind ?? 'request',
    access,
    params: definition.params,
    query: definition.query,
    headers: definition.headers ?? {},
    body: definition.body,
    success: definition.success,
    failures: [...new Set([...failures, ...always])],
    refusals: definition.refusals ?? {},
    // The pipeline gives the handler exactly what these schemas accept; the erased type can't say so.
    handle: definition.handle as unknown as Operation['handle'],
  }
}

export function jsonBody<T extends TSchema>(schema: T, maxBytes: number): JsonBody<T> {
  return { kind: 'json', schema, maxBytes }
}

export const emptyBody: EmptyBody = { kind: 'empty' }

export function isMutation(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
