import { formatInstant } from '../../core/instant.ts'
import { partTitles } from '../../core/retained-parts.ts'
import type { RemovedPart } from './tombstones.model.ts'
import type { RemovedPartRow } from './tombstones.reads.ts'

/** In the form of answers; no member at all if nothing was removed. */
export function removedToWire(rows: readonly RemovedPartRow[] = []): { removed?: RemovedPart[] } {
  if (rows.length === 0) return {}
  return {
    removed: rows.map(({ part, removedAt, erasureId, rule: { retention, ingestion_model: model, keep_days } }) => ({
      part,
      removed_at: formatInstant(removedAt),
      policy: { retention, ...(model === undefined ? {} : { ingestion_model: model }), keep_days },
      erasure_id: erasureId,
    })),
  }
}

/** `its documents were removed at … under retention policies, set 3`: the end of a sentence about a submission. */
export function removalInWords({ part, removedAt, rule }: RemovedPartRow): string {
  const was = part === 'raw_input' || part === 'output' ? 'was' : 'were'
  return `its ${partTitles[part]} ${was} removed at ${formatInstant(removedAt)} under retention policies, set ${rule.retention}`
}
