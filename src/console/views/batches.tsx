/** Files of many inputs: what became of their rows, and submitting another. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Batch } from '../../client/quire.ts'
import { batchFilters } from '../../core/list-filters.ts'
import { mutate } from '../api/client.ts'
import { usePages, useResource } from '../api/resource.ts'
import type { Family } from '../api/types.ts'
import { formatNumber } from '../format.ts'
import { t } from '../language.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { ClearFilters } from '../parts/filters.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { go } from '../router.ts'
import { session } from '../session.ts'
import { BatchBar, BatchState } from './batch/progress.tsx'
import { mediaTypeOf, partsInWords } from './batch/words.ts'

const refreshMs = 3_000
const keyOf = (row: Batch) => row.id
const names = Object.keys(batchFilters)
const states = [
  ['running', t`running`],
  ['paused', t`paused`],
  ['completed', t`completed`],
  ['cancelled', t`taken back`],
] as const

const columns: readonly Column<Batch>[] = [
  {
    title: t`Batch`,
    kind: 'main',
    cell: (row) => (
      <div class="row-both">
        <a class="row-link" href={`/batches/${row.id}`}>
          {row.name}
        </a>
        <span class="row-note">{partsInWords(row)}</span>
      </div>
    ),
  },
  {
    title: t`State`,
    cell: (row) => (
      <>
        <BatchState of={row} />
        <span class="narrow-line">
          <Moment at={row.created_at} />
        </span>
      </>
    ),
  },
  {
    title: t`Progress`,
    kind: 'wide',
    cell: (row) => (
      <>
        <BatchBar of={row} />
        <span class="cell-inline">{partsInWords(row)}</span>
      </>
    ),
  },
  { title: t`Rows`, kind: 'wide number', cell: (row) => formatNumber(row.rows) },
  { title: t`Model`, kind: 'wide', cell: (row) => row.model_slug },
  { title: t`Submitted`, kind: 'wide', cell: (row) => <Moment at={row.created_at} /> },
]

export function BatchesView() {
  const pages = usePages<Batch>(`/api/v1/batches${listQuery(batchFilters)}`, 'batches', keyOf)
  const isAsked = useSignal(false)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void pages.refresh()
    }, refreshMs)
    return () => clearInterval(timer)
  }, [])
  const mayCreate = session.value?.user.permissions.includes('submission_create') === true
  const ask = () => {
    isAsked.value = true
  }
  return (
    <div class="page">
      <PageHead title={t`Batches`} lede={t`Files of many inputs: each row becomes a submission.`}>
        {mayCreate && (
          <button type="button" class="button button-primary" onClick={ask}>
            <Icon name="add" size={16} /> {t`New batch`}
          </button>
        )}
      </PageHead>
      <search class="filters">
        <ListFilters of={batchFilters} choices={{ status: states }} />
        <ClearFilters names={names} />
      </search>
      <PagedTable
        label={t`Batches`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={
          <p>{t`No file was submitted yet. A batch takes CSV with a header row, or JSON with one input a line.`}</p>
        }
      />
      {isAsked.value && (
        <NewBatchDialog
          onClose={() => {
            isAsked.value = false
          }}
        />
      )}
    </div>
  )
}

function NewBatchDialog({ onClose }: { onClose(): void }) {
  const models = useResource<{ ingestion_models: Family[] }>('/api/v1/ingestion-models?limit=100')
  return (
    <FormDialog
      title={t`New batch`}
      action={t`Submit`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const file = fields.get('file') as File
        const form = new FormData()
        for (const name of ['ingestion_model', 'object_reference_field', 'params']) {
          const value = String(fields.get(name) ?? '').trim()
          if (value !== '') form.set(name, value)
        }
        form.set('file', new File([file], file.name, { type: mediaTypeOf(file.name) }))
        const { id } = await mutate<Batch>('/api/v1/batches', { method: 'POST', body: form })
        go(`/batches/${id}`)
      }}
    >
      <Field label={t`Ingestion model`}>
        <select name="ingestion_model" required>
          {models.value.value?.ingestion_models.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      <Field
        label={t`File`}
        hint={t`CSV with a header row, or NDJSON: a JSON input a line. All of it is checked before a row is submitted.`}
      >
        <input name="file" type="file" required accept=".csv,.ndjson,.jsonl" />
      </Field>
      <Field
        label={t`Where the object’s reference is`}
        hint={t`The column, or for NDJSON the member. Only where the model doesn’t take it from the input.`}
      >
        <input name="object_reference_field" maxLength={200} autocomplete="off" spellcheck={false} />
      </Field>
      <Field label={t`Params`} hint={t`For the transformers, as JSON. Usually none.`}>
        <input name="params" maxLength={8192} autocomplete="off" spellcheck={false} placeholder="{}" />
      </Field>
    </FormDialog>
  )
}
