import type { TObject } from '@sinclair/typebox'
import { Fault } from '../core/faults.ts'
import type { Finding } from '../core/finding.ts'
import { idempotencyKeyPattern, newId } from '../core/ids.ts'
import type { Log } from '../core/log.ts'
import { formatTraceparent, parseTraceparent, type SpanContext } from '../core/traceparent.ts'
import type { Principal } from './access.ts'
import { AnswerRoom, type BodyPlace, BodyRoom, openRooms, type RoomName, type RoomSize, roomOf } from './admission.ts'
import { answerResponse, bytesOf, finish, requireDeclaredAnswer } from './answers.ts'
import { type ReadBody, readBody, selectBody, validationFault } from './body.ts'
import type { Closing } from './closing.ts'
import { parseIfMatch } from './conditional.ts'
import { requestHashOf } from './idempotent-request.ts'
import { type HandlerContext, isMutation, type Operation } from './operation.ts'
import { PathTree } from './path.ts'
import { asFault, type ProblemVariant, problemBody } from './problem.ts'
import { RateCounter, rateOf } from './rates.ts'
import { requireReachable } from './reach.ts'
import { createRefusals, isBadInput, isTold } from './refusals.ts'
import type { SessionGuard } from './session.ts'
import { checkShape, coerceTexts, ownFields } from './shape.ts'
import { object } from './wire.ts'

/**
 * What every request goes through, in the order the interface's refusals take precedence:
 *
 *   path 404 → method 405 → login origin 403 → session or token 401 → origin and CSRF 403 (sessions) → must-change, role and permission 403
 *   → rate 429 → media type 415 → sizes and shapes of body, query, headers and path 422 → the handler (resource 404, 428, 412, 409)
 */
export interface Pipeline {
  /**
   * Answers a request by the table of operations alone.
   * @param isTaken whether the client has all of the answer, or has gone
   */
  dispatch(request: Request, clientAddress: string, isTaken?: () => boolean): Promise<Response>
  /** Takes an operation into the table. */
  add(operation: Operation): void
  readonly operations: readonly Operation[]
}

export interface PipelineOptions {
  guard: SessionGuard
  log: Log
  closing: Closing
  /** How many requests may be at work; `limits.rooms` unless given. */
  rooms?: Readonly<Record<RoomName, RoomSize>>
  /** How much of bodies may be in memory; `limits.bodiesAtOnceBytes` unless given. */
  bodies?: BodyRoom
  /** The same of answers; `limits.answersAtOnceBytes` unless given. */
  answers?: AnswerRoom
  /** Counts what users and tokens send; at `usualRates` unless given. */
  rates?: RateCounter | undefined
  /** Turns an answer that its operation doesn't declare into a 500. On in tests and development; too slow otherwise. */
  checkAnswers: boolean
  /** Called with every answer, for metrics. Must not throw. */
  onAnswer?: (answered: Answered) => void
  /** Called with every request that begins, for traces; what it returns is called with the answer. Must not throw. */
  onRequest?: (trace: SpanContext | undefined, correlationId: string) => (answered: Answered) => void
}

interface Arrival {
  host: string
  clientAddress: string
  /** Called with the caller as soon as it is known, before their rights are. */
  known(principal: Principal): void
}

/** What a refusal is told with. */
interface Refused {
  request: Request
  pathname: string
  correlationId: string
  requestLog: Log
}

export interface Answered {
  /** The operation's path with its parameters' names; undefined for paths and methods that are no operation's. */
  route: string | undefined
  /** `unknown` for paths and methods that are no operation's. */
  operationId: string
  method: string
  status: number
  seconds: number
}

