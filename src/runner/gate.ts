import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import type { Timers } from '../core/timers.ts'
import type { Unavailable } from './faults.ts'

/** Why a runner claims nothing at the moment. */
export interface Pause extends Unavailable {
  since: Instant
}

export interface GateOptions {
  /** Resolves once the dependency is usable again. */
  probe: () => Promise<unknown>
  now: () => Instant
  log: Log
  timers: Timers
  /** Called when work may continue. */
  onOpen: () => void
  /** Pause between two probes: doubles from the first to the last. */
  firstMs: number
  maxMs: number
}

/**
 * Keeps a runner from claiming steps in vain while the object store is unusable. A fault of the store closes the gate. The store
 * is then probed at once, and again with growing pauses for as long as it takes; the first successful probe opens the gate. So a
 * fault of a single object, or one that has passed, holds nothing up.
 */
export class Gate {
  readonly #options: GateOptions
  readonly #setBack = new Map<string, number>()
  #pause: Pause | undefined
  #interrupt: (() => void) | undefined
  #isStopped = false

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Undefined while the gate is open. */
  get pause(): Pause | undefined {
    return this.#pause
  }

  /** How many steps this runner has put back because of the store that have not succeeded since. */
  get setBack(): number {
    return this.#setBack.size
  }

  /** @returns how often in a row the step has been put back, this time included */
  close(stepId: string, fault: Unavailable): number {
    const times = (this.#setBack.get(stepId) ?? 0) + 1
    if (this.#setBack.size >= limits.gateSteps) this.#setBack.clear()
    this.#setBack.set(stepId, times)
    const isOpen = this.#pause === undefined
    this.#pause = { ...fault, since: this.#pause?.since ?? this.#options.now() }
    if (isOpen && !this.#isStopped) void this.#untilUsable()
    return times
  }

  /** The step has succeeded, or no longer needs the store. */
  settle(stepId: string): void {
    this.#setBack.delete(stepId)
  }

  stop(): void {
    this.#isStopped = true
    this.#interrupt?.()
  }

  async #untilUsable(): Promise<void> {
    const { probe, log, onOpen, firstMs, maxMs } = this.#options
    let failures = 0
    while (!this.#isStopped) {
      try {
        await probe()
        break
      } catch (error) {
        failures++
        // Once at the beginning and then rarely: an outage may last for days.
        const complain = failures === 1 || failures % limits.gateProbesPerComplaint === 0
        const { dependency, code, since } = this.#pause ?? {}
        if (complain)
          log.error('work is paused until a dependency can be used again', { dependency, code, since, error })
        await this.#sleep(Math.min(maxMs, firstMs * 2 ** (failures - 1)))
      }
    }
    const { dependency } = this.#pause ?? {}
    this.#pause = undefined
    if (this.#isStopped) return
    if (failures > 0) {
      this.#setBack.clear()
      log.info('work goes on', { dependency })
    }
    onOpen()
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#options.timers.after(milliseconds, resolve)
      this.#interrupt = () => {
        stop()
        resolve()
      }
    })
  }
}
