import { readFileSync } from 'node:fs'
// Made by scripts/build-console.ts; not kept in git.
import packFile from './assets.generated.pack' with { type: 'file' }

/** One file of the console in the list that the pack begins with. */
export interface PackedFile {
  path: string
  contentType: string
  /** SHA-256 of the uncompressed bytes. */
  hash: string
  immutable: boolean
  gzip: boolean
  /** Bytes in the pack. */
  length: number
}

/** One file of the console, ready to be served. */
export interface ConsoleAsset {
  /** Absolute path on the server: `/` for the page, `/assets/<name>-<hash>.<ext>` for what it loads. */
  path: string
  contentType: string
  /** The content in the one form that is kept: compressed where that is smaller. */
  body: Uint8Array<ArrayBuffer>
  encoding: 'gzip' | 'identity'
  /** Strong validator of the uncompressed content, quotes included. */
  etag: string
  /** Strong validator of its gzip form: RFC 9110 section 8.8.3.3 wants one for each encoding. */
  gzipEtag: string
  /** The name carries the content's hash: `Cache-Control: public, max-age=31536000, immutable`. Otherwise `no-cache`. */
  immutable: boolean
}

/** The console's files by path. Reads them into memory, so it is called when somebody asks for one. */
export function loadConsoleAssets(): ReadonlyMap<string, ConsoleAsset> {
  const pack = new Uint8Array(readFileSync(packFile))
  const listEnd = pack.indexOf(0x0a)
  const list: PackedFile[] = JSON.parse(new TextDecoder().decode(pack.subarray(0, listEnd)))
  const assets = new Map<string, ConsoleAsset>()
  let offset = listEnd + 1
  for (const { path, contentType, hash, immutable, gzip, length } of list) {
    assets.set(path, {
      path,
      contentType,
      body: pack.subarray(offset, offset + length),
      encoding: gzip ? 'gzip' : 'identity',
      etag: `"${hash}"`,
      gzipEtag: `"${hash}-gzip"`,
      immutable,
    })
    offset += length
  }
  return assets
}
