import { formatAddress } from './addresses.ts'
import { createApp } from './app.ts'
import { openBus } from './bus/bus.ts'
import { logEvents } from './bus/event-log.ts'
import { Lease } from './bus/lease.ts'
import type { BrokerCertificate, Bus } from './bus/message-bus.ts'
import { startPresence } from './bus/presence.ts'
import { type Relay, startRelay } from './bus/relay.ts'
import { runBeside } from './commands/served.ts'
import { type Config, ConfigError } from './config.ts'
import { loadConsoleAssets } from './console/assets.ts'
import { controlSocketOf, listenForCommands } from './control-socket.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { detailOf } from './core/error-cause.ts'
import { Fault } from './core/faults.ts'
import { newId } from './core/ids.ts'
import { limits } from './core/limits.ts'
import type { Log } from './core/log.ts'
import { networksOf } from './core/networks.ts'
import { withoutCredentials } from './core/redact.ts'
import { prepareDataFolder, readMarks, readSecrets, readSigningKey } from './data-folder.ts'
import { writingWhile } from './db/bound.ts'
import { startDatabaseClock } from './db/clock.ts'
import type { Database } from './db/database.ts'
import type { FontFiles } from './font-files.ts'
import { CertificateUnusable, readCertificate, watchCertificate } from './http/certificate.ts'
import { createClientAddress } from './http/client-address.ts'
import { Closing } from './http/closing.ts'
import { sweepIdempotency } from './http/idempotency.ts'
import { RateCounter } from './http/rates.ts'
import { listen, notStarted, type Served } from './http/server.ts'
import type { Keys } from './http/tokens.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type AcceptedStore, openMigratedDatabase, refuseAddress } from './migrated-database.ts'
import {
  type AuditForwarder,
  type AuditOutlet,
  type ForwarderPorts,
  startAuditForwarder,
} from './modules/audit/audit.forwarder.service.ts'
import { startSealer } from './modules/audit/audit.sealer.ts'
import { startFeeder } from './modules/batches/batches.feeder.service.ts'
import { openJudge } from './modules/drafts/judge.service.ts'
import { startFinisher } from './modules/erasures/erasures.finisher.service.ts'
import { logBroughtBack, type ReconcilePorts, reconcileAll } from './modules/erasures/erasures.reconcile.service.ts'
import { sharedTracePolls } from './modules/executions/executions.service.ts'
import type { HealthPorts } from './modules/health/health.service.ts'
import { seedDemo } from './modules/intake-lab/intake-lab.service.ts'
import { LedgerDamaged, openLedger } from './modules/ledger/ledger.service.ts'
import type { Instance } from './modules/operations/operations.service.ts'
import { startRemover } from './modules/retention/retention.remover.service.ts'
import { removalTurns } from './modules/storage/removal-turns.service.ts'
import { startSweeper } from './modules/storage/sweeper.service.ts'
import { createSend } from './modules/webhooks/webhooks.request.ts'
import { startWebhookSender, sweepDeliveries, type WebhookSender } from './modules/webhooks/webhooks.sender.service.ts'
import { noticed } from './objects/noticed.ts'
import type { ObjectStore } from './objects/object-store.ts'
import { openObjectStore } from './objects/objects.ts'
import { shared } from './objects/removal.ts'
import { type Replicator, type ReplicatorPorts, startReplicator } from './replica/replicator.ts'
import { openAtWork } from './runner/at-work.ts'
import { readQueue } from './runner/claim.store.ts'
import { EngineProcess } from './runner/engine-process.ts'
import { type EnginePool, openPool, type ServicePool } from './runner/pool.ts'
import { type Runner, startRunner } from './runner/runner.ts'
import { createServices, type Services } from './services.ts'
import type { MetricsExporter } from './telemetry/metrics-exporter.ts'
import type { OtlpTarget } from './telemetry/settings.ts'
import type { Traces } from './telemetry/traces.ts'

export interface RunningQuire {
  /** Where it serves, `http://host:port`. */
  address: string
  /** The first administrator's password, if this start generated it; it can't be read again later. */
  generatedPassword: string | undefined
  /** Stops accepting requests, finishes or gives back running steps, drains the outbox, and closes everything; within 10 s. */
  stop(): Promise<void>
}

