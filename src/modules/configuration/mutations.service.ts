import { canonicalHash } from '../../core/canonical.ts'
import type { Instant } from '../../core/instant.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { type Mutated, mutate } from '../../http/idempotency.ts'
import type { IdempotentRequest } from '../../http/idempotent-request.ts'
import type { MutationOutcome, MutationResult } from './configuration.model.ts'

/** `mutate` for effects whose answer is a mutation result. A replay says that it is one, and is otherwise unchanged. */
export async function mutateConfiguration(
  database: Database,
  at: Instant,
  request: IdempotentRequest,
  effect: (tx: Transaction) => Promise<Mutated<MutationResult>>,
): Promise<Mutated<MutationResult>> {
  const { answer, replayed } = await mutate(database, at, request, effect)
  return replayed ? { ...answer, body: { ...answer.body, idempotent_replay: true } } : answer
}

/** The interface's "Configuration mutation result" of a first request. */
export function mutationResult(
  resource: { kind: MutationResult['resource_kind']; id: string },
  result: MutationOutcome,
  correlationId: string,
): MutationResult {
  return {
    resource_kind: resource.kind,
    resource_id: resource.id,
    result,
    response_hash: canonicalHash(result),
    idempotent_replay: false,
    correlation_id: correlationId,
  }
}
