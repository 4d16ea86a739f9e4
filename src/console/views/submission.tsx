/** One submission: what was submitted, and the executions that came of it. */

import { useResource } from '../api/resource.ts'
import type { Submission } from '../api/types.ts'
import { t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { read4 } from '../navigation.ts'
import { Copyable } from '../parts/copyable.tsx'
import { CorrectedEarlier, CorrectedLater, useLater } from '../parts/corrections.tsx'
import { FailedAt } from '../parts/failure.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Removed } from '../parts/removed.tsx'
import { Status } from '../parts/status.tsx'
import { holdsRole } from '../session.ts'

const refreshMs = 3_000

export function SubmissionView({ parameters }: ViewProps) {
  const path = `/api/v1/submissions/${encodeURIComponent(parameters.id ?? '')}`
  const { value, problem, reload } = useResource<Submission>(path, refreshMs)
  const submission = value.value
  const later = useLater(submission?.id)
  const opensExecutions = holdsRole(read4)
  return (
    <div class="page">
      <PageHead
        title={submission?.object_reference ?? t`Submission`}
        parent={{ href: '/submissions', title: t`Submissions` }}
        facts={
          submission && (
            <>
              <span>{submission.model_slug}</span>
              <Moment at={submission.created_at} />
              <Copyable value={submission.id} label={t`submission id`} />
              <CorrectedEarlier submission={submission} />
            </>
          )
        }
      />
      {later !== undefined && <CorrectedLater later={later} />}
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {submission === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the submission`} />
      )}
      <Removed parts={submission?.removed} />
      {submission !== undefined && (
        <div class="bench">
          <section class="panel">
            <header class="panel-head">
              <h2>{t`Executions`}</h2>
            </header>
            {submission.executions.length === 0 && (
              <p class="muted">{t`None: the conditions of the model's nodes excluded every one.`}</p>
            )}
            <ul class="lines">
              {submission.executions.map((execution) => (
                <li key={execution.id}>
                  {opensExecutions ? (
                    <a class="line-main" href={`/executions/${execution.id}`}>
                      {execution.node_label}
                    </a>
                  ) : (
                    <span class="line-main">{execution.node_label}</span>
                  )}
                  <span class="line-text">
                    {execution.failure === undefined ? (
                      <code>{execution.node_address}</code>
                    ) : (
                      <FailedAt step={execution.failure.step} reason={<code>{execution.failure.code}</code>} />
                    )}
                  </span>
                  <span class="line-end">
                    <Status of={execution.status} />
                  </span>
                </li>
              ))}
            </ul>
            <p class="run-foot">
              <a href={`/storage?object_reference=${encodeURIComponent(submission.object_reference)}`}>
                {t`Documents of this object`}
              </a>
            </p>
          </section>
          <section class="panel">
            <header class="panel-head">
              <h2>{t`What was submitted`}</h2>
            </header>
            <dl class="facts">
              <div>
                <dt>{t`Official object time`}</dt>
                <dd>
                  <Moment at={submission.object_time} />
                </dd>
              </div>
              <div>
                <dt>{t`Raw input`}</dt>
                <dd>
                  <Copyable value={submission.raw_input_hash} label={t`raw input hash`} chars={16} />
                </dd>
              </div>
              <div>
                <dt>{t`Correlation`}</dt>
                <dd>
                  <Copyable value={submission.correlation_id} label={t`correlation id`} chars={18} />
                </dd>
              </div>
              {Object.entries(submission.metadata ?? {}).map(([name, text]) => (
                <div key={name}>
                  <dt>{name.replaceAll('_', ' ')}</dt>
                  <dd>
                    <code>{String(text)}</code>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      )}
    </div>
  )
}
