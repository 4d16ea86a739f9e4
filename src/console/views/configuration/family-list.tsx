/** The families of one kind, with what is in force of each. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { usePages, useResource } from '../../api/resource.ts'
import type { Activation, ConfigurationKind, Family } from '../../api/types.ts'
import { inSentence, rich, t } from '../../language.ts'
import { authors } from '../../navigation.ts'
import { type Column, PagedTable } from '../../parts/data-table.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Moment } from '../../parts/moment.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { go } from '../../router.ts'
import { holdsRole } from '../../session.ts'
import { kindTexts } from './kinds.ts'
import { NewFamilyDialog } from './new-family.tsx'

interface FamilyListProps {
  kind: ConfigurationKind
  lede: string
  /** The list's name in the answer. */
  member: string
  /** Answers the new family's id. */
  create(family: { slug: string; name: string; description: string }): Promise<string>
  /** What an empty list says. */
  empty: string
  children?: ComponentChildren
}

const keyOf = (family: Family) => family.id

export function FamilyList({ kind, lede, member, create, empty, children }: FamilyListProps) {
  const { plural, singular, path } = kindTexts[kind]
  const pages = usePages<Family>(`/api/v1${path}`, member, keyOf)
  const active = useResource<{ activations: Activation[] }>(`/api/v1/activations?kind=${kind}&status=active&limit=100`)
  const inForce = new Map(active.value.value?.activations.map((activation) => [activation.family_id, activation]))
  const isMaking = useSignal(false)
  const mayEdit = holdsRole(authors)
  const columns: readonly Column<Family>[] = [
    {
      title: t`Name`,
      kind: 'main',
      cell: (family) => (
        <a class="row-link" href={`${path}/${family.id}`}>
          {family.name}
        </a>
      ),
    },
    { title: t`Slug`, kind: 'wide', cell: (family) => <code>{family.slug}</code> },
    {
      title: t`In force`,
      cell: (family) => {
        const activation = inForce.get(family.id)
        return activation === undefined ? <span class="muted">–</span> : `v${activation.version}`
      },
    },
    {
      title: t`Draft`,
      kind: 'wide',
      cell: (family) =>
        family.draft_revision === 0 ? <span class="muted">{t`none`}</span> : t`revision ${family.draft_revision}`,
    },
    { title: t`Changed`, cell: (family) => <Moment at={family.updated_at} /> },
  ]
  return (
    <div class="page">
      <PageHead title={plural} lede={lede}>
        {children}
        {mayEdit && (
          <button
            type="button"
            class="button button-primary"
            onClick={() => {
              isMaking.value = true
            }}
          >
            <Icon name="add" size={16} /> {rich`New ${inSentence(singular)}`}
          </button>
        )}
      </PageHead>
      <PagedTable label={plural} columns={columns} pages={pages} keyOf={keyOf} empty={<p>{empty}</p>} />
      {isMaking.value && (
        <NewFamilyDialog
          word={inSentence(singular)}
          hasSlug={true}
          create={async (family) => go(`${path}/${await create(family)}`)}
          onClose={() => {
            isMaking.value = false
          }}
        />
      )}
    </div>
  )
}
