/** A store by hand in which everything is as it should be, for commands in the tests' own process. */
import { Database as Libsql } from 'bun:sqlite'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { withDatabase } from '../../src/commands/with-database.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { instantOf } from '../../src/core/instant.ts'
import { releaseHashOf } from '../../src/modules/releases/releases.service.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { temporaryFolder } from '../support/database.ts'
import { contextIn } from './answering.ts'

const at = instantOf('2026-11-20T09:30:00.000000000Z')
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** What artifacts and a batch name, by the name of its content. */
export const objects = { docx: 'a document', pdf: 'a page', batch: 'a;b\n1;2\n' }
export const hashOf = (name: keyof typeof objects): string => sha256Hex(objects[name])

/**
 * A folder whose data directory holds a document of a parent execution, what its child made of its output, a batch, and
 * what they refer to.
 */
export async function makeWholeStore(): Promise<string> {
  const folder = temporaryFolder()
  const context = contextIn(folder)
  await withDatabase(context, async ({ database }) => {
    const store = await openObjectStore(context.readConfig().objectsUrl)
    for (const text of Object.values(objects)) await store.put(sha256Hex(text), bytesOf(text))
    await store.close()
    await database.write(async (tx) => {
      const { t, q } = tx
      const version = (id: string, kind: 'contract' | 'transformer' | 'template', source: string) => ({
        ...{ id, familyId: `family of ${id}`, kind, number: 1, contentHash: sha256Hex(source), sourceRevision: 1 },
        ...{ status: 'published' as const, format: 'json' as const, byteSize: source.length, createdBy: 'ada' },
        ...(kind === 'template' ? { bytes: Buffer.from(source) } : { source }),
        createdAt: at,
      })
      await q
        .insert(t.versions)
        .values([
          version('contract', 'contract', '{}'),
          version('transformer', 'transformer', '{"output":1}'),
          version('template', 'template', 'PK letter'),
          version('closing', 'template', 'PK closing'),
        ])
      const pin = (id: string, source: string) => ({ id, contentHash: sha256Hex(source) })
      const fragments = [{ slug: 'closing', versionId: 'closing', contentHash: sha256Hex('PK closing') }]
      const contract = pin('contract', '{}')
      const transformer = pin('transformer', '{"output":1}')
      const template = pin('template', 'PK letter')
      const release = (id: string, releaseHash: string) => ({
        ...{ id, name: id, releaseHash, processingKind: 'document_generation' as const },
        ...{ contractVersionId: 'contract', transformVersionId: 'transformer', contractChecked: true },
        ...{ createdBy: 'ada', createdAt: at },
      })
      const whole = releaseHashOf({ contract, transformer, template, fragments })
      const data = releaseHashOf({ contract, transformer, template: undefined, fragments: [] })
      await q
        .insert(t.releases)
        .values([{ ...release('letters', whole), templateVersionId: 'template', fragments }, release('notices', data)])
      await q.insert(t.submissions).values({
        ...{ id: 'submission', modelSlug: 'model', objectReference: 'P-1', objectTime: at },
        ...{ rawInput: '{"a":1}', rawInputHash: sha256Hex('{"a":1}'), params: '{}', paramsHash: sha256Hex('{}') },
        ...{ submittedBy: 'ada', correlationId: 'c', createdAt: at },
      })
      const execution = (id: string, releaseId: string, releaseHash: string) => ({
        ...{ id, submissionId: 'submission', nodeLabel: id, nodeAddress: id, releaseId, releaseHash },
        ...{ processingKind: 'document_generation' as const, status: 'completed' as const },
        ...{ inputHash: sha256Hex('{"a":1}'), rawInputHash: sha256Hex('{"a":1}'), output: '{"b":2}' },
        ...{ outputHash: sha256Hex('{"b":2}'), submittedBy: 'ada', correlationId: 'c', createdAt: at, updatedAt: at },
      })
      const child = { ...execution('child', 'notices', data), parentExecutionId: 'parent' }
      await q
        .insert(t.executions)
        .values([execution('parent', 'letters', whole), { ...child, inputHash: sha256Hex('{"b":2}') }])
      const step = (name: 'validate' | 'compose' | 'render', position: number, made?: keyof typeof objects) => ({
        ...{ id: name, executionId: 'parent', position, name, status: 'succeeded' as const, attempt: 1 },
        ...{ stateVersion: 2, availableAt: at },
        summary: made === undefined ? {} : { content_hash: hashOf(made), byte_size: objects[made].length },
      })
      await q.insert(t.steps).values([step('validate', 1), step('compose', 3, 'docx'), step('render', 4, 'pdf')])
      const artifact = (kind: 'docx' | 'pdf') => ({
        ...{ id: kind, executionId: 'parent', submissionId: 'submission', kind, byteSize: objects[kind].length },
        ...{ contentHash: hashOf(kind), objectReference: 'P-1', modelSlug: 'model', nodeLabel: 'parent' },
        ...{ nodeAddress: 'parent', createdAt: at },
      })
      await q.insert(t.artifacts).values([artifact('docx'), artifact('pdf')])
      await q.insert(t.batches).values({
        ...{ id: 'batch', name: 'May.csv', modelSlug: 'model', format: 'csv' as const, contentHash: hashOf('batch') },
        ...{ fileHash: hashOf('batch'), byteSize: objects.batch.length, rows: 1, reading: {}, nextRow: 2 },
        ...{ status: 'completed' as const, nextOffset: 10, createdBy: 'ada', correlationId: 'c' },
        ...{ createdAt: at, updatedAt: at },
      })
      const event = (aggregateId: string, sequence: number, type: string) => ({
        ...{ id: `${aggregateId} ${sequence}`, aggregate: 'execution', aggregateId, sequence, type, data: {} },
        ...{ correlationId: 'c', createdAt: at, publishedAt: at },
      })
      await q
        .insert(t.events)
        .values([event('parent', 1, 'queued'), event('parent', 2, 'completed'), event('child', 1, 'completed')])
      await q.insert(t.projectFiles).values({
        ...{ path: 'cases/a/one.json', content: Buffer.from('{}'), contentHash: sha256Hex('{}'), writtenBy: 'ada' },
        ...{ correlationId: 'c', writtenAt: at },
      })
    })
  })
  return folder
}

/** The same store in a folder of its own, after these statements. */
export function changedCopy(folder: string, ...statements: readonly string[]): string {
  const copy = temporaryFolder()
  cpSync(join(folder, 'quire-data'), join(copy, 'quire-data'), { recursive: true })
  const database = new Libsql(join(copy, 'quire-data/quire.db'))
  database.exec('pragma foreign_keys = off')
  for (const statement of statements) database.exec(statement)
  database.close()
  return copy
}
