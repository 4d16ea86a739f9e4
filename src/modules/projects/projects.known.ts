/**
 * Contents that the store has frozen don't need the judge: versions keep their verdict, because the rules that they were frozen
 * under stay.
 */
import { contentHashOf } from '../../core/hash.ts'
import type { Instant } from '../../core/instant.ts'
import { newestReading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { findInForce } from '../activations/activations.service.ts'
import { findFamilyBySlug } from '../families/families.reads.ts'
import { findVersionByHash } from '../versions/versions.reads.ts'
import { bytesOf, type Content, type Read } from '../versions/versions.service.ts'
import type { ProjectFile } from './projects.files.ts'

export interface KnownContent extends Read {
  /**
   * Whether it is in force at its instant, and so is known to fit what is in force with it; for a contract, whether it is
   * published.
   */
  isInForce: boolean
}

/** What is known of contents that were frozen under today's rules. */
export type KnownContents = ReadonlyMap<Content, KnownContent>

/** The project's files whose content a version of their family has. @param at when the project comes into force */
export async function knownContents(
  connection: Connection,
  files: readonly ProjectFile[],
  at: Instant,
): Promise<KnownContents> {
  const known = new Map<Content, KnownContent>()
  for (const { kind, slug, content, from = at } of files) {
    const family = await findFamilyBySlug(connection, kind, slug)
    const hash = contentHashOf(bytesOf(content))
    const version = family && (await findVersionByHash(connection, family.id, hash, content.format))
    if (version?.reading !== newestReading) continue
    const isInForce =
      kind === 'contract'
        ? version.status === 'published'
        : (await findInForce(connection, version.familyId, from))?.versionId === version.id
    known.set(content, { bindings: version.bindings, fragments: version.fragments, isInForce })
  }
  return known
}
