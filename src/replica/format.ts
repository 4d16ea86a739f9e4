import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sha256Hex } from '../core/hash.ts'
import { isUuid } from '../core/ids.ts'
import type { LogPart } from '../db/log-reader.ts'

/**
 * A replica is an object store of its own with: the artifacts' objects; copies of the database's file (bases), whose pieces are
 * objects, too; and, as notes, the parts of the log between them. docs/decisions/0026 describes it.
 */
export const REPLICA_FORMAT = 'quire-replica-1'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const uuid = Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const place = Type.Integer({ minimum: 0 })

/**
 * A copy of the database's file. With its epoch's log, from the beginning up to the position or further, it is a consistent
 * state.
 */
const base = Type.Object({
  format: Type.Literal(REPLICA_FORMAT),
  run: uuid,
  epoch: place,
  position: place,
  /** The parts of the log that it needs have this id or a later one. */
  since: uuid,
  product_version: Type.String(),
  byte_size: place,
  pieces: Type.Array(hash),
})
export type Base = Static<typeof base>

const logHead = Type.Object({
  format: Type.Literal(REPLICA_FORMAT),
  /** One run of one process's replicator; another run's log doesn't continue it. */
  run: uuid,
  epoch: place,
  from: place,
  byte_size: place,
  sha256: hash,
})
export type LogNote = LogPart & { run: string }

export type NoteKind = 'base' | 'log'

/** Names of notes. Ids are UUIDv7, so names of a kind sort by the time of their creation. */
export function noteName(kind: NoteKind, id: string): string {
  return `${kind}.${id}`
}

/** The ids of a kind, oldest first; ignores files that others left there. */
export function idsOf(kind: NoteKind, names: readonly string[]): string[] {
  const prefix = `${kind}.`
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter(isUuid)
    .sort()
}

/** When an id was made, in milliseconds since 1970. */
export function madeAtMs(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

/** The id, or one that sorts after another if it doesn't: a clock that was set back makes earlier ids. */
export function idAfter(other: string, id: string): string {
  if (id > other) return id
  const time = (madeAtMs(other) + 1).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`
}

export function writeBase(content: Base): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(content))
}

/** Undefined if it isn't a base of this format. */
export function readBase(bytes: Uint8Array): Base | undefined {
  const content = parsed(new TextDecoder().decode(bytes))
  return Value.Check(base, content) ? content : undefined
}

/** Whether it is a note of a replica in a format that this version doesn't know. */
export function isOfAnotherFormat(bytes: Uint8Array): boolean {
  const { format } = Object(parsed(new TextDecoder().decode(bytes))) as { format?: unknown }
  return typeof format === 'string' && format.startsWith('quire-replica-') && format !== REPLICA_FORMAT
}

/** A line that describes the part, followed by the log's bytes. */
export function writeLog(run: string, part: LogPart): Uint8Array {
  const head: Static<typeof logHead> = {
    format: REPLICA_FORMAT,
    run,
    epoch: part.epoch,
    from: part.from,
    byte_size: part.bytes.length,
    sha256: sha256Hex(part.bytes),
  }
  const line = new TextEncoder().encode(`${JSON.stringify(head)}\n`)
  const bytes = new Uint8Array(line.length + part.bytes.length)
  bytes.set(line)
  bytes.set(part.bytes, line.length)
  return bytes
}

/** Undefined if it isn't a part of a log, or is incomplete or changed. */
export function readLog(note: Uint8Array): LogNote | undefined {
  const end = note.indexOf(0x0a)
  const head = parsed(new TextDecoder().decode(note.subarray(0, Math.max(0, end))))
  if (!Value.Check(logHead, head)) return undefined
  const bytes = new Uint8Array(note.subarray(end + 1))
  if (bytes.length !== head.byte_size || sha256Hex(bytes) !== head.sha256) return undefined
  return { run: head.run, epoch: head.epoch, from: head.from, bytes }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
