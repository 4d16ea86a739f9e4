import type { Frame } from '../../frame/frame.ts'
import { metafileKind } from '../../model/metafile.ts'
import type { Context } from '../context.ts'
import { drawEmf } from './emf.ts'
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
