/** Which versions of included templates are in force. */
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { Connection, Database } from '../../db/database.ts'
import { type Reach, requireReached } from '../../http/reach.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { findFamily, findFamilyId } from '../families/families.reads.ts'
import type { FindFragment, FragmentVersion } from '../versions/fragments.service.ts'
import { findVersionHead, listFragmentsOf, readVersion, type VersionHead } from '../versions/versions.reads.ts'
import { findInForce, listInForce } from './activations.store.ts'

export function fragmentVersion(slug: string, version: Omit<VersionHead, 'bindings'>): FragmentVersion {
  const { id: versionId, contentHash, fragments, reading } = version
  return { slug, versionId, contentHash, includes: fragments ?? [], reading }
}

/**
 * @param instead a version to treat as if it were in force, and its family's slug
 * @returns a function that throws Fault forbidden for a template that the caller doesn't reach
 */
export function fragmentsInForce(
  { connection, reach }: { connection: Connection; reach: Reach },
  at: Instant,
  instead?: { slug: string; version: Omit<VersionHead, 'bindings'> },
): FindFragment {
  return async (slug) => {
    if (slug === instead?.slug) return fragmentVersion(slug, instead.version)
    const familyId = await findFamilyId(connection, 'template', slug)
    requireReached(reach, familyId)
    if (familyId === undefined) return 'does not exist'
    const inForce = await findInForce(connection, familyId, at)
    const version = inForce && (await findVersionHead(connection, inForce.versionId))
    return version === undefined ? `has no version in force at ${formatInstant(at)}` : fragmentVersion(slug, version)
  }
}

/** Slugs that a draft includes; must not read the whole draft on the main thread. */
type SlugsOf = (bytes: Uint8Array) => Promise<readonly string[]>

/**
 * The files that a trial of a template includes: of each, the version in force now, else the draft, so that both templates can be
 * written at the same time. A template that has neither is left out, and reported when the template is filled.
 */
async function fragmentsForTrial(
  connection: Connection,
  at: Instant,
  includes: readonly string[],
  reach: Reach,
  slugsOf: SlugsOf,
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const wanted = [...includes]
  for (let slug = wanted.shift(); slug !== undefined; slug = wanted.shift()) {
    if (files.has(slug)) continue
    const id = await findFamilyId(connection, 'template', slug)
    requireReached(reach, id)
    const inForce = id === undefined ? undefined : await findInForce(connection, id, at)
    const draft = id === undefined || inForce !== undefined ? undefined : await findFamily(connection, 'template', id)
    const version = inForce && (await readVersion(connection, inForce.versionId))
    const bytes = version === undefined ? draft?.draftBytes : version.bytes
    if (bytes == null) continue
    files.set(slug, bytes)
    wanted.push(...(version === undefined ? await slugsOf(bytes) : (version.fragments ?? [])))
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** A template in force that includes others. */
export interface Including {
  slug: string
  familyId: string
  version: number
  /** The slugs from this template to the included one. */
  chain: readonly string[]
}

/** The templates in force that include one of these, directly or through others, by slug. */
export async function including(connection: Connection, slugs: readonly string[], at: Instant): Promise<Including[]> {
  if (slugs.length === 0) return []
  const inForce = new Map((await listInForce(connection, 'template', at)).map((row) => [row.versionId, row]))
  const rows = (await listFragmentsOf(connection, [...inForce.keys()])).flatMap(({ id, fragments }) => {
    const row = inForce.get(id)
    return row === undefined ? [] : [{ ...row, fragments }]
  })
  const found = new Map<string, Including>()
  const wanted: { slug: string; chain: readonly string[] }[] = slugs.map((slug) => ({ slug, chain: [slug] }))
  for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
    const { slug: inner, chain: below } = next
    for (const { familySlug, familyId, version, fragments } of rows) {
      if (found.has(familySlug) || !fragments.includes(inner)) continue
      const chain = [familySlug, ...below]
      found.set(familySlug, { slug: familySlug, familyId, version, chain })
      wanted.push({ slug: familySlug, chain })
    }
  }
  return [...found.values()].sort((one, other) => (one.slug < other.slug ? -1 : 1))
}

/** The two functions above as ports of the templates module. */
export function createIncluded({ read }: Pick<Database, 'read'>, judge: Judge) {
  // A draft with mistakes is reported when the template is filled.
  const slugsOf = async (bytes: Uint8Array) => judge.ask('includedSlugs', bytes)
  return {
    forTrial: (at: Instant, includes: readonly string[], reach: Reach) =>
      fragmentsForTrial(read, at, includes, reach, slugsOf),
    including: (slug: string, at: Instant) => including(read, [slug], at),
  }
}
