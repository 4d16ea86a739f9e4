import { createApp } from '../../src/app.ts'
import { type Author, SYSTEM_ACTOR_ID } from '../../src/core/actor.ts'
import type { Clock } from '../../src/core/clock.ts'
import { addMs, type Instant, parseInstant } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { networksOf } from '../../src/core/networks.ts'
import type { Database, Dialect } from '../../src/db/database.ts'
import type { Role } from '../../src/http/access.ts'
import { createClientAddress } from '../../src/http/client-address.ts'
import { Closing } from '../../src/http/closing.ts'
import { describeOperations } from '../../src/http/openapi.ts'
import type { RateCounter } from '../../src/http/rates.ts'
import type { Keys } from '../../src/http/tokens.ts'
import { createPasswords, type PasswordCost } from '../../src/modules/auth/passwords.ts'
import { type FeederDependencies, openFeeder } from '../../src/modules/batches/batches.feeder.service.ts'
import { type Judge, openJudge } from '../../src/modules/drafts/judge.service.ts'
import type { HealthPorts } from '../../src/modules/health/health.service.ts'
import type { Instance } from '../../src/modules/operations/operations.service.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import type { Provider } from '../../src/oidc/provider.ts'
import type { OidcConfig } from '../../src/oidc/settings.ts'
import type { EnginePort, EngineWorker } from '../../src/runner/engine-worker.ts'
import { PdfJoiner } from '../../src/runner/join-process.ts'
import { type EnginePool, openPool } from '../../src/runner/pool.ts'
import { serveJoins } from '../../src/runner/serve-joins.ts'
import { createServices } from '../../src/services.ts'
import { openTestDatabase, temporaryFolder } from '../support/database.ts'
import { createResponseCheck, type ResponseCheck } from '../support/described.ts'
import { cookiesOf, goodPassword, host, origin } from '../support/origin.ts'

export { cookiesOf, goodPassword, host, origin }
export const otherOrigin = 'https://other.test'
/** Of the same scheme as the first, so that cookies of both have the same name. */
export const secondOrigin = 'http://second.test'
export const secret = 'a secret of more than 32 characters'

/** Who makes the users that tests need. */
export const testAuthor: Author = { userId: SYSTEM_ACTOR_ID, correlationId: 'test' }

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  #now: Instant = parseInstant('2026-11-20T09:30:00.123456789Z')!
  now(): Instant {
    return this.#now
  }
  advance(milliseconds: number): void {
    this.#now = addMs(this.#now, milliseconds)
  }
}

export interface Sent {
  method?: string
  path: string
  headers?: Readonly<Record<string, string | undefined>>
  /** Sent unchanged when it is text, else as JSON. */
  body?: unknown
  address?: string
}

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** Thousands of logins are tested, and only few of the tests are about what a hash costs. */
const cheap: PasswordCost = { memoryCost: 64, timeCost: 2 }

let workers: { pool: EnginePool; judge: Judge } | undefined

/** Every start of an engine's worker loads all engines anew, so the applications of a test process share one of each kind. */
function sharedWorkers(): { pool: EnginePool; judge: Judge } {
  const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
  // What takes too long to judge is for the judge's own tests: on a busy machine anything may take its usual 15 s.
  workers ??= { pool: openPool({ size: 1, log }), judge: openJudge({ log, deadlineMs: 60_000 }) }
  return workers
}

/** In this process: one of its own takes seconds to load all engines from their source. */
function joinHere(): EngineWorker {
  const worker: EngineWorker = { onmessage: null, onerror: null, addEventListener() {}, postMessage, terminate() {} }
  const port: EnginePort = {
    onmessage: null,
    postMessage: (data) => worker.onmessage?.(new MessageEvent('message', { data })),
  }
  function postMessage(data: unknown): void {
    port.onmessage?.(new MessageEvent('message', { data }))
  }
  serveJoins(port)
  return worker
}

