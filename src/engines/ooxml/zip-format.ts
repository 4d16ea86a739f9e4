/** What readers and writers of archives share: an entry, and the signatures and lengths of the format (APPNOTE 6.3). */

/** One entry of an archive, still compressed. `compressed` is a view into the archive's bytes. */
export interface ZipEntry {
  name: string
  /** 0 stored, 8 deflated; nothing else is ever read or written. */
  method: 0 | 8
  crc32: number
  compressed: Uint8Array
  /** What the directory claims; `read` refuses an entry that inflates to anything else. */
  inflatedBytes: number
}

export const localSignature = 0x04034b50
export const centralSignature = 0x02014b50
export const endSignature = 0x06054b50
/** Fixed by the format. */
export const localHeaderBytes = 30
/** Fixed by the format. */
export const centralHeaderBytes = 46
/** Fixed by the format. */
export const endRecordBytes = 22
export const utf8Flag = 0x0800
