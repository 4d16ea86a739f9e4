import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { sliceClock } from '../../core/turns.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { judgedBefore } from '../drafts/judge-known.service.ts'

/** What a condition says: undefined if there is none, or it fails. */
export type Decision = boolean | undefined

/**
 * The conditions of a model's nodes on one input. They are decided on the thread, in the transaction of the submission, as long
 * as that takes moments. What takes longer is a question to the judge, about all conditions at once: a loop over a text of
 * half a megabyte would hold every other request for half a minute.
 */
export class Conditions {
  #leftMs: number = limits.conditionsMs

  constructor(
    private readonly nodes: readonly ModelNode[],
    private readonly input: JsonValue | undefined,
  ) {}

  /** @throws Unjudged if it takes long and nobody has asked the judge yet; Fault validation_failed if it takes the judge too long */
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

/** Models whose conditions took long lately: of eight rows of a batch each would hold the thread again. */
const slowUntilMs = new WeakMap<readonly ModelNode[], number>()

function isSlow(nodes: readonly ModelNode[]): boolean {
  return sliceClock.nowMs() < (slowUntilMs.get(nodes) ?? 0)
}

const cheapWhens = new WeakMap<object, boolean>()

/** Whether compiling it takes a moment: neither it nor what its patterns are written out to is long. */
async function isCheap(when: JsonValue): Promise<boolean> {
  if (typeof when !== 'object' || when === null) return true
  const known = cheapWhens.get(when)
  if (known !== undefined) return known
  const source = JSON.stringify(when)
  const isCheap = source.length <= limits.conditionChars && !(await hasCostly(source))
  cheapWhens.set(when, isCheap)
  return isCheap
}

/** Nearly no condition has a pattern, and what weighs them comes with all engines. */
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
