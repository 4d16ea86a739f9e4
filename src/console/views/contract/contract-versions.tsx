/** The frozen versions of a contract, and publishing and deprecating them. */
import { useSignal } from '@preact/signals'
import { call } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import type { Contract, Version } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { FormDialog } from '../../parts/dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { SourceView } from '../../parts/source-view.tsx'
import { Status } from '../../parts/status.tsx'
import { changeQuery } from '../../router.ts'
import { shownVersion } from '../configuration/versions.tsx'

interface ContractVersionsProps {
  contract: Contract
  mayEdit: boolean
  reload(): Promise<void>
}

export function ContractVersions({ contract, mayEdit, reload }: ContractVersionsProps) {
  const asked = useSignal<{ version: Version; action: 'publish' | 'deprecate' } | undefined>(undefined)
  const shown = shownVersion(contract.versions)
  if (shown === undefined) {
    return (
      <div class="panel empty-panel">
        <p>There is no version yet. Freeze the draft to make the first one.</p>
      </div>
    )
  }
  return (
    <>
      <div class="panel table-panel">
        <table class="table" aria-label={`Versions of ${contract.name}`}>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">State</th>
              <th scope="col" class="wide">
                Content
              </th>
              <th scope="col" class="wide">
                Frozen
              </th>
              {mayEdit && (
                <th scope="col">
                  <span class="offscreen">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {[...contract.versions]
              .sort((a, b) => b.number - a.number)
              .map((version) => (
                <tr key={version.id} data-tone={version === shown ? 'selected' : undefined}>
                  <td>
                    <button
                      type="button"
                      class="link-button"
                      aria-pressed={version === shown}
                      onClick={() => changeQuery({ version: String(version.number) })}
                    >
                      v{version.number}
                    </button>
                  </td>
                  <td>
                    <Status of={version.status} />
                  </td>
                  <td class="wide">
                    <Copyable value={version.content_hash} label="content hash" chars={10} />{' '}
                    <span class="muted">{formatBytes(version.byte_size)}</span>
                  </td>
                  <td class="wide">
                    <Moment at={version.created_at} />
                  </td>
                  {mayEdit && (
                    <td class="number">
                      {version.status === 'versioned' && (
                        <button
                          type="button"
                          class="button button-small"
                          onClick={() => {
                            asked.value = { version, action: 'publish' }
                          }}
                        >
                          Publish<span class="offscreen"> v{version.number}</span>
                        </button>
                      )}
                      {version.status === 'published' && (
                        <button
                          type="button"
                          class="button button-small"
                          onClick={() => {
                            asked.value = { version, action: 'deprecate' }
                          }}
                        >
                          Deprecate<span class="offscreen"> v{version.number}</span>
                        </button>
                      )}
                    </td>
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
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
        <h2>Schema of v{number}</h2>
      </header>
      <SourceView label={`Schema of version ${number}`} text={value.value?.schema ?? ''} />
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
  return (
    <FormDialog
      title={`${isDeprecating ? 'Deprecate' : 'Publish'} ${contract.name} v${version.number}?`}
      action={isDeprecating ? 'Deprecate' : 'Publish'}
      isDestructive={isDeprecating}
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
          ? 'New releases can no longer use this version, and it cannot be published again. What was released before runs on, and its content stays readable.'
          : 'Releases and ingestion models may then use this version. Its content never changes; it can be deprecated later, not withdrawn.'}
      </p>
    </FormDialog>
  )
}
