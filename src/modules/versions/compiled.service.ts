import { limits } from '../../core/limits.ts'
import type { Connection } from '../../db/database.ts'
import { compileIngestionModel, type IngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { type CompiledSchema, compileSchema } from '../../engines/schema/schema.ts'
import { LruCache } from '../../runner/lru.ts'
import { readVersion, type VersionRow } from './versions.reads.ts'
import { sourceOf } from './versions.service.ts'

/** A contract version's schema. */
export function schemaOf(version: VersionRow): CompiledSchema {
  const compiled = compileSchema(sourceOf(version).source)
  if (!compiled.ok) throw new Error(`contract version ${version.id} was frozen with errors`)
  return compiled.value
}

const compiledModels = new LruCache<IngestionModel>(limits.compiledModels)

/** The compiled ingestion model of a frozen version. */
export async function loadModel(connection: Connection, versionId: string): Promise<IngestionModel> {
  const cached = compiledModels.get(versionId)
  if (cached !== undefined) return cached
  const model = modelOf(await readVersion(connection, versionId))
  compiledModels.set(versionId, model)
  return model
}

export function modelOf(version: VersionRow): IngestionModel {
  const { source, format } = sourceOf(version)
  const compiled = compileIngestionModel(source, format, version.reading)
  if (!compiled.ok) throw new Error(`ingestion model version ${version.id} was frozen with errors`)
  return compiled.value
}
