import type { Frame, Layout } from '../frame/frame.ts'
import type { Size } from './png.ts'

/** The largest size at which each picture is drawn, in points, as if the picture were not cropped. */
export function drawnSizes(layout: Layout): Map<string, Size> {
  const sizes = new Map<string, Size>()
  for (const { frames } of layout.pages) collect(frames, { width: 1, height: 1 }, sizes)
  return sizes
}

function collect(frames: readonly Frame[], scale: Size, sizes: Map<string, Size>): void {
  for (const frame of frames) {
    if (frame.kind === 'clip') collect(frame.frames, scale, sizes)
    else if (frame.kind === 'group') {
      const [a, b, c, d] = frame.matrix
      collect(frame.frames, { width: scale.width * Math.hypot(a, b), height: scale.height * Math.hypot(c, d) }, sizes)
    } else if (frame.kind === 'image') {
      const { left, top, right, bottom } = frame.crop
      const known = sizes.get(frame.part)
      const width = (frame.width * scale.width) / Math.max(LEAST_SHARE, 1 - left - right)
      const height = (frame.height * scale.height) / Math.max(LEAST_SHARE, 1 - top - bottom)
      sizes.set(frame.part, { width: Math.max(known?.width ?? 0, width), height: Math.max(known?.height ?? 0, height) })
    }
  }
}

/** A crop that leaves less of a picture isn't followed. */
const LEAST_SHARE = 0.001
