/** How benches print: one line per figure, with its median, its range and its target. */
export function summary(name: string, values: readonly number[], reach: string): string {
  const sorted = values.toSorted((a, b) => a - b)
  const range = sorted.length > 1 ? `  (${show(sorted[0]!)} to ${show(sorted.at(-1)!)}, n = ${sorted.length})` : ''
  return `${name.padEnd(36)} ${show(percentile(sorted, 50)).padStart(9)}${range}  [${reach}]`
}

/** The nearest-rank percentile of sorted values. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]!
}

export function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
