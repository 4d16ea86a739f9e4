import type { Frame, Outline } from '../../frame/frame.ts'
import { Pen, polyline } from '../../frame/pen.ts'
import type { Plot, Series } from '../../model/chart.ts'
import type { Place } from './box.ts'
import type { Grid } from './grid.ts'
import { besidePoint, pointLabel } from './labels.ts'
import type { Layers } from './layers.ts'
import { markerFrames, paintedPath, straight } from './marks.ts'
import { drawJoins } from './plot-joins.ts'
import { stacksOf } from './stacks.ts'

/** Lines and scattered points: a series of places, joined if the series has a line. */
export function drawLines(plot: Plot, grid: Grid): Layers {
  const isScatter = plot.kind === 'scatter'
  const layers: Layers = { marks: isScatter ? [] : drawJoins(plot, grid), labels: [] }
  const stacks = isScatter ? [] : stacksOf(plot, grid.count)
  const all = isScatter
    ? plot.series.map((series) => ({ series, places: scatteredPlaces(series, grid) }))
    : stacks.map(({ series, reaches }) => ({
        series,
        places: reaches.map((reach, at) => reach && grid.at(grid.category(at), grid.valueShare(reach.to))),
      }))
  const { node } = grid.canvas
  for (const { series, places } of all) {
    layers.marks.push(...lineFrames(series, places, node), ...ownSegments(series, places, node))
    for (const [at, place] of places.entries()) {
      if (!place) continue
      if (series.marker) layers.marks.push(...markerFrames(series.marker, place, node))
      const label = pointLabel(grid.canvas, { series, at })
      if (label) layers.labels.push(...besidePoint(label, place, (series.marker?.size ?? 0) / 2))
    }
  }
  return layers
}

/** Undefined for points without a value, where a line is broken. */
type Places = readonly (Place | undefined)[]

function scatteredPlaces({ values, x }: Series, grid: Grid): Places {
  return Array.from(values, (value, at) =>
    value === undefined ? undefined : grid.at(grid.xShare(x[at] ?? at + 1), grid.valueShare(value)),
  )
}

function lineFrames({ line, smooth }: Series, places: Places, node: number): Frame[] {
  if (!line) return []
  const runs: Place[][] = []
  let run: Place[] = []
  for (const place of [...places, undefined]) {
    if (place) run.push(place)
    else {
      if (run.length > 1) runs.push(run)
      run = []
    }
  }
  return runs.flatMap((points) => paintedPath(smooth ? smoothed(points) : polyline(points.flat()), { line }, node))
}

/** The parts of a line that lead to points with a line of their own, over those of the series. */
function ownSegments(series: Series, places: Places, node: number): Frame[] {
  if (series.smooth) return []
  return [...series.points].flatMap(([at, { line }]) => {
    const [from, to] = [places[at - 1], places[at]]
    return line && line !== 'none' && from && to ? straight(from, to, line, node) : []
  })
}

/** A curve through all points; its direction at each follows from the adjacent points (Catmull-Rom). */
function smoothed(points: readonly Place[]): Outline {
  const pen = new Pen()
  for (const [index, [x, y]] of points.entries()) {
    const before = points[index - 1]
    if (!before) {
      pen.move(x, y)
      continue
    }
    const [fromX, fromY] = before
    const [previousX, previousY] = points[index - 2] ?? before
    const [nextX, nextY] = points[index + 1] ?? [x, y]
    pen.curve(
      fromX + (x - previousX) / 6,
      fromY + (y - previousY) / 6,
      x - (nextX - fromX) / 6,
      y - (nextY - fromY) / 6,
      x,
      y,
    )
  }
  return pen.outline
}
