/**
 * Measured results as files, one for each drawn figure of docs/figures.md: `bun bench/compose.bench.ts --keep` writes
 * bench/results/compose.json, and
 * `bun bench/plots.ts` draws the files.
 */
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'

/** One value of a panel, compared with the others. */
export interface Bar {
  label: string
  value: number
  /** Drawn in Quire's colour. */
  isOwn: boolean
}

/** Values with a common scale, which begins at 0. */
export interface BarPanel {
  title: string
  unit: string
  /** The value of a full-length bar; by default the greatest value. */
  most?: number
  bars: Bar[]
}

/** One quantity over another, starting at 0. */
export interface LinePanel {
  title: string
  unit: string
  /** The quantity of the horizontal axis. */
  along: string
  points: { at: number; value: number }[]
}

export interface Results {
  title: string
  /** How the values were measured, in one line. */
  method: string
  command: string
  /** `2026-11-23, 2 cores, load 14` */
  measured: string
  panels: (BarPanel | LinePanel)[]
}

export const resultsFolder = join(import.meta.dir, 'results')

/** Writes the results of a bench if it was asked to keep them. */
export async function keepResults(name: string, results: Omit<Results, 'measured'>): Promise<void> {
  if (!process.argv.includes('--keep')) return
  const day = new Date().toISOString().slice(0, 10)
  const measured = `${day}, ${availableParallelism()} cores, load ${Math.round(loadavg()[0] ?? 0)}`
  const path = join(resultsFolder, `${name}.json`)
  await Bun.write(path, `${JSON.stringify({ ...results, measured }, undefined, 2)}\n`)
  console.log(`kept in ${path}`)
}

/** Rounded to three significant digits, as in tables. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
