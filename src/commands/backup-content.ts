import { type Static, Type } from '@sinclair/typebox'
import type { ReadBack } from './backup-draft.ts'

/**
 * The files of a backup: a folder, or one archive of the same files (ustar, which any tar reads) where the name ends in
 * `.tar`; with a lock, such an archive encrypted by age. It is written under another name, made durable, and only then
 * given its own: a name that exists is whole.
 */
export interface BackupWriter {
  /** Whether a file's size must be known when it is begun: what is encrypted can't be written twice. */
  readonly wantsSizes: boolean
  /** Starts a file; the one before it is ended. */
  begin(name: string, size?: number): Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /**
   * Makes everything durable and gives the backup its name.
   *
   * @param readBack checks the backup before that, under its temporary name
   */
  finish(readBack?: ReadBack): Promise<void>
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

const texts = Type.Array(Type.String())
const count = Type.Integer({ minimum: 0 })

/** Comes last and covers the rest, itself included. */
export const manifestSchema = Type.Object({
  format: Type.Literal('quire-backup-1'),
  made_at: Type.String(),
  product_version: Type.String(),
  revision: Type.String(),
  /** The schema the tables have. */
  migrations: texts,
  tables: Type.Array(
    Type.Object({ name: Type.String(), columns: texts, key: texts, rows: count, sha256: Type.String() }),
  ),
  /** Those that were erased after the tables were read have rows, and are not there. */
  objects: Type.Object({ count, bytes: count, erased_meanwhile: Type.Optional(texts) }),
  manifest_hash: Type.String(),
})
export type Manifest = Static<typeof manifestSchema>

/** Tables whose rows name objects, with the column of the hash. A row names none if that is null, or its `unless` column is not. */
export const objectColumns: Readonly<Record<string, { hash: string; unless?: string }>> = {
  artifacts: { hash: 'content_hash', unless: 'removed_at' },
  batches: { hash: 'file_hash' },
}

export const MANIFEST = 'manifest.json'

export function tableFile(name: string): string {
  return `tables/${name}.ndjson`
}
