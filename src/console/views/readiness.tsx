/** Whether every dependency answers, how fast, and how the outbox is doing; read again every few seconds. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import type { Liveness, Readiness } from '../api/types.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Status } from '../parts/status.tsx'

const refreshMs = 3_000

const names: Readonly<Record<string, readonly [title: string, does: string]>> = {
  'relational-db': ['Database', 'Configuration, executions, audit and outbox'],
  'message-bus': ['Message bus', 'Tells subscribers, and wakes the runners'],
  'object-store': ['Object store', 'Holds the documents by their hash'],
  outbox: ['Outbox', 'Events that wait to be sent'],
}

export function ReadinessView() {
  const { value, problem, reload } = useResource<Readiness>('/api/v1/admin/readiness', refreshMs)
  const build = useSignal<Liveness['build'] | undefined>(undefined)
  useEffect(() => {
    call<Liveness>('/health/live').then(
      (live) => {
        build.value = live.build
      },
      () => {},
    )
  }, [])
  const readiness = value.value
  return (
    <div class="page">
      <PageHead
        title="Readiness"
        facts={
          readiness && (
            <>
              <Status of={readiness.status} />
              {build.value !== undefined && (
                <>
                  <span>Quire {build.value.version}</span>
                  {build.value.api_version !== undefined && <span>API {build.value.api_version}</span>}
                  {build.value.revision !== undefined && (
                    <Copyable value={build.value.revision} label="revision" chars={12} />
                  )}
                </>
              )}
            </>
          )
        }
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {readiness === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label="Loading the readiness" />
      )}
      {readiness !== undefined && (
        <div class="panel table-panel">
          <table class="table" aria-label="Dependencies">
            <thead>
              <tr>
                <th scope="col">Dependency</th>
                <th scope="col">State</th>
                <th scope="col" class="wide">
                  Asked
                </th>
                <th scope="col" class="number">
                  Answered in
                </th>
              </tr>
            </thead>
            <tbody>
              {readiness.dependencies.map((dependency) => (
                <tr key={dependency.name}>
                  <td>
                    <span class="cell-title">{names[dependency.name]?.[0] ?? dependency.name}</span>
                    <span class="cell-note wide-block">{names[dependency.name]?.[1]}</span>
                  </td>
                  <td>
                    <Status of={dependency.status} />
                    {dependency.reason !== undefined && <div class="cell-note">{dependency.reason}</div>}
                  </td>
                  <td class="wide">{dependency.operation}</td>
                  <td class="number">{dependency.duration_ms.toFixed(1)} ms</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {readiness?.paused !== undefined && <Paused paused={readiness.paused} />}
      {readiness?.outbox !== undefined && <Outbox outbox={readiness.outbox} />}
    </div>
  )
}

/** Work that waits by itself: nobody has to retry anything. */
function Paused({ paused }: { paused: NonNullable<Readiness['paused']> }) {
  const { dependency, since, steps } = paused
  return (
    <section class="panel" aria-label="Paused work">
      <header class="panel-head">
        <h2>Work is paused</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>Waits for</dt>
          <dd>
            The {(names[dependency]?.[0] ?? dependency).toLowerCase()}. Work goes on by itself once it can be used; no
            attempt is counted.
          </dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>
            <Moment at={since} />
          </dd>
        </div>
        <div>
          <dt>Steps that wait</dt>
          <dd>{steps}</dd>
        </div>
      </dl>
    </section>
  )
}

function Outbox({ outbox }: { outbox: NonNullable<Readiness['outbox']> }) {
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>Outbox</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>Waiting</dt>
          <dd>{outbox.backlog_size === 0 ? 'Nothing: every event was sent' : `${outbox.backlog_size} events`}</dd>
        </div>
        {outbox.backlog_size > 0 && (
          <div>
            <dt>Oldest waits</dt>
            <dd>{outbox.oldest_unpublished_age_seconds.toFixed(0)} s</dd>
          </div>
        )}
        <div>
          <dt>Last one through</dt>
          <dd>
            {outbox.consumer_last_success_at === null ? (
              'None since this instance started'
            ) : (
              <Moment at={outbox.consumer_last_success_at} />
            )}
          </dd>
        </div>
        <div>
          <dt>Failed attempts to send</dt>
          <dd>
            {outbox.publish_failures === 0 ? 'None since the start' : `${outbox.publish_failures} since the start`}
          </dd>
        </div>
      </dl>
    </section>
  )
}
