/** The submission that a new one corrects: the new one begins with its content. */
import { useMemo } from 'preact/hooks'
import { type Resource, useResource } from '../../api/resource.ts'
import { planOf, type SubmissionPlan } from '../../api/submit.ts'
import type { Execution, Submission } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { isPackedJson, layOutJson } from '../../json-layout.ts'
import type { ParamTexts } from '../../params.ts'
import { place } from '../../router.ts'
import { type Filled, nothingFilled } from './kept.ts'

export interface Corrected {
  /** Undefined if the new one corrects nothing. */
  id: string | undefined
  filled: Filled | undefined
  /** What of it could not be read. */
  failed: Pick<Resource<unknown>, 'problem' | 'reload'> | undefined
}

/** Read from the address: `corrects` is the submission, `execution` the one of it that has the input. */
export function useCorrected(): Corrected {
  const { query } = place.value
  const id = query.get('corrects') ?? undefined
  const executionId = query.get('execution') ?? undefined
  const corrected = useResource<Submission>(id && `/api/v1/submissions/${encodeURIComponent(id)}`)
  const submission = corrected.value.value
  const execution = useResource<Execution>(executionId && `/api/v1/executions/${encodeURIComponent(executionId)}`)
  const read = execution.value.value
  const [model, release] = [query.get('model'), query.get('release')]
  const target = { ...(model && { ingestion_model: model }), ...(release && { release_id: release }) }
  // The plan tells what the model takes from the input, so that the form doesn't ask for it.
  const plan = useWork<SubmissionPlan>(submission && read?.id, (signal) =>
    planOf({ ...target, raw_input: read?.raw_input ?? '' }, signal),
  )
  const isPlanned = plan.value.value !== undefined || plan.problem.value !== undefined
  const filled = useMemo(
    () => (submission && read && isPlanned ? filledAs(submission, read, plan.value.value) : undefined),
    [submission, read, isPlanned],
  )
  const failed = [corrected, execution].find(({ problem }) => problem.value !== undefined)
  return { id, filled, failed }
}

/** Where to edit the input of an execution and submit it again. */
export function correctionPath(execution: Execution, modelSlug: string): string {
  const { id, submission_id: submission = '', release_id: release, processing_node_id: node } = execution
  // Only a model's executions have a node.
  const target: Record<string, string> = node === undefined ? { release } : { model: modelSlug }
  return `/submissions/new?${new URLSearchParams({ ...target, corrects: submission, execution: id })}`
}

function filledAs(
  submission: Submission,
  { raw_input: text = '' }: Execution,
  plan: SubmissionPlan | undefined,
): Filled {
  const { id, object_reference: reference, object_time: time, created_at: received, params = {} } = submission
  return {
    ...nothingFilled,
    text: isPackedJson(text) ? layOutJson(text).text : text,
    reference: reference === id || plan?.object_reference_from === 'input' ? '' : reference,
    time: time === received || plan?.object_time_from === 'input' ? '' : localSeconds(new Date(time)),
    params: textsOf(params),
  }
}

function localSeconds(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** As the fields take them. */
function textsOf(params: NonNullable<Submission['params']>): ParamTexts {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const text = String(value)
      return [name, /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? localSeconds(new Date(text)) : text]
    }),
  )
}
