import { causesOf, detailOf } from '../core/error-cause.ts'
import { DependencyUnavailable } from '../core/faults.ts'
import type { RemovableNotes } from './notes.ts'
import type { RemovalTurns } from './removal-turns.ts'

/**
 * The object store: bytes under the hash of their content, and a few notes beside them. So a name never changes its meaning,
 * storing twice is storing once, and every read can verify its result. Keys are used only in this folder.
 */
export interface ObjectStore {
  /**
   * Durable once it resolves. If the object exists, its stored bytes are checked, damaged ones are replaced, and its age is
   * renewed.
   * @returns whether there was something under that name
   * @throws ObjectStoreUnavailable, or TypeError if `hash` isn't the SHA-256 of `bytes`
   */
  put(hash: string, bytes: Uint8Array): Promise<'new' | 'found'>
  /**
   * The whole object, checked against its hash; undefined if there is none.
   * @throws ObjectDamaged, ObjectStoreUnavailable
   */
  get(hash: string): Promise<Uint8Array | undefined>
  /**
   * The object in chunks, hashed while they pass. The last chunk is held back until the hash is known: a reader that got all
   * `size` bytes got the right ones; otherwise its stream fails with ObjectDamaged.
   */
  open(hash: string): Promise<OpenedObject | undefined>
  size(hash: string): Promise<number | undefined>
  /** When it was last stored, by the store's clock. Storing an existing object renews this before the sweep could remove it. */
  modifiedAtMs(hash: string): Promise<number | undefined>
  /** True if there was something to remove. */
  delete(hash: string): Promise<boolean>
  /**
   * Removes an object unless it was stored after an instant of the store's clock (milliseconds since 1970). A directory that only
   * one process uses stores nothing between that check and the removal; elsewhere `removal.ts` prevents it.
   * @param mayRemove called between the check and the removal, which is sent only once: without an answer it may still take
   * effect
   */
  deleteUnlessSince(hash: string, sinceMs: number, mayRemove?: () => boolean): Promise<'removed' | 'missing' | 'kept'>
  /** Turns for removing objects, if other processes may store objects here; see `shared`. */
  readonly turns?: RemovalTurns
  /** All objects, in no order; for sweeping objects that no row names. */
  list(): AsyncIterable<StoredObject>
  /** Stored beside the objects, and never mistaken for one. */
  readonly notes: RemovableNotes
  /** Resolves if the store is usable; rejects otherwise. */
  probe(): Promise<void>
  /** Tells synchronously, without I/O elsewhere, that a local store is no longer the one that was opened. */
  gone?(): ObjectStoreGone | undefined
  close(): Promise<void>
}

export interface OpenedObject {
  size: number
  stream: ReadableStream<Uint8Array>
}

export interface StoredObject {
  hash: string
  size: number
  /** Milliseconds since 1970, by the store's clock. */
  modifiedAtMs: number
}

/** The store didn't answer, or failed: try again later. */
export class ObjectStoreUnavailable extends DependencyUnavailable {
  override readonly name: string = 'ObjectStoreUnavailable'
  readonly dependency = 'object-store'
  readonly reason: string = 'it does not answer as it should'
}

/** The store is no longer the one that was opened; the message says what happened, for the log. */
export class ObjectStoreGone extends ObjectStoreUnavailable {
  override readonly name = 'ObjectStoreGone'
  override readonly reason = 'it was removed or replaced'
}

/** The store has no room for it: try again when there is. */
export class ObjectStoreFull extends ObjectStoreUnavailable {
  override readonly name = 'ObjectStoreFull'
  override readonly reason = 'it is full, or its disk is below its reserve'
}

/**
 * It refuses until somebody fixes its configuration: credentials, permissions, the bucket's name, a disk that is mounted
 * read-only.
 */
export class ObjectStoreRefused extends ObjectStoreUnavailable {
  override readonly name = 'ObjectStoreRefused'
  override readonly reason = 'it refuses access; an operator must mend its credentials, permissions or address'
}

/** The stored bytes are not those that the hash names. */
export class ObjectDamaged extends Error {
  override readonly name = 'ObjectDamaged'

  constructor(readonly hash: string) {
    super(`the stored object ${hash} does not have the content its name promises`)
  }
}

/** Errors of a file that its disk can't read, however often one tries: fixed by POSIX and Linux. */
const UNREADABLE = ['EIO', 'EBADMSG', 'EUCLEAN']

/**
 * Whether an error means that one object is lost, and not the whole store: its content is wrong, or its disk can't read it. For
 * commands that save what is left; a running service tries again.
 */
export function isDamage(error: unknown): boolean {
  if (error instanceof ObjectDamaged) return true
  if (!(error instanceof ObjectStoreUnavailable)) return false
  return causesOf(error).some((cause) => UNREADABLE.includes(detailOf(cause) ?? ''))
}

/** Treats a damaged object like a missing one. @throws ObjectStoreUnavailable */
export async function getIntact(objects: Pick<ObjectStore, 'get'>, hash: string): Promise<Uint8Array | undefined> {
  try {
    return await objects.get(hash)
  } catch (error) {
    if (error instanceof ObjectDamaged) return undefined
    throw error
  }
}

/** A setting is unusable; the message says what it should be. */
export class ObjectsUrlInvalid extends Error {
  override readonly name = 'ObjectsUrlInvalid'
}

export interface OpenObjectsOptions {
  /** How long one operation on an S3 store may take, including its retries. */
  requestMs?: number
  /**
   * Removes what interrupted writes left behind. Only for the process that serves: a command beside it would remove files that
   * the server is just writing.
   */
  clearLeftovers?: boolean
  /** Bytes that a local directory leaves free on its disk; for tests. */
  reserveBytes?: number
}