export function createPipeline(options: PipelineOptions): Pipeline {
  const { guard, log, closing, checkAnswers, onAnswer, onRequest } = options
  const rooms = openRooms(options.rooms)
  const bodies = options.bodies ?? new BodyRoom()
  const answers = options.answers ?? new AnswerRoom()
  const rates = options.rates ?? new RateCounter()
  const refusals = createRefusals('a request was refused')
  const badInputs = createRefusals('an input was refused')
  const operations: Operation[] = []
  const paths = new PathTree<Operation>()

  async function dispatch(request: Request, clientAddress: string, isTaken = () => true): Promise<Response> {
    const startedAt = performance.now()
    const { pathname, search, host: urlHost } = new URL(request.url)
    const trace = parseTraceparent(request.headers.get('traceparent'))
    const correlationId = correlationIdOf(request, trace)
    const requestLog = log.with({
      correlation_id: correlationId,
      ...(trace === undefined ? {} : { trace_id: trace.traceId }),
    })
    const onThisAnswer = onRequest?.(trace, correlationId)
    const candidates = paths.find(pathname)
    const found = candidates.find(({ value: { method } }) => method === request.method)
    let answer: Response
    let principal: Principal | undefined
    let place: BodyPlace | undefined
    const handled = async (): Promise<Response> => {
      if (found === undefined) throw unrouted(candidates.map(({ value }) => value.method))
      const { value: operation, params } = found
      // Liveness alone is never refused.
      if (operation.failures.includes(503)) closing.requireOpen()
      const host = (request.headers.get('host') ?? urlHost).toLowerCase()
      const known = (found: Principal) => {
        principal = found
      }
      const who = await arrive(operation, request, { host, clientAddress, known })
      if (who.principal !== undefined) rates.count(rateOf(operation), who.principal)
      requireReachable(operation.id, who.principal)
      if (who.principal !== undefined) place = bodies.placeFor(who.principal.userId)
      const input = await readInput(operation, request, { params, search, place })
      await guard.requireReach(operation.id, { params: input.params, body: input.body.value }, who.principal)
      const idempotency = await idempotentRequest(request, pathname, input, who.principal)
      const handle = async () =>
        operation.handle({
          ...{ request, correlationId, clientAddress, host, ...who, ...input },
          traceparent: trace && formatTraceparent(trace),
          body: input.body.value,
          idempotency,
          log: requestLog,
        })
      const room = rooms[roomOf(operation)]
      const given = await (who.principal === undefined ? handle() : room.run(who.principal.userId, handle))
      if (checkAnswers) requireDeclaredAnswer(operation, given)
      const acceptEncoding = request.headers.get('accept-encoding')
      const response = await answerResponse(operation, given, { correlationId, acceptEncoding })
      if (who.principal !== undefined) {
        const mayRefuse = !isMutation(operation.method) || (operation.isTrial && !operation.isKept)
        answers.send({ user: who.principal.userId, bytes: bytesOf(response), isTaken }, mayRefuse)
      }
      return response
    }
    try {
      answer = await closing.answer(handled())
    } catch (error) {
      const shown = found ?? candidates[0]
      answer = refuse(error, shown?.value, { request, pathname, correlationId, requestLog })
    }
    place?.leave()
    const asking = principal === undefined ? {} : { user: principal.username, ...tokenOf(principal) }
    const told = isTold(answer.status, request) ? refusals : isBadInput(answer.status) ? badInputs : undefined
    if (told !== undefined) {
      const operation = found?.value.id
      told.tell(requestLog, { status: answer.status, operation, client_address: clientAddress, ...asking })
    }
    const ms = performance.now() - startedAt
    const answered: Answered = {
      operationId: found?.value.id ?? 'unknown',
      route: found?.value.path,
      method: request.method,
      status: answer.status,
      seconds: ms / 1000,
    }
    onAnswer?.(answered)
    onThisAnswer?.(answered)
    requestLog.debug('request', {
      method: request.method,
      path: pathname,
      status: answer.status,
      ms: Math.round(ms * 10) / 10,
      client_address: clientAddress,
      ...asking,
    })
    return answer
  }

  /** Identifies the caller. Looking up a session or token takes a place among the arrivals. */
  function arrive(operation: Operation, request: Request, arrival: Arrival) {
    if (operation.access.kind !== 'session') return identify(operation, request, arrival)
    const caller = request.headers.get('cookie') ?? request.headers.get('authorization') ?? arrival.clientAddress
    return rooms.arrivals.run(caller, () => identify(operation, request, arrival))
  }

  async function identify(
    operation: Operation,
    request: Request,
    { host, clientAddress, known }: Arrival,
  ): Promise<{ principal: Principal | undefined; origin: string | undefined }> {
    const { access } = operation
    if (access.kind === 'public') return { principal: undefined, origin: undefined }
    if (access.kind === 'login') return { principal: undefined, origin: guard.requireLoginOrigin(request, host) }
    const principal = await guard.authenticate(request, host, clientAddress)
    known(principal)
    if (principal.token !== undefined) {
      guard.authorize(access, principal)
      // No browser sends a token by itself, so there is no forged request to tell from a genuine one.
      return { principal, origin: '' }
    }
    const origin = isMutation(operation.method)
      ? await guard.requireCsrf(request, host, principal)
      : guard.originOf(request, host)
    guard.authorize(access, principal)
    return { principal, origin }
  }

  function refuse(
    error: unknown,
    operation: Operation | undefined,
    { request, pathname, correlationId, requestLog }: Refused,
  ): Response {
    let fault = asFault(error)
    if (checkAnswers && operation !== undefined && !operation.failures.includes(fault.status)) {
      fault = asFault(
        new Error(`${operation.id} refused with ${fault.status}, which it does not declare`, { cause: error }),
      )
    }
    if (fault.status >= 500 && fault.extras.isTurnedAway !== true) {
      requestLog.error(fault.code, { path: pathname, cause: fault.extras.cause ?? fault })
    }
    const variant = operation === undefined ? variantOfUnknown(pathname) : variantOf(operation, request)
    const body = problemBody(fault, { variant, correlationId, resourceKind: operation?.resourceKind ?? 'request' })
    const headers = new Headers({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    const { allow, retryAfterSeconds } = fault.extras
    if (allow !== undefined) headers.set('allow', allow.join(', '))
    if (retryAfterSeconds !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(retryAfterSeconds))))
    return finish(JSON.stringify(body), Number(body.status), headers, correlationId)
  }

  return {
    dispatch,
    operations,
    add(operation) {
      if (operations.some(({ id }) => id === operation.id))
        throw new Error(`operation ${operation.id} is declared twice`)
      operations.push(operation)
      paths.add(operation.path, operation)
    },
  }
}

