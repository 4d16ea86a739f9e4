import { limits } from '../../src/core/limits.ts'
import { SimulatedBroker } from './broker.ts'
import { Clients } from './clients.ts'
import { SimulatedDatabase } from './database.ts'
import { SimulatedDisk } from './disk.ts'
import { type Instance, type Machine, startInstance } from './instance.ts'
import { SimulatedLedger } from './ledger.ts'
import { type EndState, problemsAtTheEnd } from './model.ts'
import { missingObjects, removalProblems } from './model-removal.ts'
import { SimulatedObjects } from './objects.ts'
import { inWords, type Moment, type Plan, type PlannedFault, planHistory } from './plan.ts'
import { SimulatedReceivers } from './receivers.ts'
import { key, type PreparedStore } from './store.ts'
import { verified } from './verified.ts'
import { kill, Process, World } from './world.ts'

export interface HistoryResult {
  /** What the model found; none where every promise was kept. */
  problems: string[]
  /** The same for the same seed, always. */
  hash: number
  /** Simulated time, and what happened in it. */
  simulatedMs: number
  happened: number
  trace: readonly string[]
}

/** How long after the last fault everything has to be at its end, and how many answers of the database longer. */
const PATIENCE_MS = 150_000
const PATIENCE_ANSWERS = 5_000
/** For a process that goes on to find out what has become of its work: it tries again, a few times. */
const AFTERMATH_MS = 3_000
const DAY_MS = 86_400_000

/** When the days pass, of one leap after the other. */
const LEAP_MS = 3_000

const LEFT = {
  batches: ` + (select count(*) from batches where status in ('running', 'paused'))
    + (select count(*) from batch_rows where state in ('waiting', 'submitted'))`,
  webhooks: ` + (select count(*) from events where for_webhooks is not null)
    + (select count(*) from webhook_deliveries d join webhooks w on w.id = d.webhook_id
       where d.status = 'pending' and w.status = 'active')`,
  retention: ' + (select count(*) from erasures where completed_at is null)',
}

function worksOf({ batch, receivers = [], retention }: Plan): Set<keyof typeof LEFT> {
  const works = new Set<keyof typeof LEFT>()
  if (batch !== undefined) works.add('batches')
  if (receivers.length > 0) works.add('webhooks')
  if (retention !== undefined) works.add('retention')
  return works
}

type ProcessFault = PlannedFault & { on: 'process' }
/** Says that a fault is there, and what is done when its time is over. */
type EndWith = (end: () => void) => void

export interface HistoryOptions {
  /** Whether what happens is told in words, too. */
  keepsTrace?: boolean
  /** In place of the one that the seed makes. */
  plan?: Plan
  /** Shown what is left at the end, where nothing is broken. */
  onEnd?: (end: EndState) => void
}

/** One history: everything in it follows from the seed. */
export function runHistory(seed: number, store: PreparedStore, options: HistoryOptions = {}): HistoryResult {
  store.reset()
  const world = new World(seed, options.keepsTrace)
  const history = new History(world, options.plan ?? planHistory(world.random), store)
  store.handles.during(() => history.run(options.onEnd))
  const { problems } = history
  const { hash, nowMs: simulatedMs, happened, trace } = world
  return { problems, hash, simulatedMs, happened, trace }
}

class History {
  readonly problems: string[] = []
  readonly #world: World
  readonly #plan: Plan
  readonly #machine: Machine
  readonly #instances: (Instance | undefined)[]
  readonly #store: PreparedStore
  readonly #clients: Clients
  /** What is left of what this history has; looked for only there. */
  readonly #leftSql: string
  #isReleased = false
  #leaps = 0
  #leaptAtMs = 0
  #isRepeated = false
  #repeatedAtMs: number | undefined
  #faultsLeft: number
  /** Ends of the faults that last. */
  readonly #lasting = new Set<() => void>()
  /** Faults that wait for their moment. */
  readonly #armed = new Set<{ index: number; moment: Moment; strike: () => void }>()

