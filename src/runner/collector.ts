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
 * For the end of each job of a process. By itself, the runtime collects according to the machine's memory, so costly content's
 * garbage would stay for long. Collects once the process has grown by `limits.workerGrownBytes` over its least size since the
 * last collection; create it before the first job. It checks once per `limits.workerGrownLookMs`, and after the last job.
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
