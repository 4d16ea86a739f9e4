import type { Fill, Line, SolidFill } from './paint.ts'
import type { RunProps } from './properties.ts'

/** A chart as its part states it (21.2), with the cached data and the colours of the theme. */

export type PlotKind = 'bar' | 'line' | 'area' | 'pie' | 'doughnut' | 'scatter' | 'bubble' | 'radar'

export interface DataLabels {
  showValue: boolean
  showPercent: boolean
  showCategory: boolean
  showSeries: boolean
  position: string | undefined
  separator: string
  format: string | undefined
  look: RunProps
  /** The text that is drawn instead. */
  text: string | undefined
  /** The box behind the text. */
  fill: Fill | undefined
  line: Line | undefined
}

/** The labels of a series; points may have their own, or none. */
export interface SeriesLabels extends DataLabels {
  points: ReadonlyMap<number, DataLabels>
  hidden: ReadonlySet<number>
}

export interface PointLook {
  fill?: Fill | 'none'
  line?: Line | 'none'
  explosion?: number
}

export interface Marker {
  symbol: string
  /** Diameter in points. */
  size: number
  fill: Fill | undefined
  line: Line | undefined
}

export type TrendKind = 'linear' | 'exp' | 'log' | 'power' | 'poly' | 'movingAvg'

export interface Trend {
  kind: TrendKind
  name: string
  /** The highest power of a polynomial, and the points that a moving average is taken of. */
  order: number
  period: number
  /** How far it goes beyond the points, in units of the axis. */
  forward: number
  backward: number
  intercept: number | undefined
  line: Line | undefined
  showsEquation: boolean
  showsDetermination: boolean
  look: RunProps
}

export interface ErrorBars {
  /** Along the axis of a scatter chart that runs from left to right. */
  isAcross: boolean
  hasUpper: boolean
  hasLower: boolean
  hasCaps: boolean
  kind: 'fixedVal' | 'percentage' | 'stdDev' | 'stdErr' | 'cust'
  value: number
  upper: readonly (number | undefined)[]
  lower: readonly (number | undefined)[]
  line: Line | undefined
}

export interface Series {
  name: string
  index: number
  categories: readonly string[]
  values: readonly (number | undefined)[]
  /** For scatter and bubble charts; other charts count their points. */
  x: readonly (number | undefined)[]
  sizes: readonly (number | undefined)[]
  valueFormat: string
  fill: Fill | undefined
  line: Line | undefined
  marker: Marker | undefined
  points: ReadonlyMap<number, PointLook>
  labels: SeriesLabels | undefined
  smooth: boolean
  explosion: number
  trends: readonly Trend[]
  errors: readonly ErrorBars[]
}

/** Bars between the first and the last series of a line or stock chart, as they rise or fall. */
export interface UpDownBars {
  gapWidth: number
  up: { fill: Fill | undefined; line: Line | undefined }
  down: { fill: Fill | undefined; line: Line | undefined }
}

/** The pie or bar beside a pie that shows some of its points. */
export interface SecondPlot {
  kind: 'pie' | 'bar'
  points: ReadonlySet<number>
  /** In hundredths of the first pie, and the gap between them in hundredths of the second. */
  size: number
  gapWidth: number
  /** The lines from one to the other. */
  line: Line | undefined
}

/** Series of one kind on one pair of axes. */
export interface Plot {
  kind: PlotKind
  /** The document draws it in three dimensions. */
  isDeep: boolean
  /** Horizontal bars instead of vertical columns. */
  horizontal: boolean
  stacking: 'none' | 'stacked' | 'percent'
  /** The space between categories, in hundredths of a bar's width, and how much bars of one category overlap. */
  gapWidth: number
  overlap: number
  /** In three dimensions: the space before and behind a bar, in hundredths of a bar; `inRows` puts series one behind another. */
  gapDepth: number
  inRows: boolean
  varyColors: boolean
  highLow: Line | undefined
  drop: Line | undefined
  upDown: UpDownBars | undefined
  second: SecondPlot | undefined
  filled: boolean
  firstAngle: number
  hole: number
  series: readonly Series[]
  /** The colours of points where they vary. */
  palette: readonly SolidFill[]
  axisIds: readonly string[]
}

export interface AxisTitle {
  text: string
  look: RunProps
  /** Degrees clockwise. */
  rotation: number
  place: ManualPlace | undefined
}

export interface Axis {
  id: string
  crossesId: string
  kind: 'category' | 'value' | 'series'
  position: 'l' | 'r' | 't' | 'b'
  isDeleted: boolean
  isReversed: boolean
  min: number | undefined
  max: number | undefined
  majorUnit: number | undefined
  logBase: number | undefined
  format: string | undefined
  labels: 'nextTo' | 'low' | 'high' | 'none'
  look: RunProps
  /** Degrees clockwise; undefined if labels turn only as needed. */
  labelRotation: number | undefined
  /** Every nth name of a category is shown; undefined if the room decides. */
  labelSkip: number | undefined
  majorTick: 'none' | 'in' | 'out' | 'cross'
  line: Line | undefined
  grid: Line | undefined
  title: AxisTitle | undefined
  /** Where it crosses the other axis: `autoZero`, `min`, `max` or a value. */
  crosses: string
  /** Values are between the ticks of the category axis, or on them. */
  between: boolean
}

/** A place that the document states, in shares of the chart's extent. */
export interface ManualPlace {
  x: number | undefined
  y: number | undefined
  width: number | undefined
  height: number | undefined
  /** The place is that of the plot alone, without its labels. */
  inner: boolean
}

export interface Legend {
  position: 'l' | 'r' | 't' | 'b' | 'tr'
  overlay: boolean
  look: RunProps
  fill: Fill | undefined
  line: Line | undefined
  place: ManualPlace | undefined
  hidden: ReadonlySet<number>
}

/** The values in rows below the plot, a row for each series (21.2.2.54). */
export interface DataTable {
  horizontal: boolean
  vertical: boolean
  outline: boolean
  /** The keys of the legend come before the names. */
  keys: boolean
  look: RunProps
  line: Line | undefined
}

/** The viewing angles of a chart in three dimensions (21.2.2.228), in degrees; undefined if its kind decides. */
export interface View {
  rotX: number | undefined
  rotY: number | undefined
  /** As a share of the usual depth. */
  depth: number
}

type Wall = readonly [fill: Fill | undefined, line: Line | undefined]

export interface Chart {
  /** A sentence that describes the chart, for people who can't see it. */
  summary: string
  title: { text: string; look: RunProps; overlay: boolean; place: ManualPlace | undefined } | undefined
  legend: Legend | undefined
  table: DataTable | undefined
  plots: readonly Plot[]
  axes: readonly Axis[]
  place: ManualPlace | undefined
  fill: Fill | undefined
  line: Line | undefined
  plotFill: Fill | undefined
  plotLine: Line | undefined
  view: View
  walls: { back: Wall; side: Wall; floor: Wall }
}
