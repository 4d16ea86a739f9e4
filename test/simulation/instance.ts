import { startRelay } from '../../src/bus/relay.ts'
import type { Clock } from '../../src/core/clock.ts'
import { newId } from '../../src/core/ids.ts'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import type { Log, LogFields } from '../../src/core/log.ts'
import type { SigningKey } from '../../src/core/signing-key.ts'
import { writingWhile } from '../../src/db/bound.ts'
import { startDatabaseClock } from '../../src/db/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { EmbeddedDatabase } from '../../src/db/embedded.ts'
import { RemoteDatabase } from '../../src/db/libsql.ts'
import { forReading, forWriting } from '../../src/db/libsql-connection.ts'
import { requiredMigrations } from '../../src/db/migrate.ts'
import { startSealer } from '../../src/modules/audit/audit.sealer.ts'
import { createSubmissionService, type SubmissionService } from '../../src/modules/submissions/submissions.service.ts'
import { openDirectoryStore } from '../../src/objects/directory.ts'
import type { AtWork } from '../../src/runner/at-work.ts'
import type { Point } from '../../src/runner/dependencies.ts'
import { startRunner } from '../../src/runner/runner.ts'
import type { SimulatedBroker } from './broker.ts'
import { embeddedClient, remoteClient, type SimulatedDatabase } from './database.ts'
import { objectsRoot, type SimulatedDisk } from './disk.ts'
import { simulatedPool } from './engines.ts'
import type { SimulatedObjects } from './objects.ts'
import type { Process, World } from './world.ts'

/** What outlives the processes. */
export interface Machine {
  world: World
  database: SimulatedDatabase
  objects: SimulatedObjects
  /** In place of them, where one machine has everything. */
  disk: SimulatedDisk
  onPoint: (process: Process, point: Point) => void
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
}

/** A running process of Quire, as far as it is simulated. */
export interface Instance {
  process: Process
  clock: Clock
  submissions: SubmissionService
  /** As SIGTERM does it. */
  stop(): Promise<void>
}

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
    : machine.objects.portOf(process)
  const database = isSoleInstance ? writingWhile(opened, () => objects.gone?.()) : opened
  const bus = machine.broker.portOf(process)
  const owner = newId()
  const ports = { database, log, owner, isSoleInstance, timers }
  const judge = {
    ask: () => Promise.reject(new Error('the simulation asks nothing of a judge')),
    start() {},
    close() {},
  }
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
  return {
    ...{ process, clock, submissions },
    async stop() {
      await runner.drain(4_000)
      await sealer.drain()
      await relay.drain(2_000)
      await opened.close()
    },
  }
}

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