  constructor(world: World, plan: Plan, store: PreparedStore) {
    this.#world = world
    this.#plan = plan
    this.#store = store
    this.#faultsLeft = plan.faults.length
    this.#leftSql = [...worksOf(plan)].map((work) => LEFT[work]).join('')
    this.#instances = Array.from({ length: plan.instances }, () => undefined)
    const database = new SimulatedDatabase(world, store.memory)
    if (world.random.chance(0.15)) database.commitMs = [1, 60]
    if (world.random.chance(0.15)) database.answerMs = [1, 60]
    const broker = new SimulatedBroker(world)
    broker.onOverlap = (topic) => this.#report(`two messages of one subject were on their way at once: ${topic}`)
    const disk = new SimulatedDisk(world)
    database.onCommit = (process) => this.#pass(process, 'commit')
    if (plan.receivers?.some(({ atReading }) => atReading !== undefined) === true)
      database.onReceiversRead = () => this.#clients.receiversRead()
    disk.onChange = (process) => this.#pass(process, 'disk change')
    const receivers = new SimulatedReceivers(world)
    receivers.poison = plan.poison
    receivers.onProblem = (problem) => this.#report(problem)
    const objects = new SimulatedObjects(world)
    objects.onRemoval = (hash) => this.#clients.removalBegun(hash)
    this.#machine = {
      ...{ world, database, broker, disk, objects, mode: plan.mode, key },
      onPoint: (process, point) => this.#pass(process, point),
      ...{ storeId: store.storeId, atWork: undefined, begun: new Map(), workers: { crashes: 0 } },
      ...{ receivers, ledger: new SimulatedLedger(world), works: worksOf(plan) },
    }
    const report = (problem: string) => this.#report(problem)
    this.#clients = new Clients({ world, plan, store, machine: this.#machine, instances: this.#instances, report })
  }

  run(onEnd: (end: EndState) => void = () => {}): void {
    const { faults } = this.#plan
    const world = this.#world
    for (const fault of faults) world.note(() => `planned: ${inWords(fault)}`)
    for (const index of this.#instances.keys()) this.#start(index)
    this.#clients.begin()
    for (const fault of faults) world.after(fault.atMs, () => this.#break(fault))
    const lastMs = Math.max(0, ...faults.map(({ atMs, forMs }) => atMs + forMs))
    const patienceMs = PATIENCE_MS + PATIENCE_ANSWERS * this.#machine.database.answerMs[1]
    let endMs = lastMs + patienceMs
    // Looked at twice a second, which is how often anybody of them looks.
    while (world.nowMs < endMs && this.problems.length === 0 && !this.#isQuiet()) {
      world.run(world.nowMs + 500)
      this.#endIdleFaults()
      if (!this.#goOn()) continue
      endMs = Math.max(endMs, world.nowMs + patienceMs)
      // What comes next may remove what is missing, or store it again.
      const { database, objects, mode } = this.#machine
      if (this.#plan.retention !== undefined && mode === 'shared')
        this.problems.push(...missingObjects(database.memory, objects.stored))
    }
    for (const instance of this.#instances) if (instance !== undefined) kill(instance.process)
    // What one that was starting holds.
    while (this.#machine.database.isHeld) this.#machine.database.rollback()
    if (this.problems.length > 0) return
    const end = this.#endState()
    this.problems.push(...problemsAtTheEnd(end))
    if (this.#plan.retention !== undefined) {
      const { wrong } = this.#store
      for (const problem of verified(end.memory, key)) if (!wrong.has(problem)) this.problems.push(`verify: ${problem}`)
    }
    onEnd(end)
  }

  /** What is left after the last power cut: nothing that the disk has not made durable. */
  #endState(): EndState {
    if (this.#plan.mode === 'embedded') {
      this.#machine.database.cutPower(true)
      this.#machine.disk.cutPower(true)
    }
    return this.#state()
  }

  #state(): EndState {
    const { database, disk, broker, objects, begun, receivers, ledger } = this.#machine
    const { acknowledged, repeated, batch, registered, isHeld } = this.#clients
    const { memory } = database
    const isEmbedded = this.#plan.mode === 'embedded'
    return {
      ...{ memory, taken: broker.taken, stored: isEmbedded ? disk.stored() : objects.stored },
      ...{ plan: this.#plan, acknowledged, repeated, repeatedAtMs: this.#repeatedAtMs, batch, registered, isHeld },
      ...{ arrivals: receivers.arrivals, ledger: new Set(ledger.notes.keys()), epochMs: this.#world.epochMs },
      slowestAnswerMs: database.answerMs[1],
      ...{ head: this.#store.head, begun: isEmbedded ? begun : undefined, removed: this.#removed() },
    }
  }

  /** Submissions and executions of which the events are gone, as the tombstones say. */
  #removed(): Set<string> {
    if (this.#plan.retention === undefined) return new Set()
    const { memory } = this.#machine.database
    const items = memory.all<{ id: string; kind: string }>('select item_id as id, kind from erased_items')
    const removed = new Set<string>()
    for (const { id, kind } of items) {
      if (kind === 'submission' || kind === 'execution') removed.add(id)
      if (kind !== 'events') continue
      const executions = memory.all<{ id: string }>('select id from executions where submission_id = ?', id)
      for (const execution of executions) removed.add(execution.id)
    }
    return removed
  }

  /**
   * Where everything waits for the calendar, the machines sleep until then: for days that a policy says, to the next try of
   * a delivery, or until a clock that was set back is past the times of objects, which are not removed before. True when they did.
   */
  #goOn(): boolean {
    const world = this.#world
    const { retention, receivers = [] } = this.#plan
    // The network does not sleep: what is on its way gets there first.
    if (this.#machine.objects.underWay > 0) return false
    const leapDays = retention?.leapDays[this.#leaps]
    if (leapDays !== undefined) {
      if (!this.#clients.areRulesInForce || !this.#clients.areAnswered || world.nowMs < LEAP_MS * (this.#leaps + 1))
        return false
      this.#leaps++
      this.#leaptAtMs = world.nowMs
      world.note(() => `${leapDays} days pass`)
      world.sleptMs += leapDays * DAY_MS
      if (this.#leaps === 1) this.#clients.leapt()
      return true
    }
    if (retention?.hold?.isReleased === true && !this.#isReleased && this.#faultsLeft === 0) {
      this.#isReleased = true
      this.#clients.release()
      return true
    }
    const repeatAtMs = this.#leaptAtMs + (retention?.repeatAfterMs ?? Number.POSITIVE_INFINITY)
    if (!this.#isRepeated && world.nowMs >= repeatAtMs && this.#clients.areDone) {
      this.#isRepeated = true
      this.#repeatedAtMs = world.epochMs
      this.#clients.repeat()
      return true
    }
    if (this.#faultsLeft > 0 || !this.#clients.areDone) return false
    const aheadMs = this.#newestObjectMs() - world.epochMs
    if (retention !== undefined && aheadMs > 0) {
      world.note(() => `${(aheadMs / 3_600_000).toFixed(2)} hours pass, after which no object is of the future`)
      world.sleptMs += aheadMs + limits.erasureObjectAgeMs
      return true
    }
    if (receivers.length === 0) return false
    const [next] = this.#machine.database.memory.all<{ at: string | null }>(
      `select min(max(d.due_at, coalesce(w.retry_at, d.due_at))) as at from webhook_deliveries d
       join webhooks w on w.id = d.webhook_id where d.status = 'pending' and w.status = 'active'
       and not exists (select 1 from webhook_deliveries e where e.webhook_id = d.webhook_id and e.aggregate = d.aggregate
         and e.aggregate_id = d.aggregate_id and e.status = 'pending' and e.sequence < d.sequence)`,
    )
    const waitsMs = Date.parse(next?.at ?? '') - world.epochMs
    // What is due soon comes by itself.
    if (!(waitsMs > 2_000)) return false
    world.note(() => `${(waitsMs / 3_600_000).toFixed(2)} hours pass`)
    world.sleptMs += waitsMs
    return true
  }

  #newestObjectMs(): number {
    const { disk, objects } = this.#machine
    return Math.max(0, ...(this.#plan.mode === 'embedded' ? disk.storedAtMs() : objects.storedAtMs()))
  }

  #report(problem: string): void {
    this.#world.note(() => `BROKEN: ${problem}`)
    this.problems.push(problem)
  }

  /** Nothing is left to be done, as the rows say. */
  #isQuiet(): boolean {
    return this.#faultsLeft === 0 && this.#isAtRest()
  }

  /** The same, whatever is still broken. */
  #isAtRest(): boolean {
    const { database } = this.#machine
    const { retention } = this.#plan
    if (!this.#clients.areDone || database.isHeld) return false
    const isToCome =
      retention !== undefined &&
      (this.#leaps < retention.leapDays.length || this.#isRepeated !== (retention.repeatAfterMs !== undefined))
    if (isToCome || this.#isReleased !== (retention?.hold?.isReleased === true)) return false
    const [left] = database.memory.all<{ left: number }>(
      `select (select count(*) from executions where status not in ('completed', 'failed'))
        + (select count(*) from events where published_at is null)
        + (select count(*) from audit_records where position is null)${this.#leftSql} as left`,
    )
    return left?.left === 0 && removalProblems(this.#state()).length === 0
  }

  /** Where nothing is left that a fault could touch, nobody waits for its time to be over. */
  #endIdleFaults(): void {
    if (this.#lasting.size === 0 || !this.#isAtRest()) return
    for (const over of this.#lasting) over()
  }

  #start(index: number): void {
    const world = this.#world
    const process = new Process(`i${index}`, this.#plan.clocksAheadMs[index] ?? 0)
    world.after(
      0,
      () => {
        world.note(() => 'starts')
        startInstance(this.#machine, process).then(
          (instance) => {
            this.#instances[index] = instance
          },
          (error) => {
            world.note(() => `can not start: ${error}`)
            this.#end(process)
            world.after(1_000, () => this.#start(index))
          },
        )
      },
      process,
    )
  }

  #end(process: Process): void {
    kill(process)
    if (this.#plan.mode === 'embedded') this.#machine.database.onDeath(process)
  }

  /** A process passes a point at which a fault may wait for it. */
  #pass(process: Process, point: Moment['in']): void {
    for (const armed of this.#armed) {
      if (armed.moment.in !== point || this.#instances[armed.index]?.process !== process) continue
      if (--armed.moment.nth > 0) continue
      this.#armed.delete(armed)
      // In the middle of what it is about to do.
      this.#world.after(this.#world.random.between(0, 1), armed.strike)
    }
  }

  #break(fault: PlannedFault): void {
    const world = this.#world
    const { database, objects, disk, broker, workers } = this.#machine
    const endWith: EndWith = (end) => {
      world.note(() => `FAULT: ${inWords(fault)}`)
      const over = () => {
        if (!this.#lasting.delete(over)) return
        world.note(() => `over: ${inWords(fault)}`)
        end()
        this.#faultsLeft--
      }
      this.#lasting.add(over)
      world.after(fault.forMs, over)
    }
    switch (fault.on) {
      case 'process':
        this.#arm(fault, endWith)
        break
      case 'database':
        if (fault.what === 'gone') {
          this.#takeDatabaseAway(endWith)
          break
        }
        database.fault = fault.what
        endWith(() => {
          database.fault = undefined
        })
        break
      case 'object store':
        Object.assign(this.#plan.mode === 'embedded' ? disk : objects, { fault: fault.what })
        endWith(() => {
          objects.fault = undefined
          disk.fault = undefined
        })
        break
      case 'broker':
        broker.fault = fault.what
        endWith(() => broker.recover())
        break
      case 'workers':
        workers.crashes++
        endWith(() => {
          workers.crashes = 0
        })
        break
      case 'receiver': {
        const { receivers } = this.#machine
        receivers.faults.set(fault.receiver, fault.what)
        endWith(() => receivers.faults.delete(fault.receiver))
        break
      }
      case 'ledger': {
        const { ledger } = this.#machine
        ledger.isAway = true
        endWith(() => {
          ledger.isAway = false
        })
        break
      }
      case 'messages':
        database.areSomeLate = true
        endWith(() => {
          database.areSomeLate = false
        })
        break
      case 'clock':
        world.clockSetMs += fault.byMs
        endWith(() => {})
    }
  }

  /** Strikes at once, or in the middle of something. */
  #arm(fault: ProcessFault, endWith: EndWith): void {
    const strike = () => this.#breakProcess(fault, endWith)
    if (fault.moment === undefined) {
      strike()
      return
    }
    const armed = { index: fault.instance, moment: { ...fault.moment }, strike }
    this.#armed.add(armed)
    // It may never come; then any moment will do.
    this.#world.after(2_000, () => this.#armed.delete(armed) && strike())
  }

  #breakProcess(fault: ProcessFault, endWith: EndWith): void {
    const world = this.#world
    const instance = this.#instances[fault.instance]
    const process = instance?.process
    if (instance === undefined || process?.isAlive !== true || fault.what === 'stopped') {
      // One that is down already stays so.
      const untilMs = world.nowMs + fault.forMs
      if (process?.isAlive === true) process.stoppedUntilMs = untilMs
      // What it does when it goes on is what the fault is about: others may have left nothing to wait for.
      this.#faultsLeft++
      endWith(() => {
        // Another may have stopped it for longer.
        if (process?.stoppedUntilMs === untilMs) world.wake(process)
        world.after(AFTERMATH_MS, () => this.#faultsLeft--)
      })
      return
    }
    if (fault.what === 'restarted') {
      // Killed while it stops, it is started again by whoever killed it.
      const killed = () => {
        process.atDeath.delete(killed)
        endWith(() => {})
      }
      const over = () => {
        if (!process.atDeath.delete(killed)) return
        this.#end(process)
        endWith(() => this.#start(fault.instance))
      }
      process.atDeath.add(killed)
      world.after(0, () => void instance.stop().then(over, over), process)
      return
    }
    this.#end(process)
    if (fault.what === 'power cut') {
      this.#machine.database.cutPower()
      this.#machine.disk.cutPower()
    }
    endWith(() => this.#start(fault.instance))
  }

  /** Embedded, the file is moved away; shared, another store is behind the address. Later what was there is back. */
  #takeDatabaseAway(endWith: EndWith): void {
    const { database } = this.#machine
    const { storeId } = this.#store
    const name = (id: string) => database.memory.run({ sql: 'update quire_store set value = ?', args: [id] }, 0)
    const isShared = this.#plan.mode === 'shared'
    database.whenFree(() => {
      if (isShared) name('another')
      database.isGone = true
      const { commitsWhileGone } = database
      endWith(() =>
        database.whenFree(() => {
          database.isGone = false
          if (isShared) name(storeId)
          if (isShared && database.commitsWhileGone > commitsWhileGone) {
            this.#report('something was written into another store')
          }
        }),
      )
    })
  }
}
