import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds: resident and proportional memory in MB (1,048,576 bytes), and open descriptors. */
export interface Held {
  rssMb: number
  pssMb: number
  descriptors: number
}

/** What a process and its descendants hold now, itself first; from Linux's `/proc`. */
export function heldBy(pid: string | number): Held[] {
  return processesOf(String(pid)).flatMap((each) => {
    try {
      const text = readFileSync(`/proc/${each}/smaps_rollup`, 'utf8')
      const mb = (what: string) => Number(new RegExp(`^${what}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1_024
      return [{ rssMb: mb('Rss'), pssMb: mb('Pss'), descriptors: readdirSync(`/proc/${each}/fd`).length }]
    } catch {
      // It has just ended.
      return []
    }
  })
}

function processesOf(pid: string): string[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return [pid, ...children.flatMap(processesOf)]
  } catch {
    return []
  }
}
