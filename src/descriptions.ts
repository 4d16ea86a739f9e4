/**
 * The descriptions of the API, of the events and of the project's files, as files to serve. Made at the first request for one.
 */
import { describeEvents } from './bus/asyncapi.ts'
import type { ConsoleAsset } from './console/assets.ts'
import { sha256Hex } from './core/hash.ts'
import { describeOperations } from './http/openapi.ts'
import type { Operation } from './http/operation.ts'
import type { Assets } from './http/static.ts'
import { languages } from './modules/projects/projects.languages.ts'

/** By path; `isDescription` in `app.ts` must match the same paths. */
export function describe(operations: readonly Operation[]): Assets {
  const descriptions = [
    descriptionAt('/openapi.json', describeOperations(operations)),
    descriptionAt('/asyncapi.json', describeEvents()),
    ...Object.entries(languages).map(([name, schema]) => descriptionAt(`/schemas/${name}.json`, schema())),
  ]
  return new Map(descriptions.map((asset) => [asset.path, asset]))
}

function descriptionAt(path: string, description: object): ConsoleAsset {
  const bytes = new TextEncoder().encode(JSON.stringify(description))
  const hash = sha256Hex(bytes)
  return {
    path,
    contentType: 'application/json',
    body: Bun.gzipSync(bytes),
    encoding: 'gzip',
    etag: `"${hash}"`,
    gzipEtag: `"${hash}-gzip"`,
    immutable: false,
  }
}
