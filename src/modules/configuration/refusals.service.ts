import { Fault } from '../../core/faults.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { type IfMatch, requireRevision } from '../../http/conditional.ts'
import type { ConfigurationKind } from '../families/families.model.ts'
import { type FamilyHead, type FamilyRow, findFamilyHead } from '../families/families.reads.ts'
import { holdFamily, kindNames } from '../families/families.service.ts'

/** The state of the draft that a PUT requires. */
export interface DraftConditions {
  ifMatch: IfMatch | undefined
  /** `If-None-Match: *`: there must not be a draft yet. */
  ifNoneMatch: boolean
}

/** The family that an operation of the canonical surface is about. */
export interface FamilyId {
  kind: ConfigurationKind
  id: string
}

/** A family without its draft. @throws Fault not_found */
export async function mustFindHead(database: Database, kind: ConfigurationKind, id: string): Promise<FamilyHead> {
  return found(kind, id, await findFamilyHead(database.read, kind, id))
}

export async function mustHold(tx: Transaction, kind: ConfigurationKind, id: string): Promise<FamilyRow> {
  return found(kind, id, await holdFamily(tx, kind, id))
}

export function found<Row>(kind: ConfigurationKind, id: string, row: Row | undefined): Row {
  if (row !== undefined) return row
  throw new Fault('not_found', `There is no ${kindNames[kind]} ${id}.`, { resourceKind: kind, resourceId: id })
}

export function noVersion(kind: ConfigurationKind, id: string, number: number): Fault {
  return new Fault('not_found', `The ${kindNames[kind]} ${id} has no version ${number}.`, {
    resourceKind: kind,
    resourceId: id,
  })
}

/** @throws Fault precondition_required, before anything is written, if a PUT has no condition */
export function requireSomeCondition(conditions: DraftConditions, draftRevision: number): void {
  if (conditions.ifMatch !== undefined || conditions.ifNoneMatch) return
  const remedy =
    draftRevision === 0 ? 'There is no draft yet: send If-None-Match: *.' : `Send If-Match: "${draftRevision}".`
  throw new Fault('precondition_required', `If-Match is missing. ${remedy}`)
}

/** @throws Fault precondition_failed if the draft is not in the state that the PUT requires */
export function requireDraftState(conditions: DraftConditions, draftRevision: number): void {
  if (conditions.ifNoneMatch && draftRevision > 0) {
    throw new Fault(
      'precondition_failed',
      `If-None-Match: * is for the first draft, and there is one. Send If-Match: "${draftRevision}".`,
    )
  }
  if (conditions.ifMatch !== undefined) requireRevision(conditions.ifMatch, draftRevision)
}

/** Refuses to freeze a family without a draft, before any revision is compared. */
export function requireDraft(family: FamilyHead): void {
  if (family.draftRevision > 0) return
  throw new Fault('not_found', `There is no draft of ${family.slug} yet. Write one first.`, {
    resourceKind: family.kind,
    resourceId: family.id,
  })
}

/** Refuses names that another request took between the check and the write. */
export async function refuseTakenNames<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) {
      throw new Fault('conflict', 'The slug or the name was taken at the same moment. Choose another.', {
        cause: error,
      })
    }
    throw error
  }
}
