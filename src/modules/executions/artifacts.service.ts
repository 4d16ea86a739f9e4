import type { Author } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { Fault } from '../../core/faults.ts'
import { fileFormats } from '../../core/formats.ts'
import type { Database } from '../../db/database.ts'
import type { Answer } from '../../http/operation.ts'
import { ObjectDamaged, type ObjectStore } from '../../objects/object-store.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { ExecutionService } from './executions.service.ts'

export interface DownloadConditions {
  range: string | null
  ifRange: string | null
  ifNoneMatch: string | null
}

export type ArtifactService = ReturnType<typeof createArtifactService>

export interface ArtifactPorts {
  executions: ExecutionService
  objects: ObjectStore
  database: Database
  clock: Clock
}

export function createArtifactService({ executions, objects, database, clock }: ArtifactPorts) {
  return {
    /**
     * An artifact's bytes with everything HTTP needs. Before the first byte is sent, the whole object is checked against its hash
     * and the download is in the audit trail.
     *
     * @throws Fault not_found, content_unavailable when the object is missing or damaged; ObjectStoreUnavailable
     */
    async download(
      author: Author,
      executionId: string,
      artifactId: string,
      conditions: DownloadConditions,
    ): Promise<Answer<never>> {
      const { row, execution } = await executions.artifact(executionId, artifactId)
      const etag = `"${row.contentHash}"`
      const { mediaType, extension } = fileFormats[row.kind]
      const fileName = `${row.objectReference}-${execution.nodeAddress.split(':').at(-1)}.${extension}`
      const headers: Record<string, string> = {
        'content-type': mediaType,
        'content-disposition': `attachment; filename="${fileName.replace(/[^A-Za-z0-9._@+-]/g, '-')}"`,
        etag,
        'repr-digest': `sha-256=:${Buffer.from(row.contentHash, 'hex').toString('base64')}:`,
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-cache, no-transform',
      }
      if (matches(conditions.ifNoneMatch, etag)) return { status: 304, headers }
      const bytes = await readObject(objects, row.contentHash)
      const range =
        conditions.ifRange === null || conditions.ifRange === etag
          ? parseRange(conditions.range, bytes.byteLength)
          : undefined
      const sent = range ?? { first: 0, last: bytes.byteLength - 1 }
      await database.write((tx) =>
        recordAudit(
          tx,
          { ...author, at: clock.now() },
          {
            action: 'artifact.downloaded',
            resourceKind: 'artifact',
            resourceId: row.id,
            detail: { execution_id: executionId, content_hash: row.contentHash, bytes: `${sent.first}-${sent.last}` },
          },
        ),
      )
      if (range === undefined) return { status: 200, headers, stream: bytes }
      headers['content-range'] = `bytes ${range.first}-${range.last}/${bytes.byteLength}`
      return { status: 206, headers, stream: bytes.slice(range.first, range.last + 1) }
    },
  }
}

async function readObject(objects: ObjectStore, hash: string): Promise<Uint8Array> {
  try {
    const bytes = await objects.get(hash)
    if (bytes !== undefined) return bytes
    throw new Fault('content_unavailable', 'The artifact is recorded, but its bytes are no longer in the object store.')
  } catch (error) {
    if (error instanceof ObjectDamaged) {
      throw new Fault('content_unavailable', 'The stored bytes are not those that were made.', { cause: error })
    }
    throw error
  }
}

function matches(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

/** One satisfiable range (RFC 9110, 14.1.2); anything else is answered with the whole content. */
function parseRange(header: string | null, size: number): { first: number; last: number } | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined) return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return to === '' || length === 0 ? undefined : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return first > last ? undefined : { first, last }
}
