import { canonicalJson } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { StepName } from '../../src/core/steps.ts'
import { WorkerCrashed } from '../../src/runner/faults.ts'
import type { StepJob, StepResult } from '../../src/runner/job.ts'
import type { EnginePool } from '../../src/runner/pool.ts'
import type { Process, World } from './world.ts'

/** What the simulated engines make of a step's material: a function of it alone, as with the real ones. */
export function madeOf(step: StepName, given: string): string {
  return step === 'transform.declarative'
    ? canonicalJson({ made: given.length, of: given.slice(0, 40) })
    : `${step} of ${given}`
}

/** The document of a letter, and what is rendered of it. */
export function filesOf(rawInput: string): string[] {
  const document = madeOf('compose', madeOf('transform.declarative', rawInput))
  return [document, madeOf('render', document)]
}

/** The engines' pool of one process: steps take their time, and their worker may end over them. */
export function simulatedPool(world: World, process: Process, faults: { crashes: number }): EnginePool {
  const { random } = world
  let busy = 0
  const queue: (() => void)[] = []
  const size = 2

  function next(): void {
    if (busy >= size) return
    const begin = queue.shift()
    if (begin === undefined) return
    busy++
    begin()
  }

  return {
    size,
    longWaiting: 0,
    run: (job, begun) =>
      new Promise((resolve, reject) => {
        queue.push(() => {
          begun?.()
          const crashes = faults.crashes > 0 && random.chance(0.5)
          if (crashes) faults.crashes--
          const takesMs = random.chance(0.02) ? random.between(1_000, 12_000) : random.between(1, 120)
          const end = () => {
            busy--
            next()
            if (crashes) {
              world.note(() => 'a worker ends over its step')
              reject(new WorkerCrashed('simulated'))
            } else resolve(resultsOf(job))
          }
          world.after(takesMs, end, process)
        })
        next()
      }),
    close: () => Promise.resolve(),
  }
}

function resultsOf(job: StepJob): StepResult[] {
  const results: StepResult[] = []
  let { output, docx } = job
  for (const step of job.steps) {
    const base = { step, ok: true, durationMs: 1.4, summary: {} } as const
    const input = (step === 'validate' ? job.rawInput : job.input) ?? ''
    if (input.includes(`refuse ${step}`)) {
      const failure = { code: 'refused', message: 'The simulated engine refuses this.', issues: [] }
      results.push({ step, ok: false, durationMs: 1, failure })
      return results
    }
    if (step === 'validate') results.push(base)
    else if (step === 'transform.declarative') {
      output = madeOf(step, job.input ?? '')
      results.push({ ...base, output: { text: output, hash: sha256Hex(output) } })
    } else {
      const given = step === 'compose' ? (output ?? '') : new TextDecoder().decode(docx)
      const bytes = new TextEncoder().encode(madeOf(step, given))
      if (step === 'compose') docx = bytes
      results.push({ ...base, file: { bytes, hash: sha256Hex(bytes) } })
    }
  }
  return results
}
