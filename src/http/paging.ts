import { type TSchema, Type } from '@sinclair/typebox'
import { Fault } from '../core/faults.ts'
import { type JsonValue, readJson } from '../core/json.ts'
import { limits } from '../core/limits.ts'
import type { Keys } from './tokens.ts'
import { object, text, uuid } from './wire.ts'

/**
 * Keyset paging: a cursor names the last row of a page, and the next page is what the index holds after it, so that its
 * cost doesn't grow with the list.
 */
export const pageLimit = Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSizeMax }))

/** Query of lists whose cursor is the last row's id. */
export const pageById = { limit: pageLimit, cursor: Type.Optional(uuid) }

/** The body of a list: `{<name>: […], next_cursor?}`. */
export function pageOf<const Name extends string, T extends TSchema>(name: Name, item: T) {
  const items = Type.Array(item, { maxItems: limits.pageSizeMax })
  const properties = {
    [name]: items,
    next_cursor: Type.Optional(text({ minLength: 1, maxLength: limits.cursorChars })),
  }
  return object(properties as { [N in Name]: typeof items } & Pick<typeof properties, 'next_cursor'>)
}

export interface Page<Row> {
  rows: Row[]
  /** The last row of this page, when there is a next one. */
  last: Row | undefined
}

/** Cuts a page from rows queried with one more than the limit. The extra row shows that a next page exists. */
export function cutPage<Row>(rows: readonly Row[], limit: number): Page<Row> {
  const page = rows.slice(0, limit)
  return { rows: page, last: rows.length > limit ? page.at(-1) : undefined }
}

/** What a list by id is asked for. */
export interface PageRequest {
  limit?: number | undefined
  cursor?: string | undefined
}

/** How a list by id is read. */
interface ListById<Place, Row> {
  /** The row that a cursor names; undefined if the list has no such row. */
  find(id: string): Promise<Place | undefined>
  /** At most `limit` rows, from the row after `after` on. */
  rowsAfter(after: Place | undefined, limit: number): Promise<Row[]>
}

/**
 * A page of a list whose cursor is the id of the last row that the client has seen.
 * @throws Fault validation_failed for a cursor that names no row of the list
 */
export async function readPage<Place, Row>(
  { limit = limits.pageSizeDefault, cursor }: PageRequest,
  list: ListById<Place, Row>,
): Promise<Page<Row>> {
  const after = cursor === undefined ? undefined : await list.find(cursor.toLowerCase())
  if (cursor !== undefined && after === undefined) throw foreignCursor()
  return cutPage(await list.rowsAfter(after, limit + 1), limit)
}

export function foreignCursor(): Fault {
  return new Fault(
    'validation_failed',
    'Query field cursor names nothing in this list: it gave out no such cursor, or what that names has been removed since. Leave it out.',
  )
}

/**
 * A cursor that only we can make and that is good for one scope (the normalised filters and window): base64url of its
 * parts, a dot, and a MAC over parts and scope.
 */
export function sealCursor([key]: Keys, scope: JsonValue, parts: readonly string[]): string {
  const payload = Buffer.from(JSON.stringify(parts)).toString('base64url')
  return `${payload}.${macOf(key, scope, payload)}`
}

/** @throws Fault validation_failed for a cursor that isn't ours, or is for other filters */
export function openCursor(keys: Keys, scope: JsonValue, cursor: string): string[] {
  const dot = cursor.lastIndexOf('.')
  const [payload, mac] = [cursor.slice(0, Math.max(dot, 0)), cursor.slice(dot + 1)]
  const given = Buffer.from(mac)
  const isOurs = keys.some((key) => {
    const expected = Buffer.from(macOf(key, scope, payload))
    return given.length === expected.length && crypto.timingSafeEqual(given, expected)
  })
  if (isOurs) {
    const parts = readJson(Buffer.from(payload, 'base64url'))
    if (parts.ok && Array.isArray(parts.value)) return parts.value.map(String)
  }
  throw new Fault(
    'validation_failed',
    'Query field cursor is not one of this list with these filters. Keep the filters, or start without a cursor.',
  )
}

/** 128 bits are plenty for something that only has to be unguessable; the whole cursor stays below `limits.cursorChars`. */
function macOf(key: string, scope: JsonValue, payload: string): string {
  const mac = new Bun.CryptoHasher('sha256', key).update(`${JSON.stringify(scope)}\n${payload}`).digest()
  return mac.subarray(0, 16).toString('base64url')
}
