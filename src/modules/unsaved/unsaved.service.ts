/**
 * Texts that somebody typed into a draft and hasn't saved, so that the same person can continue in another tab, browser or
 * device, or go back. Each user has, for each family, a list of states, newest first. A state is *open* until its text is saved
 * or discarded. A tab has at most one open state; further typing within a minute changes it in place. None of this is guaranteed:
 * states are thinned out and expire, and the audit trail doesn't have them (decision 33).
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

    /** @throws Fault not_found, also for another user's state */
    async readState(of: Owned, id: string): Promise<UnsavedText> {
      const row = await findUnsaved(database.read, of, id, since())
      if (row === undefined) throw new Fault('not_found', `There is no unsaved text ${id} of yours here.`)
      const { content, base } = row
      const head = stateToWire({ ...row, hasBase: base !== null })
      return { ...head, text: content, ...(base === null ? {} : { base_text: base }) }
    },

    /** Stores a tab's current text; an older one that arrives late changes nothing. */
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

    /** Closes what these tabs typed, after it was saved or discarded: it stays in the history, but is no longer offered. */
    async settle(of: Owned, tabIds: readonly string[]): Promise<void> {
      await mustFindTextual(database.read, of.familyId)
      await database.write((tx) => closeUnsaved(tx, of, tabIds, ''))
    },

    /** Removes all states for good. */
    async remove(of: Owned): Promise<void> {
      await mustFindTextual(database.read, of.familyId)
      await database.write((tx) => deleteUnsavedOfFamily(tx, of))
    },

    /** Removes old states; call it now and then. */
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

/** The state for a text: the tab's open one if it began less than a minute ago, else a new one. */
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

/** The saved text from which this one was edited: as sent, else as the draft has it, else as stored before; null if unknown. */
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

/** Thins out the user's states of this draft, and then removes the oldest of all beyond the user's allowance of bytes. */
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

/** @throws Fault not_found for an unknown family; validation_failed if its draft is a file */
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
