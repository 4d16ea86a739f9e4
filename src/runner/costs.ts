import { fileFormatNames } from '../core/formats.ts'
import { limits } from '../core/limits.ts'
import type { StepName } from '../core/steps.ts'
import type { StepJob, StepResult } from './job.ts'
import { LruCache } from './lru.ts'

/** What a job's time is estimated from; computed before its files are moved away. */
export interface Weighed {
  /** Groups jobs that take about the same time per byte: by steps, template, and size to a factor of four. */
  kind: string
  /**
   * Bytes that it reads, without sources, which are equal for its whole kind; of a document, the data that it was filled with.
   */
  bytes: number
}

export function weigh(job: StepJob): Weighed {
  const texts = [job.rawInput, job.input, job.output].map((text) => text?.length ?? 0)
  const files = fileFormatNames.map((format) => job[format]?.byteLength ?? 0)
  const lengths = job.dataChars === undefined ? [...texts, ...files] : [job.dataChars]
  const bytes = lengths.reduce((sum, length) => sum + length, 1)
  // A small job's time depends little on its input, so it says nothing about a large one: sizes have separate kinds.
  return { kind: `${job.steps.join(' ')} ${job.alike ?? ''} ${Math.clz32(bytes) >> 1}`, bytes }
}

/**
 * Remembers how long jobs took, so that long ones are known before they begin. The first of a kind counts as long if it reads
 * much.
 */
export class Costs {
  constructor(private readonly longMs: number) {}

  readonly #msPerByte = new LruCache<number>(limits.jobKindsKnown)

  note({ kind, bytes }: Weighed, ms: number): void {
    this.#msPerByte.set(kind, ms / bytes)
  }

  isLong({ kind, bytes }: Weighed): boolean {
    const msPerByte = this.#msPerByte.get(kind)
    return msPerByte === undefined ? bytes > limits.jobUnknownBytes : msPerByte * bytes > this.longMs
  }
}

/** Remembers how long the steps of similar documents took, so that all steps of quick ones run in one job. */
export class DocumentTimes {
  readonly #msOf = new LruCache<Map<StepName, number>>(limits.jobKindsKnown)

  note(kind: string, results: readonly StepResult[]): void {
    const times = this.#msOf.get(kind) ?? new Map<StepName, number>()
    for (const { step, durationMs } of results) times.set(step, durationMs)
    this.#msOf.set(kind, times)
  }

  /** After a fault: the steps then run one by one, which shows whose fault it is. */
  forget(kind: string): void {
    this.#msOf.delete(kind)
  }

  isKnown(kind: string): boolean {
    return this.#msOf.has(kind)
  }

  /** False without steps: an execution whose rows were removed meanwhile has none. */
  areShort(kind: string, steps: readonly StepName[]): boolean {
    const times = this.#msOf.get(kind)
    const ms = steps.reduce((sum, step) => sum + (times?.get(step) ?? Number.POSITIVE_INFINITY), 0)
    return steps.length > 0 && ms <= limits.jobWholeMs
  }
}