/** The application over a real database, answers checked against their declared schemas and against /openapi.json. */
export async function startTestApp(
  dialect: Dialect = 'sqlite',
  options: {
    database?: Database
    health?: Partial<HealthPorts>
    instance?: Instance
    origins?: readonly string[]
    webhookNetworks?: readonly string[]
    trustedProxies?: readonly string[]
    secrets?: Keys
    passwordCost?: PasswordCost
    queueLimit?: number
    warmEngines?: () => void
    rates?: RateCounter
    oidc?: OidcConfig
    /** Made with the application's clock. */
    provider?: (clock: Clock) => Provider
    localSignIn?: string
    secondFactorRoles?: readonly Role[]
    fourEyes?: boolean
    /** False for benches: what checking and a line for each request cost is not the product's. */
    checkAnswers?: boolean
  } = {},
) {
  const database = options.database ?? (await openTestDatabase(dialect))
  const clock = new TestClock()
  const isChecked = options.checkAnswers ?? true
  let check: ResponseCheck | undefined
  const logged: string[] = []
  const log = createLog({
    level: isChecked ? 'debug' : 'info',
    readable: false,
    write: (line) => logged.push(line),
  })
  const objects = await openObjectStore(`file:${temporaryFolder()}`)
  const { pool, judge } = sharedWorkers()
  const services = await createServices({
    ...{ database, objects, pool, judge, clock, log, secrets: options.secrets ?? [secret] },
    openJoiner: () => new PdfJoiner({ log, startWorker: joinHere }),
    webhookNetworks: networksOf(options.webhookNetworks ?? []),
    origins: options.origins ?? [origin, otherOrigin, secondOrigin],
    ...{ oidc: options.oidc, localSignIn: options.localSignIn, secondFactorRoles: options.secondFactorRoles },
    ...(options.provider === undefined ? {} : { provider: options.provider(clock) }),
    passwords: createPasswords(options.passwordCost ?? cheap),
    fourEyes: options.fourEyes ?? false,
    ...(options.queueLimit === undefined ? {} : { queueLimit: options.queueLimit }),
    ...(options.warmEngines === undefined ? {} : { warmEngines: options.warmEngines }),
    ...(options.instance === undefined ? {} : { instance: options.instance }),
    health: {
      bus: { probe: async () => {} },
      objects: { probe: async () => {} },
      relay: { health: async () => ({ backlogSize: 0, oldestUnpublishedAgeSeconds: 0, publishFailures: 0 }) },
      runner: { consumerLastSuccessAt: null, pause: undefined, countPaused: async () => 0 },
      ...options.health,
    },
  })
  const { auth, users, tokens, notices, factors, webhooks, guard } = services
  const closing = new Closing()
  const clientAddressOf = createClientAddress(options.trustedProxies ?? [], log)
  const app = createApp({
    ...services,
    clock,
    log,
    closing,
    clientAddressOf,
    checkAnswers: isChecked,
    localSignIn: options.localSignIn,
    rates: options.rates,
  })

  async function send({ method = 'GET', path, headers = {}, body, address = '192.0.2.1' }: Sent): Promise<Response> {
    const all = new Headers({ host })
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined) all.delete(name)
      else all.set(name, value)
    }
    const init: RequestInit = { method, headers: all }
    if (body !== undefined) {
      const sent = typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body)
      init.body = sent
      // As every client does that knows it.
      if (!all.has('transfer-encoding') && !all.has('content-length'))
        all.set('content-length', String(Buffer.byteLength(sent)))
    }
    const response = await app.fetch(new Request(`http://${all.get('host')}${path}`, init), address)
    if (isChecked) {
      check ??= createResponseCheck(describeOperations(app.operations))
      const fault = await check(method, path, response)
      if (fault !== undefined) throw new Error(`not as /openapi.json says: ${fault}`)
    }
    return response
  }

  async function login(username: string, password = goodPassword, from: Partial<Sent> = {}) {
    return send({
      method: 'POST',
      path: '/api/v1/auth/login',
      body: { username, password },
      ...from,
      headers: { 'content-type': 'application/json', origin, ...from.headers },
    })
  }

  /** Headers of a session that mutations need: cookie, Origin, CSRF token and Content-Type. */
  async function signIn(username: string, password = goodPassword): Promise<Record<string, string>> {
    // A browser that a user has signed in with is known from then on, and sends what says so.
    const device = devices.get(username)
    const response = await login(username, password, {
      address: `192.0.2.${100 + signIns++}`,
      ...(device === undefined ? {} : { headers: { cookie: device } }),
    })
    if (response.status !== 200) throw new Error(`login answered ${response.status}: ${await response.text()}`)
    const session = (await response.json()) as { csrf_token: string }
    const known = cookiesOf(response)[1]
    if (known !== undefined) devices.set(username, known)
    return {
      cookie: cookiesOf(response)[0]!,
      origin,
      'x-csrf-token': session.csrf_token,
      'content-type': 'application/json',
    }
  }
  let signIns = 0
  const devices = new Map<string, string>()

  async function addUser(username: string, roles: readonly Role[], mustChangePassword = false) {
    return users.create(
      { username, displayName: username, roles, password: goodPassword, mustChangePassword },
      testAuthor,
    )
  }

  return {
    app,
    closing,
    database,
    clock,
    auth,
    users,
    tokens,
    notices,
    unsaved: services.unsaved,
    factors,
    webhooks,
    guard,
    objects,
    logged,
    /** What submits the rows of batches; each round is asked for. */
    openFeeder: (options: Partial<FeederDependencies> = {}) =>
      openFeeder({ database, objects, judge, clock, log, isLeader: async () => true, ...services, ...options }),
    pool,
    send,
    login,
    signIn,
    addUser,
  }
}

export async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>
}

/** Empties what accounts and sessions leave behind, so that tests share one database. */
export async function forgetUsers(database: Database): Promise<void> {
  await database.write(async ({ q, t }) => {
    for (const table of [
      t.sessions,
      t.factors,
      t.recoveryCodes,
      t.apiTokens,
      t.throttles,
      t.events,
      t.auditRecords,
      t.users,
    ])
      await q.delete(table)
  })
}
