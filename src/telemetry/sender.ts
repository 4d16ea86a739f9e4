import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPExporterError } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } from '@opentelemetry/otlp-exporter-base/node-http'
import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { lookupByName } from '../core/resolve.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { OtlpTarget } from './settings.ts'

/** Sends one signal to a collector with OpenTelemetry's exporter, which retries what may be retried. */
export interface OtlpSender<Request> {
  /**
   * @returns how many of the request's items the collector refused
   * @throws when it took none of them within the target's time
   */
  send(request: Request): Promise<number>
  /** A line in the log, once a minute at most. */
  complain(message: string, fields: Record<string, unknown>): void
}

/** How one signal is written, and how the collector says which part of it it refused. */
export interface Signal<Request, Response> {
  serializer: ISerializer<Request, Response>
  counting: IExporterMetricsHelper<Request>
  refusedIn(response: Response): { count: unknown; message: unknown }
  /** The most batches that wait: a stop sends them all at once, beside those under way. */
  waitingBatches: number
}

/** Fixed by both encodings: neither JSON nor a protobuf message begins with `<`. A proxy that wants a sign-in answers with such a page, and 200. */
const PAGE_BEGINS = 0x3c

export function openSender<Request, Response>(
  { endpoint, encoding, headers, timeoutMs, compresses, tls }: OtlpTarget,
  { serializer, counting, refusedIn, waitingBatches }: Signal<Request, Response>,
  log: Log,
): OtlpSender<Request> {
  let complainedAtMs = Number.NEGATIVE_INFINITY

  function complain(message: string, fields: Record<string, unknown>): void {
    const nowMs = performance.now()
    if (nowMs - complainedAtMs < limits.telemetryComplaintMs) return
    complainedAtMs = nowMs
    log.warn(message, fields)
  }

  /** A collector may take a part of a request: its answer then counts the rest. */
  function refusedOf(response: Response): number {
    const { count, message } = refusedIn(response)
    const refused = Number(count ?? 0)
    if (!Number.isSafeInteger(refused) || refused <= 0) return 0
    complain('the collector refused a part', { refused, error: message })
    return refused
  }

  const makeAgent = httpAgentFactoryFromOptions({
    ...{ keepAlive: true, proxyEnv: process.env, lookup: lookupByName },
    ...tls,
  })
  const agents = new Set<Awaited<ReturnType<typeof makeAgent>>>()
  const contentType = encoding === 'json' ? 'application/json' : 'application/x-protobuf'
  const options = {
    url: endpoint,
    headers: async () => ({ ...headers, 'content-type': contentType }),
    agentFactory: async (protocol: string) => {
      const agent = await makeAgent(protocol)
      agents.add(agent)
      return agent
    },
    userAgent: `Quire/${PRODUCT_VERSION}`,
    compression: compresses ? ('gzip' as const) : ('none' as const),
    timeoutMillis: timeoutMs,
    concurrencyLimit: limits.telemetryRequests + waitingBatches,
  }

  // Set by an answer, and read in the same turn by the callback of its request.
  let refused = 0
  let isPage = false
  const reading: ISerializer<Request, Response> = {
    serializeRequest: (request) => serializer.serializeRequest(request),
    deserializeResponse(bytes) {
      isPage = bytes[0] === PAGE_BEGINS
      const response = serializer.deserializeResponse(bytes)
      refused = refusedOf(response)
      return response
    },
  }
  const delegate = createOtlpHttpExportDelegate(options, reading, 'quire', counting, undefined)

  let inTime = 0
  let late = 0
  /**
   * Late requests hold connections that others need. Destroying an agent would also cut requests in time, so this waits
   * until none is left.
   */
  function endLate(): void {
    if (late > 0 && inTime === 0) for (const agent of agents) agent.destroy()
  }

  return {
    complain,
    send(request) {
      return new Promise((resolve, reject) => {
        // The package's own timeout starts again with every byte of an answer.
        let isLate = false
        inTime++
        const deadline = setTimeout(() => {
          isLate = true
          inTime--
          late++
          reject(new Error(`the collector didn't answer within ${timeoutMs} ms`))
          endLate()
        }, timeoutMs)
        delegate.export(request, (result: ExportResult) => {
          clearTimeout(deadline)
          if (isLate) late--
          else inTime--
          endLate()
          const [count, wasPage] = [refused, isPage]
          refused = 0
          isPage = false
          if (wasPage) reject(new Error('the collector answered with a page: something else is at its address'))
          else if (result.code === ExportResultCode.SUCCESS) resolve(count)
          else reject(reasonOf(result.error))
        })
      })
    },
  }
}

/** The package's error for a refusal has only the status' usual name as its message. */
function reasonOf(error: Error | undefined): Error | undefined {
  const status = error instanceof OTLPExporterError ? error.code : undefined
  return status === undefined ? error : new Error(`the collector answered ${status}`)
}
