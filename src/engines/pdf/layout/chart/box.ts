import type { Frame } from '../../frame/frame.ts'
/** Points of a chart count from its upper left. */
export type Place = readonly [x: number, y: number]

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Frames at an edge of a space, and the rest of the space. */
export interface Taken {
  frames: Frame[]
  space: Box
}
