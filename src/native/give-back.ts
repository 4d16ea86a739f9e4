/** Tuned: how often to check whether the process is idle, and the processor time up to which it counts as idle. */
const look = { everyMs: 1_000, idleMs: 50 }

/**
 * Frees memory that only the start needed: its garbage, and code that ran once and can be read again. This stops everything for
 * some 20 ms, so it waits for a nearly idle second. Once is enough, because the runtime collects by itself afterwards; under load
 * it may never happen.
 */
export function giveBackWhenIdle(): void {
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    if (user + system > look.idleMs * 1_000) return
    clearInterval(timer)
    // Bun.gc alone keeps the code, which is most of the memory.
    Bun.shrink()
  }, look.everyMs)
  timer.unref()
}
