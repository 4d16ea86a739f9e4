/** Operations asked without a server or a store: what their handlers hand to services, and what they make of the answers. */
import { expect } from 'bun:test'
import type { Operation } from '../../src/http/operation.ts'

/** A service that notes each call, and gives what `answers` has for it. */
export function notingService(answers: Readonly<Record<string, unknown>> = {}) {
  const calls: unknown[][] = []
  const service = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...args: unknown[]) => {
          calls.push([name, ...args])
          return answers[String(name)]
        },
    },
  )
  return { calls, service: service as never }
}

const principal = { userId: 'u', username: 'ada', sessionId: 's' }
const token = { id: 't', families: ['f'] }

/** Asks one operation in a session, or with a token. */
export async function handled(
  operations: readonly Operation[],
  id: string,
  { isToken = false, ...request }: { isToken?: boolean; [field: string]: unknown } = {},
) {
  const operation = operations.find((one) => one.id === id) ?? expect.unreachable(id)
  const who = { principal: isToken ? { ...principal, token } : principal, correlationId: 'c' }
  return await operation.handle({ ...who, query: {}, ...request } as never)
}

/** Who asks in a session, as services are told. */
export const sessionAuthor = { userId: 'u', correlationId: 'c' }
/** The same with a token. */
export const tokenAuthor = { ...sessionAuthor, tokenId: 't', families: ['f'] }
