import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a test file costs without a fault, and which source lines it runs in its own process. */
export interface Measure {
  seconds: number
  /** On all processors, including the processes that it started and waited for. */
  cpuSeconds: number
  /** By path in the project: lines with code that ran, and those with code that didn't. */
  lines: Readonly<Record<string, { run: readonly number[]; idle: readonly number[] }>>
}

/**
 * Whether a test file runs any line of a place. If the place has no line with code of its own, or the file was never loaded
 * during the measurement, that is unknown and the answer is yes.
 */
export function runsPlace(measure: Measure, file: string, firstLine: number, lastLine: number): boolean {
  const lines = measure.lines[file]
  const within = (line: number) => line >= firstLine && line <= lastLine
  return lines === undefined || lines.run.some(within) || !lines.idle.some(within)
}

/** The lines of src/ from an LCOV report. */
export function linesOf(lcov: string): Measure['lines'] {
  const found: Record<string, { run: number[]; idle: number[] }> = {}
  let current: { run: number[]; idle: number[] } | undefined
  for (const line of lcov.split('\n')) {
    const [, file] = /^SF:(src\/.*\.tsx?)$/.exec(line) ?? []
    if (line.startsWith('SF:')) {
      current = file === undefined ? undefined : { run: [], idle: [] }
      if (file !== undefined && current !== undefined) found[file] = current
    }
    const [, at, count] = /^DA:(\d+),(\d+)/.exec(line) ?? []
    if (at !== undefined) current?.[Number(count) > 0 ? 'run' : 'idle'].push(Number(at))
  }
  return found
}

/** Measurements and results, saved in a folder so that an interrupted run can continue. Without a folder, nothing is saved. */
export class Notes<Tried extends { fault: object }> {
  readonly measures = new Map<string, Measure>()
  private readonly tried = new Map<string, Tried>()

  constructor(private readonly folder?: string) {
    for (const [test, measure] of this.read<[string, Measure]>('measures.jsonl')) this.measures.set(test, measure)
    for (const one of this.read<Tried>('results.jsonl')) this.tried.set(JSON.stringify(one.fault), one)
  }

  measured(test: string, measure: Measure): void {
    this.measures.set(test, measure)
    this.append('measures.jsonl', [test, measure])
  }

  resultOf(fault: object): Tried | undefined {
    return this.tried.get(JSON.stringify(fault))
  }

  keep(result: Tried): void {
    this.tried.set(JSON.stringify(result.fault), result)
    this.append('results.jsonl', result)
  }

  private read<T>(name: string): T[] {
    const file = this.folder === undefined ? '' : join(this.folder, name)
    if (!existsSync(file)) return []
    // The text after the last line feed was being written when the run was interrupted.
    return readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  }

  private append(name: string, value: unknown): void {
    if (this.folder === undefined) return
    writeFileSync(join(this.folder, name), `${JSON.stringify(value)}\n`, { flag: 'a' })
  }
}
