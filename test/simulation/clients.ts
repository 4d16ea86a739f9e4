import type { Actor } from '../../src/core/actor.ts'
import { causesOf } from '../../src/core/error-cause.ts'
import { DependencyUnavailable, Fault } from '../../src/core/faults.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { RetentionPolicy } from '../../src/db/schema.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { filesOf } from './engines.ts'
import type { Instance, Machine } from './instance.ts'
import type { Acknowledged } from './model.ts'
import type { ToldBatch } from './model-batches.ts'
import type { Registered } from './model-webhooks.ts'
import type { Plan, PlannedBatch, PlannedReceiver, PlannedRetention, PlannedSubmission } from './plan.ts'
import { aboutObject, type PreparedStore } from './store.ts'
import type { Process, World } from './world.ts'

/** How long a client waits for an answer before it asks again. */
const ANSWER_MS = 8_000
const USER = '00000000-0000-7000-8000-00000000000a'

/** What `ask` ends with: an answer, or a refusal that is one. */
type Answered<T> = { value: T } | { refused: Fault }

interface Surroundings {
  world: World
  plan: Plan
  store: PreparedStore
  machine: Machine
  instances: readonly (Instance | undefined)[]
  report: (problem: string) => void
}

/** Clients somewhere else: each repeats its request until it is answered, at whichever instance there is. */
export class Clients {
  readonly acknowledged = new Map<string, Acknowledged>()
  /** What came of the same requests, days later. */
  readonly repeated = new Map<string, Acknowledged | 'erased'>()
  readonly registered: Registered[] = []
  batch: ToldBatch | undefined
  /** Whether the policies, and the hold where one is planned, are in force. */
  areRulesInForce = false
  isHeld = false
  readonly #around: Surroundings
  /** Receivers that wait for their moment. */
  readonly #armed = new Set<{ left: number; register: () => void }>()
  /** Sends what waits for the removal of one of these objects. */
  readonly #atRemoval = new Map<() => void, Set<string>>()
  #waiting = 0
  #open = 0
  /** Requests that some process still has in its hands, whether or not anybody waits for the answer. */
  readonly #underWay = new Set<{ what: string; process: Process }>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** Each has its answer. */
  get areDone(): boolean {
    return this.#waiting === 0
  }

  /** No request is under way, nor repeated: a key is good for a week, so nobody may sleep over one. */
  get areAnswered(): boolean {
    for (const request of this.#underWay) if (!request.process.isAlive) this.#underWay.delete(request)
    return this.#open === 0 && this.#underWay.size === 0
  }

  begin(): void {
    const { plan } = this.#around
    for (const receiver of plan.receivers ?? []) this.#later(receiver.atMs, () => this.#arm(receiver))
    for (const submission of plan.submissions) {
      if (submission.afterLeapMs !== undefined) continue
      for (let times = submission.isDoubled ? 2 : 1; times > 0; times--)
        this.#later(submission.atMs, () => this.#submit(submission, (ids) => this.#acknowledge(submission.key, ids)))
    }
    const { batch, retention } = plan
    if (batch !== undefined) this.#later(batch.atMs, () => this.#handIn(batch))
    if (retention !== undefined) this.#later(retention.atMs, () => this.#setRules(retention))
  }

  /** The receivers were read. Where events wait for them, gives by how much the answer is late: somebody is registered meanwhile. */
  receiversRead(): number | undefined {
    const { world, machine } = this.#around
    const { memory } = machine.database
    if (memory.all('select 1 from events where for_webhooks is not null limit 1').length === 0) return undefined
    for (const armed of this.#armed) {
      if (--armed.left > 0) continue
      this.#armed.delete(armed)
      armed.register()
      return world.random.between(100, 1_500)
    }
    return undefined
  }

  /** Days have passed for the first time. */
  leapt(): void {
    for (const submission of this.#around.plan.submissions) {
      if (submission.afterLeapMs === undefined) continue
      const send = () => {
        this.#atRemoval.delete(send)
        this.#submit(submission, (ids) => this.#acknowledge(submission.key, ids))
      }
      const isAtRemoval = submission.atRemoval === true
      if (isAtRemoval) this.#atRemoval.set(send, new Set(filesOf(submission.rawInput).map(sha256Hex)))
      this.#later(submission.afterLeapMs, () => {
        if (!isAtRemoval || this.#atRemoval.has(send)) send()
      })
    }
  }

