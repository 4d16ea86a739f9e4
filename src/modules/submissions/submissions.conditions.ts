import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { sliceClock } from '../../core/turns.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { judgedBefore } from '../drafts/judge-known.service.ts'

/** A condition's value; undefined if there is no condition, or it fails. */
export type Decision = boolean | undefined

/**
 * The conditions of a model's nodes on one input. They are decided on this thread, in the submission's transaction, while that is
 * quick. If it isn't, the judge decides all of them in one question: a loop over half a megabyte of text would hold up every
 * other request for half a minute.
 */
export class Conditions {
  #leftMs: number = limits.conditionsMs

  constructor(
    private readonly nodes: readonly ModelNode[],
    private readonly input: JsonValue | undefined,
  ) {}

  /**
   * @throws Unjudged if it takes long and the judge hasn't been asked yet; Fault validation_failed if it takes the judge too long
   */
  async decide(when: JsonValue | undefined): Promise<Decision> {
    if (when === undefined || this.input === undefined) return undefined
    if (this.#leftMs > 0 && !isSlow(this.nodes) && (await isCheap(when))) {
      const decided = await this.#decideHere(when, this.input)
      if (decided !== 'given up') return decided
    }
    const conditions = [...conditionsOf(this.nodes)]
    const decisions = judgedBefore('decided', { conditions, input: this.input })
    return decisions[conditions.indexOf(when)] ?? undefined
  }

  async #decideHere(when: JsonValue, input: JsonValue): Promise<Decision | 'given up'> {
    const { decide } = await import('../drafts/conditions.service.ts')
    const { EvaluationGivenUp } = await import('../../engines/declarative/declarative.ts')
    const startedMs = sliceClock.nowMs()
    const endsMs = startedMs + this.#leftMs
    try {
      return decide(when, input, { isOver: () => sliceClock.nowMs() > endsMs })
    } catch (error) {
      if (!(error instanceof EvaluationGivenUp)) throw error
      slowUntilMs.set(this.nodes, sliceClock.nowMs() + limits.conditionsSlowMs)
      return 'given up'
    } finally {
      this.#leftMs -= sliceClock.nowMs() - startedMs
    }
  }
}

/**
 * Models whose conditions took long lately go to the judge directly: else each of a batch's eight rows would hold the thread
 * again.
 */
const slowUntilMs = new WeakMap<readonly ModelNode[], number>()

function isSlow(nodes: readonly ModelNode[]): boolean {
  return sliceClock.nowMs() < (slowUntilMs.get(nodes) ?? 0)
}

const cheapWhens = new WeakMap<object, boolean>()

/** Whether compiling the condition is quick: its text is short, and so are its patterns when expanded. */
async function isCheap(when: JsonValue): Promise<boolean> {
  if (typeof when !== 'object' || when === null) return true
  const known = cheapWhens.get(when)
  if (known !== undefined) return known
  const source = JSON.stringify(when)
  const isCheap = source.length <= limits.conditionChars && !(await hasCostly(source))
  cheapWhens.set(when, isCheap)
  return isCheap
}

/** Few conditions have patterns, and weighing those loads all engines. */
async function hasCostly(source: string): Promise<boolean> {
  if (!source.includes('"pattern"')) return false
  const { hasCostlyPatterns } = await import('../drafts/pattern-costs.service.ts')
  return hasCostlyPatterns({ source, format: 'json' })
}

function* conditionsOf(nodes: readonly ModelNode[]): Generator<JsonValue> {
  for (const { when, children } of nodes) {
    if (when !== undefined) yield when
    yield* conditionsOf(children)
  }
}
