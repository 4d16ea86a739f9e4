/** The frozen versions of a family: their state, their content, and putting one in force. */

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useResource } from '../../api/resource.ts'
import type { Activation, ConfigurationKind, Version } from '../../api/types.ts'
import { inSentence, rich, t } from '../../language.ts'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { place } from '../../router.ts'
import { ForceDialog } from './force-dialog.tsx'
import { kindTexts } from './kinds.ts'
import { VersionAction, VersionTable } from './version-table.tsx'

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
        <p>{t`There is no version yet. Freeze the draft to make the first one; it can then be put in force.`}</p>
      </div>
    )
  }
  const shown = shownVersion(versions)
  return (
    <>
      <VersionTable
        name={family.name}
        versions={versions}
        shown={shown}
        inForce={(version) => <InForce activations={activations.value.value?.activations ?? []} version={version} />}
        actions={
          mayEdit
            ? ({ number }) => (
                <VersionAction
                  word={t`Put in force`}
                  number={number}
                  onClick={() => {
                    publishing.value = number
                  }}
                />
              )
            : undefined
        }
      />
      {children}
      {publishing.value !== undefined && (
        <ForceDialog
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
        <a href={`/activations?kind=${kind}&family_id=${family.id}`}>
          {rich`Timeline of ${inSentence(kindTexts[kind].singular)} ${family.slug}`}
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
  if (telling === undefined) return <span class="muted">{t`never`}</span>
  return (
    <span class="statuses">
      <Status of={telling.status} />
      <Moment at={telling.effective_from} />
    </span>
  )
}
