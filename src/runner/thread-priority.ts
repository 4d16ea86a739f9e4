import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Fixed by Linux: the lowest priority. */
const NICEST = 19

/**
 * Puts the calling thread behind the other threads of its process wherever they want the same core: requests and
 * commits go first, and documents take what is left. Only Linux has a priority for each thread: setpriority(2) acts on
 * the thread whose id it is given, and lowering one needs no privilege. Elsewhere, and where a sandbox forbids it,
 * nothing happens.
 * @param by how much nicer than it is; 10 leaves it a tenth of a core that both want
 */
export function yieldToOtherThreads(by: number): void {
  if (process.platform !== 'linux') return
  try {
    // `<process>/task/<thread>`
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (thread === process.pid) return
    setPriority(thread, Math.min(NICEST, getPriority(thread) + by))
  } catch {
    // Without /proc, or if system calls are filtered, documents compete with requests, as on other systems.
  }
}
