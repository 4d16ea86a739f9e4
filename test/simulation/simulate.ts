/**
 * Runs histories of the simulated product, from a seed on: `bun run simulate --histories 1000 --seed 7`. The first one in which a
 * promise is broken ends the run, and is told in full. `--replay SEED` runs one history and shows what happened in it. Ends with 1
 * when a promise was broken.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { runHistory } from './history.ts'
import { prepareStore } from './store.ts'

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    /** Ends earlier, after so much processor time of all processes together. */
    seconds: { type: 'string' },
    processes: { type: 'string' },
    replay: { type: 'string' },
    /** Of a larger run: every n-th history only, and what came of them as JSON. */
    step: { type: 'string' },
  },
})

interface Outcome {
  histories: number
  simulatedMs: number
  happened: number
  cpuSeconds: number
  broken?: { seed: number; after: number; problems: string[] }
}

const histories = whole('histories', values.histories)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : whole('seed', values.seed)
const seconds = values.seconds === undefined ? Number.POSITIVE_INFINITY : whole('seconds', values.seconds)

/**
 * Tuned: a history runs much code and each part of it seldom, so the last compiler costs more than it gives, and so does a collector
 * on a thread beside where each core has a process of its own. Without both a history takes a fifth less.
 */
const ENGINE = { BUN_JSC_useFTLJIT: '0', BUN_JSC_useConcurrentGC: '0' }

if (values.replay !== undefined) await replay(whole('replay', values.replay))
else if (values.step !== undefined) process.stdout.write(JSON.stringify(await runHere(whole('step', values.step))))
else await runAll()

function whole(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    process.stderr.write(`--${name} takes a whole number, not ${text}\n`)
    process.exit(2)
  }
  return Number(text)
}

async function replay(one: number): Promise<void> {
  const { trace, problems, hash } = runHistory(one, await prepareStore(), { keepsTrace: true })
  process.stdout.write(`${trace.join('\n')}\n\nseed ${one}, trace ${hash.toString(16)}\n`)
  for (const problem of problems) process.stdout.write(`BROKEN: ${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

async function runHere(step: number): Promise<Outcome> {
  const store = await prepareStore()
  const outcome: Outcome = { histories: 0, simulatedMs: 0, happened: 0, cpuSeconds: 0 }
  for (let index = 0; index < histories && cpuSeconds() < seconds / step; index += step) {
    const { problems, simulatedMs, happened } = runHistory(seed + index, store)
    outcome.histories++
    outcome.simulatedMs += simulatedMs
    outcome.happened += happened
    if (problems.length === 0) continue
    outcome.broken = { seed: seed + index, after: index + 1, problems }
    break
  }
  outcome.cpuSeconds = cpuSeconds()
  return outcome
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function runAll(): Promise<void> {
  const processes = values.processes === undefined ? availableParallelism() : whole('processes', values.processes)
  const startedMs = Date.now()
  const children = Array.from({ length: processes }, (_, index) => startBeside(index, processes))
  const outcomes = await Promise.all(
    children.map(async (child) => {
      const outcome = await outcomeOf(child)
      // The others would go on to their last history.
      if (outcome?.broken !== undefined) for (const other of children) if (other !== child) other.kill('SIGKILL')
      return outcome ?? { histories: 0, simulatedMs: 0, happened: 0, cpuSeconds: 0 }
    }),
  )
  const tookSeconds = (Date.now() - startedMs) / 1_000
  const sum = (of: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0)
  const count = sum((outcome) => outcome.histories)
  const hours = sum((outcome) => outcome.simulatedMs) / 3_600_000
  process.stdout.write(
    `${count} histories from seed ${seed} on: ${hours.toFixed(1)} simulated hours, ${sum((outcome) => outcome.happened)} happenings, ` +
      `in ${tookSeconds.toFixed(1)} s (${(count / tookSeconds).toFixed(0)}/s; ${(count / sum((outcome) => outcome.cpuSeconds)).toFixed(0)} for each second of processor time)\n`,
  )
  const [broken] = outcomes.flatMap((outcome) => outcome.broken ?? []).sort((one, other) => one.after - other.after)
  if (broken === undefined) return
  process.stdout.write(`BROKEN in history ${broken.after}, seed ${broken.seed}:\n`)
  for (const problem of broken.problems) process.stdout.write(`  ${problem}\n`)
  process.stdout.write(`Replay it: bun run simulate --replay ${broken.seed}\n`)
  process.exitCode = 1
}

function startBeside(index: number, processes: number) {
  const given = [
    '--histories',
    String(Math.max(0, histories - index)),
    '--seed',
    String(seed + index),
    '--step',
    String(processes),
  ]
  const limit = values.seconds === undefined ? [] : ['--seconds', values.seconds]
  const command = [process.execPath, import.meta.path, ...given, ...limit]
  return Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit', env: { ...process.env, ...ENGINE } })
}

/** Undefined for one that was ended because another has found something. */
async function outcomeOf(child: ReturnType<typeof startBeside>): Promise<Outcome | undefined> {
  const text = await new Response(child.stdout).text()
  await child.exited
  if (child.signalCode === 'SIGKILL') return undefined
  if (child.exitCode !== 0) throw new Error(`a process of the simulation ended with ${child.exitCode}`)
  return JSON.parse(text) as Outcome
}