/** Deadlines; all of them fit into the 10 s after a SIGTERM. */
const SHUTDOWN = { requestsMs: 4_000, runnerMs: 4_000, relayMs: 2_000, presenceMs: 500, telemetryMs: 1_000 }

export interface StartOptions {
  systemTime?: Clock
  /** What to do if another store was served here before. */
  accepted?: AcceptedStore
}

/**
 * The composition root: builds everything once, in order, and registers beside each part how it is closed. A failure on the way
 * closes what is already open.
 *
 * @throws ConfigError, in one line, for what the user can fix
 */
export async function start(
  config: Config,
  log: Log,
  { systemTime = systemClock, accepted = 'known' }: StartOptions = {},
): Promise<RunningQuire> {
  const closers: (() => Promise<void> | void)[] = []
  const ready = Promise.withResolvers<Served>()
  let isStarted = false
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) {
      await Promise.resolve(close()).catch((error) => log.error('a part could not be closed cleanly', { cause: error }))
    }
  }
  try {
    for (const note of await prepareDataFolder(config)) log.warn(note)
    const secrets = await readSecrets(config)
    // The address is bound before anything is written; requests wait until the rest is ready.
    const gate: Served = { fetch: async (...request) => (await ready.promise).fetch(...request) }
    const closing = new Closing()
    const server = serveOn('QUIRE_LISTEN', config.listen, (address) =>
      listen(gate, { address, log, closing, tls: config.tls }),
    )
    closers.push(() => server.close(isStarted ? SHUTDOWN.requestsMs : 0))

    const opened = await openMigratedDatabase(config, log, accepted)
    closers.push(() => opened.close())
    const isSoleInstance = config.databaseUrl.startsWith('file:')
    const clock = isSoleInstance ? systemTime : await startSharedClock(opened, log, closers)
    const stored = await openObjectStore(config.objectsUrl, { clearLeftovers: true })
    closers.push(() => stored.close())
    const replicator = await followForReplica(config, { database: opened, objects: stored, log }, closers)
    // A directory keeps storing and removing apart by itself, if only one process uses it.
    const isAlone = isSoleInstance && config.objectsUrl.startsWith('file:')
    const kept = isAlone ? stored : shared(stored, removalTurns(opened))
    const objects = replicator === undefined ? kept : noticed(kept, (hash) => replicator.noticeObject(hash))
    // On one machine, database and objects are one store: refuse commits once the objects are gone. A shared directory may hang,
    // and must not be waited for.
    const database = isSoleInstance ? writingWhile(opened, () => objects.gone?.()) : opened
    const ledger = openLedger(config, objects)
    const isReconciled = await followLedger({ database, ledger, clock }, log)
    const work = Promise.withResolvers<Work>()
    const telemetry = await startTelemetry(config, log)
    closers.push(() => telemetry.stop(SHUTDOWN.telemetryMs))
    const { traces, metrics, readings } = telemetry
    closers.push(logEvents(log, config.logLevel === 'debug' ? 'everything' : 'failures'))
    const pool = await openRenderingPool(config, log)
    closers.push(() => pool.close())
    const judge = openJudge({ log, startWorker: () => new EngineProcess({ role: 'judge', log }) })
    closers.push(() => judge.close())
    const owner = newId()
    const instance: Instance = {
      ...{ owner, startedAt: clock.now(), isSole: isSoleInstance, folders: foldersOf(config) },
      replica: replicator ?? null,
    }
    const services = await createServices({
      ...{ database, objects, pool, judge, clock, log, secrets, origins: config.origins },
      webhookNetworks: networksOf(config.webhookNetworks),
      warmEngines: () => pool.warm(),
      ...{ queueLimit: config.queueLimit, oidc: config.oidc, localSignIn: config.localSignIn },
      secondFactorRoles: config.secondFactorRoles,
      fourEyes: config.fourEyes,
      ...(isSoleInstance ? {} : { tracePolls: sharedTracePolls }),
      health: healthOf(work.promise),
      instance,
    })
    const { auth, users, tokens, factors } = services
    closers.push(() => auth.settled())
    closers.push(() => tokens.settled())
    const app = createApp({
      ...services,
      ...{ clock, log, closing, clientAddressOf: createClientAddress(config.trustedProxies, log) },
      ...{ localSignIn: config.localSignIn, rates: new RateCounter(config.rates) },
      loadAssets: loadConsoleAssets,
      ...(metrics === undefined ? {} : { onAnswer: metrics.onAnswer }),
      ...(traces === undefined ? {} : { onRequest: traces.request }),
    })

    const sweepRole = new Lease(database, {
      name: 'orphan-sweep',
      owner,
      leaseMs: limits.orphanSweepMs,
      isSoleInstance,
    })
    const sweeper = startSweeper({ database, objects, log, isLeader: () => sweepRole.hold() })
    closers.push(() => sweeper.stop())
    const finisher = startFinisher({ database, objects, ledger, clock, log, isReconciled })
    closers.push(() => finisher.stop())
    const removing = new Lease(database, {
      name: 'retention',
      owner,
      leaseMs: limits.retentionLeaseMs,
      isSoleInstance,
    })
    const remover = startRemover({ database, objects, clock, log, isLeader: () => removing.hold() })
    closers.push(() => remover.stop())
    const feeding = new Lease(database, { name: 'batches', owner, leaseMs: limits.batchLeaseMs, isSoleInstance })
    const { submissions } = services
    const feeder = startFeeder({ database, objects, submissions, judge, clock, log, isLeader: () => feeding.hold() })
    closers.push(() => feeder.stop())
    instance.sweeper = sweeper
    instance.remover = remover
    if (!isSoleInstance) {
      const presence = startPresence({ database, owner, log })
      closers.push(() => presence.stop(SHUTDOWN.presenceMs))
    }
    const sweep = setInterval(() => void sweepExpired(services, { database, clock, log }), limits.sessionSweepMs)
    closers.push(() => clearInterval(sweep))
    ready.resolve(app)
    // Runner and broker (or its client) take long to load, and no request needs them.
    const { bus, relay, runner, sender, forwarders } = await startWork(
      { config, database, objects, pool, clock, log, secrets, owner },
      closers,
    )
    instance.forwarders = forwarders
    metrics?.watch({
      outbox: () => relay.health(),
      webhooks: () => sender.health(),
      forwarders,
      stepsInHand: () => runner.inHand,
      queue: () => readQueue(database.read),
      pausedSteps: () => runner.countPaused(),
      dependencies: async () => (await services.health.ready()).dependencies,
      writeLoad: () => database.writeLoad,
      pool: () => pool,
      ...(replicator === undefined ? {} : { replica: () => replicator }),
      ...(traces === undefined ? {} : { spans: () => traces.counts }),
      ...(readings === undefined ? {} : { readings: () => readings.counts }),
    })
    if (metrics !== undefined && config.metricsListen !== undefined) {
      const { metricsToken: token, tls } = config
      const serve = (address: Config['listen']) => metrics.serve({ address, token, tls, log })
      closers.push(serveOn('QUIRE_METRICS_LISTEN', config.metricsListen, serve))
    }
    // After everything that may fail: a failed start must not have made an administrator whose password nobody saw. Readiness
    // waits for the work, so a client that waited for it can sign in.
    const generatedPassword = await users.ensureFirstAdministrator(config.admin).catch(refuseFault)
    const sealedAnew = await factors.sealAnew()
    if (sealedAnew > 0) log.info('keys of authenticator apps were sealed with the new QUIRE_SECRET', { sealedAnew })
    if (config.demo && (await seedDemo(database, clock))) log.info('the demo configuration was seeded')
    const control = controlSocketOf(config.databaseUrl)
    if (control !== undefined) {
      const run = runBeside({ database, clock, log, accounts: { auth, users } })
      closers.push(await listenForCommands(control, run, log))
    }
    work.resolve({ bus, relay, runner, sender, forwarders })
    // Requests must end before what they use, so the server's closer moves to the front. Steps end meanwhile.
    const [closeServer] = closers.splice(0, 1)
    closers.push(async () => {
      await Promise.all([closeServer?.(), runner.drain(SHUTDOWN.runnerMs)])
    })
    isStarted = true
    return { address: `${config.tls ? 'https' : 'http'}://${formatAddress(server)}`, generatedPassword, stop }
  } catch (error) {
    // Requests that still wait are refused, so that the program ends without waiting for them.
    ready.resolve({ fetch: notStarted })
    await stop()
    throw error
  }
}

