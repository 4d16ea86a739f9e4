/** The draft of a family whose content is a source text, over the canonical surface. */

import { call, mutate } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { SourceDraft, SourceFormat } from '../../api/types.ts'
import { t } from '../../language.ts'
import type { DraftPort, StoredDraft } from './draft.ts'

export interface SourceExtra {
  format: SourceFormat
}

function storedOf(draft: SourceDraft): StoredDraft<SourceExtra> {
  return { text: draft.source, revision: draft.revision, extra: { format: draft.format } }
}

/** @param path of the family, `/api/v1/transformers/<id>` */
export function sourceDraftPort(path: string): DraftPort<SourceExtra> {
  return {
    async read() {
      // A family without a draft answers 404, and that is no news worth an error in the browser's log.
      const family = await call<{ draft_revision: number }>(path)
      return family.draft_revision === 0 ? undefined : storedOf(await call<SourceDraft>(`${path}/draft`))
    },
    async write(text, stored) {
      const condition: Record<string, string> =
        stored === undefined ? { 'if-none-match': '*' } : { 'if-match': `"${stored.revision}"` }
      const format = stored?.extra.format ?? 'yaml'
      return storedOf(
        await mutate<SourceDraft>(`${path}/draft`, {
          method: 'PUT',
          headers: condition,
          body: { source: text, format },
        }),
      )
    },
  }
}

/** Freezes the draft at a revision; answers what to tell. @throws ApiProblem */
export async function freezeSource(path: string, revision: number | undefined): Promise<string> {
  if (revision === undefined) throw new ApiProblem(0, 'no_draft', t`There is no draft`, t`Save a draft first.`)
  const { result } = await mutate<{ result: { number: number; reused: boolean } }>(`${path}/versions`, {
    method: 'POST',
    headers: { 'if-match': `"${revision}"` },
    body: {},
  })
  return result.reused
    ? t`Version ${result.number} has this very content already; no new version was made.`
    : t`Version ${result.number} is frozen. Put it in force under Versions.`
}
