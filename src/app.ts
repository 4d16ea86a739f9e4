import { Elysia } from 'elysia'
import { describeEvents } from './bus/asyncapi.ts'
import type { ConsoleAsset } from './console/assets.ts'
import type { Clock } from './core/clock.ts'
import { sha256Hex } from './core/hash.ts'
import type { Log } from './core/log.ts'
import type { ClientAddressOf } from './http/client-address.ts'
import type { Closing } from './http/closing.ts'
import { mount } from './http/mount.ts'
import { describeOperations } from './http/openapi.ts'
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
import { languages } from './modules/projects/projects.languages.ts'
import { projectOperations } from './modules/projects/projects.routes.ts'
import { releaseOperations } from './modules/releases/releases.routes.ts'
import { retentionOperations } from './modules/retention/retention.routes.ts'
import { searchOperations } from './modules/search/search.routes.ts'
import { storageOperations } from './modules/storage/storage.routes.ts'
import { submissionOperations } from './modules/submissions/submissions.routes.ts'
import { templateOperations } from './modules/templates/templates.routes.ts'
import { tokenOperations } from './modules/tokens/tokens.routes.ts'
import { transformOperations } from './modules/transforms/transforms.routes.ts'
import { userOperations } from './modules/users/users.routes.ts'
import { webhookOperations } from './modules/webhooks/webhooks.routes.ts'
import type { Services } from './services.ts'

/** What the HTTP surface is made of; start.ts hands it in. */
export interface AppPorts extends Services {
  clock: Clock
  log: Log
  /** The only username that may sign in by password; undefined where everybody may. */
  localSignIn?: string | undefined
  closing: Closing
  /** Counts what users and tokens send; at the usual rates unless given. */
  rates?: RateCounter | undefined
  clientAddressOf: ClientAddressOf
  /** The console's files; none are served without. */
  assets?: Assets
  /** Told of every answer, for metrics. */
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
  const addresses = new WeakMap<Request, string>()
  const addressOf = (request: Request) => addresses.get(request) ?? ''
  const operations = (table: readonly Operation[]) => mount(table, pipeline, addressOf)
  let assets: Assets | undefined

  const routes = new Elysia({ normalize: false })
    .use(operations(healthOperations(ports.health)))
    .use(operations(operationsOperations(ports.operations)))
    .use(operations(authOperations(ports.auth, guard, ports.clock)))
    .use(operations(factorOperations(ports)))
    .use(operations(sessionOperations(ports.auth, (id) => ports.users.find(id))))
    .use(operations(noticeOperations(ports.notices)))
    .use(operations(oidcOperations(ports)))
    .use(operations(userOperations(ports.users, ports.auth)))
    .use(operations(tokenOperations(ports)))
    .use(operations(intakeLabOperations(ports.intakeLab)))
    .use(operations(submissionOperations(ports.submissions, ports.submissionPlans, ports)))
    .use(operations(batchOperations(ports)))
    .use(operations(executionOperations(ports)))
    .use(operations(storageOperations(ports.storage)))
    .use(operations(searchOperations(ports.search)))
    .use(operations(auditOperations(ports.audit)))
    .use(operations(erasureOperations(ports)))
    .use(operations(holdOperations(ports)))
    .use(operations(retentionOperations(ports)))
    .use(operations(webhookOperations(ports)))
    .use(operations(contractOperations(ports.contracts, ports)))
    .use(operations(caseOperations(ports.cases, ports)))
    .use(operations(transformOperations(ports.transforms, ports)))
    .use(operations(configurationOperations(ports.configuration, ports)))
    .use(operations(templateOperations(ports.templates, ports.configuration, ports)))
    .use(operations(activationOperations(ports.activations, ports.templates, ports)))
    .use(operations(activationSetOperations(ports.activationSets, ports)))
    .use(operations(comparisonOperations(ports.comparisons)))
    .use(operations(projectOperations(ports.projects, ports)))
    .use(operations(releaseOperations(ports.releases, ports)))
    .onError(({ request }) => {
      // Elysia found no route, or its own parsing failed: the pipeline says 404 or 405 by the table of operations.
      assets ??= withDescription(ports.assets, pipeline.operations)
      return (
        serveAsset(assets, request, new URL(request.url).pathname) ?? pipeline.dispatch(request, addressOf(request))
      )
    })

  return {
    routes,
    operations: pipeline.operations,
    /** @param peer the address of the connection */
    fetch(request: Request, peer = ''): Promise<Response> | Response {
      addresses.set(request, ports.clientAddressOf(request.headers, peer))
      return routes.fetch(request)
    },
  }
}

/** Descriptions and schemas as files beside the console's; made when one of them is first asked for. */
function withDescription(assets: Assets | undefined, operations: readonly Operation[]): Assets {
  const descriptions = [
    descriptionAt('/openapi.json', describeOperations(operations)),
    descriptionAt('/asyncapi.json', describeEvents()),
    ...Object.entries(languages).map(([name, schema]) => descriptionAt(`/schemas/${name}.json`, schema())),
  ]
  return new Map([...(assets ?? []), ...descriptions.map((asset) => [asset.path, asset] as const)])
}

function descriptionAt(path: string, description: object): ConsoleAsset {
  const bytes = new TextEncoder().encode(JSON.stringify(description))
  const hash = sha256Hex(bytes)
  return {
    path,
    contentType: 'application/json',
    body: Bun.gzipSync(bytes),
    encoding: 'gzip',
    etag: `"${hash}"`,
    gzipEtag: `"${hash}-gzip"`,
    immutable: false,
  }
}
