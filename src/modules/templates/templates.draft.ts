import { contentHashInParts } from '../../core/hash.ts'
import { inTurns, ownTurn } from '../../core/turns.ts'
import type { Connection } from '../../db/database.ts'
import { found, requireDraft } from '../configuration/refusals.service.ts'
import { type FamilyRow, findFamily } from '../families/families.reads.ts'

/** A template's family with its draft's file. */
export interface DraftFile {
  family: FamilyRow
  bytes: Uint8Array
}

/** Also computes the file's hash. @throws Fault not_found for an unknown template, and for one without a draft */
export async function readDraftFile(connection: Connection, id: string): Promise<DraftFile> {
  await ownTurn()
  const family = found('template', id, await findFamily(connection, 'template', id))
  requireDraft(family)
  if (family.draftBytes === null) throw new Error(`template ${id} has a draft without a file`)
  await inTurns(contentHashInParts(family.draftBytes))
  return { family, bytes: family.draftBytes }
}
