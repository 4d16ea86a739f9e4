import type { Attributes } from './resource.ts'

/** One metric of the registry at one moment. Counts and sums are since the process began. */
export interface Metric {
  /** Its name on the Prometheus page. */
  name: string
  description: string
  /** In UCUM: `s`, `By`; empty for a number of things. */
  unit: string
  data:
    | { kind: 'gauge'; points: NumberPoint[] }
    | { kind: 'counter'; points: NumberPoint[] }
    | { kind: 'histogram'; points: HistogramPoint[] }
}

export interface NumberPoint {
  attributes: Attributes
  value: number
}

export interface HistogramPoint {
  attributes: Attributes
  count: number
  sum: number
  /** Upper bounds, ascending; a value equal to one belongs below it. */
  bounds: readonly number[]
  /** Values in each bucket, not summed up: one more bucket than bounds. */
  bucketCounts: readonly number[]
}

/** The metrics, since when they count, and when they were read, in nanoseconds since 1970. */
export interface Reading {
  startNs: bigint
  timeNs: bigint
  metrics: Metric[]
}
