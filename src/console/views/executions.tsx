/** Every execution, newest first, by its state. */

import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { fileFormats } from '../../core/formats.ts'
import { executionFilters } from '../../core/list-filters.ts'
import { executionStatuses } from '../../core/steps.ts'
import { knownObjects, useNewestObjects } from '../api/objects.ts'
import { usePages } from '../api/resource.ts'
import type { Execution } from '../api/types.ts'
import { failedStep, reasonOf, totalMs } from '../execution-steps.ts'
import { formatDuration } from '../format.ts'
import { rich, t } from '../language.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FailedAt } from '../parts/failure.tsx'
import { ClearFilters, TextFilter } from '../parts/filters.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { ObjectName, useNode } from '../parts/object-name.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Status, stateWord } from '../parts/status.tsx'
import { SubmitLink } from '../parts/submit-link.tsx'
import { place } from '../router.ts'
import { holdsRole } from '../session.ts'
import { stepTitle } from '../words.ts'
import { RetryManyDialog } from './execution/retry-many.tsx'
import { useSubmissionsOfObject, wanted } from './objects.ts'

const refreshMs = 3_000
const names = Object.keys(executionFilters)
const states = executionStatuses.map((status) => [status, stateWord(status)] as const)

const columns: readonly Column<Execution>[] = [
  {
    title: t`Object`,
    kind: 'main',
    cell: (row) => (
      <div class="row-both">
        <a class="row-link" href={`/executions/${row.id}`}>
          <ObjectName execution={row} />
        </a>
        <Narrow of={row} />
      </div>
    ),
  },
  { title: t`Model`, kind: 'wide', cell: (row) => <Model of={row} /> },
  {
    title: t`Status`,
    cell: (row) => (
      <>
        <Status of={row.status} />
        <span class="narrow-line">
          <Moment at={row.created_at} />
        </span>
      </>
    ),
  },
  { title: t`Result`, kind: 'wide text', cell: (row) => <Result of={row} /> },
  { title: t`Took`, kind: 'wide number', cell: (row) => tookOf(row) },
  { title: t`Started`, kind: 'wide', cell: (row) => <Moment at={row.created_at} /> },
]

function Model({ of }: { of: Execution }) {
  const [model, node] = useNode(of)
  return (
    <>
      {model}
      <span class="cell-inline">{node}</span>
    </>
  )
}

/** Why it failed, where it is, or what it made. */
function Result({ of }: { of: Execution }) {
  const failed = failedStep(of)
  if (failed !== undefined) return <FailedAt step={failed.name} reason={reasonOf(failed)} />
  const made = of.artifacts.map(({ kind }) => fileFormats[kind].label).join(', ')
  if (of.status === 'completed') return <>{made || t`Data`}</>
  const next = of.steps.find(({ status }) => status !== 'succeeded')
  return <>{next === undefined ? '–' : stepTitle(next.name)}</>
}

/** Below the object, where the columns are left out. */
function Narrow({ of }: { of: Execution }) {
  const belongs = useNode(of).join(' · ')
  return <span class="row-note">{failedStep(of) === undefined ? belongs : <Result of={of} />}</span>
}

const keyOf = (row: Execution) => row.id

function tookOf(row: Execution): string {
  const total = totalMs(row)
  return total === undefined ? '–' : formatDuration(total)
}

export function ExecutionsView() {
  const pages = usePages<Execution>(`/api/v1/executions${listQuery(executionFilters)}`, 'executions', keyOf)
  useNewestObjects()
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void pages.refresh()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [place.value.query.toString()])
  const rows = useComputed(() => {
    const text = wanted()
    if (text === '') return pages.rows.value
    return pages.rows.value.filter(
      (row) =>
        row.id.includes(text) ||
        (row.submission_id !== undefined &&
          knownObjects.value.get(row.submission_id)?.object_reference.toLowerCase().includes(text)),
    )
  })
  const isRetrying = useSignal(false)
  const mayRetry = place.value.query.get('status') === 'failed' && holdsRole(['administrator', 'operator'])
  const isFiltered = [...place.value.query.keys()].length > 0
  return (
    <div class="page">
      <PageHead title={t`Executions`} lede={t`Every durable run of a release on one input, newest first.`}>
        {mayRetry && (
          <button
            type="button"
            class="button"
            onClick={() => {
              isRetrying.value = true
            }}
          >
            <Icon name="reset" size={16} /> {t`Retry failed`}
          </button>
        )}
        <SubmitLink />
      </PageHead>
      <search class="filters">
        <TextFilter name="find" label={t`Object or id`} placeholder={t`CLW-2026-000417`} isSearch size={28} />
        <ListFilters of={executionFilters} choices={{ status: states }} />
        <ClearFilters names={['find', ...names]} />
      </search>
      <PagedTable
        label={t`Executions`}
        columns={columns}
        pages={{ ...pages, rows }}
        keyOf={keyOf}
        empty={
          isFiltered ? (
            <NoMatch />
          ) : (
            <>
              <p>{t`Nothing has run yet.`}</p>
              <a class="button button-primary" href="/lab">
                {t`Go to the intake test lab`}
              </a>
            </>
          )
        }
      />
      {isRetrying.value && (
        <RetryManyDialog
          releaseId={place.value.query.get('release_id') ?? undefined}
          done={pages.refresh}
          onClose={() => {
            isRetrying.value = false
          }}
        />
      )}
    </div>
  )
}

/** No loaded row matches; the object's own submissions still lead to its executions. */
function NoMatch() {
  const submissions = useSubmissionsOfObject().rows.value
  if (submissions.length === 0) {
    return <p>{t`No execution matches these filters. Older ones are found by the whole reference of their object.`}</p>
  }
  return (
    <>
      <p>{rich`Executions of ${submissions[0]?.object_reference}:`}</p>
      <ul class="lines">
        {submissions.flatMap((submission) =>
          submission.executions.map((execution) => (
            <li key={execution.id}>
              <a class="line-main" href={`/executions/${execution.id}`}>
                {execution.node_label}
              </a>
              <span class="line-text">{submission.model_slug}</span>
              <span class="line-end">
                <Status of={execution.status} /> <Moment at={submission.created_at} />
              </span>
            </li>
          )),
        )}
      </ul>
    </>
  )
}
