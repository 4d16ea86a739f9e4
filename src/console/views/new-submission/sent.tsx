/** What was submitted last: its steps as they go, and the documents. */

import { useEffect } from 'preact/hooks'
import { type Followed, useExecutions } from '../../api/executions.ts'
import type { Submission } from '../../api/types.ts'
import { failedStep, totalMs } from '../../execution-steps.ts'
import { formatDuration } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { Documents } from '../../parts/documents.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Status } from '../../parts/status.tsx'
import { Waterfall, WaterfallOutline } from '../../parts/waterfall.tsx'

interface SentProps {
  submission: Submission
  /** Called whenever it becomes known whether something of it failed. */
  onFailed(hasFailed: boolean): void
}

export function Sent({ submission, onFailed }: SentProps) {
  const followed = useExecutions(submission.executions.map(({ id }) => id))
  const hasFailed = followed.some(({ value }) => value.execution?.status === 'failed')
  useEffect(() => onFailed(hasFailed), [hasFailed])
  return (
    <section class="panel sent" aria-label={t`The submission`}>
      <header class="panel-head">
        <h2 id="sent" tabIndex={-1}>
          {t`Submitted`}
        </h2>
        <a href={`/submissions/${submission.id}`}>
          {submission.object_reference === submission.id ? t`Open the submission` : submission.object_reference}{' '}
          <Icon name="arrow" size={14} />
        </a>
      </header>
      {submission.corrects !== undefined && (
        <p class="muted">
          {rich`In place of ${<a href={`/submissions/${submission.corrects}`}>{t`the submission it corrects`}</a>}.`}
        </p>
      )}
      {submission.executions.map(({ id, node_label: label }, index) => {
        const one = followed[index]?.value
        return one === undefined ? null : <Part key={id} label={label} followed={one} />
      })}
    </section>
  )
}

function Part({ label, followed: { execution, problem } }: { label: string; followed: Followed }) {
  if (execution === undefined) {
    return problem === undefined ? <WaterfallOutline /> : <ProblemNote problem={problem} />
  }
  const failed = failedStep(execution)
  const total = totalMs(execution)
  return (
    <div class="run" data-status={execution.status}>
      <h3 class="sent-node">
        {label} <Status of={execution.status} />
        {total !== undefined && <span class="verdict-time">{formatDuration(total)}</span>}
      </h3>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div class="sent-run" data-documents={execution.artifacts.length > 0}>
        <div>
          <Waterfall execution={execution} />
          {failed !== undefined && <Failure step={failed} rawInput={execution.raw_input} />}
          <p class="run-foot">
            <a href={`/executions/${execution.id}`}>
              {t`Open the execution`} <Icon name="arrow" size={14} />
            </a>
          </p>
        </div>
        <Documents execution={execution} />
      </div>
    </div>
  )
}
