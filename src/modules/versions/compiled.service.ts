import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import type { IngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { LruCache } from '../../runner/lru.ts'
import { readVersion, type VersionRow } from './versions.reads.ts'
import { sourceOf } from './versions.service.ts'

const compiledModels = new LruCache<IngestionModel>(limits.compiledModelChars)

/** The compiled ingestion model of a frozen version. */
export async function loadModel(connection: Connection, versionId: string): Promise<IngestionModel> {
  const cached = compiledModels.get(versionId)
  if (cached !== undefined) return cached
  const version = await readVersion(connection, versionId)
  const model = await modelOf(version)
  compiledModels.set(versionId, model, sourceOf(version).source.length)
  return model
}

/** The same, not kept. */
export async function modelOf(version: VersionRow): Promise<IngestionModel> {
  const { compileIngestionModel } = await import('../../engines/ingestion/ingestion-model.ts')
  const { source, format } = sourceOf(version)
  const compiled = compileIngestionModel(source, format, version.reading)
  if (!compiled.ok) throw new Error(`ingestion model version ${version.id} was frozen with errors`)
  return compiled.value
}
