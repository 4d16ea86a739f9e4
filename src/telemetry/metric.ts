import type { Attributes } from './resource.ts'

/** What a registry holds at one moment, as both kinds of exposition need it. Counts and sums are since the process began. */
export interface Metric {
  /** The same as on the Prometheus page. */
  name: string
  description: string
  /** As UCUM writes it: `s`, `By`; empty for a number of things. */
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
  /** Upper bounds, ascending; a value that equals one belongs below it. */
  bounds: readonly number[]
  /** How many fell into each bucket, not summed up: one more than there are bounds. */
  bucketCounts: readonly number[]
}

/** A reading: the metrics, since when they count, and when they were read, in nanoseconds since 1970. */
export interface Reading {
  startNs: bigint
  timeNs: bigint
  metrics: Metric[]
}
