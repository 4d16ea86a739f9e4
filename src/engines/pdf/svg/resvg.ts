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
  // Whatever stops resvg in the middle of its work leaves a memory that can't be trusted, and a drawing that can't be freed.
  let isWhole = false
  try {
    const drawing = read(svg, options)
    if (drawing instanceof Error) {
      isWhole = true
      throw drawing
    }
    const made = work(drawing)
    drawing.free()
    isWhole = true
    return made
  } finally {
    if (!isWhole) memory = undefined
  }
}

/** What resvg refuses it says. @throws what stops it in the middle */
function read(svg: string, options: ResvgRenderOptions): Drawing | Error {
  try {
    return new Resvg(svg, options)
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error
    return error instanceof Error ? error : new Error(String(error))
  }
}
