/** Every document that was made, by all that the server can filter; one of them looked at beside the list. */

import { fileFormats, fileFormatsByRank } from '../../core/formats.ts'
import { storageFilters } from '../../core/list-filters.ts'
import { usePages } from '../api/resource.ts'
import type { StorageItem } from '../api/types.ts'
import { formatBytes } from '../format.ts'
import { t } from '../language.ts'
import { read4 } from '../navigation.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ClearFilters } from '../parts/filters.tsx'
import { Icon } from '../parts/icon.tsx'
import { ListFilters, listQuery } from '../parts/list-filters.tsx'
import { Moment } from '../parts/moment.tsx'
import { Reference } from '../parts/object-name.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { PdfPreview } from '../parts/pdf-preview.tsx'
import { changeQuery, place } from '../router.ts'
import { holdsPermission, holdsRole } from '../session.ts'

const names = Object.keys(storageFilters)

const keyOf = (row: StorageItem) => row.artifact_id

function ObjectOf({ row }: { row: StorageItem }) {
  return <Reference of={{ id: row.submission_id, object_reference: row.object_reference }} />
}

export function StorageView() {
  const path = `/api/v1/storage${listQuery(storageFilters)}`
  const pages = usePages<StorageItem>(path, 'storage', keyOf)
  const mayDownload = holdsPermission('artifact_download')
  const shown = pages.rows.value.find((row) => row.artifact_id === place.value.query.get('show'))
  const columns: readonly Column<StorageItem>[] = [
    {
      title: t`Object`,
      kind: 'main',
      cell: (row) => (
        <div class="row-both">
          {mayDownload && row.format === 'pdf' && row.removed_at === undefined ? (
            <button type="button" class="row-link link-plain" onClick={() => changeQuery({ show: row.artifact_id })}>
              <ObjectOf row={row} />
            </button>
          ) : (
            <ObjectOf row={row} />
          )}
          <span class="row-note">
            <Moment at={row.created_at} />
          </span>
        </div>
      ),
    },
    {
      title: t`Format`,
      cell: (row) => (
        <span class="artifact-kind artifact-kind-small" data-kind={row.format}>
          {fileFormats[row.format].label}
        </span>
      ),
    },
    {
      title: t`Made by`,
      kind: 'wide',
      cell: (row) => <span title={row.producing_node_address}>{row.producing_node_label}</span>,
    },
    { title: t`Model`, kind: 'wide', cell: (row) => row.model_slug },
    { title: t`Size`, kind: 'wide number', cell: (row) => formatBytes(row.byte_size) },
    { title: t`Made`, kind: 'wide', cell: (row) => <Moment at={row.created_at} /> },
    ...(mayDownload
      ? [
          {
            title: t`Download`,
            kind: 'number',
            cell: (row: StorageItem) =>
              row.removed_at === undefined ? (
                <a
                  class="icon-button row-tool"
                  href={row.download_path}
                  download
                  aria-label={t`Download ${fileFormats[row.format].label} of ${row.object_reference}`}
                >
                  <Icon name="download" />
                </a>
              ) : (
                <span class="muted">{t`Removed`}</span>
              ),
          } satisfies Column<StorageItem>,
        ]
      : []),
  ]

  return (
    <div class="page">
      <PageHead title={t`Storage`} lede={t`Every document that was made. Without dates, those of the last 30 days.`} />
      <search class="filters">
        <ListFilters
          of={storageFilters}
          choices={{ format: fileFormatsByRank.map((format) => [format, fileFormats[format].label]) }}
        />
        <ClearFilters names={names} />
      </search>
      <PagedTable
        label={t`Documents`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={
          names.some((name) => place.value.query.has(name)) ? (
            <p>{t`No document matches these filters.`}</p>
          ) : (
            <>
              <p>{t`No document was made in the last 30 days.`}</p>
              <a class="button" href="/lab">
                {t`Go to the intake test lab`}
              </a>
            </>
          )
        }
      />
      {shown !== undefined && <Preview item={shown} />}
    </div>
  )
}

function Preview({ item }: { item: StorageItem }) {
  const close = () => changeQuery({ show: undefined })
  const [, executionId] = /executions\/([0-9a-f-]{36})\//.exec(item.download_path) ?? []
  return (
    <Dialog title={`${item.object_reference}, ${item.producing_node_label}`} onClose={close} wide>
      <p class="lede lede-facts">
        <span>{formatBytes(item.byte_size)}</span>
        <Moment at={item.created_at} />
        <Copyable value={item.content_hash} label={t`content hash`} chars={12} />
        {executionId !== undefined && holdsRole(read4) && <a href={`/executions/${executionId}`}>{t`Execution`}</a>}
      </p>
      <PdfPreview path={item.download_path} />
      <div class="dialog-foot">
        <button type="button" class="button button-quiet" onClick={close}>
          {t`Close`}
        </button>
        <a class="button button-primary" href={item.download_path} download>
          <Icon name="download" size={16} /> {t`Download`}
        </a>
      </div>
    </Dialog>
  )
}
