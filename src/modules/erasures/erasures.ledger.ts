/**
 * The ledger of erasures: one note for each, outside of the database, so that a restore of an older backup can make them
 * again. Notes lie beside the objects, and in a folder beside the data directory or where QUIRE_ERASURE_LEDGER says. A note
 * has the ids of what was erased and nothing of the object but the hash of its reference.
 */
import { type Static, Type } from '@sinclair/typebox'
import { canonicalJson } from '../../core/canonical.ts'
import { detailOf } from '../../core/error-cause.ts'
import { readJson } from '../../core/json.ts'
import { checkShape } from '../../http/shape.ts'
import { folderNotes, type Notes } from '../../objects/notes.ts'
import type { ObjectStore } from '../../objects/object-store.ts'

const count = Type.Integer({ minimum: 0 })

/** A note's content; columns have their names in the database. */
const entry = Type.Object({
  format: Type.Literal('quire-erasure-1'),
  /** The store's id. */
  store: Type.String(),
  id: Type.String(),
  object_reference_hash: Type.String(),
  reason: Type.String(),
  counts: Type.Object({
    submissions: count,
    executions: count,
    steps: count,
    artifacts: count,
    artifact_bytes: count,
    events: count,
    audit_records: count,
    answers: count,
  }),
  erased_by: Type.String(),
  correlation_id: Type.String(),
  /** As the database has it. */
  erased_at: Type.String(),
  submissions: Type.Array(Type.String()),
  executions: Type.Array(Type.String()),
  objects: Type.Array(Type.String()),
})
export type LedgerEntry = Static<typeof entry>

/** What the places of the ledger have, by the erasures' ids. */
export interface LedgerNames {
  inSome: ReadonlySet<string>
  inAll: ReadonlySet<string>
}

export interface Ledger {
  /** @throws when a place can't be read */
  names(): Promise<LedgerNames>
  /** @throws LedgerDamaged where no place has it as it was written */
  read(id: string): Promise<LedgerEntry>
  /** Durable in every place once it resolves. */
  write(entry: LedgerEntry): Promise<void>
}

export class LedgerDamaged extends Error {
  override readonly name = 'LedgerDamaged'
}

/** As the configuration has them. */
export interface LedgerPlaces {
  dataFolder: string
  /** Undefined: a folder beside the data directory, which is left out where it can't be written. */
  erasureLedger: string | undefined
}

const PREFIX = 'erasure.'
const noteOf = (id: string): string => `${PREFIX}${id}`

function idsIn(names: readonly string[]): Set<string> {
  return new Set(names.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)))
}

export function openLedger({ dataFolder, erasureLedger }: LedgerPlaces, { notes }: Pick<ObjectStore, 'notes'>): Ledger {
  const folder = erasureLedger ?? `${dataFolder}.erasures`
  const own = folderNotes(folder)
  const places = [notes, erasureLedger === undefined ? whereAllowed(own) : own]
  return {
    async names() {
      const found = await Promise.all(places.map(async (place) => idsIn(await place.names())))
      return {
        inSome: found.reduce((one, other) => one.union(other)),
        inAll: found.reduce((one, other) => one.intersection(other)),
      }
    },
    async read(id) {
      for (const place of places) {
        const bytes = await place.get(noteOf(id))
        const read = bytes === undefined ? undefined : readJson(bytes)
        if (read?.ok !== true || checkShape(entry, read.value, 'file').length > 0) continue
        const found = read.value as LedgerEntry
        if (found.id === id) return found
      }
      throw new LedgerDamaged(
        `the note ${noteOf(id)} of the ledger of erasures can't be read, so what it erased would be served again; bring it back from another copy of ${folder} or of the notes beside the objects, or remove it to let that happen`,
      )
    },
    async write(entry) {
      const bytes = new TextEncoder().encode(canonicalJson(entry))
      for (const place of places) await place.put(noteOf(entry.id), bytes)
    },
  }
}

/** As with the mark of the store: above the data directory there may be nothing to write to, as in a container. */
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
