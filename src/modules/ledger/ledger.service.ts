/**
 * The ledger: notes outside of the database about erasures, legal holds and retention policies, which a restore of an older
 * backup must not undo. They are stored beside the objects, and in a folder beside the data directory or where
 * QUIRE_ERASURE_LEDGER says.
 */
import type { Static, TObject } from '@sinclair/typebox'
import { type Canonical, canonicalJson } from '../../core/canonical.ts'
import { detailOf } from '../../core/error-cause.ts'
import { isJsonObject, readJson } from '../../core/json.ts'
import { checkShape } from '../../http/shape.ts'
import { folderNotes, type Notes } from '../../objects/notes.ts'
import type { ObjectStore } from '../../objects/object-store.ts'

const noteKinds = ['erasure', 'hold', 'retention'] as const
export type NoteKind = (typeof noteKinds)[number]

/** The notes of one kind in all places of the ledger, by id. */
export interface LedgerNames {
  inSome: ReadonlySet<string>
  inAll: ReadonlySet<string>
}

export interface Ledger {
  /** @throws when a place can't be read */
  names(kind: NoteKind): Promise<LedgerNames>
  /** @throws LedgerDamaged if no place has an intact copy */
  read<Schema extends TObject>(kind: NoteKind, id: string, schema: Schema): Promise<Static<Schema>>
  /** Durable in every place once it resolves; replaces an earlier note with this id. */
  write(kind: NoteKind, id: string, content: Canonical): Promise<void>
}

export class LedgerDamaged extends Error {
  override readonly name = 'LedgerDamaged'
}

/** Places from the configuration. */
export interface LedgerPlaces {
  dataFolder: string
  /** Undefined for a folder beside the data directory, which is left out if it can't be written. */
  erasureLedger: string | undefined
}

function idsIn(names: readonly string[], kind: NoteKind): Set<string> {
  const start = `${kind}.`
  return new Set(names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length)))
}

export function openLedger({ dataFolder, erasureLedger }: LedgerPlaces, { notes }: Pick<ObjectStore, 'notes'>): Ledger {
  const folder = erasureLedger ?? `${dataFolder}.erasures`
  const own = folderNotes(folder)
  const places = [notes, erasureLedger === undefined ? whereAllowed(own) : own]
  return {
    async names(kind) {
      const found = await Promise.all(places.map(async (place) => idsIn(await place.names(), kind)))
      return {
        inSome: found.reduce((one, other) => one.union(other)),
        inAll: found.reduce((one, other) => one.intersection(other)),
      }
    },
    async read<Schema extends TObject>(kind: NoteKind, id: string, schema: Schema) {
      const name = `${kind}.${id}`
      for (const place of places) {
        const bytes = await place.get(name)
        const read = bytes === undefined ? undefined : readJson(bytes)
        if (read?.ok !== true || !isJsonObject(read.value) || read.value.id !== id) continue
        if (checkShape(schema, read.value, 'file').length === 0) return read.value as Static<Schema>
      }
      throw new LedgerDamaged(
        `the note ${name} of the ledger can't be read, so a restore would have undone it; bring it back from another copy of ${folder} or of the notes beside the objects, or remove it to let that happen`,
      )
    },
    async write(kind, id, content) {
      const bytes = new TextEncoder().encode(canonicalJson(content))
      for (const place of places) await place.put(`${kind}.${id}`, bytes)
    },
  }
}

/**
 * Ignores errors of missing rights, as for the mark of the store: in a container, nothing above the data directory may be
 * writable.
 */
function whereAllowed(notes: Notes): Notes {
  const refused = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']
  const unless =
    <T>(instead: T) =>
    (error: unknown): T => {
      if (!refused.includes(detailOf(error) ?? '')) throw error
      return instead
    }
  return {
    names: () => notes.names().catch(unless<string[]>([])),
    get: (name) => notes.get(name).catch(unless(undefined)),
    put: (name, bytes) => notes.put(name, bytes).catch(unless(undefined)),
  }
}

/** @throws when a place of the ledger can't be read */
export async function isEmpty(ledger: Ledger): Promise<boolean> {
  for (const kind of noteKinds) if ((await ledger.names(kind)).inSome.size > 0) return false
  return true
}
