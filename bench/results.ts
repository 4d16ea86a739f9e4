/**
 * Measured results as files, one for each figure of docs/figures.md that is drawn: `bun bench/compose.bench.ts --keep` writes
 * bench/results/compose.json, and `bun bench/plots.ts` draws what is there.
 */
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'

/** One value beside others of its panel. */
export interface Bar {
  label: string
  value: number
  /** Drawn in the colour of Quire. */
  isOwn: boolean
}

/** Values that share a scale, which begins at 0. */
export interface BarPanel {
  title: string
  unit: string
  /** What the longest bar would be; the greatest value where it is left out. */
  most?: number
  bars: Bar[]
}

/** One quantity over another, from 0 on. */
export interface LinePanel {
  title: string
  unit: string
  /** What the points lie along. */
  along: string
  points: { at: number; value: number }[]
}

export interface Results {
  title: string
  /** How the values come about, in one line. */
  method: string
  command: string
  /** `2026-11-23, 2 cores, load 14` */
  measured: string
  panels: (BarPanel | LinePanel)[]
}

export const resultsFolder = join(import.meta.dir, 'results')

/** Writes the results of a bench that was asked to keep them. */
export async function keepResults(name: string, results: Omit<Results, 'measured'>): Promise<void> {
  if (!process.argv.includes('--keep')) return
  const day = new Date().toISOString().slice(0, 10)
  const measured = `${day}, ${availableParallelism()} cores, load ${Math.round(loadavg()[0] ?? 0)}`
  const path = join(resultsFolder, `${name}.json`)
  await Bun.write(path, `${JSON.stringify({ ...results, measured }, undefined, 2)}\n`)
  console.log(`kept in ${path}`)
}

/** Three significant digits, as tables have them. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
