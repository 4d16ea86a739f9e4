import { isNoticed, type Result } from './run.ts'
import { roomOf } from './tests.ts'

/** A line for each part of the sources and one for all: how many faults were noticed, with a 95 % confidence interval. */
export function scoreLines(results: readonly Result[]): string[] {
  const decided = results.filter(({ outcome }) => outcome !== 'undecided')
  const byRoom = [...Map.groupBy(decided, ({ file }) => roomOf(file))].sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = byRoom.map(([room, found]) => scoreLine(room, found))
  const undecided = results.length - decided.length
  return [
    ...lines,
    ...(byRoom.length > 1 ? [scoreLine('all', decided)] : []),
    ...(undecided > 0 ? [`${undecided} left out: their tests failed for want of time without a fault as well`] : []),
  ]
}

function scoreLine(name: string, results: readonly Result[]): string {
  const noticed = results.filter(isNoticed).length
  const { low, high } = interval(noticed, results.length)
  const percent = (share: number) => (100 * share).toFixed(0)
  const share = `${percent(noticed / results.length)} %, ${percent(low)} to ${percent(high)}`
  return `${name.padEnd(28)} ${noticed} of ${results.length} noticed (${share})`
}

/** Wilson's 95 % confidence interval for a share seen in a sample. */
export function interval(seen: number, of: number): { low: number; high: number } {
  if (of === 0) return { low: 0, high: 1 }
  const z = 1.96
  const share = seen / of
  const centre = share + z ** 2 / (2 * of)
  const spread = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  const scale = 1 + z ** 2 / of
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) }
}
