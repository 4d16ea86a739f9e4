/** What an execution made: download, size, hash, and the PDF on the page. */

import { fileFormats } from '../../core/formats.ts'
import { downloadPath } from '../api/executions.ts'
import type { Artifact, Execution } from '../api/types.ts'
import { formatBytes } from '../format.ts'
import { t } from '../language.ts'
import { holdsPermission } from '../session.ts'
import { Copyable } from './copyable.tsx'
import { Icon } from './icon.tsx'
import { PdfPreview } from './pdf-preview.tsx'

/** @param earlier an execution to compare with: equal hashes are marked as the same bytes */
export function Documents({ execution, earlier }: { execution: Execution; earlier?: Execution | undefined }) {
  const artifacts = execution.artifacts.toSorted((a, b) => fileFormats[a.kind].rank - fileFormats[b.kind].rank)
  const pdf = artifacts.find((artifact) => artifact.kind === 'pdf' && artifact.removed_at === undefined)
  const mayDownload = holdsPermission('artifact_download')
  if (artifacts.length === 0) return null
  return (
    <section class="documents" aria-label={t`Documents`}>
      <ul class="artifacts">
        {artifacts.map((artifact) => (
          <li class="artifact" key={artifact.id}>
            <span class="artifact-kind" data-kind={artifact.kind}>
              {fileFormats[artifact.kind].label}
            </span>
            <span class="artifact-facts">
              <span>
                {formatBytes(artifact.byte_size)}
                {isSame(artifact, earlier) && <span class="same"> {t`· same bytes as the run before`}</span>}
              </span>
              <Copyable value={artifact.content_hash} label={t`${artifact.kind} content hash`} chars={12} />
            </span>
            {artifact.removed_at !== undefined && <span class="muted">{t`Removed`}</span>}
            {mayDownload && artifact.removed_at === undefined && (
              <a
                class="button"
                href={downloadPath(execution.id, artifact.id)}
                download
                aria-label={t`Download ${fileFormats[artifact.kind].label}`}
              >
                <Icon name="download" size={16} /> {t`Download`}
              </a>
            )}
          </li>
        ))}
      </ul>
      {pdf !== undefined && mayDownload && <PdfPreview key={pdf.id} path={downloadPath(execution.id, pdf.id)} />}
      {!mayDownload && <p class="muted">{t`Your roles do not include downloading documents.`}</p>}
    </section>
  )
}

function isSame(artifact: Artifact, earlier: Execution | undefined): boolean {
  return (
    earlier?.artifacts.some((other) => other.kind === artifact.kind && other.content_hash === artifact.content_hash) ??
    false
  )
}
