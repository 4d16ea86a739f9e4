import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from './core/hash.ts'
import { limits } from './core/limits.ts'
import { embeddedSources } from './engines/pdf/font/embedded.ts'
import { createFontLibrary, type FontLibrary, fontSourcesOf } from './engines/pdf/font/library.ts'

/** One font of a file, as workers receive it: everything except the file's bytes. */
export interface FontEntry {
  path: string
  /** SHA-256 of the file; checked when the file is read. */
  hash: string
  index: number
  family: string
  aliases: readonly string[]
  bold: boolean
  italic: boolean
}

/** The fonts in the folders of `QUIRE_FONTS`. */
export interface FontFiles {
  entries: readonly FontEntry[]
  /** SHA-256 of the files' hashes in order: the same set draws the same again. */
  hash: string
  /** Files that aren't usable fonts. */
  unusable: readonly string[]
}

/** Names of font files. */
export const fontNames = /\.(ttf|otf|ttc|otc)$/i

/**
 * Finds the fonts in folders and their subfolders, ordered by folder and then path, so that the same folders give the same set on
 * every machine. Links to folders are not followed.
 *
 * @throws Error for an unreadable folder, and for more files than `limits.fontFiles`
 */
export function findFonts(folders: readonly string[]): FontFiles {
  const entries: FontEntry[] = []
  const unusable: string[] = []
  const hashes: string[] = []
  const paths = folders.flatMap((folder) => filesBelow(folder, 0))
  if (paths.length > limits.fontFiles) throw new Error(`more than ${limits.fontFiles} font files`)
  for (const path of paths) {
    const bytes = statSync(path).size > limits.fontFileBytes ? new Uint8Array(0) : readFileSync(path)
    const sources = fontSourcesOf(bytes)
    if (sources.length === 0) {
      unusable.push(path)
      continue
    }
    const hash = sha256Hex(bytes)
    hashes.push(hash)
    for (const { family, aliases = [], bold, italic, index = 0 } of sources)
      entries.push({ path, hash, index, family, aliases, bold, italic })
  }
  return { entries, hash: sha256Hex(hashes.join('\n')), unusable }
}

function filesBelow(folder: string, depth: number): string[] {
  if (depth > limits.fontFolderDepth) return []
  const files: string[] = []
  const children = readdirSync(folder, { withFileTypes: true })
  for (const child of children.sort(byName)) {
    const path = join(folder, child.name)
    if (child.isDirectory()) files.push(...filesBelow(path, depth + 1))
    else if (fontNames.test(child.name) && isFile(child, path)) files.push(path)
  }
  return files
}

function isFile(child: Dirent, path: string): boolean {
  if (!child.isSymbolicLink()) return child.isFile()
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

/**
 * A library of these fonts, followed by those in the executable. A file is read when a document first needs it. If it has changed
 * since it was found, it counts as unreadable, because the set's hash would no longer be true.
 */
export function libraryOf(files: readonly FontEntry[]): FontLibrary {
  return createFontLibrary([
    ...files.map(({ path, hash, ...naming }) => ({ ...naming, read: fontReader({ path, hash }) })),
    ...embeddedSources(),
  ])
}

/** Reads a font's file; no bytes if it has changed since it was found. */
export function fontReader({ path, hash }: Pick<FontEntry, 'path' | 'hash'>): () => Uint8Array {
  return () => {
    try {
      const bytes = readFileSync(path)
      return sha256Hex(bytes) === hash ? bytes : new Uint8Array(0)
    } catch {
      return new Uint8Array(0)
    }
  }
}
