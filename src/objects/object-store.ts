import { causesOf, detailOf } from '../core/error-cause.ts'
import { DependencyUnavailable } from '../core/faults.ts'
import type { RemovableNotes } from './notes.ts'
import type { RemovalTurns } from './removal-turns.ts'

/**
 * The object store: bytes under the hash of their content, and a few notes beside them. A name therefore never changes its
 * meaning, writing twice is writing once, and every read can prove what it got. Keys never leave this folder.
 */
export interface ObjectStore {
  /**
   * Durable once it resolves. Storing what is already there checks the stored bytes, replaces damaged ones, and renews its age.
   * @returns whether there was something under that name
   * @throws ObjectStoreUnavailable, or TypeError when `hash` isn't the SHA-256 of `bytes`
   */
  put(hash: string, bytes: Uint8Array): Promise<'new' | 'found'>
  /**
   * The whole object, checked against its hash; undefined when there is none.
   * @throws ObjectDamaged, ObjectStoreUnavailable
   */
  get(hash: string): Promise<Uint8Array | undefined>
  /**
   * The object in chunks, hashed while they pass: the last chunk is held back until the hash is known, so a reader
   * that got all `size` bytes got the right ones, and otherwise its stream fails with ObjectDamaged.
   */
  open(hash: string): Promise<OpenedObject | undefined>
  size(hash: string): Promise<number | undefined>
  /**
   * When it was last stored, by the store's clock; storing an existing object renews it before the sweep could take it.
   */
  modifiedAtMs(hash: string): Promise<number | undefined>
  /** True when there was something to remove. */
  delete(hash: string): Promise<boolean>
  /**
   * Removes an object unless it was stored after an instant of the store's clock (milliseconds since 1970). One directory that one
   * process uses stores nothing between that question and the removal; elsewhere `removal.ts` holds the two apart.
   * @param mayRemove is asked between the question and the removal, which is sent once: one without an answer may still take effect
   */
  deleteUnlessSince(hash: string, sinceMs: number, mayRemove?: () => boolean): Promise<'removed' | 'missing' | 'kept'>
  /** Whose turn it is to remove objects, if others may store objects here; see `shared`. */
  readonly turns?: RemovalTurns
  /** Every object, in no order; for the sweep of objects that no row names. */
  list(): AsyncIterable<StoredObject>
  /** Kept beside the objects, and never taken for one of them. */
  readonly notes: RemovableNotes
  /** Resolves when the store can be reached and used; rejects otherwise. */
  probe(): Promise<void>
  /** Says at once, without asking anybody else, that a local store is no longer the one that was opened. */
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

/** The store didn't answer, or answered with a fault of its own: try again later. */
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

/** There is no room for it: try again when there is. */
export class ObjectStoreFull extends ObjectStoreUnavailable {
  override readonly name = 'ObjectStoreFull'
  override readonly reason = 'it is full, or its disk is below its reserve'
}

/** It refuses until somebody mends it: credentials, permissions, the bucket's name, a disk that is mounted read-only. */
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

/** What the system says of a file that its disk can't read, however often it is asked: fixed by POSIX and Linux. */
const UNREADABLE = ['EIO', 'EBADMSG', 'EUCLEAN']

/**
 * Whether an error means that a single object is lost, not the whole store: its content is wrong, or its disk can't read it.
 * For commands that save what is left; a running service tries again.
 */
export function isDamage(error: unknown): boolean {
  if (error instanceof ObjectDamaged) return true
  if (!(error instanceof ObjectStoreUnavailable)) return false
  return causesOf(error).some((cause) => UNREADABLE.includes(detailOf(cause) ?? ''))
}

/** For callers that treat a damaged object like a missing one. @throws ObjectStoreUnavailable */
export async function getIntact(objects: Pick<ObjectStore, 'get'>, hash: string): Promise<Uint8Array | undefined> {
  try {
    return await objects.get(hash)
  } catch (error) {
    if (error instanceof ObjectDamaged) return undefined
    throw error
  }
}

/** A setting that can't be used; the message says what it should be. */
export class ObjectsUrlInvalid extends Error {
  override readonly name = 'ObjectsUrlInvalid'
}

export interface OpenObjectsOptions {
  /** How long one operation on an S3 store may take, its repetitions included. */
  requestMs?: number
  /**
   * Removes what writes that were cut short left behind. Only for the process that serves: a command beside it would
   * remove the files that the server is just writing.
   */
  clearLeftovers?: boolean
  /** Room that a local directory leaves on its disk; for tests. */
  reserveBytes?: number
}
