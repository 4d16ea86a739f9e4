/** The result of the work, or a rejection with the signal's reason once it aborts; the work itself goes on. */
export async function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = Promise.withResolvers<never>()
  const end = () => over.reject(signal.reason)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await Promise.race([work, over.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
