import type { Expression } from '../scan/expression.ts'
import type { Composition } from './composition.ts'
import type { PartRelationships } from './relationships.ts'
import { describeExpression, type Scope } from './values.ts'

/** What a step of a program sees of the composition it runs in. */
export interface StepContext {
  readonly composition: Composition
  readonly scope: Scope
  /** What the part gains that is being written. */
  readonly relationships: PartRelationships
}

export function reportMissing(
  op: { value: Expression; place: string },
  { composition, scope }: StepContext,
): undefined {
  const message = `${describeExpression(op.value, scope)} is missing.`
  const hint = 'Give the value, write | default "…" in the tag, or put #if around it.'
  composition.report('docx.missing_value', op.place, message, hint)
}
