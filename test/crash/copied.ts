import type { ApiClient } from '../support/client.ts'
import { until } from '../support/until.ts'

/** Waits until the service says that its replica has all that was acknowledged up to now. */
export async function untilCopied(client: ApiClient): Promise<void> {
  const sinceMs = performance.now()
  await until('the replica has all', async () => ((await copiedUpTo(client)) ?? 0) > sinceMs)
}

/** The moment of this process's clock up to which everything is in the replica, as the service says; undefined at first. */
export async function copiedUpTo(client: ApiClient): Promise<number | undefined> {
  // The lag is counted back from a later moment than this one.
  const askedMs = performance.now()
  const lag: number | null = (await client.get('/api/v1/admin/operations')).body.replica.lag_seconds
  return lag === null ? undefined : askedMs - lag * 1_000
}