function tokenOf({ token }: Principal): { token_id?: string } {
  return token === undefined ? {} : { token_id: token.id }
}

function unrouted(allowed: readonly string[]): Fault {
  if (allowed.length === 0) return new Fault('not_found', 'There is nothing at this path. Check its spelling.')
  const allow = [...new Set(allowed)].sort()
  return new Fault('method_not_allowed', `This path supports ${allow.join(', ')}. Use one of them.`, { allow })
}

const CORRELATION_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The given correlation id; else the id of the request's trace; else a new one. */
export function correlationIdOf(request: Request, trace: SpanContext | undefined): string {
  const given = request.headers.get('x-correlation-id')
  if (given !== null && CORRELATION_ID.test(given)) return given
  return trace?.traceId ?? newId()
}

/** What an idempotency key is bound to; undefined without a key. */
async function idempotentRequest(
  request: Request,
  path: string,
  { idempotencyKey: key, body }: Input,
  principal: Principal | undefined,
): Promise<HandlerContext['idempotency']> {
  if (key === undefined || principal === undefined) return undefined
  const ifMatch = request.headers.get('if-match')
  const requestHash = await requestHashOf({ method: request.method, path, ifMatch, body: body.identity })
  // A token has keys of its own: what a session was answered may be more than the token may see.
  return { actorId: principal.token?.id ?? principal.userId, key, requestHash }
}

interface Input {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: ReadBody
  ifMatch: HandlerContext['ifMatch']
  ifNoneMatch: boolean
  idempotencyKey: string | undefined
}

