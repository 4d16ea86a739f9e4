import { limits } from '../core/limits.ts'

interface CollectorPorts {
  residentBytes: () => number
  nowMs: () => number
  after: (ms: number, work: () => void) => void
  collect: () => void
}

const own: CollectorPorts = {
  residentBytes: () => process.memoryUsage.rss(),
  nowMs: () => performance.now(),
  after: (ms, work) => void setTimeout(work, ms).unref(),
  collect: () => Bun.gc(true),
}

/**
 * For the end of each job of a process: the runtime collects by the memory of the machine, so that what costly content
 * left behind would stay for long. Collects once the process is larger by `limits.workerGrownBytes` than the least it has held
 * since the last collection; make one before the first job. It looks once in `limits.workerGrownLookMs`, and after the last job too.
 */
export function createCollector({ residentBytes, nowMs, after, collect }: CollectorPorts = own): () => void {
  let leastBytes = residentBytes()
  let lookedMs = Number.NEGATIVE_INFINITY
  let isWaiting = false

  function look(): void {
    isWaiting = false
    lookedMs = nowMs()
    const held = residentBytes()
    leastBytes = Math.min(leastBytes, held)
    if (held - leastBytes < limits.workerGrownBytes) return
    collect()
    leastBytes = residentBytes()
  }

  return () => {
    const leftMs = limits.workerGrownLookMs - (nowMs() - lookedMs)
    if (leftMs <= 0) look()
    else if (!isWaiting) {
      isWaiting = true
      after(leftMs, look)
    }
  }
}
