import { instantFromEpochMs } from '../../src/core/instant.ts'
import { signingKeyOf } from '../../src/core/signing-key.ts'
import { EmbeddedDatabase } from '../../src/db/embedded.ts'
import { migrateIn } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { ensureStoreId } from '../../src/db/store-id.ts'
import { fileReader } from '../../src/modules/batches/batches.files.ts'
import { seedDemo } from '../../src/modules/intake-lab/intake-lab.service.ts'
import { SimulatedBroker } from './broker.ts'
import { embeddedClient, SimulatedDatabase } from './database.ts'
import { SimulatedDisk } from './disk.ts'
import { Handles } from './handles.ts'
import { type Machine, startInstance } from './instance.ts'
import { SimulatedLedger } from './ledger.ts'
import { SimulatedObjects } from './objects.ts'
import { SimulatedReceivers } from './receivers.ts'
import { MemoryDatabase } from './sqlite.ts'
import { verified } from './verified.ts'
import { kill, Process, World } from './world.ts'

/** A letter, and what is made of its output: a child waits for its parent. */
const MODEL = `model: ingestion-model-v1
contract: { name: Policy premium notice, version: 1 }
nodes:
  - key: letter
    label: Letter
    transformer: clws-policy
    template: clws-policy
    formats: [docx, pdf]
    children:
      - key: summary
        label: Summary
        transformer: clws-policy
`

/** Small, because each process compiles it: what it makes is the simulated engines' affair. */
const TRANSFORMER = `transform: declarative-v1
output:
  name: /name
`

/** A store with configuration in force and a sealed trail, from which every history begins. */
export interface PreparedStore {
  memory: MemoryDatabase
  handles: Handles
  storeId: string
  /** By what a submission through each makes. */
  releases: Readonly<Record<'letter' | 'summary', string>>
  /** The last sealed position. */
  head: number
  /** What `quire verify` says of what was made by hand here; of a history it must say nothing more. */
  wrong: ReadonlySet<string>
  /** Takes away what a history has left, so that the next one begins with the same rows. */
  reset(): void
}

export const key = signingKeyOf('5a'.repeat(32))

const SUBMITTED = ['submissions', 'executions', 'steps', 'artifacts', 'events', 'idempotency', 'leases']

export async function prepareStore(): Promise<PreparedStore> {
  // Loading it takes the real world's time.
  await fileReader()
  const world = new World(1)
  // The day before: ids are made of the time, and those of a history must be others.
  world.clockSetMs = -86_400_000
  const memory = new MemoryDatabase()
  const simulated = new SimulatedDatabase(world, memory)
  const process = new Process('seed', 0)
  const open = () => embeddedClient(simulated, process)
  const database = new EmbeddedDatabase({
    ...{ writer: open(), reader: open(), open, unlock() {}, path: 'simulated', log: undefined },
    ...{ timers: world.timersOf(process), files: { problem: () => undefined } },
  })
  database.attestWith(key.attest)
  await settled(
    world,
    database.write((tx) => migrateIn(tx, migrations.sqlite)),
  )
  const storeId = await settled(world, ensureStoreId(database, '00000000-0000-7000-8000-000000000001'))
  await settled(world, seedDemo(database, { now: () => instantFromEpochMs(world.epochMs) }))
  const setSource = (kind: string, source: string) =>
    memory.run({ sql: 'update versions set source = ? where kind = ?', args: [source, kind] }, 0)
  setSource('ingestion_model', MODEL)
  const machine: Machine = {
    ...{ world, database: simulated, objects: new SimulatedObjects(world), disk: new SimulatedDisk(world) },
    ...{ broker: new SimulatedBroker(world), onPoint: () => {} },
    ...{ receivers: new SimulatedReceivers(world), ledger: new SimulatedLedger(world), works: new Set<never>() },
    ...{ mode: 'embedded', storeId, key, atWork: undefined, begun: new Map(), workers: { crashes: 0 } },
  }
  const instance = await settled(world, startInstance(machine, process))
  world.run(world.nowMs + 3_000)
  await settled(world, submitOnce(instance.submissions, instance.clock.now()))
  world.run(world.nowMs + 3_000)
  kill(process)
  simulated.onDeath(process)
  // What is pinned is not looked at again.
  setSource('transformer', TRANSFORMER)
  for (const table of SUBMITTED) memory.exec(`delete from ${table}`)
  const releaseOf = (condition: string): string => {
    const [release] = memory.all<{ id: string }>(`select id from releases where ${condition}`)
    if (release === undefined) throw new Error(`the store of the simulation has no release where ${condition}`)
    return release.id
  }
  const letter = releaseOf("processing_kind = 'document_generation'")
  const summary = releaseOf("processing_kind <> 'document_generation'")
  const [{ head } = { head: 0 }] = memory.all<{ head: number }>('select max(position) as head from audit_records')
  if (head === 0) throw new Error('the store of the simulation could not be prepared')
  const kept = memory
    .all<{ name: string }>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .map(({ name }) => {
      const [{ last } = { last: 0 }] = memory.all<{ last: number }>(
        `select coalesce(max(rowid), 0) as last from ${name}`,
      )
      return { name, last }
    })
  // What was judged in this turn of the event loop counts no longer.
  await new Promise((resolve) => setImmediate(resolve))
  const handles = new Handles()
  const wrong = new Set(handles.during(() => verified(memory, key)))
  return {
    ...{ memory, handles, wrong, storeId, head, releases: { letter, summary } },
    reset() {
      for (const { name, last } of kept) memory.all(`delete from ${name} where rowid > ${last}`)
    },
  }
}

/** Parts of the preparation read files, which happens outside of the simulated world. */
async function settled<T>(world: World, work: Promise<T>): Promise<T> {
  let isSettled = false
  const end = () => {
    isSettled = true
  }
  void work.then(end, end)
  while (!isSettled) {
    world.run(world.nowMs + 10)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return work
}

function submitOnce(
  submissions: Awaited<ReturnType<typeof startInstance>>['submissions'],
  at: ReturnType<typeof instantFromEpochMs>,
): Promise<unknown> {
  const userId = '00000000-0000-7000-8000-00000000000a'
  const request = { actorId: userId, key: 'preparation', requestHash: 'preparation' }
  return submissions.submit({ userId, correlationId: 'preparation', at }, request, {
    ingestion_model: 'clws-policy',
    raw_input: '{}',
    ...aboutObject('preparation'),
  })
}

export function aboutObject(reference: string) {
  return { object_reference: reference, official_time: '2026-03-01T00:00:00Z' }
}