  /** The removal of an object is on its way. Gives how long it takes where somebody makes the object again meanwhile. */
  removalBegun(hash: string): number | undefined {
    const waiting = [...this.#atRemoval].filter(([, hashes]) => hashes.has(hash))
    for (const [send] of waiting) send()
    return waiting.length === 0 ? undefined : this.#around.world.random.between(500, 4_500)
  }

  /** Sends every submission once more, under its key. */
  repeat(): void {
    for (const submission of this.#around.plan.submissions) {
      this.#submit(submission, (ids) => this.repeated.set(submission.key, ids ?? 'erased'))
    }
  }

  /** Where the plan has it, the lawsuit is over. */
  release(): void {
    this.#ask(
      'release of the hold',
      async ({ holds }, actor) => {
        const { holds: placed } = await holds.list({})
        const [hold] = placed
        if (hold === undefined) throw new Error('the hold that was placed is not there')
        return holds.release(actor, requestOf('release'), { id: hold.id, reason: 'it is over' })
      },
      () => {
        this.isHeld = false
      },
    )
  }

  /** Counts as waiting from the beginning on. */
  #later(atMs: number, action: () => void): void {
    this.#waiting++
    this.#around.world.after(atMs, () => {
      action()
      this.#waiting--
    })
  }

  #ask<T>(
    what: string,
    work: (instance: Instance, actor: Actor) => Promise<T>,
    answered: (answer: Answered<T>) => void,
  ): void {
    const { world, machine, instances, report } = this.#around
    this.#waiting++
    this.#open++
    const attempt = () => {
      const again = (delayMs: number) => void world.after(delayMs, attempt)
      const instance = instances[world.random.whole(0, instances.length - 1)]
      if (instance === undefined || !instance.process.isAlive) {
        again(300)
        return
      }
      let isOver = false
      const once = (action: () => void) => {
        if (isOver) return
        isOver = true
        action()
      }
      const end = (answer: Answered<T>) => {
        const arrive = () =>
          once(() => {
            world.note(() => `${what} is answered`)
            answered(answer)
            this.#waiting--
            this.#open--
          })
        world.after(world.random.between(0.1, 1), arrive)
      }
      world.after(ANSWER_MS, () => once(() => again(0)))
      const request = { what, process: instance.process }
      this.#underWay.add(request)
      world.after(
        world.random.between(0.1, 1),
        () => {
          const actor = { userId: USER, correlationId: what, at: instance.clock.now() }
          instance
            .answer(() => work(instance, actor))
            .then(
              (value) => {
                this.#underWay.delete(request)
                if (machine.mode === 'embedded' && machine.database.isGone)
                  report(`${what} was acknowledged while the database was gone`)
                end({ value })
              },
              (error) => {
                this.#underWay.delete(request)
                world.note(() => `${what} is not done: ${error}`)
                if (error instanceof Fault && error.code !== 'dependency_unavailable') return end({ refused: error })
                // What a client is told as 503, and repeats; anything else is an answer that it should not get.
                const isUnavailable =
                  error instanceof Fault || isDatabaseUnavailable(error) || error instanceof DependencyUnavailable
                if (!isUnavailable) report(`${what} failed: ${[...causesOf(error)].at(-1) ?? error}`)
                world.after(1, () => once(() => again(world.random.between(200, 1_500))))
              },
            )
        },
        instance.process,
      )
    }
    attempt()
  }

  /** @param told of the submission; undefined where what was made under the key has been erased */
  #submit({ key, rawInput, path }: PlannedSubmission, told: (ids: Acknowledged | undefined) => void): void {
    const { store, report, machine } = this.#around
    const body = {
      ...(path === 'model' ? { ingestion_model: 'clws-policy' } : { release_id: store.releases[path] }),
      ...{ raw_input: rawInput, ...aboutObject(key) },
    }
    this.#ask(
      key,
      ({ submissions }, actor) => submissions.submit(actor, requestOf(key), body),
      (answer) => {
        if ('refused' in answer) {
          if (!/has been erased/.test(answer.refused.detail)) report(`${key} was refused: ${answer.refused.detail}`)
          return told(undefined)
        }
        const { submission: made } = answer.value.body
        const [row] = machine.database.memory.all<{ at: string }>(
          'select created_at as at from submissions where id = ?',
          made.id,
        )
        const createdAtMs = row === undefined ? Number.NaN : Date.parse(row.at)
        told({ submissionId: made.id, executionIds: made.executions.map(({ id }) => id), createdAtMs })
      },
    )
  }

  #acknowledge(name: string, ids: Acknowledged | undefined): void {
    const { world, report } = this.#around
    if (ids === undefined) {
      report(`${name} was erased before it was acknowledged`)
      return
    }
    world.note(() => `${name} is acknowledged: ${ids.submissionId}`)
    const known = this.acknowledged.get(name)
    if (known === undefined) this.acknowledged.set(name, ids)
    else if (known.submissionId !== ids.submissionId) report(`${name} was acknowledged as two submissions`)
  }

  /** Registers it at once, or at the reading for which it waits. */
  #arm(receiver: PlannedReceiver): void {
    if (receiver.atReading === undefined) {
      this.#register(receiver)
      return
    }
    this.#waiting++
    const register = () => {
      this.#register(receiver)
      this.#waiting--
    }
    const armed = { left: receiver.atReading, register }
    this.#armed.add(armed)
    // The reading may never come; then any moment will do.
    this.#around.world.after(4_000, () => this.#armed.delete(armed) && register())
  }

  #register({ name, types, removedAtMs }: PlannedReceiver): void {
    const { world } = this.#around
    let attempts = 0
    const earlierOf = new Map<string, ReadonlySet<string>>()
    this.#ask(
      `registration of ${name}`,
      ({ webhooks }, { at: _, ...author }) => {
        // The request has no key: one whose answer is lost may have made a receiver, whose secret nobody knows.
        const url = `https://${name}.attempt-${++attempts}.example.org/`
        earlierOf.set(url, this.#eventsThere())
        return webhooks.create({ name, url, eventTypes: types, families: undefined }, author)
      },
      (answer) => {
        if ('refused' in answer) return this.#around.report(`${name} was refused: ${answer.refused.detail}`)
        const { webhook, secret } = answer.value
        const { id, url } = webhook
        const earlier = earlierOf.get(url) ?? new Set()
        const one: Registered = { id, url, secret, earlier, before: this.#eventsThere(), removedAtMs: undefined }
        this.registered.push(one)
        if (removedAtMs === undefined) return
        this.#later(Math.max(0, removedAtMs - world.nowMs), () => this.#remove(one))
      },
    )
  }

  #eventsThere(): ReadonlySet<string> {
    const { memory } = this.#around.machine.database
    return new Set(memory.all<{ id: string }>('select id from events').map(({ id }) => id))
  }

  #remove(one: Registered): void {
    this.#ask(
      `removal of ${one.url}`,
      ({ webhooks }, { at: _, ...author }) => webhooks.remove(one.id, author),
      // A repetition finds it gone.
      () => {
        one.removedAtMs = this.#around.world.nowMs
      },
    )
  }

  #handIn({ key, rows, pause, cancelAfterMs }: PlannedBatch): void {
    const bytes = new TextEncoder().encode(rows.map(({ rawInput }) => `${rawInput}\n`).join(''))
    const file = { bytes, fileName: 'rows.ndjson', mediaType: 'application/x-ndjson' }
    const fields = {
      ingestion_model: 'clws-policy',
      object_reference_field: 'object',
      official_time: aboutObject('').official_time,
    }
    this.#ask(
      key,
      ({ batches }, actor) => batches.create(actor, requestOf(key), { fields, file }),
      (answer) => {
        if ('refused' in answer) return this.#around.report(`${key} was refused: ${answer.refused.detail}`)
        const told: ToldBatch = { id: answer.value.body.id, pausedAt: undefined, cancelledAt: undefined }
        this.batch = told
        if (pause !== undefined) this.#later(pause.afterMs, () => this.#pause(told, pause.forMs))
        if (cancelAfterMs !== undefined) this.#later(cancelAfterMs, () => this.#cancel(told))
      },
    )
  }

  #pause(told: ToldBatch, forMs: number): void {
    this.#ask(
      'pause',
      ({ batches }, actor) => batches.pause(actor, told.id),
      () => {
        // Of a repeated request the second is refused; that it is paused counts, whoever was told.
        const isPaused = this.#statusOf(told) === 'paused'
        if (isPaused) told.pausedAt = this.#placeOfBatch()
        this.#later(forMs, () => this.#resume(told))
      },
    )
  }

  #resume(told: ToldBatch): void {
    const { report } = this.#around
    // One that a process which was stopped still has would pause it once more. Requests to pause have no key.
    if ([...this.#underWay].some(({ what, process }) => what === 'pause' && process.isAlive)) {
      this.#later(300, () => this.#resume(told))
      return
    }
    const place = this.#placeOfBatch()
    if (told.pausedAt !== undefined && told.cancelledAt === undefined && place !== told.pausedAt)
      report(`the batch went on from ${told.pausedAt} to ${place} while it was paused`)
    told.pausedAt = undefined
    this.#ask(
      'resumption',
      ({ batches }, actor) => batches.resume(actor, told.id),
      () => {},
    )
  }

  #cancel(told: ToldBatch): void {
    this.#ask(
      'cancellation',
      ({ batches }, actor) => batches.cancel(actor, told.id),
      () => {
        if (this.#statusOf(told) === 'cancelled') told.cancelledAt = this.#placeOfBatch()
      },
    )
  }

  #statusOf({ id }: ToldBatch): string | undefined {
    const { memory } = this.#around.machine.database
    return memory.all<{ status: string }>('select status from batches where id = ?', id)[0]?.status
  }

  /** How many rows were submitted, as far as the last commit knows. */
  #placeOfBatch(): number {
    const { memory } = this.#around.machine.database
    return (
      memory.all<{ n: number }>('select count(*) as n from submissions where object_reference like ?', 'row-%')[0]?.n ??
      0
    )
  }

  #setRules({ keepDays, parts, hold }: PlannedRetention): void {
    const policy: RetentionPolicy = { keep_days: keepDays, ...(Object.keys(parts).length === 0 ? {} : { parts }) }
    this.#ask(
      'policies',
      ({ policies }, actor) => policies.set(actor, requestOf('policies'), { policies: [policy], expected_number: 0 }),
      (answer) => {
        if ('refused' in answer) return this.#around.report(`policies were refused: ${answer.refused.detail}`)
        if (hold === undefined) {
          this.areRulesInForce = true
          return
        }
        this.#ask(
          'hold',
          ({ holds }, actor) =>
            holds.place(actor, requestOf('hold'), { object_reference: 'submission-0', reason: 'a lawsuit' }),
          () => {
            this.isHeld = true
            this.areRulesInForce = true
          },
        )
      },
    )
  }
}

function requestOf(key: string) {
  return { actorId: USER, key, requestHash: key }
}