/**
 * Before anything is served, brings back holds and policies and repeats erasures that a restore has undone. False if the ledger
 * can't be read: an unavailable object store must not keep the service from starting, and `quire restore` has already asked it.
 */
async function followLedger(ports: ReconcilePorts, log: Log): Promise<boolean> {
  try {
    logBroughtBack(log, await reconcileAll(ports))
    return true
  } catch (error) {
    if (error instanceof LedgerDamaged) throw new ConfigError(`QUIRE_ERASURE_LEDGER: ${error.message}`)
    log.warn('the ledger of erasures and holds can not be used; it is read again until it can', { cause: error })
    return false
  }
}

/** Starts the replica; undefined if none is configured. It stops before the stores close, so that it gets every change. */
async function followForReplica(
  { replicaUrl, replicaDays: keepDays, objectsUrl, dataFolder }: Config,
  ports: Pick<ReplicatorPorts, 'database' | 'objects' | 'log'>,
  closers: (() => Promise<void> | void)[],
): Promise<Replicator | undefined> {
  if (replicaUrl === undefined) return undefined
  // A replica removes what the store doesn't have, after some days.
  if (replicaUrl === objectsUrl || readMarks({ dataFolder, objectsUrl: replicaUrl }).objects !== undefined) {
    throw new ConfigError(
      `QUIRE_REPLICA_URL: ${withoutCredentials(replicaUrl)} has the objects of a store in it; give the replica a place of its own`,
    )
  }
  const target = await openObjectStore(replicaUrl).catch((error: unknown) => {
    throw new ConfigError(`QUIRE_REPLICA_URL: ${detailOf(error) ?? error}; mend it, or take another place`)
  })
  closers.push(() => target.close())
  const replicator = startReplicator({ ...ports, target, keepDays })
  closers.push(() => replicator.stop())
  return replicator
}

