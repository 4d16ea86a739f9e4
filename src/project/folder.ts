/**
 * Reads the files of a project folder. They are untrusted, and CI reads them with rights of its own: nothing outside of
 * the folder is read, no read blocks for ever, and every unusable file becomes a finding with path and remedy.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { leftByGit } from '../core/checked-out.ts'
import { type Finding, fail, type Outcome, succeed } from '../core/finding.ts'
import { limits } from '../core/limits.ts'
import { casePathOf, projectPathOf, scheduledPathOf } from '../core/project-layout.ts'

/** A finding and the file that it is about, below the project's folder. */
export interface FileFinding extends Finding {
  file: string
}

type Bytes = Uint8Array<ArrayBuffer>

/** A project's folder, with findings about the files that were read. Paths are relative to it, with slashes. */
export class ProjectFolder {
  readonly findings: FileFinding[] = []
  /** Without links; undefined if there is no such folder. */
  readonly #real: string | undefined

  constructor(readonly path: string) {
    this.#real = realPathOf(path)
  }

  /** The names in a folder, sorted by code unit; none if there is no such folder. Names with a leading dot are left out. */
  names(below: string): string[] {
    return this.#namesIn(below) ?? []
  }

  /** The paths of all files below a folder, sorted by name. Circular links are reported and not followed. */
  filesBelow(below: string): string[] {
    return this.#filesBelow(below, [])
  }

  /** The bytes of a file; text gets the line ends of Unix. Undefined if unreadable, with a finding that says why. */
  bytes(path: string): Bytes | undefined {
    const read = this.read(path)
    if (read.ok) return read.value
    this.#tell(path, read.findings)
    return undefined
  }

  /** The same of a file that need not be there. */
  optional(path: string): Bytes | undefined {
    const read = this.read(path)
    if (!read.ok && !read.findings.includes(absent)) this.#tell(path, read.findings)
    return read.ok ? read.value : undefined
  }

  /**
   * Whether a file may be written: it doesn't exist, or is a file in the folder. Undefined if not, with a finding that
   * says why.
   * @returns its bytes; `absent` if there is none, `unusable` for a file that can't be read
   */
  writable(path: string): Bytes | 'absent' | 'unusable' | undefined {
    const read = this.read(path)
    if (read.ok) return read.value
    if (read.findings.includes(absent)) return 'absent'
    const target = this.#within(path)
    if (target.ok && lstatSync(target.value, { throwIfNoEntry: false })?.isFile() === true) return 'unusable'
    this.#tell(path, read.findings)
    return undefined
  }

  /** The same, and the findings are for the caller alone. */
  read(path: string): Outcome<Bytes> {
    const target = this.#within(path)
    const read = target.ok ? readRegular(target.value) : target
    if (!read.ok) return read
    const isText = !/\.do[ct]x$/i.test(path)
    const left = leftByGit(read.value, isText)
    if (left !== undefined) return fail(left)
    return succeed(isText && !isData(path) ? withUnixLines(read.value) : read.value)
  }

  /** The text of a file. Undefined if a finding says why not. */
  text(path: string): string | undefined {
    return this.#decoded(path, this.bytes(path))
  }

  /** The same of a file that need not be there. */
  optionalText(path: string): string | undefined {
    return this.#decoded(path, this.optional(path))
  }

