/** Tags of a template's draft that include other templates. */
import type { Finding } from '../../core/finding.ts'
import { contentHashOf } from '../../core/hash.ts'
import type { Connection } from '../../db/database.ts'
import { validationFault } from '../../http/body.ts'
import { type Reach, requireReached } from '../../http/reach.ts'
import { type FamilyRow, findFamilyId } from '../families/families.reads.ts'
import type { FragmentGap } from '../versions/fragments.service.ts'
import type { VersionRow } from '../versions/versions.reads.ts'
import { contentVerdict, type Judging } from './compile.service.ts'
import { judgedBefore, judgeKnown } from './judge-known.service.ts'

/** A template's file, and the slugs that it includes. */
interface Including {
  bytes: Uint8Array
  slugs: readonly string[] | null
}

/**
 * Findings at tags that include a template which doesn't exist. Whether it is in force is checked only at activation, since both
 * may be activated together.
 *
 * @param tell finds the tags; the judge does that, because it compiles the whole file
 * @throws Fault forbidden for a template that the caller doesn't reach
 */
export async function unknownFragments(
  connection: Connection,
  { bytes, slugs }: Including,
  reach: Reach,
  tell: (question: { bytes: Uint8Array; slugs: readonly string[] }) => Promise<Finding[]>,
): Promise<Finding[]> {
  const unknown = new Set<string>()
  for (const slug of slugs ?? []) {
    const family = await findFamilyId(connection, 'template', slug)
    requireReached(reach, family)
    if (family === undefined) unknown.add(slug)
  }
  return unknown.size === 0 ? [] : tell({ bytes, slugs: [...unknown] })
}

/** @throws Fault validation_failed at a draft's tags that include a missing template; Unjudged, as inside a transaction */
export async function requireKnownFragments(connection: Connection, family: FamilyRow, reach: Reach): Promise<void> {
  const { draftBytes: bytes } = family
  if (bytes === null) return
  const verdict = await contentVerdict({ kind: 'template', content: { bytes, format: 'docx' } })
  const told = async (question: { bytes: Uint8Array; slugs: readonly string[] }) =>
    judgedBefore('missingFragments', question, `${contentHashOf(bytes)} ${question.slugs.join(' ')}`)
  const findings = verdict.ok
    ? await unknownFragments(connection, { bytes, slugs: verdict.value.fragments }, reach, told)
    : []
  if (findings.length === 0) return
  throw validationFault(findings, { stage: 'freeze', resourceKind: 'template', resourceId: family.id })
}

/** Gaps among a frozen template's included templates, as findings at its own tags. @throws Unjudged inside a transaction */
export async function gapFindings(
  { judge }: Pick<Judging, 'judge'>,
  { contentHash, reading, bytes }: VersionRow,
  gaps: readonly FragmentGap[],
): Promise<Finding[]> {
  if (gaps.length === 0 || bytes === null) return []
  const question = { bytes, reading, gaps }
  if (judge !== judgeKnown) return judge.ask('gaps', question)
  return judgedBefore('gaps', question, `${contentHash} ${reading} ${JSON.stringify(gaps)}`)
}
