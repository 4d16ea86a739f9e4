/** Where the embedded broker listens, and whom it lets in. */
export interface EmbeddedAddress {
  host: string
  port: number
  isEncrypted: boolean
  /** As they were written, so perhaps empty; undefined if nobody is asked for any. */
  credentials?: { user: string; password: string }
}

/** Reads `embedded://[user:password@]host:port` or `embedded+tls://…`; undefined for anything else, such as a stray %. */
export function embeddedAddressOf(url: string): EmbeddedAddress | undefined {
  const [, tls, user, password = '', named, digits] =
    /^embedded(\+tls)?:\/\/(?:([^:@/]*):([^@/]*)@)?(\[[0-9a-fA-F:.]+\]|[^:@/[\]]+):(\d{1,5})\/?$/.exec(url) ?? []
  const port = Number(digits)
  if (named === undefined || port > 65_535) return undefined
  const address = { host: named.replace(/^\[|\]$/g, ''), port, isEncrypted: tls !== undefined }
  if (user === undefined) return address
  try {
    return { ...address, credentials: { user: decodeURIComponent(user), password: decodeURIComponent(password) } }
  } catch {
    return undefined
  }
}
