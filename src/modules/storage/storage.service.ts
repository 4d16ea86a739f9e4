import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { fileFormats } from '../../core/formats.ts'
import { addMs, dayMs, formatInstant, type Instant, instantOf, parseInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { storageFilters } from '../../core/list-filters.ts'
import type { Database } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import { filterScope, filterValues } from '../../http/list-query.ts'
import { cutPage, openCursor, sealCursor } from '../../http/paging.ts'
import type { Keys } from '../../http/tokens.ts'
import type { StorageItem, StorageQuery } from './storage.model.ts'
import { listArtifacts, type StorageFilter, type StorageRow } from './storage.store.ts'

export type StorageService = ReturnType<typeof createStorageService>

export function createStorageService(database: Database, clock: Clock, cursorKeys: Keys) {
  return {
    /**
     * Successful artifacts, newest first. The cursor carries the normalised window, so that a default window stays that of the
     * first page. It is valid only with the filters that it was made for.
     *
     * @throws Fault validation_failed for a window that is reversed or too wide, and for a foreign cursor
     */
    async list(query: StorageQuery): Promise<{ storage: StorageItem[]; next_cursor?: string }> {
      const scope = { list: 'storage', ...filterScope(storageFilters, query) }
      const opened = query.cursor === undefined ? undefined : openCursor(cursorKeys, scope, query.cursor)
      const window = opened === undefined ? readWindow(query, clock.now()) : windowOfCursor(query, opened)
      const after = opened === undefined ? undefined : placeOfCursor(opened)
      const filter: StorageFilter = { ...filterValues(storageFilters, query), ...window }
      const limit = query.limit ?? limits.storagePageSizeDefault
      const page = cutPage(await listArtifacts(database.read, filter, after, limit + 1), limit)
      const storage = page.rows.map(rowToWire)
      if (page.last === undefined) return { storage }
      const parts = [window.from, window.to, page.last.createdAt, page.last.id]
      return { storage, next_cursor: sealCursor(cursorKeys, scope, parts) }
    },
  }
}

interface Window {
  from: Instant
  to: Instant
}

function readWindow(query: StorageQuery, now: Instant): Window {
  const to = query.to === undefined ? now : instantOf(query.to)
  const from = query.from === undefined ? addMs(to, -limits.storageDefaultWindowDays * dayMs) : instantOf(query.from)
  if (from > to) throw new Fault('validation_failed', 'Query field from must not be later than to.')
  if (to > addMs(from, limits.storageWindowDays * dayMs)) {
    throw new Fault(
      'validation_failed',
      `Query fields from and to must be at most ${limits.storageWindowDays} days apart. Narrow the window.`,
    )
  }
  return { from, to }
}

function windowOfCursor(query: StorageQuery, [from = '', to = '']: readonly string[]): Window {
  const given = { from: query.from, to: query.to }
  for (const [name, bound] of [
    ['from', from],
    ['to', to],
  ] as const) {
    const asked = given[name]
    if (asked !== undefined && parseInstant(asked) !== bound) {
      throw new Fault('validation_failed', `Query field ${name} is not what the cursor was made for. Keep the window.`)
    }
  }
  return { from: instantOf(from), to: instantOf(to) }
}

function placeOfCursor([, , createdAt = '', id = '']: readonly string[]): PagePlace {
  return { createdAt, id }
}

function rowToWire(row: StorageRow): StorageItem {
  return {
    artifact_id: row.id,
    submission_id: row.submissionId,
    object_reference: row.objectReference,
    model_slug: row.modelSlug,
    producing_node_label: row.nodeLabel,
    producing_node_address: row.nodeAddress,
    format: row.kind,
    media_type: fileFormats[row.kind].mediaType,
    byte_size: row.byteSize,
    content_hash: row.contentHash,
    created_at: formatInstant(row.createdAt),
    ...(row.removedAt === null ? {} : { removed_at: formatInstant(row.removedAt) }),
    download_path: `/api/v1/executions/${row.executionId}/artifacts/${row.id}/download`,
  }
}
