import { canonicalJson } from '../../core/canonical.ts'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { type JsonValue, readJsonInParts } from '../../core/json.ts'
import { inTurns } from '../../core/turns.ts'
import { WorkerOverran } from '../../runner/faults.ts'
import type { Source, StepJob, StepRefusal, StepSuccess } from '../../runner/job.ts'
import type { EnginePool } from '../../runner/pool.ts'
import type { TransformerParams } from '../versions/versions.model.ts'

/**
 * Runs engines on a draft in a worker, without storing anything. The HTTP loop continues meanwhile, and a program that takes too
 * long becomes a finding instead of a fault of Quire's.
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

export interface TransformerRun {
  transformer: Source
  /** The contract against which the input is checked first; undefined if none is known. */
  contract: Source | undefined
  /** JSON text. */
  input: string
  params: TransformerParams
}

/** What a transformer made: a JSON value, its canonical text, and that text's hash. */
export interface TransformerOutput {
  value: JsonValue
  text: string
  hash: string
}

/** Runs a transformer on an input in a worker, without storing anything. */
export async function runTransformer(
  pool: EnginePool,
  { transformer, contract, input, params }: TransformerRun,
): Promise<Outcome<TransformerOutput>> {
  const made = await runProbe(pool, {
    steps: contract === undefined ? ['transform.declarative'] : ['validate', 'transform.declarative'],
    sources: { transformer, ...(contract === undefined ? {} : { contract }) },
    rawInput: input,
    input,
    params: canonicalJson(params),
  })
  if (!made.ok) return made
  const output = made.value.at(-1)?.output
  const value = await inTurns(readJsonInParts(output?.text ?? ''))
  if (output === undefined || !value.ok)
    throw new Error(`transformer ${transformer.hash} made an output that is not JSON`)
  return succeed({ value: value.value, ...output })
}

/** A step's failure as findings: its issues, or the failure itself if it has none. */
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
