/** The descriptions of the interface, of the events and of the project's files, as files to be served. Made when one is first asked for. */
import { describeEvents } from './bus/asyncapi.ts'
import type { ConsoleAsset } from './console/assets.ts'
import { sha256Hex } from './core/hash.ts'
import { describeOperations } from './http/openapi.ts'
import type { Operation } from './http/operation.ts'
import type { Assets } from './http/static.ts'
import { languages } from './modules/projects/projects.languages.ts'

/** By their paths, those that `isDescription` in `app.ts` knows. */
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
