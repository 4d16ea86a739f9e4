/** A project folder as the archive that the service takes, and back. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorsOf, fail, type Outcome, succeed } from '../core/finding.ts'
import { projectKinds, projectLayout, projectPathOf } from '../core/project-layout.ts'
import { readZip, writeZip } from '../engines/ooxml/zip.ts'

/** The configuration of a folder, packed: the same bytes for the same files. @throws Error for files that can't be read */
export function packProject(folder: string): Uint8Array<ArrayBuffer> {
  const files = projectKinds.flatMap((kind) => {
    const { folder: below } = projectLayout[kind]
    const names = existsSync(join(folder, below)) ? readdirSync(join(folder, below)).sort() : []
    return names.map((name) => `${below}/${name}`).filter((path) => projectPathOf(path) !== undefined)
  })
  return new Uint8Array(
    writeZip(files.map((name) => ({ name, data: new Uint8Array(readFileSync(join(folder, name))) }))),
  )
}

/** The files of an archive of configuration, by their path; what is no configuration is left out. */
export function unpackProject(archive: Uint8Array): Outcome<Map<string, Uint8Array>> {
  const zip = readZip(archive)
  if (!zip.ok) return zip
  const files = new Map<string, Uint8Array>()
  for (const path of zip.value.names.filter((name) => projectPathOf(name) !== undefined)) {
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
