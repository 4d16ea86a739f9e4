import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { LruCache } from '../../runner/lru.ts'
import type { Judge } from './judge.service.ts'
import { judgeHere } from './judge-here.service.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'

interface Question {
  name: QuestionName
  given: Given<QuestionName>
}

/** What a transaction has to know before it can go on: it is rolled back, the judge is asked, and it is run again. */
export class Unjudged extends Error {
  constructor(readonly questions: ReadonlyMap<string, Question>) {
    super('a transaction needs verdicts that nobody has given yet; run it inside of withVerdicts')
  }
}

const verdicts = new LruCache<unknown>(limits.judgedQuestions)

/**
 * Judges inside a transaction, which must neither wait for the judge nor hold the thread: from memory, else small questions
 * on the spot.
 * @throws Unjudged for a larger one that is not in memory
 */
export const judgeKnown: Judge = {
  async ask<Name extends QuestionName>(name: Name, given: Given<Name>) {
    const text = JSON.stringify(given)
    const key = keyOf(name, text)
    const verdict = verdicts.get(key)
    if (verdict !== undefined) return verdict as Verdict<Name>
    if (text.length <= limits.judgedOnTheSpotChars) return judgeHere.ask(name, given)
    throw new Unjudged(new Map([[key, { name, given }]]))
  },
  start() {},
  close() {},
}

/**
 * The judge's verdict, which a transaction that follows knows. That asks with the same members in the same order, or else
 * as if nobody had asked before.
 */
export async function askAhead<Name extends QuestionName>(judge: Judge, name: Name, given: Given<Name>) {
  const key = keyOf(name, JSON.stringify(given))
  const verdict = (verdicts.get(key) as Verdict<Name> | undefined) ?? (await judge.ask(name, given))
  verdicts.set(key, verdict)
  return verdict
}

function keyOf(name: QuestionName, text: string): string {
  return `${name} ${sha256Hex(text)}`
}

/**
 * Runs what asks `judgeKnown`. It has changed nothing when it throws `Unjudged`; the judge then gives the verdicts, and it
 * is run again. What it asks next may depend on them, so that takes a few rounds at most.
 */
export async function withVerdicts<T>(judge: Judge, run: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof Unjudged) || round > limits.judgingRounds) throw error
      for (const [key, { name, given }] of error.questions) verdicts.set(key, await judge.ask(name, given))
    }
  }
}

/** Collects what several checks have to know, so that one round asks it all. */
export class Unanswered {
  readonly #questions = new Map<string, Question>()

  /** @returns undefined if the check has to know more first */
  async of<T>(check: () => Promise<T>): Promise<T | undefined> {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof Unjudged)) throw error
      for (const [key, question] of error.questions) this.#questions.set(key, question)
      return undefined
    }
  }

  /** @throws Unjudged if a check had to know more */
  settle(): void {
    if (this.#questions.size > 0) throw new Unjudged(this.#questions)
  }
}
