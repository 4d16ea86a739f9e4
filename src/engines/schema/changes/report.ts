/** What a comparison reports, and what a stricter or looser rule means in its place. */

export type ChangeEffect = 'breaking' | 'compatible' | 'unknown'

export interface SchemaChange {
  /** JSON Pointer of the changed rule: in the newer schema, or in the older one for a rule that is gone. */
  pointer: string
  side: 'old' | 'new'
  keyword: string
  /** Whether documents that were valid can fail now, stay valid, or may do either. */
  effect: ChangeEffect
  /** One sentence: what changed, and what follows. */
  message: string
}

/** The meaning of a stricter or looser schema at this place. */
export interface Context {
  stricter: ChangeEffect
  looser: ChangeEffect
  /**
   * Whether an `unevaluated…` keyword depends on what this schema evaluates; then even a looser schema can break
   * documents.
   */
  isCounted: boolean
}

const consequences: Readonly<Record<ChangeEffect, string>> = {
  breaking: 'documents that were valid can fail',
  compatible: 'documents that were valid stay valid',
  unknown: 'whether documents stay valid depends on what they hold',
}

export function weakened(effect: ChangeEffect): ChangeEffect {
  return effect === 'breaking' ? 'unknown' : effect
}

/** One alternative among several: the others may still accept what this one refuses. */
export function amongOthers(context: Context): Context {
  return { ...context, stricter: weakened(context.stricter) }
}

export const untold: Context = { stricter: 'unknown', looser: 'unknown', isCounted: false }

/** A rule can let new values in and keep others out at once, which is both stricter and looser. */
export function effectOf({ keepsOut, letsIn }: { keepsOut: boolean; letsIn: boolean }, context: Context): ChangeEffect {
  if (keepsOut && letsIn) return worse(context.stricter, context.looser)
  return keepsOut ? context.stricter : context.looser
}

function worse(left: ChangeEffect, right: ChangeEffect): ChangeEffect {
  if (left === 'breaking' || right === 'breaking') return 'breaking'
  return left === 'unknown' || right === 'unknown' ? 'unknown' : 'compatible'
}

/** Collects changes. A shared definition is met in several places, and the worst of them counts. */
export class Changes {
  readonly found = new Map<string, SchemaChange>()

  /** @param what the first half of the sentence; the consequence is added */
  tell(side: 'old' | 'new', pointer: string, keyword: string, effect: ChangeEffect, what: string): void {
    const key = `${side}\n${pointer}\n${keyword}\n${what}`
    const before = this.found.get(key)
    const worst = before === undefined ? effect : worse(before.effect, effect)
    this.found.set(key, { pointer, side, keyword, effect: worst, message: `${what}; ${consequences[worst]}.` })
  }
}
