import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import { readZip } from '../engines/ooxml/zip.ts'
import { type FontTrouble, fontSourcesOf, usableFace } from '../engines/pdf/font/library.ts'
import { scriptsIn } from '../engines/pdf/font/scripts.ts'
import { findFonts, fontNames } from '../font-files.ts'
import { CommandFailure, readInput, reasonOf, writeOutput } from './files.ts'
import { filesOfTar } from './tar.ts'

/** What became of one file. */
export interface AddedFont {
  file: string
  outcome: 'added' | 'there' | 'refused'
  families: string[]
  scripts: string[]
  /** Why it is there already, or was refused. */
  reason?: string
}

/** A file that may be a font: one of a folder or archive with a font's ending, or any that the user named. */
interface Candidate {
  /** As shown: for an archive's font, with the archive's name. */
  file: string
  name: string
  bytes: Uint8Array
}

/**
 * Copies fonts into a folder, each whole or not at all. What can't be used, or is there already, is left out and
 * reported.
 * @param paths font files, and folders and archives (.zip, .tar, .tgz) that hold some
 * @param known folders whose fonts are used already
 * @throws CommandFailure for a first argument that can't be read or has no font, and a folder that can't be written
 */
export function addFonts(paths: readonly string[], folder: string, known: readonly string[]): AddedFont[] {
  const there = facesIn([...new Set([...known, folder])].filter(isFolder))
  const results: AddedFont[] = []
  for (const path of paths) {
    try {
      let count = 0
      for (const candidate of candidatesOf(path)) {
        if (++count > limits.fontFiles) throw new CommandFailure(`${path} has more than ${limits.fontFiles} fonts`)
        results.push(addFont(candidate, folder, there))
      }
      if (count === 0) throw new CommandFailure(`${path} has no file that ends in .ttf, .otf, .ttc or .otc`)
    } catch (error) {
      // Report what was added before.
      if (!(error instanceof CommandFailure) || results.length === 0) throw error
      results.push({ file: path, outcome: 'refused', families: [], scripts: [], reason: error.message })
    }
  }
  return results
}

/** What is there: paths by the hash of the file, and by family and style. */
interface Faces {
  files: Map<string, string>
  styles: Map<string, string>
}

function facesIn(folders: readonly string[]): Faces {
  const faces: Faces = { files: new Map(), styles: new Map() }
  for (const { path, hash, ...naming } of findFonts(folders).entries) {
    faces.files.set(hash, path)
    if (!faces.styles.has(styleOf(naming))) faces.styles.set(styleOf(naming), path)
  }
  return faces
}

interface Naming {
  family: string
  bold: boolean
  italic: boolean
}

function styleOf({ family, bold, italic }: Naming): string {
  return `${family}${bold ? ' bold' : ''}${italic ? ' italic' : ''}`
}

function addFont({ file, name, bytes }: Candidate, folder: string, there: Faces): AddedFont {
  const sources = bytes.length > limits.fontFileBytes ? [] : fontSourcesOf(bytes)
  const faces = sources.map(usableFace)
  const told = {
    file,
    families: [...new Set(sources.map(styleOf))],
    scripts: [
      ...new Set(
        faces.flatMap((face) => (typeof face === 'string' ? [] : scriptsIn(face).map((script) => script.name))),
      ),
    ],
  }
  const trouble = faces.find((face) => typeof face === 'string')
  if (sources.length === 0) return { ...told, outcome: 'refused', reason: whyNoFont(bytes) }
  if (typeof trouble === 'string' && faces.every((face) => typeof face === 'string')) {
    return { ...told, outcome: 'refused', reason: troubles[trouble] }
  }
  const hash = sha256Hex(bytes)
  const same = there.files.get(hash)
  if (same !== undefined) return { ...told, outcome: 'there', reason: `it is there already, as ${same}` }
  const taken = sources.map(styleOf).find((style) => there.styles.has(style))
  if (taken !== undefined) {
    const reason = `${taken} is there already, in ${there.styles.get(taken)}; remove that file first to replace it`
    return { ...told, outcome: 'there', reason }
  }
  const path = write(folder, name, { bytes, hash })
  there.files.set(hash, path)
  for (const source of sources) there.styles.set(styleOf(source), path)
  return { ...told, outcome: 'added' }
}

const troubles: Readonly<Record<FontTrouble, string>> = {
  unreadable: 'its outlines cannot be read',
  restricted: 'its licence forbids embedding (fsType of its OS/2 table)',
}

