/** Tuned: how often it is looked whether the process is idle, and how much processor time it may have taken meanwhile to be so. */
const look = { everyMs: 1_000, idleMs: 50 }

/**
 * Gives memory back that only the start needed: what it left on the heap, and the code that ran once and can be read again. It
 * stops everything for some 20 ms, and so waits for a second with next to nothing to do. Once is enough, because the runtime
 * collects by itself afterwards; under load it may never come to it.
 */
export function giveBackWhenIdle(): void {
  let before = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    if (user + system > look.idleMs * 1_000) return
    clearInterval(timer)
    // Bun.gc alone keeps the code, which is most of it.
    Bun.shrink()
  }, look.everyMs)
  timer.unref()
}
