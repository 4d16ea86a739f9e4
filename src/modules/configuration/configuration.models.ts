import type { Connection } from '../../db/database.ts'
import { compileIngestionModel, type IngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { findVersion } from './configuration.store.ts'

/** Versions never change, so what was compiled once stays right; the oldest entry makes room. */
const COMPILED_MODELS = 64
const compiledModels = new Map<string, IngestionModel>()

/** The compiled ingestion model of a frozen version. */
export async function loadModel(connection: Connection, versionId: string): Promise<IngestionModel> {
  const cached = compiledModels.get(versionId)
  if (cached !== undefined) return cached
  const version = await findVersion(connection, versionId)
  if (version?.source == null || version.format === 'docx') {
    throw new Error(`ingestion model version ${versionId} is missing from the database`)
  }
  const compiled = compileIngestionModel(version.source, version.format)
  if (!compiled.ok) throw new Error(`ingestion model version ${versionId} was frozen with errors`)
  if (compiledModels.size >= COMPILED_MODELS) compiledModels.delete(compiledModels.keys().next().value!)
  compiledModels.set(versionId, compiled.value)
  return compiled.value
}