/** Under its own name, which says what it is; under another where a different file has that. */
function write(folder: string, name: string, { bytes, hash }: { bytes: Uint8Array; hash: string }): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 })
  } catch (error) {
    throw new CommandFailure(`${folder} cannot be made: ${reasonOf(error)}`)
  }
  const written = fontNames.exec(name)?.[0] ?? ''
  const ending = written || endingOf(bytes)
  const stem =
    name
      .slice(0, name.length - written.length)
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .slice(0, limits.fontFileNameLength) || 'font'
  const own = join(folder, `${stem}${ending}`)
  const path =
    statSync(own, { throwIfNoEntry: false }) === undefined ? own : join(folder, `${stem}-${hash.slice(0, 8)}${ending}`)
  writeOutput(path, bytes)
  return path
}

function beginsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text
}

function endingOf(bytes: Uint8Array): string {
  return beginsWith(bytes, 'ttcf') ? '.ttc' : beginsWith(bytes, 'OTTO') ? '.otf' : '.ttf'
}

function whyNoFont(bytes: Uint8Array): string {
  if (bytes.length > limits.fontFileBytes) return `it has more than ${limits.fontFileBytes / 1_048_576} MB`
  if (beginsWith(bytes, 'wOF')) return 'it is a font for web pages (WOFF); take the same as .ttf or .otf'
  // Tables of fonts that are only pictures.
  if (/CBDT|sbix/.test(Buffer.from(bytes.subarray(0, 1_024)).toString('latin1'))) {
    return 'it has coloured pictures instead of outlines; take one with outlines, such as Noto Emoji'
  }
  return 'it is no TrueType or OpenType font that can be read'
}

/** Macs put a file of their own beside each, whose name begins so. */
function isFontName(path: string): boolean {
  return fontNames.test(path) && !basename(path).startsWith('._')
}

function* candidatesOf(path: string): Generator<Candidate> {
  if (isFolder(path)) {
    for (const file of fontsBelow(path, 0)) yield { file, name: basename(file), bytes: readInput(file) }
    return
  }
  const bytes = readInput(path)
  const inside = filesOfArchive(path, bytes)
  if (inside === undefined) yield { file: path, name: basename(path), bytes }
  else for (const [name, read] of inside) yield { file: `${path}: ${name}`, name: basename(name), bytes: read() }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function fontsBelow(folder: string, depth: number): string[] {
  if (depth > limits.fontFolderDepth) return []
  const children = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  return children.flatMap((child) => {
    const path = join(folder, child.name)
    if (child.isDirectory()) return fontsBelow(path, depth + 1)
    return isFontName(child.name) && statSync(path, { throwIfNoEntry: false })?.isFile() ? [path] : []
  })
}

type Inside = Iterable<readonly [name: string, read: () => Uint8Array]>

/** The fonts of an archive, recognised by its bytes; undefined for other files. */
function filesOfArchive(path: string, bytes: Uint8Array): Inside | undefined {
  if (beginsWith(bytes, 'PK\u0003\u0004')) return fontsOfZip(path, bytes)
  if (beginsWith(bytes, '!<arch>')) {
    throw new CommandFailure(`${path} is a package of Debian; unpack it with "dpkg-deb -x", and name the folder`)
  }
  const tar = bytes[0] === 0x1f && bytes[1] === 0x8b ? inflated(path, bytes) : bytes
  try {
    const files = filesOfTar(tar)
    return files?.filter(([name]) => isFontName(name)).map(([name, content]) => [name, () => content] as const)
  } catch (error) {
    throw new CommandFailure(`${path}: ${reasonOf(error)}`)
  }
}

function* fontsOfZip(path: string, bytes: Uint8Array): Inside {
  const zip = readZip(bytes)
  if (!zip.ok) throw new CommandFailure(`${path}: ${zip.findings[0]?.message ?? 'it cannot be read'}`)
  for (const name of zip.value.names.filter(isFontName)) {
    const read = zip.value.read(name)
    if (!read.ok) throw new CommandFailure(`${path}: ${read.findings[0]?.message ?? 'it cannot be read'}`)
    yield [name, () => read.value]
  }
}

function inflated(path: string, bytes: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(gunzipSync(bytes, { maxOutputLength: limits.fontArchiveBytes }))
  } catch {
    throw new CommandFailure(`${path} does not inflate, or holds more than ${limits.fontArchiveBytes / 1_048_576} MB`)
  }
}
