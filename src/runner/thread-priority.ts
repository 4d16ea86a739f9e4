import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Fixed by Linux: the lowest priority. */
const NICEST = 19

/**
 * Lowers the calling thread's priority within its process: requests and commits go first, and documents take the rest. Only Linux
 * has priorities of threads: setpriority(2) acts on the thread whose id it is given, and lowering needs no privilege. Elsewhere,
 * and in a sandbox that forbids it, nothing happens.
 * @param by how much to raise the nice value; 10 leaves the thread a tenth of a core that both want
 */
export function yieldToOtherThreads(by: number): void {
  if (process.platform !== 'linux') return
  try {
    // `<process>/task/<thread>`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (thread === process.pid) return
    setPriority(thread, Math.min(NICEST, getPriority(thread) + by))
  } catch {
    // Without /proc, or with filtered system calls, documents compete with requests, as on other systems.
  }
}
