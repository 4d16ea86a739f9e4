import { canonicalJson } from '../../src/core/canonical.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { StepName } from '../../src/core/steps.ts'
import type { StepJob, StepResult } from '../../src/runner/job.ts'
import type { EnginePool } from '../../src/runner/pool.ts'

/** What a script may do instead of a step: throw a fault, wait, or answer for it. */
export type Script = (step: StepName, job: StepJob) => StepResult | undefined | Promise<StepResult | undefined>

/** A pool whose engines can be told to misbehave; what they make depends on their input alone, as with the real ones. */
export function scriptedPool(
  script: Script = () => undefined,
  size = 2,
): EnginePool & { jobs: StepJob[]; longWaiting: number } {
  const jobs: StepJob[] = []
  return {
    size,
    jobs,
    longWaiting: 0,
    async run(job, onBegun) {
      onBegun?.()
      jobs.push(job)
      const results: StepResult[] = []
      let { output, docx } = job
      for (const step of job.steps) {
        const result = (await script(step, job)) ?? make(step, { ...job, output, docx } as StepJob)
        results.push(result)
        if (!result.ok) break
        output = result.output?.text ?? output
        docx = result.file?.bytes ?? docx
      }
      return results
    },
    async close() {},
  }
}

export function refuse(step: StepName, code: string): StepResult {
  const issues = [{ path: '/policy/number', keyword: 'required', message: 'must be there' }]
  return { step, ok: false, durationMs: 1, failure: { code, message: 'Refused for the test.', issues } }
}

function make(step: StepName, job: StepJob): StepResult {
  const base = { step, ok: true, durationMs: 1.4, summary: { made: step } } as const
  if (step === 'validate') return base
  if (step === 'transform.declarative') {
    const text = canonicalJson({ from: job.input! })
    return { ...base, output: { text, hash: sha256Hex(text) } }
  }
  const given = step === 'compose' ? job.output! : new TextDecoder().decode(job.docx)
  const bytes = new TextEncoder().encode(`${step} of ${given}`)
  return { ...base, file: { bytes, hash: sha256Hex(bytes) } }
}
