/** Every submission, newest first. */

import { useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { usePages } from '../api/resource.ts'
import type { Submission } from '../api/types.ts'
import { rich, t } from '../language.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FailedAt } from '../parts/failure.tsx'
import { ClearFilters, TextFilter } from '../parts/filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { Reference } from '../parts/object-name.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Status } from '../parts/status.tsx'
import { SubmitLink } from '../parts/submit-link.tsx'
import { place } from '../router.ts'
import { useSubmissionsOfObject, wanted } from './objects.ts'

const refreshMs = 5_000

const columns: readonly Column<Submission>[] = [
  {
    title: t`Object`,
    kind: 'main',
    cell: (row) => (
      <div class="row-both">
        <a class="row-link" href={`/submissions/${row.id}`}>
          <Reference of={row} />
        </a>
        <span class="row-note">{firstFailure(row) === undefined ? row.model_slug : <Failed of={row} />}</span>
      </div>
    ),
  },
  { title: t`Model`, kind: 'wide', cell: (row) => row.model_slug },
  {
    title: t`Executions`,
    cell: (row) => (
      <>
        <span class="statuses">
          {[...Map.groupBy(row.executions, ({ status }) => status)].map(([status, { length }]) => (
            <span key={status}>
              <Status of={status} />
              {length > 1 && ` × ${length}`}
            </span>
          ))}
          {row.executions.length === 0 && '–'}
        </span>
        <span class="narrow-line">
          <Moment at={row.created_at} />
        </span>
      </>
    ),
  },
  { title: t`Failed at`, kind: 'wide text', cell: (row) => <Failed of={row} /> },
  { title: t`Official time`, kind: 'wide', cell: (row) => <Moment at={row.object_time} /> },
  { title: t`Submitted`, kind: 'wide', cell: (row) => <Moment at={row.created_at} /> },
]

/** Of those that fail because their parent did, the parent says why. */
function firstFailure({ executions }: Submission) {
  const failures = executions.flatMap(({ failure }) => failure ?? [])
  return failures.find(({ code }) => code !== 'parent_failed') ?? failures[0]
}

function Failed({ of }: { of: Submission }) {
  const failure = firstFailure(of)
  return failure === undefined ? null : <FailedAt step={failure.step} reason={<code>{failure.code}</code>} />
}

const keyOf = (row: Submission) => row.id

export function SubmissionsView() {
  const pages = usePages<Submission>('/api/v1/submissions', 'submissions', keyOf)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void pages.refresh()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [])
  const ofObject = useSubmissionsOfObject()
  const loaded = useComputed(() => {
    const text = wanted()
    if (text === '') return pages.rows.value
    return pages.rows.value.filter(
      (row) => row.object_reference.toLowerCase().includes(text) || row.model_slug.includes(text) || row.id === text,
    )
  })
  const isFound = ofObject.rows.value.length > 0
  const shown = isFound ? ofObject : { ...pages, rows: loaded }
  return (
    <div class="page">
      <PageHead title={t`Submissions`} lede={t`Every raw input that was submitted, with what was made of it.`}>
        <SubmitLink />
      </PageHead>
      <search class="filters">
        <TextFilter name="find" label={t`Object or model`} placeholder={t`CLW-2026-000417`} isSearch size={28} />
        <ClearFilters names={['find']} />
      </search>
      <PagedTable
        label={t`Submissions`}
        columns={columns}
        pages={shown}
        keyOf={keyOf}
        empty={
          wanted() !== '' ? (
            <p>
              {rich`Nothing that is loaded matches “${place.value.query.get('find')}”. Older submissions are found by the whole reference of their object.`}
            </p>
          ) : (
            <>
              <p>{t`Nothing was submitted yet.`}</p>
              <a class="button button-primary" href="/lab">
                {t`Go to the intake test lab`}
              </a>
            </>
          )
        }
      />
    </div>
  )
}
