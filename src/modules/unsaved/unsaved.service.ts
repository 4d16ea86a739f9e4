/**
 * What somebody typed into a draft and hasn't saved, so that another tab, browser or device of theirs can go on with it, and
 * so that they can go back. Each user has a record of each family: states, newest first. A state is *open* while its text is
 * neither saved nor given up; a tab has at most one open state, and what it types within a minute changes that one in place.
 * Nothing here is a promise: states are thinned out and expire, and the audit trail has none of them (decision 33).
 */
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { addMs, formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { type FamilyHead, findFamily, listFamilyHeads } from '../families/families.reads.ts'
import type { NewUnsavedText, UnsavedDraft, UnsavedState, UnsavedText } from './unsaved.model.ts'
import {
  closeUnsaved,
  deleteUnsaved,
  deleteUnsavedBefore,
  deleteUnsavedOfFamily,
  deleteUnsavedOfUser,
  findUnsaved,
  holdUnsaved,
  insertUnsaved,
  listUnsaved,
  type Owned,
  replaceUnsaved,
  sizesOfUser,
  type UnsavedHead,
} from './unsaved.store.ts'
import { statesToRemove } from './unsaved.thinning.ts'

export interface UnsavedPorts {
  database: Database
  clock: Clock
}

export type UnsavedService = ReturnType<typeof createUnsavedService>

/** Call it in the transaction that locks somebody out. */
export const forgetUnsaved: (tx: Transaction, userId: string) => Promise<void> = deleteUnsavedOfUser

export function createUnsavedService({ database, clock }: UnsavedPorts) {
  const since = () => addMs(clock.now(), -limits.unsavedKeptMs)

  return {
    /** @throws Fault not_found without such a family */
    async read(of: Owned): Promise<UnsavedDraft> {
      await mustFindTextual(database.read, of.familyId)
      const states = await listUnsaved(database.read, of, since())
      return { family_id: of.familyId, states: states.map(stateToWire) }
    },

    /** @throws Fault not_found, which another user's state is as well */
    async readState(of: Owned, id: string): Promise<UnsavedText> {
      const row = await findUnsaved(database.read, of, id, since())
      if (row === undefined) throw new Fault('not_found', `There is no unsaved text ${id} of yours here.`)
      const { content, base } = row
      const head = stateToWire({ ...row, hasBase: base !== null })
      return { ...head, text: content, ...(base === null ? {} : { base_text: base }) }
    },

    /** Keeps what a tab has now; what it sent before and comes later changes nothing. */
    async put(of: Owned, typed: NewUnsavedText): Promise<UnsavedState> {
      const at = clock.now()
      return database.write(async (tx) => {
        const family = await mustFindTextual(tx, of.familyId)
        await holdUnsaved(tx, of.userId)
        const states = await listUnsaved(tx, of, addMs(at, -limits.unsavedKeptMs))
        const own = states.find(({ tabId }) => tabId === typed.tab_id)
        if (own !== undefined && own.step >= typed.step) return stateToWire(own)
        const next = await nextState(tx, of, { typed, family, states, at })
        const { row, isNew } = next
        await (isNew ? insertUnsaved(tx, row) : replaceUnsaved(tx, row))
        await closeUnsaved(tx, of, tabsOf(typed), row.id)
        await makeRoom(tx, of, at)
        return stateToWire({ ...row, hasBase: row.base !== null })
      })
    },

    /** What these tabs typed was saved or given up: it stays in the history, and is offered nowhere. */
    async settle(of: Owned, tabIds: readonly string[]): Promise<void> {
      await mustFindTextual(database.read, of.familyId)
      await database.write((tx) => closeUnsaved(tx, of, tabIds, ''))
    },

    /** For good. */
    async remove(of: Owned): Promise<void> {
      await mustFindTextual(database.read, of.familyId)
      await database.write((tx) => deleteUnsavedOfFamily(tx, of))
    },

    /** Removes those that are too old; call it now and then. */
    async sweep(): Promise<void> {
      await database.write((tx) => deleteUnsavedBefore(tx, since()))
    },
  }
}

interface Writing {
  typed: NewUnsavedText
  family: FamilyHead
  /** States of this user and family, newest first. */
  states: readonly UnsavedHead[]
  at: Instant
}

/** The state that a text makes: the tab's own once more within the minute that it began in, or else a new one. */
async function nextState(tx: Transaction, of: Owned, { typed, family, states, at }: Writing) {
  const open = states.find(({ tabId, isOpen }) => isOpen && tabsOf(typed).includes(tabId))
  const isNew = open === undefined || open.tabId !== typed.tab_id || addMs(open.begunAt, limits.unsavedStateMs) <= at
  const base = await baseOf(tx, of, { typed, family, open, since: addMs(at, -limits.unsavedKeptMs) })
  const row = {
    ...of,
    ...{ id: isNew ? newId() : open.id, tabId: typed.tab_id, browserId: typed.browser_id, step: typed.step },
    ...{ content: typed.text, contentHash: sha256Hex(typed.text), baseRevision: typed.base_revision, base },
    byteSize: Buffer.byteLength(typed.text) + Buffer.byteLength(base ?? ''),
    ...{ isOpen: true, begunAt: isNew ? at : open.begunAt, typedAt: at },
  }
  return { row, isNew }
}

interface BaseSources extends Pick<Writing, 'typed' | 'family'> {
  open: UnsavedHead | undefined
  since: Instant
}

/** The text that another one began from: as it is sent, as the draft has it, or as it was known before; else null. */
async function baseOf(tx: Transaction, of: Owned, { typed, family, open, since }: BaseSources): Promise<string | null> {
  const revision = typed.base_revision
  if (revision === 0) return null
  if (typed.base_text !== undefined) return typed.base_text
  if (family.draftRevision === revision) return (await findFamily(tx, family.kind, family.id))?.draftSource ?? null
  if (open?.baseRevision !== revision || !open.hasBase) return null
  return (await findUnsaved(tx, of, open.id, since))?.base ?? null
}

function tabsOf({ tab_id, continues }: NewUnsavedText): string[] {
  return continues === undefined ? [tab_id] : [tab_id, continues]
}

/** Thins out what the user has of this draft, and then gives up the oldest of all beyond their bytes. */
async function makeRoom(tx: Transaction, of: Owned, at: Instant): Promise<void> {
  const kept = await listUnsaved(tx, of, addMs(at, -limits.unsavedKeptMs))
  await deleteUnsaved(tx, statesToRemove(kept, at))
  let bytes = 0
  const sizes = await sizesOfUser(tx, of.userId)
  const beyond = sizes.filter(({ byteSize }) => {
    bytes += byteSize
    return bytes > limits.unsavedBytesPerUser
  })
  await deleteUnsaved(
    tx,
    beyond.map(({ id }) => id),
  )
}

/** @throws Fault not_found without such a family; validation_failed if its draft is a file */
async function mustFindTextual(connection: Database['read'], id: string): Promise<FamilyHead> {
  const [family] = await listFamilyHeads(connection, [id])
  if (family === undefined) throw new Fault('not_found', `There is no family ${id}.`)
  if (family.kind !== 'template') return family
  throw new Fault('validation_failed', 'The draft of a template is a file, which is saved as soon as it is chosen.')
}

function stateToWire(state: UnsavedHead): UnsavedState {
  const { id, tabId, browserId, baseRevision, hasBase, isOpen, byteSize, contentHash, begunAt, typedAt } = state
  return {
    ...{ id, tab_id: tabId, browser_id: browserId, base_revision: baseRevision, has_base: hasBase, is_open: isOpen },
    ...{ byte_size: byteSize, content_hash: contentHash },
    ...{ begun_at: formatInstant(begunAt), typed_at: formatInstant(typedAt) },
  }
}
