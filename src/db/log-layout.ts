/** Sizes and places in bytes, fixed by SQLite's format of a log (sqlite.org/fileformat2.html, section 4.1). */
export const logLayout = {
  headerBytes: 32,
  pageSizeAt: 8,
  saltsAt: 16,
  saltsBytes: 8,
  frameHeaderBytes: 24,
  framePageAt: 0,
  /** Of a committing frame: the database's size in pages. 0 in all other frames. */
  frameCommitAt: 4,
  frameSaltsAt: 8,
} as const
