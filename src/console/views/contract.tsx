/** One contract: its draft, its versions, what changed between any two, and its cases. */
import { useResource } from '../api/resource.ts'
import type { Contract } from '../api/types.ts'
import { Copyable } from '../parts/copyable.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { activeTab, type Tab, Tabs } from '../parts/tabs.tsx'
import type { ViewProps } from '../routes.ts'
import { authors } from '../routes.ts'
import { holdsRole } from '../session.ts'
import { Cases } from './contract/cases.tsx'
import { Compare } from './contract/compare.tsx'
import { ContractDraft } from './contract/contract-draft.tsx'
import { ContractVersions } from './contract/contract-versions.tsx'
import { EditDetails } from './contract/edit-details.tsx'

export function ContractView({ parameters }: ViewProps) {
  const path = `/api/v1/contracts/${encodeURIComponent(parameters.id ?? '')}`
  const { value, problem, reload } = useResource<Contract>(path)
  const contract = value.value
  const mayEdit = holdsRole(authors)
  const tabs: readonly Tab[] = [
    { key: 'draft', title: 'Draft' },
    { key: 'versions', title: 'Versions', count: contract?.versions.length },
    { key: 'compare', title: 'Compare' },
    { key: 'cases', title: 'Cases' },
  ]
  return (
    <div class="page page-wide">
      <PageHead
        title={contract?.name ?? 'Contract'}
        parent={{ href: '/contracts', title: 'Contracts' }}
        facts={
          contract && (
            <>
              {contract.description !== '' && <span>{contract.description}</span>}
              <Copyable value={contract.id} label="contract id" chars={13} />
            </>
          )
        }
      >
        {contract !== undefined && mayEdit && <EditDetails contract={contract} reload={reload} />}
      </PageHead>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {contract === undefined && problem.value === undefined && (
        <div class="panel panel-loading" role="status" aria-label="Loading the contract" />
      )}
      {contract !== undefined && (
        <>
          <Tabs label="Contract" tabs={tabs} />
          {activeTab(tabs) === 'draft' && <ContractDraft contract={contract} mayEdit={mayEdit} reload={reload} />}
          {activeTab(tabs) === 'versions' && <ContractVersions contract={contract} mayEdit={mayEdit} reload={reload} />}
          {activeTab(tabs) === 'compare' && <Compare contract={contract} />}
          {activeTab(tabs) === 'cases' && <Cases contract={contract} mayEdit={mayEdit} />}
        </>
      )}
    </div>
  )
}
