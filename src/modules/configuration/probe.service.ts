import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { WorkerOverran } from '../../runner/faults.ts'
import type { StepJob, StepRefusal, StepSuccess } from '../../runner/job.ts'
import type { EnginePool } from '../../runner/pool.ts'

/**
 * Runs engines on a draft, in a worker, and keeps nothing: the HTTP loop goes on meanwhile, and a program that takes
 * too long is a finding about it rather than a fault of ours.
 */
export async function runProbe(pool: EnginePool, job: StepJob): Promise<Outcome<StepSuccess[]>> {
  try {
    const made: StepSuccess[] = []
    for (const result of await pool.run(job)) {
      if (!result.ok) return fail(...findingsOf(result))
      made.push(result)
    }
    return succeed(made)
  } catch (error) {
    if (!(error instanceof WorkerOverran)) throw error
    return fail({
      code: 'too_slow',
      severity: 'error',
      message: 'It took longer than a step of an execution may take.',
      hint: 'Use smaller data, or a simpler source.',
    })
  }
}

/** A step's failure as findings: its issues, or itself where it has none. */
function findingsOf({ failure }: StepRefusal): Finding[] {
  if (failure.issues.length === 0) return [{ code: failure.code, severity: 'error', message: failure.message }]
  return failure.issues.map(({ path, keyword, message }) => ({
    code: failure.code,
    severity: 'error',
    message,
    path,
    ...(keyword === undefined ? {} : { keyword }),
  }))
}
