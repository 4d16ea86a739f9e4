import { Fault } from '../core/faults.ts'
import { limits } from '../core/limits.ts'

/**
 * Conditional requests on revisions (RFC 9110, section 13.1). The interface's tag is a positive decimal integer without
 * leading zero, in quotes; a list of tags matches when any does, and a weak tag never matches in strong comparison.
 */
export type IfMatch = readonly { revision: number; weak: boolean }[]

const TAG = /^(W\/)?"([1-9]\d{0,14})"$/

/** Undefined for a value of any other shape, `*` included: overwriting whatever is there is what If-Match prevents. */
export function parseIfMatch(header: string): IfMatch | undefined {
  const tags: { revision: number; weak: boolean }[] = []
  for (const part of header.split(',')) {
    const match = TAG.exec(part.trim())
    if (match === null || tags.length === limits.conditionTags) return undefined
    tags.push({ revision: Number(match[2]), weak: match[1] !== undefined })
  }
  return tags
}

export function formatEtag(revision: number): string {
  return `"${revision}"`
}

/**
 * Call after the resource was found.
 * @throws Fault precondition_required without If-Match, precondition_failed when no tag is the current revision
 */
export function requireRevision(ifMatch: IfMatch | undefined, current: number): void {
  if (ifMatch === undefined) {
    throw new Fault(
      'precondition_required',
      `If-Match is missing. Read the draft and send its ETag, such as If-Match: "${Math.max(current, 1)}".`,
    )
  }
  if (!ifMatch.some((tag) => !tag.weak && tag.revision === current)) {
    throw new Fault(
      'precondition_failed',
      `If-Match does not name the current revision, ${current}. Read the draft again and repeat with its ETag.`,
    )
  }
}
