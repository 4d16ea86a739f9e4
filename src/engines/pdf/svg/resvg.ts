import { initSync, Resvg, type ResvgRenderOptions } from '@resvg/resvg-wasm'
import wasmFile from '@resvg/resvg-wasm/index_bg.wasm' with { type: 'file' }
import { readEmbedded } from '../../../core/embedded-file.ts'
import { limits } from '../../../core/limits.ts'

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
  if (memory === undefined) startAfresh()
  try {
    const drawing = read(svg, options)
    return worked(drawing, work)
  } finally {
    if (memory === undefined || memory.buffer.byteLength > limits.svgHeldBytes) letGo()
  }
}

function startAfresh(): void {
  compiled ??= new WebAssembly.Module(readEmbedded(wasmFile))
  memory = initSync(compiled).memory
}

/** Starts afresh at once: the next drawing may never come, and only a new memory releases the old one. */
function letGo(): void {
  memory = undefined
  try {
    startAfresh()
  } catch {
    // Without room for it the next drawing tries again; what was drawn is good all the same.
  }
}

function worked<T>(drawing: Drawing, work: (drawing: Drawing) => T): T {
  try {
    const made = work(drawing)
    drawing.free()
    return made
  } catch (error) {
    memory = undefined
    throw error
  }
}

/** If resvg is stopped in the middle of its work, its memory can't be trusted any more; drawings that it refuses do no harm. */
function read(svg: string, options: ResvgRenderOptions): Drawing {
  try {
    return new Resvg(svg, options)
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) memory = undefined
    throw error
  }
}
