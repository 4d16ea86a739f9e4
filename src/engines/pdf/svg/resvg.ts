import { initSync, Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm'
import wasmFile from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }
import { limits } from '../../../core/limits.ts'
import { readEmbedded } from '../embedded-file.ts'

/** A drawing as resvg has read it. */
export type Drawing = InstanceType<typeof Resvg>

let compiled: WebAssembly.Module | undefined
let memory: WebAssembly.Memory | undefined

/**
 * Reads a drawing with resvg, hands it to `work`, and frees it.
 *
 * @throws whatever resvg says of a drawing that it can't read
 */
export function withDrawing<T>(svg: string, options: ResvgRenderOptions, work: (drawing: Drawing) => T): T {
  if (memory === undefined || memory.buffer.byteLength > limits.svgHeldBytes) {
    compiled ??= new WebAssembly.Module(readEmbedded(wasmFile))
    memory = initSync(compiled).memory
  }
  try {
    const drawing = new Resvg(svg, options)
    try {
      return work(drawing)
    } finally {
      drawing.free()
    }
  } catch (error) {
    // What resvg refuses it says; anything else has stopped it in the middle of its work, and its memory can't be trusted.
    if (!isRefusal(error)) memory = undefined
    throw error
  }
}

function isRefusal(error: unknown): boolean {
  return !(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
}
