import type { Frame } from '../../frame/frame.ts'
import type { Context } from '../context.ts'

/** What every part of a chart is drawn with: points count from the upper left of the chart. */
export interface Canvas {
  readonly context: Context
  /** The extent of the chart. */
  readonly width: number
  readonly height: number
  /** The figure that the chart is, in the structure tree. */
  readonly node: number
}

export type Place = readonly [x: number, y: number]

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** What is drawn at an edge of a space, and what is left of the space. */
export interface Taken {
  frames: Frame[]
  space: Box
}
