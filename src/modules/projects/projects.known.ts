/** What the store has frozen needs no judge: a version has what its content says, by rules that stay. */
import { sha256Hex } from '../../core/hash.ts'
import { newestReading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { findFamilyBySlug } from '../families/families.reads.ts'
import { findVersionByHash } from '../versions/versions.reads.ts'
import { bytesOf, type Content, type Read } from '../versions/versions.service.ts'
import type { ProjectFile } from './projects.files.ts'

/** What versions say of contents that were frozen by today's rules. */
export type KnownContents = ReadonlyMap<Content, Read>

/** Those of a project's files that their families have a version of. */
export async function knownContents(connection: Connection, files: readonly ProjectFile[]): Promise<KnownContents> {
  const known = new Map<Content, Read>()
  for (const { kind, slug, content } of files) {
    const family = await findFamilyBySlug(connection, kind, slug)
    const hash = sha256Hex(bytesOf(content))
    const version = family && (await findVersionByHash(connection, family.id, hash, content.format))
    if (version?.reading !== newestReading) continue
    known.set(content, { bindings: version.bindings, fragments: version.fragments })
  }
  return known
}
