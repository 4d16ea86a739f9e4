/** The tags of a template's draft that include others. */
import type { Finding } from '../../core/finding.ts'
import type { Connection } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Reach, requireReached } from '../../http/reach.ts'
import { type FamilyRow, findFamilyId } from '../families/families.reads.ts'
import { contentVerdict } from './compile.service.ts'

/**
 * Tags whose slugs no template has. Whether one is in force, only activating asks: both may be activated together.
 *
 * @param slugs what the file includes
 * @throws Fault forbidden for one that whoever asks doesn't reach
 */
export async function unknownFragments(
  connection: Connection,
  bytes: Uint8Array,
  slugs: readonly string[] | null,
  reach: Reach,
): Promise<Finding[]> {
  const unknown = new Set<string>()
  for (const slug of slugs ?? []) {
    const family = await findFamilyId(connection, 'template', slug)
    requireReached(reach, family)
    if (family === undefined) unknown.add(slug)
  }
  if (unknown.size === 0) return []
  const { compileTemplate, missingFragment } = await import('../../engines/docx/docx.ts')
  const { withSurroundings } = await import('../../engines/docx/surroundings.ts')
  const compiled = compileTemplate(bytes)
  const uses = compiled.ok ? compiled.value.fragments : []
  return withSurroundings(bytes, uses.filter(({ slug }) => unknown.has(slug)).map(missingFragment))
}

/** @throws Fault validation_failed at the tags of a draft that include what there isn't */
export async function requireKnownFragments(connection: Connection, family: FamilyRow, reach: Reach): Promise<void> {
  const { draftBytes: bytes } = family
  if (bytes === null) return
  const verdict = await contentVerdict({ kind: 'template', content: { bytes, format: 'docx' } })
  const findings = verdict.ok ? await unknownFragments(connection, bytes, verdict.value.fragments, reach) : []
  if (findings.length === 0) return
  throw validationFault(findings, { stage: 'freeze', resourceKind: 'template', resourceId: family.id })
}
