import { causesOf } from '../../src/core/error-cause.ts'
import { DependencyUnavailable, Fault } from '../../src/core/faults.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { SimulatedBroker } from './broker.ts'
import { SimulatedDatabase } from './database.ts'
import { SimulatedDisk } from './disk.ts'
import { type Instance, type Machine, startInstance } from './instance.ts'
import { type Acknowledged, type EndState, problemsAtTheEnd } from './model.ts'
import { SimulatedObjects } from './objects.ts'
import { inWords, type Moment, type Plan, type PlannedFault, type PlannedSubmission, planHistory } from './plan.ts'
import { aboutObject, key, type PreparedStore } from './store.ts'
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

/** How long after the last fault everything has to be at its end. */
const PATIENCE_MS = 150_000
/** How long a client waits for an answer before it asks again. */
const ANSWER_MS = 8_000
/** For a process that goes on to find out what has become of its work: it tries again, a few times. */
const AFTERMATH_MS = 3_000
const USER = '00000000-0000-7000-8000-00000000000a'

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
  readonly #acknowledged = new Map<string, Acknowledged>()
  #faultsLeft: number
  /** Faults that wait for their moment. */
  readonly #armed = new Set<{ index: number; moment: Moment; strike: () => void }>()

  constructor(world: World, plan: Plan, store: PreparedStore) {
    this.#world = world
    this.#plan = plan
    this.#store = store
    this.#faultsLeft = plan.faults.length
    this.#instances = Array.from({ length: plan.instances }, () => undefined)
    const database = new SimulatedDatabase(world, store.memory)
    if (world.random.chance(0.15)) database.commitMs = [1, 60]
    if (world.random.chance(0.15)) database.answerMs = [1, 60]
    const broker = new SimulatedBroker(world)
    broker.onOverlap = (topic) => this.#report(`two messages of one subject were on their way at once: ${topic}`)
    const disk = new SimulatedDisk(world)
    database.onCommit = (process) => this.#pass(process, 'commit')
    disk.onChange = (process) => this.#pass(process, 'disk change')
    this.#machine = {
      ...{ world, database, broker, disk, objects: new SimulatedObjects(world), mode: plan.mode, key },
      onPoint: (process, point) => this.#pass(process, point),
      ...{ storeId: store.storeId, atWork: undefined, begun: new Map(), workers: { crashes: 0 } },
    }
  }

  run(onEnd: (end: EndState) => void = () => {}): void {
    const { faults, submissions } = this.#plan
    const world = this.#world
    for (const fault of faults) world.note(() => `planned: ${inWords(fault)}`)
    for (const index of this.#instances.keys()) this.#start(index)
    for (const submission of submissions) {
      world.after(submission.atMs, () => this.#submit(submission))
      if (submission.isDoubled) world.after(submission.atMs, () => this.#submit(submission))
    }
    for (const fault of faults) world.after(fault.atMs, () => this.#break(fault))
    const lastMs = Math.max(0, ...faults.map(({ atMs, forMs }) => atMs + forMs))
    const endMs = lastMs + PATIENCE_MS
    // Looked at twice a second, which is how often anybody of them looks.
    while (world.nowMs < endMs && this.problems.length === 0 && !this.#isQuiet()) world.run(world.nowMs + 500)
    for (const instance of this.#instances) if (instance !== undefined) kill(instance.process)
    if (this.problems.length > 0) return
    const end = this.#endState()
    this.problems.push(...problemsAtTheEnd(end))
    onEnd(end)
  }

  /** What is left after the last power cut: nothing that the disk has not made durable. */
  #endState(): EndState {
    const { database, disk, broker, objects, begun } = this.#machine
    const isEmbedded = this.#plan.mode === 'embedded'
    if (isEmbedded) {
      database.cutPower(true)
      disk.cutPower(true)
    }
    return {
      ...{ memory: database.memory, taken: broker.taken, stored: isEmbedded ? disk.stored() : objects.stored },
      ...{ submissions: this.#plan.submissions, acknowledged: this.#acknowledged, head: this.#store.head },
      begun: isEmbedded ? begun : undefined,
    }
  }

  #report(problem: string): void {
    this.#world.note(() => `BROKEN: ${problem}`)
    this.problems.push(problem)
  }

  /** Nothing is left to be done, as the rows say. */
  #isQuiet(): boolean {
    const { database } = this.#machine
    if (this.#faultsLeft > 0 || this.#acknowledged.size < this.#plan.submissions.length || database.isHeld) return false
    const [left] = database.memory.all<{ left: number }>(
      `select (select count(*) from executions where status not in ('completed', 'failed'))
        + (select count(*) from events where published_at is null)
        + (select count(*) from audit_records where position is null) as left`,
    )
    return left?.left === 0
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

  #submit(submission: PlannedSubmission): void {
    const world = this.#world
    const again = (delayMs: number) => void world.after(delayMs, () => this.#submit(submission))
    const instance = this.#instances[world.random.whole(0, this.#instances.length - 1)]
    if (instance === undefined || !instance.process.isAlive) {
      again(300)
      return
    }
    let isAnswered = false
    const answered = (action: () => void) => {
      if (isAnswered) return
      isAnswered = true
      action()
    }
    world.after(ANSWER_MS, () => answered(() => again(0)))
    world.after(
      world.random.between(0.1, 1),
      () => {
        const { key: name, rawInput, path } = submission
        const actor = { userId: USER, correlationId: name, at: instance.clock.now() }
        const request = { actorId: USER, key: name, requestHash: name }
        const body = {
          ...(path === 'model' ? { ingestion_model: 'clws-policy' } : { release_id: this.#store.releases[path] }),
          ...{ raw_input: rawInput, ...aboutObject(name) },
        }
        instance.submissions.submit(actor, request, body).then(
          ({ body: { submission: made } }) => {
            const isTakenAlong = this.#plan.mode === 'embedded' && this.#machine.database.isGone
            if (isTakenAlong) this.#report(`${name} was acknowledged while the database was gone`)
            const ids = { submissionId: made.id, executionIds: made.executions.map(({ id }) => id) }
            world.after(world.random.between(0.1, 1), () => answered(() => this.#acknowledge(name, ids)))
          },
          (error) => {
            // What a client is told as 503, and repeats; anything else is an answer that it should not get.
            const isUnavailable =
              error instanceof Fault
                ? error.code === 'dependency_unavailable'
                : isDatabaseUnavailable(error) || error instanceof DependencyUnavailable
            if (!isUnavailable) this.#report(`${name} was refused: ${[...causesOf(error)].at(-1) ?? error}`)
            world.note(() => `${name} is not taken: ${error}`)
            world.after(1, () => answered(() => again(world.random.between(200, 1_500))))
          },
        )
      },
      instance.process,
    )
  }

  #acknowledge(name: string, ids: Acknowledged): void {
    this.#world.note(() => `${name} is acknowledged: ${ids.submissionId}`)
    const known = this.#acknowledged.get(name)
    if (known === undefined) this.#acknowledged.set(name, ids)
    else if (known.submissionId !== ids.submissionId) this.#report(`${name} was acknowledged as two submissions`)
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
      world.after(fault.forMs, () => {
        world.note(() => `over: ${inWords(fault)}`)
        end()
        this.#faultsLeft--
      })
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
      if (process?.isAlive === true) process.stoppedUntilMs = world.nowMs + fault.forMs
      // What it does when it goes on is what the fault is about: others may have left nothing to wait for.
      this.#faultsLeft++
      endWith(() => world.after(AFTERMATH_MS, () => this.#faultsLeft--))
      return
    }
    if (fault.what === 'restarted') {
      const over = () => {
        this.#end(process)
        endWith(() => this.#start(fault.instance))
      }
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
