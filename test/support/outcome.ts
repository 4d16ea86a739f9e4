/*
 * The `.rejects` of `expect` holds up the event loop until the promise is settled, and notices late when it was a
 * `setImmediate` that settled it: by 100 ms to a second while a listener or a child process is open (Bun 1.4.5). These
 * wait as everything else does; test/architecture.test.ts asks for them.
 */

/** What a promise came to, as a function for `toThrow`: it gives the value, or throws what the promise was rejected with. */
export function outcomeOf<T>(promise: Promise<T>): Promise<() => T> {
  return promise.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )
}

/**
 * What a promise was rejected with.
 * @throws when it wasn't
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await outcomeOf(promise)
  try {
    outcome()
  } catch (error) {
    return error
  }
  throw new Error('it was not rejected')
}
