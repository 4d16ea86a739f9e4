/** One execution: its steps, what went wrong and where, what it made, from what, and whether it can be made again. */

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { limits } from '../../core/limits.ts'
import { stepKinds } from '../../core/steps.ts'
import { call } from '../api/client.ts'
import { adoptExecution, isTerminal, useExecutions } from '../api/executions.ts'
import { useResource } from '../api/resource.ts'
import type { Execution, Manifest, Step, Submission } from '../api/types.ts'
import { blamesInput, failedStep, mayRetry, totalMs } from '../execution-steps.ts'
import { formatDuration } from '../format.ts'
import { isPackedJson, layOutJson } from '../json-layout.ts'
import { rich, t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { Copyable } from '../parts/copyable.tsx'
import { CorrectedEarlier, CorrectedLater, useLater } from '../parts/corrections.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Documents } from '../parts/documents.tsx'
import { Failure } from '../parts/failure.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Removed } from '../parts/removed.tsx'
import { SourceView } from '../parts/source-view.tsx'
import { Status } from '../parts/status.tsx'
import { Waterfall } from '../parts/waterfall.tsx'
import { holdsPermission, holdsRole } from '../session.ts'
import { stepTitle } from '../words.ts'
import { Pinned } from './execution/pinned.tsx'
import { RawInput } from './execution/raw-input.tsx'
import { TraceList } from './execution/trace-list.tsx'
import { Verify } from './execution/verify.tsx'
import { correctionPath } from './new-submission/corrected.ts'

export function ExecutionView({ parameters }: ViewProps) {
  const id = parameters.id ?? ''
  const [followed] = useExecutions([id])
  const { execution, problem } = followed?.value ?? {}
  const failed = execution === undefined ? undefined : failedStep(execution)
  const total = execution === undefined ? undefined : totalMs(execution)
  const retrying = useSignal(false)
  const reveal = useSignal<{ line: number } | undefined>(undefined)
  const isOver = execution !== undefined && isTerminal(execution)
  // The pinned versions are known from the start, attempts and times only at the end.
  const manifest = useResource<Manifest>(isOver ? `/api/v1/executions/${id}/provenance` : undefined).value.value

  const submissionPath = execution?.submission_id && `/api/v1/submissions/${execution.submission_id}`
  const submission = useResource<Submission>(submissionPath).value.value
  const later = useLater(submission?.id)
  const rawInput = execution?.raw_input
  const layout = useMemo(
    () => (rawInput !== undefined && isPackedJson(rawInput) ? layOutJson(rawInput) : undefined),
    [rawInput],
  )
  const isWhole = execution !== undefined && execution.removed === undefined
  const isRetryable = isWhole && failed !== undefined && mayRetry(failed) && holdsRole(['administrator', 'operator'])
  const isInputAtFault = failed !== undefined && blamesInput(failed)
  const node = submission?.executions.find((one) => one.id === id)?.node_label
  const parent = failed?.failure?.code === 'parent_failed' ? manifest?.parent_execution_id : undefined
  const data = execution !== undefined && (
    <div class="stack">
      {(failed === undefined || execution.artifacts.length > 0) && (
        <section class="panel">
          <header class="panel-head">
            <h2>{t`Documents`}</h2>
          </header>
          {execution.artifacts.length === 0 && <p class="muted">{noDocuments(execution)}</p>}
          <Documents execution={execution} />
        </section>
      )}
      <section class="panel">
        <header class="panel-head">
          <h2>{t`Data`}</h2>
        </header>
        {execution.raw_input !== undefined && (
          <RawInput text={execution.raw_input} layout={layout} failed={failed} reveal={reveal.value} />
        )}
        <Text title={t`Output`} value={execution.output} />
        <Text title={t`Metadata`} value={execution.metadata} />
      </section>
    </div>
  )
  return (
    <div class="page">
      <PageHead
        title={execution?.metadata?.source_object ?? referenceOf(submission) ?? t`Execution`}
        parent={{ href: '/executions', title: t`Executions` }}
        facts={
          execution && (
            <>
              <Status of={execution.status} />
              {submission !== undefined && (
                <span>
                  {submission.model_slug}
                  {node !== undefined && ` · ${node}`}
                </span>
              )}
              {total !== undefined && <span>{formatDuration(total)}</span>}
              <Moment at={execution.created_at} />
              <Copyable value={execution.id} label={t`execution id`} chars={13} />
              {execution.submission_id !== undefined && (
                <a href={`/submissions/${execution.submission_id}`}>{t`Submission`}</a>
              )}
              {submission !== undefined && <CorrectedEarlier submission={submission} />}
            </>
          )
        }
      >
        {parent !== undefined && (
          <a class="button button-primary" href={`/executions/${parent}`}>
            {t`Open its parent`}
          </a>
        )}
        {isRetryable && (
          <button
            type="button"
            class="button button-primary"
            onClick={() => {
              retrying.value = true
            }}
          >
            <Icon name="reset" size={16} /> {t`Retry`}
          </button>
        )}
        {execution !== undefined &&
          failed !== undefined &&
          // Nothing is there to be edited once a policy has removed it.
          execution.raw_input !== undefined &&
          submission !== undefined &&
          holdsPermission('submission_create') && (
            // Correcting is the main action only if no later submission corrects this one and a retry can't help; while that
            // is unknown, it isn't.
            <a
              class={later?.length === 0 && !isRetryable && parent === undefined ? 'button button-primary' : 'button'}
              href={correctionPath(execution, submission.model_slug)}
            >
              <Icon name="edit" size={16} /> {t`Edit and submit again`}
            </a>
          )}
      </PageHead>
      {later !== undefined && <CorrectedLater later={later} />}
      <Removed parts={execution?.removed} />
      {problem !== undefined && <ProblemNote problem={problem} />}
      {execution === undefined && problem === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the execution`} />
      )}
      {execution !== undefined && (
        <>
          {failed !== undefined && (
            <section class="panel failed-panel">
              <h2 class="failed-title">
                <Icon name="alert" /> {t`Failed at ${stepTitle(failed.name)}`}
              </h2>
              <Failure
                step={failed}
                rawInput={layout?.text ?? execution.raw_input}
                reveal={(place) => {
                  reveal.value = { line: place.line }
                }}
                origin={originOf(failed, manifest)}
              />
            </section>
          )}
          {/* What is to be mended comes first. */}
          <div class={isInputAtFault ? 'bench bench-turned' : 'bench'}>
            {isInputAtFault && data}
            <div class="stack">
              <section class="panel">
                <header class="panel-head">
                  <h2>{t`Steps`}</h2>
                </header>
                <Waterfall execution={execution} />
                <TraceList execution={execution} />
              </section>
              <section class="panel">
                <header class="panel-head">
                  <h2>{t`Provenance`}</h2>
                </header>
                <Pinned execution={execution} manifest={manifest} />
              </section>
              {isOver && <Verify executionId={id} />}
            </div>
            {!isInputAtFault && data}
          </div>
        </>
      )}
      {retrying.value && execution !== undefined && failed !== undefined && (
        <RetryDialog
          execution={execution}
          step={failed}
          onClose={() => {
            retrying.value = false
          }}
        />
      )}
    </div>
  )
}

/** What the object is called, if it has a name besides the submission's id. */
function referenceOf(submission: Submission | undefined): string | undefined {
  return submission?.object_reference === submission?.id ? undefined : submission?.object_reference
}

function noDocuments(execution: Execution): string {
  return execution.processing_kind === 'transformation' ? t`None: this node makes data only.` : t`None yet.`
}

function originOf(step: Step, manifest: Manifest | undefined) {
  const role = stepKinds[step.name].issuesPointInto
  if (role === 'rawInput') return undefined
  const pinned = manifest?.[role]
  if (pinned === undefined) return undefined
  const tab = { transformer: 'versions', template: 'bindings' }[role]
  return {
    title: t`the ${role}`,
    hrefOf: (path: string) =>
      `/${role}s/${pinned.family_id}?tab=${tab}&version=${pinned.version}&at=${encodeURIComponent(path)}`,
  }
}

function Text({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null
  return (
    <details class="more">
      <summary>
        <Icon name="chevron" size={14} /> {title}
      </summary>
      <SourceView label={title} text={JSON.stringify(value, undefined, 2)} />
    </details>
  )
}

function RetryDialog({ execution, step, onClose }: { execution: Execution; step: Step; onClose(): void }) {
  const left = limits.stepAttempts - step.attempt
  return (
    <FormDialog
      title={t`Retry this execution?`}
      action={t`Retry`}
      onClose={onClose}
      onSubmit={async () => {
        adoptExecution(await call<Execution>(`/api/v1/executions/${execution.id}/retry`, { method: 'POST', body: {} }))
      }}
    >
      <p>
        {rich`The step that failed goes back into the queue with the same input and the same pinned versions. It has ${left} of ${limits.stepAttempts} attempts left.`}
      </p>
    </FormDialog>
  )
}
