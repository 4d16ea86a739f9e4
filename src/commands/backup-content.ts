/**
 * The files of a backup, as a folder or, where its name ends in `.tar`, as one archive of the same files (ustar, which
 * any tar reads); with a lock, as such an archive in one file of age's. Written under another name, made durable, and only
 * then given its own: a name that exists is whole.
 */
export interface BackupWriter {
  /** Whether a file's size must be known when it is begun: what is encrypted can't be written twice. */
  readonly wantsSizes: boolean
  /** Starts a file; the one before it is ended. */
  begin(name: string, size?: number): Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /** Makes everything durable and gives the backup its name. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

export interface BackupFile {
  name: string
  size: number
  /** To be read to its end before the next file is asked for. */
  chunks: AsyncIterable<Uint8Array>
}

export interface BackupReader {
  /** Every file, in no particular order; as often as wanted. */
  files(): AsyncIterable<BackupFile>
}
