/** A project folder as the archive that the service takes, and back. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorsOf, fail, type Outcome, succeed } from '../core/finding.ts'
import { limits } from '../core/limits.ts'
import {
  activationsFile,
  casesFolder,
  familiesFile,
  isProjectPath,
  projectKinds,
  projectLayout,
  scheduledFolder,
} from '../core/project-layout.ts'
import { readZip } from '../engines/ooxml/zip.ts'
import { writeZip } from '../engines/ooxml/zip-writer.ts'
import { type FileFinding, ProjectFolder } from './folder.ts'

/**
 * Packs a folder's configuration, cases and texts beside templates. The same files give the same bytes, whatever line ends
 * their text was checked out with. Fails with a finding for every unusable file.
 */
export function packProject(path: string): { outcome: Outcome<Uint8Array<ArrayBuffer>>; findings: FileFinding[] } {
  const folder = new ProjectFolder(path)
  const roots = [...projectKinds.map((kind) => projectLayout[kind].folder), scheduledFolder, casesFolder]
  const names = [...roots.flatMap((root) => folder.filesBelow(root)), familiesFile, activationsFile].filter((name) =>
    // A name with a backslash is reported below rather than silently left out.
    isProjectPath(name.replaceAll('\\', '-')),
  )
  const files = names.flatMap((name) => {
    const isOptional = name === familiesFile || name === activationsFile
    const data = isOptional ? folder.optional(name) : folder.bytes(name)
    return data === undefined ? [] : [{ name, data }]
  })
  const { findings } = folder
  findings.push(...names.filter((name) => unpackable.test(name)).map(badName))
  if (files.length > limits.zipEntries) findings.push(tooManyFiles(files.length))
  if (findings.length > 0) return { outcome: fail(...findings), findings }
  const archive = new Uint8Array(writeZip(files))
  if (archive.length > limits.projectArchiveBytes) findings.push(tooLarge(archive.length))
  return { outcome: findings.length > 0 ? fail(...findings) : succeed(archive), findings }
}

const divide = 'Divide the project, each part in a folder of its own.'

/** What no name in an archive may have: other systems read it as a part of the path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const unpackable = /[\u0000-\u001f\\:]/

function badName(file: string): FileFinding {
  const message = 'Its name has a colon, a backslash or a control character, which not every system can write.'
  return { file, code: 'project.name', severity: 'error', message, hint: 'Rename it.' }
}

function tooManyFiles(count: number): FileFinding {
  const message = `The project has ${count} files, and ${limits.zipEntries} are allowed.`
  return { file: '.', code: 'project.files', severity: 'error', message, hint: divide }
}

function tooLarge(bytes: number): FileFinding {
  const message = `Packed, the project has ${bytes} bytes, and ${limits.projectArchiveBytes} are allowed.`
  return { file: '.', code: 'project.size', severity: 'error', message, hint: divide }
}

/** The files of a project's archive by their path; anything else in it is left out. */
export function unpackProject(archive: Uint8Array): Outcome<Map<string, Uint8Array>> {
  const zip = readZip(archive)
  if (!zip.ok) return zip
  const files = new Map<string, Uint8Array>()
  for (const path of zip.value.names.filter(isProjectPath)) {
    const read = zip.value.read(path)
    if (!read.ok) return fail(...errorsOf(read.findings))
    files.set(path, read.value)
  }
  return succeed(files)
}

/** Makes the folders of a file that is about to be written. */
export function makeFoldersOf(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
}
