/**
 * The policy of four eyes (QUIRE_FOUR_EYES): whoever worked on a version may not put it in force. Those are the users who saved
 * its draft or froze it since the previous published version: that one was approved, and everything after it comes into force
 * with this one.
 */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import type { Finding } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { listSavers } from '../audit/audit.savers.reads.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { findFamilyHead } from '../families/families.reads.ts'
import { kindNames } from '../families/families.service.ts'
import { listUnapproved, type VersionHead } from './versions.reads.ts'

const ownWorkCode = 'four_eyes.own_work'

interface Hands {
  /** Users who froze this version or an earlier unpublished one, with the version numbers. */
  frozenBy: Map<string, number[]>
  savedBy: Set<string>
}

async function handsIn(connection: Connection, { kind, familyId, number }: VersionHead): Promise<Hands> {
  const { after, versions } = await listUnapproved(connection, familyId, number)
  const frozenBy = new Map<string, number[]>()
  let upTo = after
  for (const version of versions) {
    frozenBy.set(version.createdBy, [...(frozenBy.get(version.createdBy) ?? []), version.number])
    upTo = Math.max(upTo, version.sourceRevision)
  }
  return { frozenBy, savedBy: await listSavers(connection, { kind, familyId, after, upTo }) }
}

/** The caller's own work on a version that they may not put in force, and who may; undefined if they may. */
export async function ownWorkIn(
  connection: Connection,
  actor: Actor,
  version: VersionHead,
): Promise<{ message: string; hint: string } | undefined> {
  if (actor.fourEyes !== true) return undefined
  const { frozenBy, savedBy } = await handsIn(connection, version)
  const froze = frozenBy.get(actor.userId) ?? []
  const saved = savedBy.has(actor.userId)
  if (froze.length === 0 && !saved) return undefined
  const { kind, familyId, number } = version
  const slug = (await findFamilyHead(connection, kind, familyId))?.slug ?? familyId
  const deeds = [
    ...(saved ? ['saved the draft'] : []),
    ...(froze.length > 0 ? [`froze version ${froze.join(', ')}`] : []),
  ]
  const message = `You ${deeds.join(' and ')} of the ${kindNames[kind]} ${slug}, and QUIRE_FOUR_EYES lets nobody put their own work in force.`
  const isFrozenNow = version.createdAt === actor.at
  const hint = `${isFrozenNow ? 'Freeze it without putting it in force (a project: quire apply --freeze-only), then ask' : 'Ask'} another engineer or administrator, who had no hand in version ${number}, to put it in force. A personal token counts as its owner.`
  return { message, hint }
}

/**
 * Refuses users who worked on the version themselves. Does nothing if the policy is off, or for Quire's own actions.
 * @throws Fault forbidden for a user who worked on the version
 */
export async function requireOtherPerson(tx: Transaction, actor: Actor, version: VersionHead): Promise<void> {
  const ownWork = await ownWorkIn(tx, actor, version)
  if (ownWork === undefined) return
  const { message, hint } = ownWork
  throw new Fault('forbidden', `${message} ${hint}`, {
    findings: [{ code: ownWorkCode, severity: 'error', message, hint }],
    stage: 'approval',
    resourceKind: version.kind,
    resourceId: version.familyId,
  })
}

/** What an audit record says about the approval; empty if the policy is off. */
export async function approvalOf(
  tx: Transaction,
  actor: Actor,
  version: VersionHead,
): Promise<Readonly<Record<string, JsonValue>>> {
  if (actor.fourEyes !== true) return {}
  const { frozenBy, savedBy } = await handsIn(tx, version)
  return { four_eyes: { approved_by: actor.userId, frozen_by: [...frozenBy.keys()], saved_by: [...savedBy].sort() } }
}

/** Writes the audit record of a published version. */
export async function recordPublished(tx: Transaction, actor: Actor, version: VersionHead): Promise<void> {
  const { id, kind, familyId, number, contentHash } = version
  await recordAudit(tx, actor, {
    action: `${kind}.version_published`,
    resourceKind: kind,
    resourceId: familyId,
    detail: { version_id: id, number, content_hash: contentHash, ...(await approvalOf(tx, actor, version)) },
  })
}

/** Refuses several things at once: as forbidden if all findings are about own work, else as something that doesn't fit. */
export function refusalOf(
  findings: readonly Finding[],
  doesNotFit: string,
  about: { stage: string; resourceKind: string; resourceId?: string },
): Fault {
  const isOwnWork = findings.every(({ code }) => code === ownWorkCode)
  if (!isOwnWork) return new Fault('validation_failed', doesNotFit, { findings, ...about })
  const detail = 'QUIRE_FOUR_EYES lets nobody put their own work in force. The errors name it, and say who may.'
  return new Fault('forbidden', detail, { findings, ...about })
}
