/** What the store has frozen needs no judge: a version has what its content says, by rules that stay. */
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
  /** Whether it is in force at its instant, so that it was found to fit what is in force with it; of a contract, published. */
  isInForce: boolean
}

/** What versions say of contents that were frozen by today's rules. */
export type KnownContents = ReadonlyMap<Content, KnownContent>

/** Those of a project's files that their families have a version of. @param at when the project comes into force */
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
