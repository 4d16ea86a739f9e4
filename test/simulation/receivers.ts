import { limits } from '../../src/core/limits.ts'
import type { Outcome, Send } from '../../src/modules/webhooks/webhooks.request.ts'
import type { Process, World } from './world.ts'

export type ReceiverFault =
  /** No connection; no answer; one that comes when nobody waits for it any more; 503; 500. */
  'away' | 'hanging' | 'late' | 'overloaded' | 'failing'

/** A request as it came to a receiver. */
export interface Arrival {
  url: string
  /** Of the simulation, and of the clock on the wall. */
  atMs: number
  epochMs: number
  headers: Readonly<Record<string, string>>
  body: string
  /** Undefined where the receiver never answers. Only what is answered in time reaches the sender. */
  status: number | undefined
  isInTime: boolean
}

/** Receivers of webhooks, somewhere else: they live on whatever happens to the processes. */
export class SimulatedReceivers {
  readonly arrivals: Arrival[] = []
  /** By the first part of the host's name, which is the receiver's. */
  readonly faults = new Map<string, ReceiverFault>()
  /** How often each receiver refuses every n-th event, as one that has a fault of its own with it. */
  poison: { every: number; times: number } | undefined
  /** Told when two requests about one subject are under way at once, or more to one receiver than its window allows. */
  onProblem: (what: string) => void = () => {}
  readonly #refused = new Map<string, number>()

  constructor(readonly world: World) {}

  sendOf(process: Process): Send {
    const { world } = this
    const underWay = new Map<string, Set<string>>()
    return ({ url, headers, body }) =>
      new Promise<Outcome>((resolve) => {
        const { subject } = JSON.parse(body) as { subject: string }
        const subjects = underWay.get(url) ?? new Set<string>()
        underWay.set(url, subjects)
        if (subjects.has(subject)) this.onProblem(`two requests about ${subject} were under way at once to ${url}`)
        subjects.add(subject)
        if (subjects.size > limits.webhookWindow) this.onProblem(`${subjects.size} requests were under way to ${url}`)
        const begunMs = world.nowMs
        const end = (outcome: Outcome) => {
          subjects.delete(subject)
          resolve(outcome)
        }
        const spentMs = () => Math.round(world.nowMs - begunMs)
        const unanswered = (why: string) => end({ kind: 'unanswered', why, ms: spentMs() })
        const name = nameOf(url)
        if (this.faults.get(name) === 'away') {
          // It has none of it, but the model counts tries.
          const tried = { url, atMs: world.nowMs, epochMs: world.epochMs, headers, body }
          this.arrivals.push({ ...tried, status: undefined, isInTime: false })
          return void world.after(1, () => unanswered('simulated: refused'), process)
        }
        world.after(world.random.between(0.2, 5), () => {
          const fault = this.faults.get(name)
          const isInTime = fault !== 'hanging' && fault !== 'late'
          const status = this.#statusOf(name, headers['webhook-id'] ?? '', fault)
          world.note(() => `${name}: ${headers['webhook-id']} about ${subject}, ${status ?? 'no answer'}`)
          this.arrivals.push({ url, atMs: world.nowMs, epochMs: world.epochMs, headers, body, status, isInTime })
          if (!isInTime) {
            const leftMs = limits.webhookRequestMs - spentMs()
            return void world.after(leftMs, () => unanswered('simulated: no answer in time'), process)
          }
          const answered = () =>
            end({ kind: 'answered', status: status ?? 0, answer: '', retryAfterMs: undefined, ms: spentMs() })
          world.after(world.random.between(0.2, 20), answered, process)
        })
      })
  }

  #statusOf(name: string, id: string, fault: ReceiverFault | undefined): number | undefined {
    if (fault === 'hanging') return undefined
    if (fault === 'overloaded') return 503
    if (fault === 'failing') return 500
    if (this.poison === undefined || placeOf(id) % this.poison.every !== 0) return 204
    const times = this.#refused.get(`${name} ${id}`) ?? 0
    if (times >= this.poison.times) return 204
    this.#refused.set(`${name} ${id}`, times + 1)
    return 422
  }
}

export function nameOf(url: string): string {
  return new URL(url).hostname.split('.')[0] ?? ''
}

/** Ids of the simulation count up at their end. */
function placeOf(id: string): number {
  return Number.parseInt(id.slice(-6), 16)
}