/** The clock for instances that share a database: their own clocks may be hours apart. */
async function startSharedClock(database: Database, log: Log, closers: (() => void)[]): Promise<Clock> {
  const clock = await startDatabaseClock(database, log)
  closers.push(() => clock.stop())
  return clock
}

async function readFonts(folders: readonly string[], log: Log): Promise<FontFiles> {
  const { findFonts } = await import('./font-files.ts')
  try {
    const fonts = findFonts(folders)
    log.info('fonts were found', { faces: fonts.entries.length, fonts_hash: fonts.hash })
    if (fonts.unusable.length > 0) log.warn('font files are left out, being no usable fonts', { files: fonts.unusable })
    return fonts
  } catch (error) {
    throw new ConfigError(`QUIRE_FONTS: ${error instanceof Error ? error.message : error}; it takes folders of fonts`)
  }
}

/** The engines' pool, with the configured renderer. Its workers start with the first job. */
async function openRenderingPool({ workers, renderer, fontFolders }: Config, log: Log): Promise<ServicePool> {
  const fonts = fontFolders.length === 0 ? undefined : await readFonts(fontFolders, log)
  const startWorker = () => new EngineProcess({ role: 'engines', log })
  const pool = openPool({ size: workers, log, startWorker, ...(fonts === undefined ? {} : { fonts }) })
  if (renderer === 'quire') return pool
  const { openSofficePool, sofficeVersion } = await import('./runner/soffice.ts')
  const version = await sofficeVersion(renderer.soffice)
  if (version === undefined) {
    throw new ConfigError(
      `QUIRE_RENDERER: ${renderer.soffice} does not answer as LibreOffice; set it to quire, or mend it`,
    )
  }
  log.info('documents are rendered by LibreOffice', { version, binary: renderer.soffice })
  return openSofficePool(pool, version, { binary: renderer.soffice, log })
}

