/** One contract: its draft, its versions, what changed between any two, and its cases. */

import type { Contract } from '../api/types.ts'
import { t } from '../language.ts'
import type { ViewProps } from '../navigation.ts'
import { FamilyPage } from './configuration/family-page.tsx'
import { Cases } from './contract/cases.tsx'
import { Compare } from './contract/compare.tsx'
import { ContractDraft } from './contract/contract-draft.tsx'
import { ContractVersions } from './contract/contract-versions.tsx'
import { EditDetails } from './contract/edit-details.tsx'
import { WorkspaceLink } from './workspace/workspace-link.tsx'

const words = { singular: t`Contract`, plural: t`Contracts`, path: '/contracts' }

export function ContractView({ parameters }: ViewProps) {
  return (
    <FamilyPage<Contract>
      words={words}
      id={parameters.id ?? ''}
      tools={({ family, reload }) => (
        <>
          <WorkspaceLink familyId={family.id} part="contract" />
          <EditDetails contract={family} reload={reload} />
        </>
      )}
      parts={({ family, mayEdit, reload }) => [
        {
          key: 'draft',
          title: t`Draft`,
          show: () => <ContractDraft contract={family} mayEdit={mayEdit} reload={reload} />,
        },
        {
          key: 'versions',
          title: t`Versions`,
          count: family.versions.length,
          show: () => <ContractVersions contract={family} mayEdit={mayEdit} reload={reload} />,
        },
        { key: 'compare', title: t`Compare`, show: () => <Compare contract={family} /> },
        { key: 'cases', title: t`Cases`, show: () => <Cases contract={family} mayEdit={mayEdit} /> },
      ]}
    />
  )
}
