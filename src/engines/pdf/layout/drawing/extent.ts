import type { Frame } from '../../frame/frame.ts'
import type { Slice } from '../slice.ts'

/** How far the text of unplaced slices reaches to the right. */
export function extentOf(slices: readonly Slice[]): number {
  let width = 0
  const visit = (frames: readonly Frame[]) => {
    for (const frame of frames) {
      if (frame.kind === 'clip' || frame.kind === 'group') visit(frame.frames)
      else if (frame.kind !== 'line' && 'width' in frame) width = Math.max(width, frame.x + frame.width)
    }
  }
  for (const { frames } of slices) visit(frames)
  return width
}
