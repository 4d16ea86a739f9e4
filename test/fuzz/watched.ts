import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bounds } from './bounds.ts'
import type { Problem } from './round.ts'
import { UnderWay } from './under-way.ts'

/** What came of a target's round, as its process reported it. */
export interface WatchedRound {
  target: string
  inputs: number
  outcomes: number
  /** See `Round`. */
  usable?: number
  slowestMs: number
  problems: Problem[]
}

/**
 * Runs the rounds of targets in one process: of `ms` each, or their short rounds. `corpus` is a folder of further inputs, which
 * takes those with new outcomes. An input on which it hangs or dies is that
 * target's problem; the targets after it are left out then.
 */
export async function watchedRounds(
  targets: readonly string[],
  { seed, ms, corpus }: { seed: number; ms?: number; corpus?: string },
): Promise<WatchedRound[]> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-fuzz-'))
  const at = join(folder, 'input')
  const underWay = new UnderWay(at, true)
  const options = [
    ...['--seed', `${seed}`],
    ...(ms === undefined ? [] : ['--ms', `${ms}`]),
    ...(corpus === undefined ? [] : ['--corpus', corpus]),
  ]
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'run.ts'), ...targets, ...options, '--at', at], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let hangs = false
  let last = { number: 0, since: performance.now() }
  const watch = setInterval(() => {
    if (underWay.number !== last.number) last = { number: underWay.number, since: performance.now() }
    const patienceMs = underWay.number === 0 ? bounds.startMs : bounds.hangMs
    if (performance.now() - last.since < patienceMs) return
    hangs = true
    child.kill('SIGKILL')
  }, 250)
  try {
    const [out, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    const code = await child.exited
    const rounds = out
      .split('\n')
      .filter((line) => line !== '')
      .map(roundOf)
    if (code === 0) return rounds
    const what = hangs
      ? 'the process hangs'
      : `the process ended with ${child.signalCode ?? code}: ${said.slice(0, 600)}`
    const target = targets[rounds.length] ?? ''
    const problems = [{ input: underWay.input, what }]
    return [...rounds, { target, inputs: underWay.number, outcomes: 0, slowestMs: 0, problems }]
  } finally {
    clearInterval(watch)
    rmSync(folder, { recursive: true, force: true })
  }
}

function roundOf(line: string): WatchedRound {
  const { problems, ...round } = JSON.parse(line) as Omit<WatchedRound, 'problems'> & {
    problems: { input: string; what: string }[]
  }
  return {
    ...round,
    problems: problems.map(({ input, what }) => ({ input: new Uint8Array(Buffer.from(input, 'base64')), what })),
  }
}
