/** Every contract with its newest versions. */

import { useSignal } from '@preact/signals'
import { call } from '../api/client.ts'
import { usePages } from '../api/resource.ts'
import type { Contract } from '../api/types.ts'
import { t } from '../language.ts'
import { authors, read4 } from '../navigation.ts'
import { type Column, PagedTable } from '../parts/data-table.tsx'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Status } from '../parts/status.tsx'
import { go } from '../router.ts'
import { holdsRole } from '../session.ts'
import { NewFamilyDialog } from './configuration/new-family.tsx'
import { starterSchema } from './contract/starter.ts'

const keyOf = (row: Contract) => row.id

export function ContractsView() {
  const pages = usePages<Contract>('/api/v1/contracts', 'contracts', keyOf)
  const isMaking = useSignal(false)
  const mayEdit = holdsRole(authors)
  const opens = holdsRole(read4)
  const columns: readonly Column<Contract>[] = [
    {
      title: t`Name`,
      kind: 'main',
      cell: (row) =>
        opens ? (
          <a class="row-link" href={`/contracts/${row.id}`}>
            {row.name}
          </a>
        ) : (
          row.name
        ),
    },
    { title: t`What it is for`, kind: 'wide', cell: (row) => <span class="muted">{row.description || '–'}</span> },
    { title: t`Newest version`, cell: (row) => <Newest contract={row} /> },
    { title: t`Changed`, kind: 'wide', cell: (row) => <Moment at={row.updated_at} /> },
  ]
  return (
    <div class="page">
      <PageHead title={t`Contracts`} lede={t`What raw input must look like: JSON Schema, frozen into versions.`}>
        {mayEdit && (
          <button
            type="button"
            class="button button-primary"
            onClick={() => {
              isMaking.value = true
            }}
          >
            <Icon name="add" size={16} /> {t`New contract`}
          </button>
        )}
      </PageHead>
      <PagedTable
        label={t`Contracts`}
        columns={columns}
        pages={pages}
        keyOf={keyOf}
        empty={
          <p>{t`There is no contract yet. A contract says what raw input must look like; everything else builds on
              one.`}</p>
        }
      />
      {isMaking.value && (
        <NewFamilyDialog
          word={t`contract`}
          hasSlug={false}
          create={async ({ name, description }) => {
            const { contract } = await call<{ contract: Contract }>('/api/v1/contracts', {
              method: 'POST',
              body: { name, description, schema: starterSchema(name) },
            })
            go(`/contracts/${contract.id}`)
          }}
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </div>
  )
}

function Newest({ contract }: { contract: Contract }) {
  const newest = contract.versions.reduce<Contract['versions'][number] | undefined>(
    (best, one) => (best === undefined || one.number > best.number ? one : best),
    undefined,
  )
  if (newest === undefined) return <span class="muted">{t`none yet`}</span>
  return (
    <span class="statuses">
      v{newest.number} <Status of={newest.status} />
    </span>
  )
}
