import type { Context } from '../layout/context.ts'
import type { Frame } from '../layout/frame.ts'
export function drawMetafile(
  _c: Context,
  _b: Uint8Array,
  _p: string,
  _w: number,
  _h: number,
  _n: number,
): Frame[] | undefined {
  return undefined
}
