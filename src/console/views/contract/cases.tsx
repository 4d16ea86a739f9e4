/** Test payloads of a contract version: generated from a seed, or imported; each can be read. */

import { useSignal } from '@preact/signals'
import { limits } from '../../../core/limits.ts'
import { caseFilters } from '../../../core/list-filters.ts'
import { call } from '../../api/client.ts'
import { usePages, useResource } from '../../api/resource.ts'
import type { Case, CaseItem, CaseKind, Contract } from '../../api/types.ts'
import { layOutJson } from '../../json-layout.ts'
import { rich, t } from '../../language.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { type Column, PagedTable } from '../../parts/data-table.tsx'
import { Dialog, FormDialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ListFilters } from '../../parts/list-filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SourceView } from '../../parts/source-view.tsx'
import { changeQuery, place } from '../../router.ts'

const kinds: readonly (readonly [CaseKind, string, string])[] = [
  ['valid', t`Valid`, t`satisfies the contract`],
  ['boundary', t`Boundary`, t`satisfies it, with a value on a limit`],
  ['invalid', t`Invalid`, t`breaks exactly one rule`],
]

const keyOf = (row: CaseItem) => row.id

export function Cases({ contract, mayEdit }: { contract: Contract; mayEdit: boolean }) {
  const versions = [...contract.versions].sort((a, b) => b.number - a.number)
  const asked = Number(place.value.query.get('version'))
  const version = versions.find(({ number }) => number === asked) ?? versions[0]
  const kind = place.value.query.get('kind')
  const path =
    version === undefined
      ? undefined
      : `/api/v1/cases?contract_version_id=${version.id}${kind === null ? '' : `&kind=${kind}`}`
  const pages = usePages<CaseItem>(path, 'cases', keyOf)
  const making = useSignal<'generate' | 'import' | undefined>(undefined)
  if (version === undefined) {
    return (
      <div class="panel empty-panel">
        <p>{t`Cases belong to a version. Freeze the draft first, then generate some.`}</p>
      </div>
    )
  }
  const columns: readonly Column<CaseItem>[] = [
    {
      title: t`Case`,
      kind: 'main',
      cell: (row) => (
        <button type="button" class="row-link link-plain" onClick={() => changeQuery({ case: row.id })}>
          {nameOf(row)}
        </button>
      ),
    },
    {
      title: t`What it breaks`,
      kind: 'wide',
      cell: (row) =>
        row.invalid_keyword === undefined ? (
          '–'
        ) : (
          <code>
            {row.invalid_path} {row.invalid_keyword}
          </code>
        ),
    },
    { title: t`Made by`, kind: 'wide', cell: (row) => `${row.provider} ${row.provider_version}` },
    {
      title: t`Hash`,
      kind: 'wide',
      cell: (row) => <code title={row.content_hash}>{row.content_hash.slice(0, 10)}</code>,
    },
    { title: t`Made`, cell: (row) => <Moment at={row.created_at} /> },
  ]
  const show = (id: string) => {
    void pages.restart()
    changeQuery({ case: id })
  }
  const shown = place.value.query.get('case')
  return (
    <>
      <div class="filters">
        <label class="filter">
          <span>{t`Version`}</span>
          <select
            value={String(version.number)}
            onChange={(event) => changeQuery({ version: event.currentTarget.value })}
          >
            {versions.map(({ number }) => (
              <option key={number} value={String(number)}>
                v{number}
              </option>
            ))}
          </select>
        </label>
        <ListFilters of={caseFilters} choices={{ kind: kinds.map(([value, text]) => [value, text] as const) }} />
        {mayEdit && (
          <span class="filters-end">
            <button
              type="button"
              class="button"
              onClick={() => {
                making.value = 'import'
              }}
            >
              <Icon name="upload" size={16} /> {t`Import`}
            </button>
            <button
              type="button"
              class="button button-primary"
              onClick={() => {
                making.value = 'generate'
              }}
            >
              <Icon name="add" size={16} /> {t`Generate`}
            </button>
          </span>
        )}
      </div>
      <PagedTable
        label={t`Cases`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={
          <p>{t`There is no case of this version yet. Generate one from a seed, or import a payload of your own.`}</p>
        }
      />
      {making.value === 'generate' && (
        <GenerateDialog versionId={version.id} onMade={show} onClose={() => (making.value = undefined)} />
      )}
      {making.value === 'import' && (
        <ImportDialog versionId={version.id} onMade={show} onClose={() => (making.value = undefined)} />
      )}
      {shown !== null && <CaseDialog id={shown} onClose={() => changeQuery({ case: undefined })} />}
    </>
  )
}

export function nameOf({ kind, seed, provider }: Pick<Case, 'kind' | 'seed' | 'provider'>): string {
  const word = kind[0]?.toUpperCase() + kind.slice(1)
  return provider === 'svc fixture' ? t`${word}, imported` : t`${word}, seed ${seed}`
}

interface MakeProps {
  versionId: string
  onMade(id: string): void
  onClose(): void
}

function GenerateDialog({ versionId, onMade, onClose }: MakeProps) {
  const seed = useSignal(Math.floor(Math.random() * 10_000))
  return (
    <FormDialog
      title={t`Generate a case`}
      action={t`Generate`}
      onClose={onClose}
      onSubmit={async (fields) => {
        const body = { contract_version_id: versionId, kind: fields.get('kind'), seed: seed.value }
        const made = await call<Case>('/api/v1/cases/generate', { method: 'POST', body })
        // The dialog closes before the case is shown over it.
        setTimeout(() => onMade(made.id))
      }}
    >
      <fieldset class="choices">
        <legend class="offscreen">{t`Kind`}</legend>
        {kinds.map(([value, text, meaning]) => (
          <label key={value}>
            <input type="radio" name="kind" value={value} defaultChecked={value === 'valid'} /> {text}{' '}
            <span class="muted">{meaning}</span>
          </label>
        ))}
      </fieldset>
      <Field label={t`Seed`} hint={t`The same kind and seed give the same case, always.`}>
        <input
          type="number"
          min={0}
          max={limits.caseSeedMax}
          step={1}
          required
          value={seed.value}
          onInput={(event) => {
            seed.value = event.currentTarget.valueAsNumber
          }}
        />
      </Field>
    </FormDialog>
  )
}

function ImportDialog({ versionId, onMade, onClose }: MakeProps) {
  const text = useSignal('')
  return (
    <FormDialog
      title={t`Import a case`}
      action={t`Import`}
      wide
      disabled={text.value === ''}
      onClose={onClose}
      onSubmit={async (fields) => {
        const body = { contract_version_id: versionId, kind: fields.get('kind'), payload: text.value }
        const made = await call<Case>('/api/v1/cases/import', { method: 'POST', body })
        setTimeout(() => onMade(made.id))
      }}
    >
      <Field label={t`Kind`}>
        <select name="kind">
          <option value="valid">{t`Valid`}</option>
          <option value="boundary">{t`Boundary`}</option>
        </select>
      </Field>
      <Field label={t`Payload`} hint={t`JSON that satisfies the contract. It is kept byte for byte.`}>
        <textarea
          class="source"
          rows={12}
          required
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
        />
      </Field>
      <label class="button file-button">
        <Icon name="upload" size={16} /> {t`Take a file`}
        <input
          type="file"
          accept=".json,application/json"
          class="offscreen"
          onChange={async (event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) text.value = await file.text()
          }}
        />
      </label>
    </FormDialog>
  )
}

function CaseDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { value, problem } = useResource<Case>(`/api/v1/cases/${id}`)
  const shown = value.value
  return (
    <Dialog title={shown === undefined ? t`Case` : nameOf(shown)} onClose={onClose} wide>
      {problem.value !== undefined && <p class="muted">{problem.value.detail}</p>}
      {shown !== undefined && (
        <>
          <p class="lede lede-facts">
            <span>
              {shown.provider} {shown.provider_version}, {shown.generator_version}, {shown.locale}
            </span>
            <Copyable value={shown.content_hash} label={t`content hash`} chars={12} />
            <Copyable value={shown.id} label={t`case id`} chars={13} />
          </p>
          {shown.invalid_keyword !== undefined && (
            <p>{rich`Breaks ${<code>{shown.invalid_keyword}</code>} at ${<code>{shown.invalid_path}</code>}.`}</p>
          )}
          <SourceView label={t`Payload`} text={pretty(shown.payload ?? '')} copied={shown.payload ?? ''} />
        </>
      )}
      <div class="dialog-foot">
        <button type="button" class="button button-primary" onClick={onClose}>
          {t`Close`}
        </button>
      </div>
    </Dialog>
  )
}

/** Generated payloads are canonical: one line. */
export function pretty(text: string): string {
  return text.includes('\n') ? text : layOutJson(text).text
}
