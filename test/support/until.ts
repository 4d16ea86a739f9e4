/**
 * Polls until the condition gives something true, and gives that; fails with its name when it doesn't in time. A busy
 * machine is slow, and what never comes fails the same: shorter only than a test's own time.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 40_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    await Bun.sleep(5)
  }
}
