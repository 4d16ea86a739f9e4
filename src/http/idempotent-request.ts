import { canonicalHash } from '../core/canonical.ts'
import type { JsonValue } from '../core/json.ts'

/** One request under an Idempotency-Key: keys are scoped to the actor, and belong to exactly one content. */
export interface IdempotentRequest {
  actorId: string
  key: string
  /** SHA-256 over method, path, If-Match and canonical body. */
  requestHash: string
}

export function requestHashOf(content: {
  method: string
  path: string
  ifMatch: string | null
  body: JsonValue
}): string {
  return canonicalHash({ method: content.method, path: content.path, if_match: content.ifMatch, body: content.body })
}
