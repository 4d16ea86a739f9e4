/** The frozen versions of a family, newest first: their state, their content, and what can be done with each. */

import type { ComponentChild } from 'preact'
import type { Version } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { t } from '../../language.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Status } from '../../parts/status.tsx'
import { changeQuery } from '../../router.ts'

interface VersionTableProps<V extends Version> {
  name: string
  versions: readonly V[]
  shown: V | undefined
  /** Shown for each version in a column of its own. */
  inForce?: (version: V) => ComponentChild
  /** The buttons of each version; left out if nothing may be done. */
  actions?: ((version: V) => ComponentChild) | undefined
}

export function VersionTable<V extends Version>({ name, versions, shown, inForce, actions }: VersionTableProps<V>) {
  return (
    <div class="panel table-panel">
      <table class="table" aria-label={t`Versions of ${name}`}>
        <thead>
          <tr>
            <th scope="col">{t`Version`}</th>
            {/* What is in force says it all: a version that was never put in force is only frozen. */}
            {inForce === undefined && <th scope="col">{t`State`}</th>}
            {inForce !== undefined && <th scope="col">{t`In force`}</th>}
            <th scope="col" class="wide">
              {t`Content`}
            </th>
            <th scope="col" class="wide">
              {t`Frozen`}
            </th>
            {actions !== undefined && (
              <th scope="col">
                <span class="offscreen">{t`Actions`}</span>
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
                {inForce === undefined && (
                  <td>
                    <Status of={version.status} />
                  </td>
                )}
                {inForce !== undefined && <td>{inForce(version)}</td>}
                <td class="wide">
                  <Copyable value={version.content_hash} label={t`content hash`} chars={10} />{' '}
                  <span class="muted">{formatBytes(version.byte_size)}</span>
                </td>
                <td class="wide">
                  <Moment at={version.created_at} />
                </td>
                {actions !== undefined && <td class="number">{actions(version)}</td>}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}

/** A button in the row of a version; its accessible name includes the version. */
export function VersionAction({ word, number, onClick }: { word: string; number: number; onClick(): void }) {
  return (
    <button type="button" class="button button-small" onClick={onClick}>
      {word}
      <span class="offscreen"> v{number}</span>
    </button>
  )
}
