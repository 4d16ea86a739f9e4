import type { Frame } from '../../frame/frame.ts'
import { metafileKind } from '../../model/metafile.ts'
import type { Context } from '../context.ts'
import { drawEmf } from './emf.ts'
import type { Metafile } from './gdi.ts'
import { drawWmf } from './wmf.ts'

/** Draws a metafile as frames that fill its box; undefined if it can't be played. */
export function drawMetafile(context: Context, metafile: Metafile): Frame[] | undefined {
  return metafileKind(metafile.bytes) === 'emf' ? drawEmf(context, metafile) : drawWmf(context, metafile)
}
