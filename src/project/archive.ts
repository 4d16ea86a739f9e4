/** A project folder as the archive that the service takes, and back. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorsOf, fail, type Outcome, succeed } from '../core/finding.ts'
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

/**
 * A folder's configuration, cases and texts beside templates, packed: the same bytes for the same files.
 *
 * @throws Error for files that can't be read
 */
export function packProject(folder: string): Uint8Array<ArrayBuffer> {
  const roots = [...projectKinds.map((kind) => projectLayout[kind].folder), scheduledFolder, casesFolder]
  const files = roots.flatMap((root) => filesBelow(folder, root)).filter(isProjectPath)
  files.push(...[familiesFile, activationsFile].filter((name) => existsSync(join(folder, name))))
  return new Uint8Array(
    writeZip(files.map((name) => ({ name, data: new Uint8Array(readFileSync(join(folder, name))) }))),
  )
}

/** The paths of all files below a folder, in the order of their names. */
function filesBelow(folder: string, below: string): string[] {
  const path = join(folder, below)
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const name = `${below}/${entry.name}`
      return statSync(join(folder, name)).isDirectory() ? filesBelow(folder, name) : [name]
    })
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
