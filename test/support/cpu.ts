/**
 * Milliseconds that a synchronous run took: of the clock or of the processor, whichever is less, so that other work on
 * the machine does not count.
 */
export function cpuMsOf(run: () => void): number {
  const tookMs = stopwatch()
  run()
  return tookMs()
}

/** The same of a run that waits now and then. */
export async function cpuMsWhile(run: () => Promise<unknown>): Promise<number> {
  const tookMs = stopwatch()
  await run()
  return tookMs()
}

function stopwatch(): () => number {
  const started = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return Math.min(performance.now() - started, (user + system) / 1_000)
  }
}

/** The least time of three such runs: in one of them, the garbage that other tests left may be collected. */
export function leastCpuMsOf(run: () => void): number {
  return Math.min(cpuMsOf(run), cpuMsOf(run), cpuMsOf(run))
}