  #decoded(path: string, bytes: Bytes | undefined): string | undefined {
    if (bytes === undefined) return undefined
    try {
      return utf8.decode(bytes)
    } catch {
      this.#tell(path, [notUtf8])
      return undefined
    }
  }

  #namesIn(below: string): string[] | undefined {
    const folder = this.#within(below)
    if (!folder.ok) {
      if (folder.findings[0] !== absent) this.#tell(below, folder.findings)
      return undefined
    }
    try {
      const names = readdirSync(folder.value)
        .filter((name) => !name.startsWith('.'))
        .sort()
      const taken = new Map<string, string>()
      for (const name of names) {
        const folded = name.normalize('NFC').toLowerCase()
        const other = taken.get(folded)
        if (other !== undefined) this.#tell(`${below}/${name}`, [sameName(other)])
        taken.set(folded, name)
      }
      return names
    } catch (error) {
      this.#tell(below, [unreadable(error)])
      return undefined
    }
  }

  #filesBelow(below: string, above: readonly string[]): string[] {
    const folder = this.#within(below)
    if (folder.ok && above.includes(folder.value)) {
      this.#tell(below, [circle])
      return []
    }
    const names = this.#namesIn(below) ?? []
    return names.flatMap((name) => {
      const path = `${below}/${name}`
      const target = this.#within(path)
      const isFolder = target.ok && lstatSync(target.value, { throwIfNoEntry: false })?.isDirectory() === true
      // A link that can't be followed, or a folder in a file's place, is reported only when it is read.
      return isFolder && !isFile(path) ? this.#filesBelow(path, folder.ok ? [...above, folder.value] : above) : [path]
    })
  }

  #tell(file: string, findings: readonly Finding[]): void {
    this.findings.push(...findings.map((finding) => ({ ...finding, file })))
  }

  /** The real path. Links may lead elsewhere in the folder, but not to hidden names: those hold credentials, as .git does. */
  #within(path: string): Outcome<string> {
    if (this.#real === undefined) return fail(absent)
    const named = join(this.path, path)
    let real: string
    try {
      real = realpathSync.native(named)
    } catch (error) {
      if (codeOf(error) === 'ELOOP') return fail(circle)
      if (codeOf(error) !== 'ENOENT') return fail(unreadable(error))
      if (lstatSync(named, { throwIfNoEntry: false }) !== undefined) return fail(broken)
      // Whoever writes it would write where its folder leads.
      const above = path.includes('/') ? this.#within(dirname(path)) : fail(absent)
      return above.ok ? fail(absent) : above
    }
    const below = relative(this.#real, real)
    if (isAbsolute(below) || below.split(sep).some((step) => step.startsWith('.'))) return fail(outside)
    return succeed(real)
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether a path's name is that of a file; folders of expectations have the names of their nodes. */
function isFile(path: string): boolean {
  return (projectPathOf(path) ?? scheduledPathOf(path)) !== undefined || typeof casePathOf(path)?.part === 'string'
}

/** Whether a file is an input whose line ends are data: CSV may have them inside of values. */
function isData(path: string): boolean {
  return /\.(?:csv|xml)$/i.test(path)
}

/** Git may check text out with CRLF. JSON, YAML and the texts of documents mean the same with LF. */
export function withUnixLines<T extends Uint8Array>(bytes: T): T | Bytes {
  if (!bytes.includes(13)) return bytes
  return new Uint8Array(bytes.filter((byte, index) => byte !== 13 || bytes[index + 1] !== 10))
}

/** @param path without links */
function readRegular(path: string): Outcome<Bytes> {
  let file: number
  try {
    const kind = kindOf(lstatSync(path))
    if (kind !== undefined) return fail(special(kind))
    // Without waiting, should a pipe have taken the file's place.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return fail(unreadable(error))
  }
  try {
    for (let reading = 1; reading <= limits.projectFileReadings; reading++) {
      if (reading > 1) Bun.sleepSync(limits.projectFilePauseMs)
      const before = fstatSync(file, { bigint: true })
      if (!before.isFile()) return fail(special('a pipe or device'))
      if (before.size > limits.projectArchiveBytes) return fail(tooLarge(before.size))
      const bytes = readWhole(file, Number(before.size))
      const after = fstatSync(file, { bigint: true })
      if (bytes !== undefined && after.size === before.size && after.mtimeNs === before.mtimeNs) return succeed(bytes)
    }
    return fail(changing)
  } catch (error) {
    return fail(unreadable(error))
  } finally {
    closeSync(file)
  }
}

/** Undefined if the file is not as long as it was. */
function readWhole(file: number, size: number): Bytes | undefined {
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; ) {
    const count = readSync(file, bytes, at, size - at, at)
    if (count === 0) return undefined
    at += count
  }
  return bytes
}

/** What is no file that can be read to its end; undefined for one that is. */
function kindOf(found: ReturnType<typeof lstatSync>): string | undefined {
  if (found === undefined || found.isFile()) return undefined
  if (found.isDirectory()) return 'a folder'
  if (found.isFIFO()) return 'a named pipe'
  return found.isSocket() ? 'a socket' : 'a device'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function finding(code: string, message: string, hint: string): Finding {
  return { code: `project.${code}`, severity: 'error', message, hint }
}

function unreadable(error: unknown): Finding {
  const code = codeOf(error)
  if (code === 'ENOENT') return absent
  if (code === 'ENOTDIR') return finding('unreadable', 'A file is where a folder belongs.', 'Move it elsewhere.')
  if (code === 'EACCES' || code === 'EPERM') {
    return finding(
      'unreadable',
      'It may not be read: permission denied.',
      'Give whoever runs this the right to read it.',
    )
  }
  return finding(
    'unreadable',
    `It can't be read: ${code ?? error}.`,
    'See that the disk and its file system are sound.',
  )
}

const absent = finding('absent', 'There is no such file.', 'Put it there, or take out what names it.')
const broken = finding('link', 'It is a link to nothing.', 'Put the file itself in its place, or remove the link.')
const circle = finding('circle', 'It is a link that leads back to itself.', 'Remove the link.')
const outside = finding(
  'outside',
  "It is a link that leads out of the project's folder, or to something hidden in it.",
  'Put the file itself in its place.',
)
const changing = finding('changing', 'It changes while it is read.', 'Try again when whatever writes it has finished.')
const notUtf8 = finding('encoding', 'The file is not UTF-8.', 'Save it as UTF-8.')

function special(kind: string): Finding {
  return finding('special', `It is ${kind}, not a file.`, 'Put a file in its place, or remove it.')
}

function tooLarge(bytes: bigint): Finding {
  const message = `The file has ${bytes} bytes, and a whole project may have ${limits.projectArchiveBytes}.`
  return finding('size', message, 'Make it smaller, or move it elsewhere.')
}

function sameName(other: string): Finding {
  const message = `Its name differs from ${other} in upper and lower case only, and Windows and macOS take them for one file.`
  return finding('same_name', message, 'Rename one of them.')
}
