import type { Outcome } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { Reading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import type { IngestionModel } from '../../engines/ingestion/ingestion-model.ts'
import { LruCache } from '../../runner/lru.ts'
import { readVersion, type VersionRow } from './versions.reads.ts'
import { type SourceText, sourceOf } from './versions.service.ts'

const compiledModels = new LruCache<IngestionModel>(limits.compiledModelChars)

/** Returns the result of `compileIngestionModel` for a source, without compiling it on this thread. */
type Compiles = (given: SourceText & { reading: Reading }) => Outcome<IngestionModel>

/**
 * The compiled ingestion model of a frozen version.
 * @param compiles used for a large one, which takes 100 to 190 ms
 */
export async function loadModel(
  connection: Connection,
  versionId: string,
  compiles?: Compiles,
): Promise<IngestionModel> {
  const cached = compiledModels.get(versionId)
  if (cached !== undefined) return cached
  const version = await readVersion(connection, versionId)
  const text = sourceOf(version)
  const isLarge = compiles !== undefined && text.source.length > limits.judgedOnTheSpotChars
  const model = isLarge ? modelIn(compiles({ ...text, reading: version.reading }), version) : await modelOf(version)
  compiledModels.set(versionId, model, text.source.length)
  return model
}

/** The compiled model, without caching. */
export async function modelOf(version: VersionRow): Promise<IngestionModel> {
  const { compileIngestionModel } = await import('../../engines/ingestion/ingestion-model.ts')
  const { source, format } = sourceOf(version)
  return modelIn(compileIngestionModel(source, format, version.reading), version)
}

function modelIn(compiled: Outcome<IngestionModel>, { id }: VersionRow): IngestionModel {
  if (!compiled.ok) throw new Error(`ingestion model version ${id} was frozen with errors`)
  return compiled.value
}
