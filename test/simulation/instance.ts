import { Lease } from '../../src/bus/lease.ts'
import { startRelay } from '../../src/bus/relay.ts'
import type { Clock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import type { Log, LogFields } from '../../src/core/log.ts'
import { networksOf } from '../../src/core/networks.ts'
import type { SigningKey } from '../../src/core/signing-key.ts'
import type { Timers } from '../../src/core/timers.ts'
import { writingWhile } from '../../src/db/bound.ts'
import { startDatabaseClock } from '../../src/db/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { EmbeddedDatabase } from '../../src/db/embedded.ts'
import { RemoteDatabase } from '../../src/db/libsql.ts'
import { forReading, forWriting } from '../../src/db/libsql-connection.ts'
import { requiredMigrations } from '../../src/db/migrate.ts'
import { Closing } from '../../src/http/closing.ts'
import { sweepIdempotency } from '../../src/http/idempotency.ts'
import { startSealer } from '../../src/modules/audit/audit.sealer.ts'
import { type FeederPoint, startFeeder } from '../../src/modules/batches/batches.feeder.service.ts'
import { type BatchService, createBatchService } from '../../src/modules/batches/batches.service.ts'
import { judgeHere } from '../../src/modules/drafts/judge-here.service.ts'
import { type FinisherPoint, startFinisher } from '../../src/modules/erasures/erasures.finisher.service.ts'
import { createHoldService, type HoldService } from '../../src/modules/holds/holds.service.ts'
import { createPolicyService, type PolicyService } from '../../src/modules/policies/policies.service.ts'
import { type RemoverPoint, startRemover } from '../../src/modules/retention/retention.remover.service.ts'
import { removalTurns } from '../../src/modules/storage/removal-turns.service.ts'
import { createSubmissionService, type SubmissionService } from '../../src/modules/submissions/submissions.service.ts'
import { startWebhookSender, sweepDeliveries } from '../../src/modules/webhooks/webhooks.sender.service.ts'
import { createWebhookService, type WebhookService } from '../../src/modules/webhooks/webhooks.service.ts'
import { openDirectoryStore } from '../../src/objects/directory.ts'
import { shared } from '../../src/objects/removal.ts'
import type { AtWork } from '../../src/runner/at-work.ts'
import type { Point } from '../../src/runner/dependencies.ts'
import { startRunner } from '../../src/runner/runner.ts'
import type { SimulatedBroker } from './broker.ts'
import { embeddedClient, remoteClient, type SimulatedDatabase } from './database.ts'
import { objectsRoot, type SimulatedDisk } from './disk.ts'
import { simulatedPool } from './engines.ts'
import type { SimulatedLedger } from './ledger.ts'
import type { SimulatedObjects } from './objects.ts'
import type { SimulatedReceivers } from './receivers.ts'
import type { Process, World } from './world.ts'

/** Points of the runner, the feeder, the remover and what finishes its work, at which a fault may wait. */
export type PassedPoint = Point | FeederPoint | RemoverPoint | FinisherPoint

/** What outlives the processes. */
export interface Machine {
  world: World
  database: SimulatedDatabase
  objects: SimulatedObjects
  /** In place of them, where one machine has everything. */
  disk: SimulatedDisk
  onPoint: (process: Process, point: PassedPoint) => void
  broker: SimulatedBroker
  /** Embedded: one process has the database to itself. Shared: several ask a server. */
  mode: 'embedded' | 'shared'
  storeId: string
  key: SigningKey
  /** Steps noted as at work, in the file beside an embedded database; undefined before the first start. */
  atWork: Set<string> | undefined
  /** How often a worker began with each step, by its id; counted where `atWork` is. */
  begun: Map<string, number>
  workers: { crashes: number }
  receivers: SimulatedReceivers
  ledger: SimulatedLedger
  /** What a history has no use for is not started: looking for work in vain takes most of its time. */
  works: ReadonlySet<'batches' | 'webhooks' | 'retention'>
}

/** A running process of Quire, as far as it is simulated. */
export interface Instance {
  process: Process
  clock: Clock
  submissions: SubmissionService
  batches: BatchService
  webhooks: WebhookService
  holds: HoldService
  policies: PolicyService
  /** Carries out a request; one that comes when the process has been told to stop is refused, to be sent again. */
  answer<T>(work: () => Promise<T>): Promise<T>
  /** As SIGTERM does it: what was received is answered first. */
  stop(): Promise<void>
}

/** Looks twice in three seconds, where a service does so every ten minutes. */
const REMOVAL_MS = 1_500

/** What start.ts makes, of the parts that work by themselves, and of the services the one that takes submissions in. */
export async function startInstance(machine: Machine, process: Process): Promise<Instance> {
  const { world, mode, key, workers } = machine
  const timers = world.timersOf(process)
  const log = logOf(world)
  const isSoleInstance = mode === 'embedded'
  const opened = isSoleInstance ? await openEmbedded(machine, process, log) : openShared(machine, process)
  opened.attestWith?.(key.attest)
  const clock = isSoleInstance
    ? { now: () => instantFromEpochMs(world.epochMs) }
    : await startDatabaseClock(opened, log, limits.clockSampleMs, timers)
  const objects = isSoleInstance
    ? await openDirectoryStore(objectsRoot, {}, machine.disk.filesOf(process))
    : shared(machine.objects.portOf(process), removalTurns(opened, timers), timers)
  const database = isSoleInstance ? writingWhile(opened, () => objects.gone?.()) : opened
  const bus = machine.broker.portOf(process)
  const owner = newId()
  const ports = { database, log, owner, isSoleInstance, timers }
  // Asked only while the store is prepared, which takes the real world's time: what is judged in a history takes none.
  const judge = judgeHere
  const submissions = createSubmissionService({ database, judge, timers })
  const relay = startRelay({ ...ports, bus })
  const sealer = startSealer({ ...ports, key, clock })
  const atWork = isSoleInstance ? atWorkOf(machine) : undefined
  const runner = startRunner({
    ...{ ...ports, objects, bus, clock },
    pool: simulatedPool(world, process, workers),
    onPoint: (point) => machine.onPoint(process, point),
    ...(atWork === undefined ? {} : { atWork }),
  })
  const batches = createBatchService({ database, objects })
  const secrets = ['simulated secret of thirty-two chars'] as const
  const webhookNetworks = networksOf([])
  const webhooks = await createWebhookService({ database, clock, secrets, webhookNetworks })
  const others = startOthers(machine, process, { ...ports, objects, submissions, judge, clock, secrets })
  const closing = new Closing()
  const underWay = new Set<Promise<unknown>>()
  return {
    ...{ process, clock, submissions, batches, webhooks },
    ...{ holds: createHoldService(database), policies: createPolicyService(database) },
    async answer(work) {
      closing.requireOpen()
      const answer = work()
      underWay.add(answer)
      try {
        return await closing.answer(answer)
      } finally {
        underWay.delete(answer)
      }
    },
    async stop() {
      closing.refuse()
      const answered = Promise.race([Promise.allSettled(underWay), timers.sleep(4_000)]).then(() => closing.giveUp())
      await Promise.all([answered, runner.drain(4_000)])
      await others.stop()
      await sealer.drain()
      await relay.drain(2_000)
      await opened.close()
    },
  }
}

/** What works now and then: batches, webhooks, and what removes. */
function startOthers(machine: Machine, process: Process, given: OtherPorts) {
  const { works, receivers, ledger } = machine
  const onPoint = (point: PassedPoint) => machine.onPoint(process, point)
  const ports = { ...given, onPoint }
  const { database, clock, log, owner, isSoleInstance, timers } = ports
  const stops: (() => Promise<void> | void)[] = []
  const role = (name: string, leaseMs: number) => {
    const lease = new Lease(database, { name, owner, leaseMs, isSoleInstance, timers })
    return () => lease.hold()
  }
  if (works.has('retention')) {
    const finisher = startFinisher({
      ...{ ...ports, ledger: ledger.portOf(process), isReconciled: false },
      machineClock: { now: () => instantFromEpochMs(machine.world.epochMs) },
    })
    // A lease that is as long as all that a history takes would keep others from it.
    const isLeader = role('retention', 15_000)
    const remover = startRemover({ ...ports, isLeader, everyMs: REMOVAL_MS })
    const stopSweeping = timers.every(2 * REMOVAL_MS, () => {
      const failed = (cause: unknown) => log.warn('what has expired could not be removed', { cause })
      void sweepIdempotency(database, clock.now())
        .then(() => sweepDeliveries(database, clock))
        .catch(failed)
    })
    stops.push(
      stopSweeping,
      () => remover.stop(),
      () => finisher.stop(),
    )
  }
  if (works.has('batches')) {
    const feeder = startFeeder({ ...ports, isLeader: role('batches', limits.batchLeaseMs), feedRows: 2 })
    stops.push(() => feeder.stop())
  }
  if (works.has('webhooks')) {
    const sender = startWebhookSender({ ...ports, send: receivers.sendOf(process) })
    stops.push(() => sender.drain(2_000))
  }
  return {
    async stop() {
      for (const stop of stops) await stop()
    },
  }
}

type OtherPorts = Omit<Parameters<typeof startFeeder>[0], 'isLeader' | 'onPoint'> &
  Pick<Parameters<typeof startWebhookSender>[0], 'owner' | 'secrets'> & { isSoleInstance: boolean; timers: Timers }

async function openEmbedded({ world, database }: Machine, process: Process, log: Log): Promise<Database> {
  const open = () => embeddedClient(database, process)
  return new EmbeddedDatabase({
    ...{ writer: await forWriting(open()), reader: await forReading(open()), open },
    ...{ unlock() {}, path: 'simulated', log, timers: world.timersOf(process) },
    files: { problem: () => (database.isGone ? 'simulated: the file was removed' : undefined) },
  })
}

function openShared({ database, storeId }: Machine, process: Process): Database {
  const remote = new RemoteDatabase(remoteClient(database, process))
  remote.bindTo({ storeId, required: requiredMigrations('sqlite') })
  return remote
}

/** As the file beside the database: what a run leaves in it, the next one finds. */
function atWorkOf(machine: Machine): AtWork {
  const { begun } = machine
  const left = machine.atWork === undefined ? undefined : [...machine.atWork]
  machine.atWork ??= new Set()
  const noted = machine.atWork
  return {
    left,
    forget() {
      for (const step of left ?? []) noted.delete(step)
    },
    begin(step) {
      noted.add(step)
      begun.set(step, (begun.get(step) ?? 0) + 1)
    },
    end: (step) => void noted.delete(step),
    close() {},
  }
}

function logOf(world: World): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      if (!world.keepsTrace) return
      const error = fields.error ?? fields.cause
      world.note(() => `log ${level}: ${message}${error === undefined ? '' : ` (${error})`}`)
    }
  const log: Log = { debug: () => {}, info: at('info'), warn: at('warn'), error: at('error'), with: () => log }
  return log
}
