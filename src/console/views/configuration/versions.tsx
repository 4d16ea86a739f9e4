/** The frozen versions of a family: their state, their content, and putting one in force. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useResource } from '../../api/resource.ts'
import type { Activation, ConfigurationKind, Version } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { changeQuery, place } from '../../router.ts'
import { kindTexts } from './kinds.ts'
import { PublishDialog } from './publish-dialog.tsx'

interface VersionsProps {
  kind: ConfigurationKind
  family: { id: string; slug: string; name: string }
  versions: readonly Version[]
  mayEdit: boolean
  reload(): void
  /** The content of the version that is looked at. */
  children?: ComponentChildren
}

export function Versions({ kind, family, versions, mayEdit, reload, children }: VersionsProps) {
  const activations = useResource<{ activations: Activation[] }>(`/api/v1/activations?family_id=${family.id}&limit=100`)
  const publishing = useSignal<number | undefined>(undefined)
  if (versions.length === 0) {
    return (
      <div class="panel empty-panel">
        <p>There is no version yet. Freeze the draft to make the first one; it can then be put in force.</p>
      </div>
    )
  }
  const shown = shownVersion(versions)
  return (
    <>
      <div class="panel table-panel">
        <table class="table" aria-label={`Versions of ${family.name}`}>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">State</th>
              <th scope="col">In force</th>
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
            {[...versions]
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
                  <td>
                    <InForce activations={activations.value.value?.activations ?? []} version={version} />
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
                      <button
                        type="button"
                        class="button button-small"
                        onClick={() => {
                          publishing.value = version.number
                        }}
                      >
                        Put in force<span class="offscreen"> v{version.number}</span>
                      </button>
                    </td>
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {children}
      {publishing.value !== undefined && (
        <PublishDialog
          kind={kind}
          family={family}
          version={publishing.value}
          onDone={() => {
            void activations.reload()
            reload()
          }}
          onClose={() => {
            publishing.value = undefined
          }}
        />
      )}
      <p class="muted">
        <a href={`/activations?kind=${kind}&family=${family.id}`}>
          Timeline of {kindTexts[kind].singular.toLowerCase()} {family.slug}
        </a>
      </p>
    </>
  )
}

/** The version that the address names, else the newest. */
export function shownVersion<V extends Version>(versions: readonly V[]): V | undefined {
  const asked = Number(place.value.query.get('version'))
  const newest = versions.reduce<V | undefined>(
    (best, one) => (best === undefined || one.number > best.number ? one : best),
    undefined,
  )
  return versions.find((version) => version.number === asked) ?? newest
}

function InForce({ activations, version }: { activations: readonly Activation[]; version: Version }) {
  const own = activations.filter((activation) => activation.version_id === version.id)
  const telling =
    own.find(({ status }) => status === 'active') ?? own.find(({ status }) => status === 'scheduled') ?? own[0]
  if (telling === undefined) return <span class="muted">never</span>
  return (
    <span class="statuses">
      <Status of={telling.status} />
      <span class="muted">
        from <Moment at={telling.effective_from} />
      </span>
    </span>
  )
}
