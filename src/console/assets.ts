/** One file of the console as the generated module carries it. */
export interface EncodedAsset {
  path: string
  contentType: string
  /** SHA-256 of the uncompressed bytes. */
  hash: string
  immutable: boolean
  base64: string
  gzipBase64: string | undefined
}

/** One file of the console, ready to be served. */
export interface ConsoleAsset {
  /** Absolute path on the server: `/` for the page, `/assets/<name>-<hash>.<ext>` for what it loads. */
  path: string
  contentType: string
  bytes: Uint8Array<ArrayBuffer>
  /** The same content compressed, where that is smaller; for clients that accept gzip. */
  gzip: Uint8Array<ArrayBuffer> | undefined
  /** Strong validator of `bytes`, quotes included. */
  etag: string
  /** Strong validator of `gzip`: RFC 9110 section 8.8.3.3 wants one for each encoding. */
  gzipEtag: string
  /** The name carries the content's hash: `Cache-Control: public, max-age=31536000, immutable`. Otherwise `no-cache`. */
  immutable: boolean
}

/**
 * The console's files by path. They are decoded here and not when the program starts, so that commands that serve
 * nothing do not pay for them.
 */
export async function loadConsoleAssets(): Promise<ReadonlyMap<string, ConsoleAsset>> {
  const { encodedAssets } = await import('./assets.generated.ts')
  return new Map(encodedAssets.map((asset) => [asset.path, decode(asset)]))
}

function decode(asset: EncodedAsset): ConsoleAsset {
  return {
    path: asset.path,
    contentType: asset.contentType,
    bytes: bytesOf(asset.base64),
    gzip: asset.gzipBase64 === undefined ? undefined : bytesOf(asset.gzipBase64),
    etag: `"${asset.hash}"`,
    gzipEtag: `"${asset.hash}-gzip"`,
    immutable: asset.immutable,
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}
