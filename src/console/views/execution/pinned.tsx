/** What an execution is made of: the exact versions, and every hash from raw input to output. */

import type { Execution, Manifest, PinnedVersion } from '../../api/types.ts'
import { rich, t } from '../../language.ts'
import { Copyable } from '../../parts/copyable.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Provenance } from '../../parts/provenance.tsx'

export function Pinned({ execution, manifest }: { execution: Execution; manifest: Manifest | undefined }) {
  if (manifest === undefined) return <Provenance execution={execution} />
  const versions: readonly (readonly [title: string, path: string, pinned: PinnedVersion | undefined])[] = [
    [t`Ingestion model`, '/ingestion-models', manifest.ingestion_model],
    [t`Contract`, '/contracts', manifest.contract],
    [t`Transformer`, '/transformers', manifest.transformer],
    [t`Template`, '/templates', manifest.template],
  ]
  return (
    <>
      <table class="table table-tight">
        <thead>
          <tr>
            <th scope="col">{t`Pinned`}</th>
            <th scope="col">{t`Version`}</th>
            <th scope="col" class="wide">
              {t`Content hash`}
            </th>
          </tr>
        </thead>
        <tbody>
          {versions.map(
            ([title, path, pinned]) =>
              pinned !== undefined && (
                <tr key={title}>
                  <td>{title}</td>
                  <td class="cell-wrap">
                    <a href={`${path}/${pinned.family_id}?tab=versions&version=${pinned.version}`}>
                      {pinned.name} v{pinned.version}
                    </a>
                  </td>
                  <td class="wide">
                    <Copyable value={pinned.content_hash} label={t`${title} hash`} chars={8} />
                  </td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      <dl class="facts facts-spaced">
        <div>
          <dt>{t`Node`}</dt>
          <dd>
            {manifest.node_label} <code class="muted">{manifest.node_address}</code>
          </dd>
        </div>
        <div>
          <dt>{t`Object time`}</dt>
          <dd>
            <Moment at={manifest.object_time} />
          </dd>
        </div>
        {manifest.parent_execution_id !== undefined && (
          <div>
            <dt>{t`Parent`}</dt>
            <dd>
              <a href={`/executions/${manifest.parent_execution_id}`}>
                <code>…{manifest.parent_execution_id.slice(-12)}</code>
              </a>
            </dd>
          </div>
        )}
      </dl>
      <div class="facts-spaced">
        <Provenance execution={execution} />
      </div>
      <dl class="facts facts-spaced">
        <div>
          <dt>{t`Manifest`}</dt>
          <dd>
            <Copyable value={manifest.manifest_hash} label={t`manifest hash`} chars={16} />
          </dd>
        </div>
        <div>
          <dt>{t`Made by`}</dt>
          <dd>{rich`Quire ${manifest.product_version}`}</dd>
        </div>
      </dl>
    </>
  )
}
