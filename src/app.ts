import { Elysia } from 'elysia'
import type { Clock } from './core/clock.ts'
import type { Log } from './core/log.ts'
import type { ClientAddressOf } from './http/client-address.ts'
import type { Closing } from './http/closing.ts'
import { type Connection, mount } from './http/mount.ts'
import type { Operation } from './http/operation.ts'
import { createPipeline, type PipelineOptions } from './http/pipeline.ts'
import type { RateCounter } from './http/rates.ts'
import { type Assets, serveAsset } from './http/static.ts'
import { activationOperations } from './modules/activations/activations.routes.ts'
import { activationSetOperations } from './modules/activations/activations.sets.routes.ts'
import { auditOperations } from './modules/audit/audit.routes.ts'
import { authOperations } from './modules/auth/auth.routes.ts'
import { factorOperations } from './modules/auth/factors.routes.ts'
import { sessionOperations } from './modules/auth/sessions.routes.ts'
import { batchOperations } from './modules/batches/batches.routes.ts'
import { caseOperations } from './modules/cases/cases.routes.ts'
import { comparisonOperations } from './modules/comparisons/comparisons.routes.ts'
import { configurationOperations } from './modules/configuration/configuration.routes.ts'
import { contractOperations } from './modules/contracts/contracts.routes.ts'
import { erasureOperations } from './modules/erasures/erasures.routes.ts'
import { executionOperations } from './modules/executions/executions.routes.ts'
import { healthOperations } from './modules/health/health.routes.ts'
import { holdOperations } from './modules/holds/holds.routes.ts'
import { intakeLabOperations } from './modules/intake-lab/intake-lab.routes.ts'
import { noticeOperations } from './modules/notices/notices.routes.ts'
import { oidcOperations } from './modules/oidc/oidc.routes.ts'
import { operationsOperations } from './modules/operations/operations.routes.ts'
import { projectOperations } from './modules/projects/projects.routes.ts'
import { releaseOperations } from './modules/releases/releases.routes.ts'
import { retentionOperations } from './modules/retention/retention.routes.ts'
import { searchOperations } from './modules/search/search.routes.ts'
import { storageOperations } from './modules/storage/storage.routes.ts'
import { submissionOperations } from './modules/submissions/submissions.routes.ts'
import { suiteOperations } from './modules/suites/suites.routes.ts'
import { templateOperations } from './modules/templates/templates.routes.ts'
import { tokenOperations } from './modules/tokens/tokens.routes.ts'
import { transformOperations } from './modules/transforms/transforms.routes.ts'
import { unsavedOperations } from './modules/unsaved/unsaved.routes.ts'
import { userOperations } from './modules/users/users.routes.ts'
import { webhookOperations } from './modules/webhooks/webhooks.routes.ts'
import type { Services } from './services.ts'

/** Parts of the HTTP surface; start.ts passes them in. */
export interface AppPorts extends Services {
  clock: Clock
  log: Log
  /** The only username that may sign in by password; undefined if everybody may. */
  localSignIn?: string | undefined
  closing: Closing
  /** Limits the requests of users and tokens; by default at the usual rates. */
  rates?: RateCounter | undefined
  clientAddressOf: ClientAddressOf
  /** Reads the console's files at the first request for one; by default none are served. */
  loadAssets?: () => Assets
  /** Called with every answer, for metrics. */
  onAnswer?: NonNullable<PipelineOptions['onAnswer']>
  onRequest?: NonNullable<PipelineOptions['onRequest']>
  /** Checks every answer against its declared schema; for tests and development. */
  checkAnswers?: boolean
}

export type App = ReturnType<typeof createApp>

/** The table of contents of everything that is served. */
export function createApp(ports: AppPorts) {
  const { guard, log } = ports
  const pipeline = createPipeline({
    guard,
    log,
    closing: ports.closing,
    rates: ports.rates,
    checkAnswers: ports.checkAnswers ?? false,
    ...(ports.onAnswer === undefined ? {} : { onAnswer: ports.onAnswer }),
    ...(ports.onRequest === undefined ? {} : { onRequest: ports.onRequest }),
  })
  const connections = new WeakMap<Request, Connection>()
  const connectionOf = (request: Request) => connections.get(request) ?? { address: '', isTaken: undefined }
  let assets: Assets | undefined
  let described: Promise<Assets> | undefined

  const routes = new Elysia({ normalize: false })
  const tables: (readonly Operation[])[] = [
    healthOperations(ports.health),
    operationsOperations(ports.operations),
    authOperations(ports.auth, guard, ports.clock),
    factorOperations(ports),
    sessionOperations(ports.auth, (id) => ports.users.find(id)),
    noticeOperations(ports.notices),
    oidcOperations(ports),
    userOperations(ports.users, ports.auth),
    tokenOperations(ports),
    intakeLabOperations(ports.intakeLab),
    submissionOperations(ports.submissions, ports.submissionPlans, ports),
    batchOperations(ports),
    executionOperations(ports),
    storageOperations(ports.storage),
    searchOperations(ports.search),
    auditOperations(ports.audit),
    erasureOperations(ports),
    holdOperations(ports),
    retentionOperations(ports),
    webhookOperations(ports),
    contractOperations(ports.contracts, ports),
    caseOperations(ports.cases, ports),
    transformOperations(ports.transforms, ports),
    configurationOperations(ports.configuration, ports),
    templateOperations(ports.templates, ports.configuration, ports),
    activationOperations(ports.activations, ports.templates, ports),
    activationSetOperations(ports.activationSets, ports),
    comparisonOperations(ports.comparisons),
    projectOperations(ports.projects, ports),
    suiteOperations(ports.suites, ports),
    unsavedOperations(ports.unsaved),
    releaseOperations(ports.releases, ports),
  ]
  for (const table of tables) mount(routes, table, pipeline, connectionOf)
  routes.onError(({ request }) => {
    // Elysia found no route, or its own parsing failed: the pipeline answers 404 or 405 by the table of operations.
    const { pathname } = new URL(request.url)
    const answer = (files: Assets) =>
      serveAsset(files, request, pathname) ?? pipeline.dispatch(request, connectionOf(request).address)
    assets ??= ports.loadAssets?.() ?? new Map()
    if (!isDescription.test(pathname)) return answer(assets)
    described ??= withDescriptions(assets, pipeline.operations)
    return described.then(answer)
  })

  return {
    routes,
    operations: pipeline.operations,
    /**
     * @param peer the address of the connection
     * @param isTaken whether the client has the whole answer, or has disconnected
     */
    fetch(request: Request, peer = '', isTaken?: () => boolean): Promise<Response> | Response {
      connections.set(request, { address: ports.clientAddressOf(request.headers, peer), isTaken })
      return routes.fetch(request)
    },
  }
}

const isDescription = /^\/(?:openapi|asyncapi|schemas\/[^/]+)\.json$/

/** Adds descriptions and schemas to the console's files. */
async function withDescriptions(assets: Assets, operations: readonly Operation[]): Promise<Assets> {
  const { describe } = await import('./descriptions.ts')
  return new Map([...assets, ...describe(operations)])
}
