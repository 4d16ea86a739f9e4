import { sourceRoles } from '../core/steps.ts'
import { embeddedFonts } from '../engines/pdf/font/embedded.ts'
import type { FontLibrary } from '../engines/pdf/font/library.ts'
import { type FontFiles, libraryOf } from '../font-files.ts'
import { createCollector } from './collector.ts'
import type { EnginePort } from './engine-worker.ts'
import { type Source, type StepJob, sourceKey } from './job.ts'
import { createPerformer } from './perform.ts'
import type { WorkerAnswer, WorkerFonts, WorkerRequest } from './pool.ts'

/** A worker's side of pool.ts: answers one request at a time, and keeps the sources that it was given. */
export function serveEngines(port: EnginePort): void {
  const held = new Map<string, Source>()
  let fonts: () => FontLibrary = embeddedFonts
  let fontsHash: string | undefined
  const collectGrown = createCollector()
  const performer = createPerformer({ fonts: () => fonts(), fontsHash: () => fontsHash })

  function useFonts({ entries, hash }: FontFiles): void {
    let library: FontLibrary | undefined
    fonts = () => {
      library ??= libraryOf(entries)
      return library
    }
    fontsHash = hash
  }

  port.onmessage = (event: MessageEvent<WorkerRequest | WorkerFonts>) => {
    if ('fonts' in event.data) {
      useFonts(event.data.fonts)
      return
    }
    const { job, sources, forget } = event.data
    for (const key of forget) {
      held.delete(key)
      performer.forget(key)
    }
    for (const { role, source } of sources) held.set(sourceKey(role, source), source)
    const given: StepJob['sources'] = {}
    for (const role of sourceRoles) {
      const key = job.sources[role]
      const source = key === undefined ? undefined : held.get(key)
      if (source !== undefined) given[role] = source
    }
    let answer: WorkerAnswer
    try {
      answer = { results: performer.perform({ ...job, sources: given }) }
    } catch (error) {
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
      answer = { fault, isOutgrown: isOutOfMemory(error) }
    }
    port.postMessage(answer, 'results' in answer ? movable(answer) : [])
    collectGrown()
  }
}

/** Whether the system refused a large buffer; other failed allocations end the process. */
function isOutOfMemory(error: unknown): boolean {
  return error instanceof RangeError && /out of memory/i.test(error.message)
}

/** Buffers of made files are transferred without a copy, unless a file is only a part of its buffer. */
function movable(answer: Extract<WorkerAnswer, { results: unknown }>): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = []
  for (const result of answer.results) {
    if (!result.ok || result.file === undefined) continue
    if (result.file.bytes.byteLength < result.file.bytes.buffer.byteLength)
      result.file.bytes = result.file.bytes.slice()
    buffers.push(result.file.bytes.buffer as ArrayBuffer)
  }
  return buffers
}
