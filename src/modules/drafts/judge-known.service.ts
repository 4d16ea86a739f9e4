import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { sliceClock } from '../../core/turns.ts'
import { LruCache } from '../../runner/lru.ts'
import type { Judge } from './judge.service.ts'
import { judgeHere } from './judge-here.service.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'

interface Question {
  name: QuestionName
  given: Given<QuestionName>
}

/** A transaction needs verdicts before it can continue: it is rolled back, the judge is asked, and it runs again. */
export class Unjudged extends Error {
  constructor(readonly questions: ReadonlyMap<string, Question>) {
    super('a transaction needs verdicts that nobody has given yet; run it inside of withVerdicts')
  }
}

const verdicts = new LruCache<unknown>(limits.judgedQuestions)

/**
 * Answers inside a transaction, which must neither wait for the judge nor hold the thread: from memory, and a few small questions
 * on the spot.
 * @throws Unjudged for a question not in memory that is large or has costly patterns, or if this turn's time is used up
 */
export const judgeKnown: Judge = {
  async ask<Name extends QuestionName>(name: Name, given: Given<Name>) {
    const text = JSON.stringify(given)
    const isLarge = text.length > limits.judgedOnTheSpotChars || spot.spentMs >= limits.judgedOnTheSpotMs
    const key = keyOf(name, text)
    const known = verdicts.get(key)
    if (!isLarge && known !== undefined && !(known instanceof Refusal)) return known as Verdict<Name>
    const answered = isLarge ? undefined : await onTheSpot(() => answerUnlessCostly(name, given))
    if (answered === undefined) return judgedBefore(name, given, text)
    verdicts.set(key, answered.verdict)
    return answered.verdict
  },
  start() {},
  close() {},
}

/** Checking patterns needs the engines, so they, too, are loaded by the first question. */
async function answerUnlessCostly<Name extends QuestionName>(name: Name, given: Given<Name>) {
  const { hasCostlyPatterns } = await import('./pattern-costs.service.ts')
  return hasCostlyPatterns(given) ? undefined : { verdict: await judgeHere.ask(name, given) }
}

/** Time spent on the spot in this turn of the event loop: the embedded database holds the thread for a whole transaction. */
const spot = { spentMs: 0, isEnding: false }

async function onTheSpot<T>(ask: () => Promise<T>): Promise<T> {
  if (!spot.isEnding) {
    spot.isEnding = true
    setImmediate(() => Object.assign(spot, { spentMs: 0, isEnding: false }))
  }
  const startedMs = sliceClock.nowMs()
  try {
    return await ask()
  } finally {
    spot.spentMs += sliceClock.nowMs() - startedMs
  }
}

/**
 * The remembered verdict on a question that is too costly for this thread, however short it is.
 * @throws Unjudged if it is not in memory; Fault validation_failed if the judge refused it
 */
export function judgedBefore<Name extends QuestionName>(
  name: Name,
  given: Given<Name>,
  text = JSON.stringify(given),
): Verdict<Name> {
  const key = keyOf(name, text)
  const verdict = verdicts.get(key)
  if (verdict === undefined) throw new Unjudged(new Map([[key, { name, given }]]))
  if (verdict instanceof Refusal) throw verdict.fault
  return verdict as Verdict<Name>
}

/**
 * The judge's refusal of a question as too costly. The transaction that asked gets it, and may refuse just one of several things.
 */
class Refusal {
  constructor(readonly fault: Fault) {}
}

/**
 * Gets the judge's verdict beforehand, for a transaction that follows. The transaction must ask with the same members in the same
 * order, or the verdict isn't found.
 */
export async function askAhead<Name extends QuestionName>(judge: Judge, name: Name, given: Given<Name>) {
  const key = keyOf(name, JSON.stringify(given))
  const known = verdicts.get(key)
  const isKnown = known !== undefined && !(known instanceof Refusal)
  const verdict = isKnown ? (known as Verdict<Name>) : await judge.ask(name, given)
  verdicts.set(key, verdict)
  return verdict
}

function keyOf(name: QuestionName, text: string): string {
  return `${name} ${sha256Hex(text)}`
}

/**
 * Runs work that asks `judgeKnown`. If it throws `Unjudged`, it has changed nothing; the judge then answers, and the work runs
 * again. Its next questions may depend on these answers, so this takes a few rounds at most.
 */
export async function withVerdicts<T>(judge: Judge, run: () => Promise<T>): Promise<T> {
  const refused: string[] = []
  try {
    for (let round = 1; ; round++) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof Unjudged) || round > limits.judgingRounds) throw error
        for (const [key, { name, given }] of error.questions) {
          const verdict = await judge.ask(name, given).catch(refusalOf)
          if (verdict instanceof Refusal) refused.push(key)
          verdicts.set(key, verdict)
        }
      }
    }
  } finally {
    // Forget refusals: the machine may have been busy, so the next request asks the judge again.
    for (const key of refused) verdicts.delete(key)
  }
}

/** @throws any error that isn't a refusal of the content */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Fault && error.code === 'validation_failed') return new Refusal(error)
  throw error
}

/**
 * Collects the open questions of several checks, so that one round asks them all, up to the bytes that may be in memory at a
 * time.
 */
export class Unanswered {
  readonly #questions = new Map<string, Question>()
  #bytes = 0

  constructor(private readonly maxBytes: number = limits.judgedTogetherBytes) {}

  /** @returns undefined if the check has open questions. @throws Unjudged if there are enough for one round */
  async of<T>(check: () => Promise<T>): Promise<T | undefined> {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error
      for (const [key, question] of error.questions) {
        if (!this.#questions.has(key)) this.#bytes += bytesIn(question.given)
        this.#questions.set(key, question)
      }
      if (this.#bytes > this.maxBytes) this.settle()
      return undefined
    }
  }

  /** @throws Unjudged if a check had open questions */
  settle(): void {
    if (this.#questions.size > 0) throw new Unjudged(this.#questions)
  }
}

/** Bytes of the files in a question: a template's own, and those that it includes. */
function bytesIn(given: unknown): number {
  if (given instanceof Uint8Array) return given.length
  const parts = given instanceof Map ? given.values() : typeof given === 'object' ? Object.values(given ?? {}) : []
  return [...parts].reduce<number>(
    (sum, part) => sum + (part instanceof Map || part instanceof Uint8Array ? bytesIn(part) : 0),
    0,
  )
}
