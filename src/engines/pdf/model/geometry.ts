import type { Outline } from '../frame/frame.ts'

/** How a path of a shape is filled: not at all, or with the shape's fill, lighter or darker (20.1.10.37). */
export type PathFill = 'norm' | 'none' | 'lighten' | 'lightenLess' | 'darken' | 'darkenLess'

export interface Step {
  op: string
  args: readonly string[]
}

export interface PathDefinition {
  width: number | undefined
  height: number | undefined
  fill: PathFill
  stroke: boolean
  steps: readonly Step[]
}

/** A geometry as formulas: that of a named preset, or one that `a:custGeom` spells out. */
export interface Geometry {
  adjustments: readonly Guide[]
  guides: readonly Guide[]
  rectangle: readonly string[]
  paths: readonly PathDefinition[]
}

export interface ShapePath {
  outline: Outline
  fill: PathFill
  stroke: boolean
}

/** A named formula of a geometry (20.1.9.11), split into its words: `val 100`, `pin 0 adj 50000`. */
export interface Guide {
  name: string
  formula: readonly string[]
}