/** Reads all that a request carries, and refuses it with everything that is wrong at once. */
async function readInput(
  operation: Operation,
  request: Request,
  { params: texts, search, place }: { params: Record<string, string>; search: string; place: BodyPlace | undefined },
): Promise<Input> {
  const form =
    operation.body === undefined ? undefined : selectBody(operation.body, request.headers.get('content-type'))
  const noBody = { value: undefined, findings: [], identity: null }
  const read = form === undefined ? noBody : await readBody(form, request, place)
  const isChoice = operation.body?.kind === 'choice'
  const body = isChoice ? { ...read, value: { kind: form?.kind, value: read.value } } : read
  const refuses422 = operation.failures.includes(422)
  const params = readParams(operation.params, texts)
  const query = refuses422 ? readQuery(operation.query, search) : { values: {}, findings: [] }
  const headers = readHeaders(operation, request)
  const findings = [...(refuses422 ? params.findings : []), ...query.findings, ...headers.findings, ...body.findings]
  if (findings.length > 0) throw validationFault(findings, { stage: 'request', resourceKind: operation.resourceKind })
  if (params.findings.length > 0) throw new Fault('not_found', `There is no such ${operation.resourceKind}.`)
  return { params: params.values, query: query.values, body, ...headers.values }
}

function readParams(schema: TObject | undefined, texts: Record<string, string>) {
  if (schema === undefined) return { values: {}, findings: [] }
  const values = coerceTexts(schema, texts)
  const findings = checkShape(schema, values, 'path')
  for (const [name, property] of Object.entries(schema.properties)) {
    // UUIDs compare without regard to case (RFC 9562); rows hold them in lower case.
    if (property.format === 'uuid') values[name] = String(values[name]).toLowerCase()
  }
  return { values, findings }
}

function readQuery(schema: TObject | undefined, search: string) {
  const texts = ownFields<string>()
  const findings: Finding[] = []
  if (!isWellFormedQuery(search)) {
    findings.push(queryFinding('encoding', 'The query holds broken percent-encoding or the NUL character.'))
  }
  for (const [name, value] of search === '' ? [] : new URLSearchParams(search)) {
    if (Object.hasOwn(texts, name)) {
      findings.push(queryFinding('repeated', `Query field ${name.slice(0, 100)} is given twice. Give it once.`))
    }
    texts[name] = value
  }
  const values = schema === undefined ? texts : coerceTexts(schema, texts)
  findings.push(...checkShape(schema ?? noQuery, values, 'query'))
  return { values, findings }
}

const noQuery = object({})

function queryFinding(code: string, message: string): Finding {
  return { code: `query.${code}`, severity: 'error', message }
}

function isWellFormedQuery(search: string): boolean {
  try {
    return !decodeURIComponent(search).includes('\0')
  } catch {
    return false
  }
}

function readHeaders(operation: Operation, request: Request) {
  const findings: Finding[] = []
  const { headers: use } = operation
  const refuse = (message: string) => findings.push({ code: 'header.rule', severity: 'error', message })

  const key = use.idempotencyKey === undefined ? null : request.headers.get('idempotency-key')
  if (key === null && use.idempotencyKey === 'required') {
    refuse('Header Idempotency-Key is missing. Send a new one with every new request.')
  } else if (key !== null && !idempotencyKeyPattern.test(key)) {
    refuse('Header Idempotency-Key must have 8 to 128 characters, letters, digits, and after the first also . _ : -')
  }
  const tag = use.ifMatch === undefined ? null : request.headers.get('if-match')
  const ifMatch = tag === null ? undefined : parseIfMatch(tag)
  if (tag !== null && ifMatch === undefined) {
    refuse('Header If-Match must be a revision tag: a whole number from 1 in double quotes, such as "3".')
  }
  const none = use.ifNoneMatch === undefined ? null : request.headers.get('if-none-match')
  if (none !== null && none !== '*') refuse('Header If-None-Match must be *.')
  return { findings, values: { ifMatch, ifNoneMatch: none !== null, idempotencyKey: key ?? undefined } }
}

const configurationPrefixes = /^\/api\/v1\/(?:ingestion-models|transformers|templates|activations|releases)(?:\/|$)/

function variantOfUnknown(pathname: string): ProblemVariant {
  return configurationPrefixes.test(pathname) ? 'configuration' : 'general'
}

function variantOf(operation: Operation, request: Request): ProblemVariant {
  if (operation.variant !== 'configuration-unless-multipart') return operation.variant
  const isMultipart = /^\s*multipart\//i.test(request.headers.get('content-type') ?? '')
  return isMultipart ? 'general' : 'configuration'
}
