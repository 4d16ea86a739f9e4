import { limits } from '../core/limits.ts'

interface CollectorPorts {
  residentBytes: () => number
  nowMs: () => number
  collect: () => void
}

const own: CollectorPorts = {
  residentBytes: () => process.memoryUsage.rss(),
  nowMs: () => performance.now(),
  collect: () => Bun.gc(true),
}

/**
 * For the end of each job of a process: the runtime collects by the memory of the machine, so that what costly content
 * left behind would stay for long. Collects once the process has grown by `limits.workerGrownBytes` since the last
 * time, which small documents seldom make it do.
 */
export function createCollector({ residentBytes, nowMs, collect }: CollectorPorts = own): () => void {
  let keptBytes: number | undefined
  let lookedMs = Number.NEGATIVE_INFINITY
  return () => {
    const now = nowMs()
    if (now - lookedMs < limits.workerGrownLookMs) return
    lookedMs = now
    keptBytes ??= residentBytes()
    if (residentBytes() - keptBytes < limits.workerGrownBytes) return
    collect()
    keptBytes = residentBytes()
  }
}
