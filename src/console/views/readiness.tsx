/** Whether every dependency answers, how fast, and how the outbox is doing; read again every few seconds. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { call } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import type { Liveness, Readiness } from '../api/types.ts'
import { formatNumber } from '../format.ts'
import { inSentence, rich, t } from '../language.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Status } from '../parts/status.tsx'

const refreshMs = 3_000

const names: Readonly<Record<string, readonly [title: string, does: string]>> = {
  'relational-db': [t`Database`, t`Configuration, executions, audit and outbox`],
  'message-bus': [t`Message bus`, t`Tells subscribers, and wakes the runners`],
  'object-store': [t`Object store`, t`Holds the documents by their hash`],
  outbox: [t`Outbox`, t`Events that wait to be sent`],
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
        title={t`Readiness`}
        facts={
          readiness && (
            <>
              <Status of={readiness.status} />
              {build.value !== undefined && (
                <>
                  <span>{rich`Quire ${build.value.version}`}</span>
                  {build.value.api_version !== undefined && <span>{rich`API ${build.value.api_version}`}</span>}
                  {build.value.revision !== undefined && (
                    <Copyable value={build.value.revision} label={t`revision`} chars={12} />
                  )}
                </>
              )}
            </>
          )
        }
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {readiness === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label={t`Loading the readiness`} />
      )}
      {readiness !== undefined && (
        <div class="panel table-panel">
          <table class="table" aria-label={t`Dependencies`}>
            <thead>
              <tr>
                <th scope="col">{t`Dependency`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col" class="wide">
                  {t`Asked`}
                </th>
                <th scope="col" class="number">
                  {t`Answered in`}
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
                  <td class="number">{rich`${formatNumber(dependency.duration_ms, 1)} ms`}</td>
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
    <section class="panel" aria-label={t`Paused work`}>
      <header class="panel-head">
        <h2>{t`Work is paused`}</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>{t`Waits for`}</dt>
          <dd>
            {rich`The ${inSentence(names[dependency]?.[0] ?? dependency)}. Work goes on by itself once it can be used; no attempt is counted.`}
          </dd>
        </div>
        <div>
          <dt>{t`Since`}</dt>
          <dd>
            <Moment at={since} />
          </dd>
        </div>
        <div>
          <dt>{t`Steps that wait`}</dt>
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
        <h2>{t`Outbox`}</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>{t`Waiting`}</dt>
          <dd>{outbox.backlog_size === 0 ? t`Nothing: every event was sent` : t`${outbox.backlog_size} events`}</dd>
        </div>
        {outbox.backlog_size > 0 && (
          <div>
            <dt>{t`Oldest waits`}</dt>
            <dd>{outbox.oldest_unpublished_age_seconds.toFixed(0)} s</dd>
          </div>
        )}
        <div>
          <dt>{t`Last one through`}</dt>
          <dd>
            {outbox.consumer_last_success_at === null ? (
              t`None since this instance started`
            ) : (
              <Moment at={outbox.consumer_last_success_at} />
            )}
          </dd>
        </div>
        <div>
          <dt>{t`Failed attempts to send`}</dt>
          <dd>
            {outbox.publish_failures === 0 ? t`None since the start` : t`${outbox.publish_failures} since the start`}
          </dd>
        </div>
      </dl>
    </section>
  )
}
