export interface SolidFill {
  kind: 'solid'
  color: string
  opacity: number
}

export interface GradientStop {
  at: number
  color: string
}

/** Ascending, with the first at 0 and the last at 1. */
export type GradientStops = readonly [GradientStop, ...GradientStop[]]

export interface GradientFill {
  kind: 'gradient'
  stops: GradientStops
  opacity: number
  /** Direction of a linear gradient, in degrees clockwise from left to right; the focus is for a radial one. */
  angle: number
  /** Where a gradient around a point has its middle, as shares of the shape's extent. */
  focus?: { x: number; y: number }
}

export interface PictureFill {
  kind: 'picture'
  part: string
}

export type Fill = SolidFill | GradientFill | PictureFill

export interface ArrowHead {
  type: 'triangle' | 'arrow' | 'stealth' | 'diamond' | 'oval'
  /** In line widths; a small, medium or large head. */
  width: number
  length: number
}

export interface Line {
  color: string
  opacity: number
  width: number
  /** In line widths. */
  dash: readonly number[]
  cap: 'butt' | 'round' | 'square'
  join: 'miter' | 'round' | 'bevel'
  head?: ArrowHead
  tail?: ArrowHead
}
