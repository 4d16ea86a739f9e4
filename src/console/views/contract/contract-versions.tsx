/** The frozen versions of a contract, and publishing and deprecating them. */

import { useSignal } from '@preact/signals'
import { call } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Contract, Version } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { FormDialog } from '../../parts/dialog.tsx'
import { SourceView } from '../../parts/source-view.tsx'
import { useApproval } from '../configuration/approval.ts'
import { VersionAction, VersionTable } from '../configuration/version-table.tsx'
import { shownVersion } from '../configuration/versions.tsx'

interface ContractVersionsProps {
  contract: Contract
  mayEdit: boolean
  reload(): Promise<void>
}

const nextActions: Partial<Record<Version['status'], 'publish' | 'deprecate'>> = {
  versioned: 'publish',
  published: 'deprecate',
}

export function ContractVersions({ contract, mayEdit, reload }: ContractVersionsProps) {
  const asked = useSignal<{ version: Version; action: 'publish' | 'deprecate' } | undefined>(undefined)
  const shown = shownVersion(contract.versions)
  if (shown === undefined) {
    return (
      <div class="panel empty-panel">
        <p>{t`There is no version yet. Freeze the draft to make the first one.`}</p>
      </div>
    )
  }
  return (
    <>
      <VersionTable
        name={contract.name}
        versions={contract.versions}
        shown={shown}
        actions={
          mayEdit
            ? (version) => {
                const action = nextActions[version.status]
                if (action === undefined) return null
                return (
                  <VersionAction
                    word={action === 'publish' ? t`Publish` : t`Deprecate`}
                    number={version.number}
                    onClick={() => {
                      asked.value = { version, action }
                    }}
                  />
                )
              }
            : undefined
        }
      />
      <Schema contractId={contract.id} number={shown.number} />
      {asked.value !== undefined && (
        <ChangeDialog
          contract={contract}
          {...asked.value}
          reload={reload}
          onClose={() => {
            asked.value = undefined
          }}
        />
      )}
    </>
  )
}

function Schema({ contractId, number }: { contractId: string; number: number }) {
  const { value } = useResource<Version>(`/api/v1/contracts/${contractId}/versions/${number}`)
  return (
    <section class="panel">
      <header class="panel-head">
        <h2>{rich`Schema of v${number}`}</h2>
      </header>
      <SourceView label={t`Schema of version ${number}`} text={value.value?.schema ?? ''} />
    </section>
  )
}

interface ChangeDialogProps extends Pick<ContractVersionsProps, 'contract' | 'reload'> {
  version: Version
  action: 'publish' | 'deprecate'
  onClose(): void
}

function ChangeDialog({ contract, version, action, reload, onClose }: ChangeDialogProps) {
  const isDeprecating = action === 'deprecate'
  const reason = useApproval(
    isDeprecating ? undefined : { kind: 'contract', familyId: contract.id, version: version.number },
  )
  return (
    <FormDialog
      title={`${isDeprecating ? t`Deprecate` : t`Publish`} ${contract.name} v${version.number}?`}
      action={isDeprecating ? t`Deprecate` : t`Publish`}
      isDestructive={isDeprecating}
      disabled={reason !== undefined}
      onClose={onClose}
      onSubmit={async () => {
        await call(`/api/v1/contracts/${contract.id}/versions/${version.number}/${action}`, {
          method: 'POST',
          body: {},
        })
        await reload()
      }}
    >
      <p>
        {isDeprecating
          ? t`New releases can no longer use this version, and it cannot be published again. What was released
            before runs on, and its content stays readable.`
          : t`Releases and ingestion models may then use this version. Its content never changes; it can be
            deprecated later, not taken back.`}
      </p>
      {reason !== undefined && (
        <p class="consequence" role="status" data-refused>
          {reason}
        </p>
      )}
    </FormDialog>
  )
}
