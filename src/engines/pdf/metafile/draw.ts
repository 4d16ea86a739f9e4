import type { Context } from '../layout/context.ts'
import type { Frame } from '../layout/frame.ts'
import { drawEmf } from './emf.ts'
import { metafileKind } from './kind.ts'
import { drawWmf } from './wmf.ts'

/** What a metafile draws, as frames that fill a width × height box; undefined when it cannot be played. */
export function drawMetafile(
  context: Context,
  bytes: Uint8Array,
  part: string,
  width: number,
  height: number,
  node: number,
): Frame[] | undefined {
  return metafileKind(bytes) === 'emf'
    ? drawEmf(context, bytes, part, width, height, node)
    : drawWmf(context, bytes, part, width, height, node)
}
