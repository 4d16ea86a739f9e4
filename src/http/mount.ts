import type { Elysia } from 'elysia'
import type { Operation } from './operation.ts'
import { elysiaPath } from './path.ts'
import type { Pipeline } from './pipeline.ts'

/** What the server knows of a request, and a test makes up. */
export interface Connection {
  /** The address that it came from. */
  address: string
  /** Whether the client has all of the answer, or has gone. */
  isTaken: (() => boolean) | undefined
}
export type ConnectionOf = (request: Request) => Connection

/**
 * Adds the routes of operations. Elysia only routes; the pipeline does everything after that, because Elysia parses and
 * validates in another order than the interface: it reads bodies before guards, drops unknown fields and decodes as it
 * likes. `parse: 'none'` leaves the body unread. One plugin per module would make and keep every route twice.
 */
export function mount(
  routes: Elysia,
  operations: readonly Operation[],
  pipeline: Pipeline,
  connectionOf: ConnectionOf,
): void {
  for (const operation of operations) {
    pipeline.add(operation)
    // The pipeline matches the path again, exactly: Elysia's router takes `versions:resolve` for `versions<anything>`,
    // ignores a trailing slash, and answers HEAD with GET's handler.
    routes.route(
      operation.method,
      elysiaPath(operation.path),
      ({ request }) => {
        const { address, isTaken } = connectionOf(request)
        return pipeline.dispatch(request, address, isTaken)
      },
      {
        parse: 'none',
      },
    )
  }
}
