/** One batch: how far it has come, why rows failed and another try for them, and its documents. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Batch, BatchFailures } from '../../client/quire.ts'
import { batchRowFilters } from '../../core/list-filters.ts'
import { call } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { usePages, useResource } from '../api/resource.ts'
import { formatBytes } from '../format.ts'
import { rich, t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { FailedAt } from '../parts/failure.tsx'
import { ClearFilters } from '../parts/filters.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { Reference } from '../parts/object-name.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { place } from '../router.ts'
import { session } from '../session.ts'
import { stepTitle } from '../words.ts'
import { BatchBar, BatchParts, BatchState } from './batch/progress.tsx'
import { countOf, isMoving, shareDone } from './batch/words.ts'

type Cause = BatchFailures['causes'][number]
interface Row {
  number: number
  line: number
  state: string
  object_reference?: string
  submission_id?: string
  step?: string
  message?: string
}

const refreshMs = 2_000
const keyOf = (row: Row) => String(row.number)
const names = Object.keys(batchRowFilters)

const rowStates = [
  ['waiting', t`waiting`],
  ['submitted', t`at work`],
  ['completed', t`completed`],
  ['failed', t`failed`],
  ['refused', t`refused`],
  ['erased', t`erased`],
] as const

const columns: readonly Column<Row>[] = [
  { title: t`Line`, cell: (row) => row.line },
  {
    title: t`Row`,
    kind: 'main',
    cell: (row) => (
      <div class="row-both">
        {row.submission_id === undefined ? (
          row.number
        ) : (
          <a class="row-link" href={`/submissions/${row.submission_id}`}>
            <Reference of={{ id: row.submission_id, object_reference: row.object_reference ?? String(row.number) }} />
          </a>
        )}
        <span class="row-note">
          <Why of={row} />
        </span>
      </div>
    ),
  },
  { title: t`State`, cell: (row) => <RowState of={row.state} /> },
  { title: t`Why`, kind: 'wide text', cell: (row) => <Why of={row} /> },
]

function Why({ of: { step, message } }: { of: Row }) {
  if (step === undefined || step === '') return <span class="row-text">{message}</span>
  return <FailedAt step={step} reason={message} />
}

function RowState({ of }: { of: string }) {
  const word = rowStates.find(([state]) => state === of)?.[1] ?? of
  const tone = of === 'completed' ? ' status-success' : of === 'failed' || of === 'refused' ? ' status-danger' : ''
  return <span class={`status${tone}`}>{word.charAt(0).toUpperCase() + word.slice(1)}</span>
}

export function BatchView({ parameters }: ViewProps) {
  const path = `/api/v1/batches/${parameters.id}`
  const resource = useResource<Batch>(path, refreshMs)
  const failures = useResource<BatchFailures>(`${path}/failures`)
  const pages = usePages<Row>(`${path}/rows${listQuery(batchRowFilters)}`, 'rows', keyOf)
  const batch = resource.value.value
  const ended = batch === undefined ? 0 : batch.counts.failed + batch.counts.refused
  const seen = batch === undefined ? 0 : batch.rows - batch.counts.waiting
  // The rows and causes follow what the batch says of itself.
  useEffect(() => {
    void failures.reload()
  }, [ended])
  useEffect(() => {
    void pages.refresh()
  }, [seen, batch?.counts.at_work, place.value.query.toString()])
  const problem = resource.problem.value
  if (problem !== undefined && batch === undefined) {
    return (
      <div class="page">
        <ProblemNote problem={problem} retry={resource.reload} />
      </div>
    )
  }
  if (batch === undefined) return <div class="page" aria-busy="true" />
  const done = async () => {
    await Promise.all([resource.reload(), failures.reload()])
  }
  const causes = failures.value.value?.causes ?? []
  return (
    <div class="page">
      <PageHead
        title={batch.name}
        parent={{ href: '/batches', title: t`Batches` }}
        lede={t`${countOf(batch.rows)} for ${batch.model_slug}`}
      >
        <Actions batch={batch} path={path} done={done} />
      </PageHead>
      {batch.pause_reason !== undefined && (
        <p class="note note-warning" role="status">
          <Icon name="alert" /> <span>{batch.pause_reason}</span>
        </p>
      )}
      <section class="panel batch-progress" aria-busy={isMoving(batch)}>
        <p class="batch-share">
          <strong>{shareDone(batch)} %</strong> <BatchState of={batch} />
        </p>
        <BatchBar of={batch} />
        <BatchParts of={batch} />
        <p class="muted lede-facts">
          <span>{rich`Submitted ${<Moment at={batch.created_at} />}`}</span>
          {batch.completed_at !== undefined && <span>{rich`Ended ${<Moment at={batch.completed_at} />}`}</span>}
          <span>{formatBytes(batch.byte_size)}</span>
        </p>
        {batch.counts.completed > 0 && mayDownload() && (
          <p class="batch-downloads">
            <a class="button" href={`${path}/results?form=zip`} download>
              <Icon name="download" size={16} /> {t`All documents as ZIP`}
            </a>
            <a class="button" href={`${path}/results?form=pdf`} download>
              <Icon name="download" size={16} /> {t`One PDF for print`}
            </a>
          </p>
        )}
      </section>
      {causes.length > 0 && (
        <section class="panel">
          <header class="panel-head">
            <h2>{t`Why rows failed`}</h2>
          </header>
          <ul class="batch-causes">
            {causes.map((cause) => (
              <CausePart key={cause.cause} cause={cause} path={path} done={done} />
            ))}
          </ul>
        </section>
      )}
      <search class="filters">
        <ListFilters of={batchRowFilters} choices={{ state: rowStates }} />
        <ClearFilters names={names} />
      </search>
      <PagedTable
        label={t`Rows`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={<p>{t`No row of this kind was submitted yet.`}</p>}
      />
    </div>
  )
}

function mayDownload(): boolean {
  return session.value?.user.permissions.includes('artifact_download') === true
}

interface ActionsProps {
  batch: Batch
  path: string
  done(): Promise<void>
}

function Actions({ batch, path, done }: ActionsProps) {
  const isAsked = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  if (session.value?.user.permissions.includes('submission_create') !== true) return null
  if (batch.status !== 'running' && batch.status !== 'paused') return null
  const verb = batch.status === 'running' ? 'pause' : 'resume'
  return (
    <>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <button
        type="button"
        class={verb === 'pause' ? 'button' : 'button button-primary'}
        onClick={async () => {
          problem.value = undefined
          try {
            await call(`${path}/${verb}`, { method: 'POST', body: {} })
          } catch (error) {
            if (!(error instanceof ApiProblem)) throw error
            problem.value = error
          }
          await done()
        }}
      >
        {verb === 'pause' ? t`Pause` : t`Resume`}
      </button>
      <button
        type="button"
        class="button button-danger"
        onClick={() => {
          isAsked.value = true
        }}
      >
        {t`Take back the rest…`}
      </button>
      {isAsked.value && (
        <FormDialog
          title={t`Take back the rest of ${batch.name}?`}
          action={t`Take back the rest`}
          isDestructive
          onClose={() => {
            isAsked.value = false
          }}
          onSubmit={async () => {
            await call(`${path}/cancel`, { method: 'POST', body: {} })
            await done()
          }}
        >
          <p>
            {rich`${countOf(batch.counts.waiting)} will not be submitted, and the file is removed. What was submitted goes on. This can’t be undone.`}
          </p>
        </FormDialog>
      )}
    </>
  )
}

function CausePart({ cause, path, done }: { cause: Cause; path: string; done(): Promise<void> }) {
  const isBusy = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const roles = session.value?.user.roles ?? []
  const mayRetry = roles.includes('administrator') || roles.includes('operator')

  async function retry(): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    try {
      for (let remaining = 1; remaining > 0; ) {
        const answer = await call<{ retried: number; remaining: number }>(`${path}/retry`, {
          ...{ method: 'POST', body: { cause: cause.cause } },
        })
        remaining = answer.retried === 0 ? 0 : answer.remaining
      }
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      problem.value = error
    } finally {
      isBusy.value = false
    }
    await done()
  }

  return (
    <li>
      <div>
        <p>
          <a href={`?cause=${cause.cause}`}>
            <strong>{countOf(cause.rows)}</strong>
          </a>{' '}
          {cause.state === 'refused' ? t`refused by the intake` : t`failed at ${stepTitle(cause.step)}`}
          {cause.place !== '' && (
            <>
              , <code>{cause.place}</code>
            </>
          )}
        </p>
        <p class="muted">{cause.message}</p>
        {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      </div>
      {mayRetry && (
        <button type="button" class="button button-small" aria-disabled={isBusy.value} onClick={() => void retry()}>
          {isBusy.value ? t`One moment…` : cause.remedy === 'retry' ? t`Try again` : t`Submit again`}
        </button>
      )}
    </li>
  )
}
