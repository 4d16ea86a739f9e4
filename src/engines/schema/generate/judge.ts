/** Judges generated values within the case's budget of steps. */
import type { JsonValue } from '../../../core/json.ts'
import { Evaluation, EvaluationExhausted } from '../evaluate.ts'
import type { SchemaModel, SchemaNode } from '../model.ts'
import type { Conjunct } from './demand.ts'

/** The budget of one case is used up. */
export class CaseExhausted extends Error {}

export class Judge {
  private steps: number
  private readonly evaluation: Evaluation
  /** Places where no value was found, with the keyword in the way; for the finding if all attempts fail. */
  readonly obstacles = new Map<string, number>()

  constructor(model: SchemaModel, maxSteps: number) {
    this.steps = maxSteps
    this.evaluation = new Evaluation(model, maxSteps)
  }

  /** @throws CaseExhausted */
  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new CaseExhausted()
  }

  remember(keyword: string): void {
    this.obstacles.set(keyword, (this.obstacles.get(keyword) ?? 0) + 1)
  }

  /** Whether a value meets all conjuncts. @throws CaseExhausted */
  satisfies(conjuncts: readonly Conjunct[], value: JsonValue): boolean {
    return conjuncts.every(({ node, positive, scope }) => this.holds(node, value, scope) === positive)
  }

  /** Undefined if schemas apply too deep to tell. @throws CaseExhausted */
  holds(node: SchemaNode, value: JsonValue, scope: Conjunct['scope']): boolean | undefined {
    try {
      return this.evaluation.holds(node, value, scope)
    } catch (error) {
      if (!(error instanceof EvaluationExhausted)) throw error
      if (error.reason === 'steps') throw new CaseExhausted()
      return undefined
    }
  }
}