interface Telemetry {
  traces?: Traces
  metrics?: Metrics
  /** The exporter of metrics. */
  readings?: MetricsExporter
  stop(deadlineMs: number): Promise<void>
}

/** Loads and starts only what the settings ask for. */
async function startTelemetry({ telemetry, metricsListen }: Config, log: Log): Promise<Telemetry> {
  for (const warning of telemetry.warnings) log.warn(warning)
  const said = ({ endpoint, encoding }: OtlpTarget) => ({ endpoint: new URL(endpoint).origin, encoding })
  const metrics = metricsListen === undefined && telemetry.metrics === undefined ? undefined : await createMetrics()
  let readings: MetricsExporter | undefined
  if (metrics !== undefined && telemetry.metrics !== undefined) {
    const { startMetricsExporter } = await import('./telemetry/metrics-exporter.ts')
    log.info('metrics are exported', said(telemetry.metrics))
    readings = startMetricsExporter(telemetry.metrics, metrics.read, log)
  }
  let traces: Traces | undefined
  if (telemetry.traces !== undefined) {
    const { startTraces } = await import('./telemetry/traces.ts')
    log.info('traces are exported', said(telemetry.traces))
    traces = startTraces(telemetry.traces, log)
  }
  return {
    ...(traces === undefined ? {} : { traces }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(readings === undefined ? {} : { readings }),
    async stop(deadlineMs) {
      await Promise.all([traces?.stop(deadlineMs), readings?.stop(deadlineMs)])
      metrics?.close()
    },
  }
}

interface Work {
  bus: Bus
  relay: Relay
  runner: Runner
  sender: WebhookSender
  forwarders: readonly AuditForwarder[]
}

/**
 * Starts what runs without requests: the bus, the outbox relay, the sender of webhooks, the sealer of the audit trail and the
 * runner.
 */
async function startWork(
  { config, database, objects, pool, clock, log, secrets, owner }: WorkPorts,
  closers: (() => Promise<void> | void)[],
): Promise<Work> {
  const certificate = brokerCertificateOf(config.mqttTls, log)
  const bus = await openBus(config.mqttUrl, certificate).catch(refuseAddress('QUIRE_MQTT_URL', config.mqttUrl))
  closers.push(() => bus.close())
  const isSoleInstance = config.databaseUrl.startsWith('file:')
  const relay = startRelay({ database, bus, log, owner, isSoleInstance })
  closers.push(() => relay.drain(SHUTDOWN.relayMs))
  const send = createSend({ allowed: networksOf(config.webhookNetworks) })
  const sender = startWebhookSender({ database, clock, log, owner, secrets, send, isSoleInstance })
  closers.push(() => sender.drain(SHUTDOWN.relayMs))
  const headsFile = config.auditHeads === undefined ? {} : { headsFile: config.auditHeads }
  const key = await readSigningKey(config)
  const sealer = startSealer({ database, log, owner, key, clock, isSoleInstance, ...headsFile })
  closers.push(() => sealer.drain())
  const forwarders = await startForwarders(config, { database, clock, log, owner, isSoleInstance })
  closers.push(async () => {
    await Promise.all(forwarders.map((forwarder) => forwarder.drain(SHUTDOWN.relayMs)))
  })
  const atWork = isSoleInstance
    ? openAtWork(`${config.databaseUrl.slice('file:'.length)}.at-work`, config.workers * limits.stepsInHandPerWorker)
    : undefined
  closers.push(() => atWork?.close())
  const runner = startRunner({
    ...{ database, objects, pool, bus, clock, log, owner, isSoleInstance },
    ...(atWork === undefined ? {} : { atWork }),
  })
  closers.push(() => runner.drain(SHUTDOWN.runnerMs))
  return { bus, relay, runner, sender, forwarders }
}

/** The embedded broker's certificate for TLS, and what renews it. @throws ConfigError */
function brokerCertificateOf(files: Config['mqttTls'], log: Log): BrokerCertificate | undefined {
  if (files === undefined) return undefined
  try {
    const first = readCertificate(files)
    const follow: BrokerCertificate['follow'] = (onNew) =>
      watchCertificate(files, first, { log: log.with({ listener: 'broker' }), onNew })
    return { ...first, follow }
  } catch (error) {
    throw error instanceof CertificateUnusable ? new ConfigError(error.message) : error
  }
}

/** Starts forwarding the audit trail to the configured receivers. */
async function startForwarders(
  { auditSyslog, telemetry }: Config,
  ports: Omit<ForwarderPorts, 'outlet'>,
): Promise<AuditForwarder[]> {
  const { log } = ports
  const outlets: AuditOutlet[] = []
  if (auditSyslog !== undefined) {
    const { sendSyslog } = await import('./syslog/connection.ts')
    const { hostname, port, isEncrypted } = auditSyslog
    log.info('the audit trail goes to a syslog receiver', { hostname, port, is_encrypted: isEncrypted })
    outlets.push({ name: 'syslog', send: (lines) => sendSyslog(auditSyslog, lines) })
  }
  if (telemetry.audit !== undefined) {
    const { openAuditLogs } = await import('./telemetry/audit-logs.ts')
    const { endpoint, encoding } = telemetry.audit
    log.info('the audit trail goes to a collector', { endpoint: new URL(endpoint).origin, encoding })
    outlets.push({ name: 'otlp', send: openAuditLogs(telemetry.audit, log) })
  }
  return outlets.map((outlet) => startAuditForwarder({ ...ports, outlet }))
}

interface WorkPorts {
  config: Config
  database: Database
  objects: ObjectStore
  pool: EnginePool
  clock: Clock
  log: Log
  secrets: Keys
  /** This instance's name among the leases. */
  owner: string
}

/** Folders whose disks are reported. */
function foldersOf({ dataFolder, objectsUrl }: Config): Instance['folders'] {
  return { data: dataFolder, objects: objectsUrl.startsWith('file:') ? objectsUrl.slice('file:'.length) : undefined }
}

/** Health may be read before the bus exists; its probe then waits until its deadline. */
function healthOf(work: Promise<Work>): Pick<HealthPorts, 'bus' | 'relay' | 'runner'> {
  let runner: Runner | undefined
  void work.then((started) => {
    runner = started.runner
  })
  return {
    bus: { probe: async () => (await work).bus.probe() },
    relay: { health: async () => (await work).relay.health() },
    runner: {
      get consumerLastSuccessAt() {
        return runner?.consumerLastSuccessAt ?? null
      },
      get pause() {
        return runner?.pause
      },
      countPaused: async () => (await work).runner.countPaused(),
    },
  }
}

/** If a service refuses a part of the configuration, the fault's detail names the variable. */
function refuseFault(error: unknown): never {
  throw error instanceof Fault ? new ConfigError(error.detail) : error
}

/**
 * Removes expired sessions, throttles, notices, unsaved texts, recorded answers and old deliveries, and notifies users of tokens
 * that expire soon. Nothing waits for this.
 */
async function sweepExpired(
  { auth, tokens, notices, unsaved }: Pick<Services, 'auth' | 'tokens' | 'notices' | 'unsaved'>,
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
): Promise<void> {
  try {
    await auth.sweep()
    await tokens.remind()
    await notices.sweep()
    await unsaved.sweep()
    await sweepIdempotency(database, clock.now())
    await sweepDeliveries(database, clock)
  } catch (error) {
    log.warn('what has expired could not be removed; the next sweep tries again', { cause: error })
  }
}

/** @throws ConfigError naming the variable if the address is unavailable */
function serveOn<T>(variable: string, address: Config['listen'], serve: (address: Config['listen']) => T): T {
  try {
    return serve(address)
  } catch (error) {
    if (error instanceof CertificateUnusable) throw new ConfigError(error.message)
    const code = detailOf(error)
    const why =
      code === 'EADDRINUSE'
        ? 'is already in use; stop what listens there, or choose another port'
        : `can't be used (${code})`
    throw new ConfigError(`${variable}: ${formatAddress(address)} ${why}`)
  }
}
