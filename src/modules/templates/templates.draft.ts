import type { Connection } from '../../db/database.ts'
import { found, requireDraft } from '../configuration/refusals.service.ts'
import { type FamilyRow, findFamily } from '../families/families.reads.ts'

/** A template's family with the file that is its draft. */
export interface DraftFile {
  family: FamilyRow
  bytes: Uint8Array
}

/** @throws Fault not_found for an unknown template, and for one without a draft */
export async function readDraftFile(connection: Connection, id: string): Promise<DraftFile> {
  const family = found('template', id, await findFamily(connection, 'template', id))
  requireDraft(family)
  if (family.draftBytes === null) throw new Error(`template ${id} has a draft without a file`)
  return { family, bytes: family.draftBytes }
}
