/** One execution: its steps, what went wrong, what it made, and from what. */
import { useExecutions } from '../api/executions.ts'
import { failedStep, totalMs } from '../execution-steps.ts'
import { formatDuration } from '../format.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Documents } from '../parts/documents.tsx'
import { Failure } from '../parts/failure.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Provenance } from '../parts/provenance.tsx'
import { Status } from '../parts/status.tsx'
import { Waterfall } from '../parts/waterfall.tsx'
import type { ViewProps } from '../routes.ts'

export function ExecutionView({ parameters }: ViewProps) {
  const id = parameters.id ?? ''
  const [followed] = useExecutions([id])
  const { execution, problem } = followed?.value ?? {}
  const failed = execution === undefined ? undefined : failedStep(execution)
  const total = execution === undefined ? undefined : totalMs(execution)

  return (
    <div class="page">
      <header class="page-head">
        <div>
          <p class="crumbs">
            <a href="/executions">Executions</a>
          </p>
          <h1 tabIndex={-1}>{execution?.metadata?.source_object ?? 'Execution'}</h1>
          {execution !== undefined && (
            <p class="lede lede-facts">
              <Status of={execution.status} />
              {total !== undefined && <span>{formatDuration(total)}</span>}
              <Moment at={execution.created_at} />
              <Copyable value={execution.id} label="execution id" />
            </p>
          )}
        </div>
      </header>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {execution === undefined && problem === undefined && (
        <div class="panel panel-loading" role="status" aria-label="Loading the execution" />
      )}
      {execution !== undefined && (
        <div class="bench">
          <div class="stack">
            <section class="panel">
              <header class="panel-head">
                <h2>Steps</h2>
              </header>
              <Waterfall execution={execution} />
              {failed !== undefined && <Failure step={failed} rawInput={execution.raw_input} />}
            </section>
            <section class="panel">
              <header class="panel-head">
                <h2>Provenance</h2>
              </header>
              <Provenance execution={execution} />
              <Text title="Raw input" text={execution.raw_input} />
              <Text
                title="Output"
                text={execution.output === undefined ? undefined : JSON.stringify(execution.output, undefined, 2)}
              />
              <Text
                title="Metadata"
                text={execution.metadata === undefined ? undefined : JSON.stringify(execution.metadata, undefined, 2)}
              />
            </section>
          </div>
          <section class="panel">
            <header class="panel-head">
              <h2>Documents</h2>
            </header>
            {execution.artifacts.length === 0 && (
              <p class="muted">
                {failed === undefined ? 'None yet.' : 'None: the execution ended before a document was made.'}
              </p>
            )}
            <Documents execution={execution} />
          </section>
        </div>
      )}
    </div>
  )
}

function Text({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined) return null
  return (
    <details class="more">
      <summary>
        <Icon name="chevron" size={14} /> {title}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
      <pre class="source" tabIndex={0}>
        {text}
      </pre>
    </details>
  )
}
