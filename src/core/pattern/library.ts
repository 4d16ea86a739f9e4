import type * as re2Package from 're2js'
import { limits } from '../limits.ts'

/** The package that runs patterns. Loaded by the first pattern: an idle server has none, and it takes a megabyte. */
export function linearPatterns(): typeof re2Package.RE2JS {
  return (require('re2js') as typeof re2Package).RE2JS
}

/**
 * Contracts of one project share most patterns. A compiled one never changes but may hold megabytes of states, so this cache
 * keeps it only as long as someone uses it.
 */
const shared = new Map<string, WeakRef<re2Package.RE2JS>>()

/** Compiles what RE2 reads, unless somebody has it compiled. */
export function linearPattern(text: string): re2Package.RE2JS {
  const known = shared.get(text)?.deref()
  if (known !== undefined) return known
  const compiled = linearPatterns().compile(text)
  if (text.length > limits.patternSharedChars) return compiled
  shared.delete(text)
  shared.set(text, new WeakRef(compiled))
  for (const oldest of shared.keys()) {
    if (shared.size <= limits.patternsShared) break
    shared.delete(oldest)
  }
  return compiled
}
