import { canonicalInParts } from '../core/canonical.ts'
import type { JsonValue } from '../core/json.ts'
import { inTurns } from '../core/turns.ts'

/** One request under an Idempotency-Key: keys are scoped to the actor, and belong to exactly one content. */
export interface IdempotentRequest {
  actorId: string
  key: string
  /** SHA-256 over method, path, If-Match and canonical body. */
  requestHash: string
}

export async function requestHashOf(content: {
  method: string
  path: string
  ifMatch: string | null
  body: JsonValue
}): Promise<string> {
  const { method, path, ifMatch, body } = content
  return (await inTurns(canonicalInParts({ method, path, if_match: ifMatch, body }))).hash
}
