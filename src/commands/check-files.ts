import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { leftByGit } from '../core/checked-out.ts'
import { type Finding, fail, type Outcome, succeed } from '../core/finding.ts'
import type { TextFormat } from '../core/formats.ts'
import {
  projectKinds,
  projectLayout,
  projectPathOf,
  reviewedPathOf,
  scheduledFolder,
  scheduledPathOf,
} from '../core/project-layout.ts'
import { placesIn } from '../engines/ingestion/ingestion-model.ts'
import { compileModel } from '../modules/drafts/conditions.service.ts'
import { ProjectFolder } from '../project/folder.ts'
import { absentParts } from '../project/project.ts'
import { CommandFailure, readInput, reasonOf, standardInput } from './files.ts'

/**
 * A folder becomes the files of the project in it: its configuration, with the texts beside templates. Any other path is kept.
 *
 * @throws CommandFailure for a folder that has no configuration, or that can't be read
 */
export function expandFolders(paths: readonly string[]): string[] {
  return paths.flatMap((path) => (isFolder(path) ? projectFilesIn(path) : [path]))
}

/**
 * A file's bytes. Files of a project's folder are read as `quire test` reads them: a path that is no file, or leads out of
 * the folder, is refused.
 *
 * @param folders what was named on the command line
 * @throws CommandFailure for a file that was named and can't be read
 */
export function readChecked(path: string, folders: readonly string[]): Outcome<Uint8Array> {
  const folder = folders.find((each) => isFolder(each) && !relative(each, path).startsWith('..'))
  if (folder !== undefined) return new ProjectFolder(folder).read(relative(folder, path).split(sep).join('/'))
  const bytes = readInput(path)
  const left = leftByGit(bytes, !/\.do[ct]x$/i.test(path))
  return left === undefined ? succeed(bytes) : fail(left)
}

/** An ingestion model among the files that are checked. */
interface ModelFile {
  path: string
  source: string
  format: TextFormat
}

export const absentPart = 'check.absent_part'

/**
 * Warns of each part that an ingestion model of a project's folder names and the folder lacks. No error, because a server
 * may have it. A model that was named by itself is not checked.
 *
 * @param folders what was named on the command line
 * @param paths what is checked together with the model
 */
export function missingParts(
  { path, source, format }: ModelFile,
  folders: readonly string[],
  paths: readonly string[],
): Finding[] {
  const folder = folders.find((each) => isFolder(each) && placeOf(each, path)?.kind === 'ingestion_model')
  const model = compileModel({ source, format })
  if (folder === undefined || !model.ok) return []
  const slugsOf = (kind: 'transformer' | 'template') => {
    const { folder: below } = projectLayout[kind]
    const names = namesIn(join(folder, below)).map((name) => projectPathOf(`${below}/${name}`))
    const places = [...names, ...paths.map((each) => placeOf(folder, each))]
    return places.flatMap((place) => (place?.kind === kind ? [place.slug] : []))
  }
  const places = placesIn(source, format)
  const known = { transformer: slugsOf('transformer'), template: slugsOf('template') }
  return absentParts(model.value, known).map((finding) => ({
    ...finding,
    ...places(finding.path ?? ''),
    code: absentPart,
    severity: 'warning',
  }))
}

function placeOf(folder: string, path: string) {
  const below = relative(folder, path).split(sep).join('/')
  return projectPathOf(below) ?? scheduledPathOf(below)
}

export function isFolder(path: string): boolean {
  return path !== standardInput && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function projectFilesIn(folder: string): string[] {
  const folders = projectKinds.map((kind) => projectLayout[kind].folder)
  const files = folders.flatMap((name) => {
    const paths = namesIn(join(folder, name)).map((file) => `${name}/${file}`)
    return paths.filter((path) => projectPathOf(path) !== undefined || reviewedPathOf(path) !== undefined)
  })
  const scheduled = new ProjectFolder(folder).filesBelow(scheduledFolder)
  files.push(...scheduled.filter((path) => scheduledPathOf(path) !== undefined || reviewedPathOf(path) !== undefined))
  if (files.length > 0) return files.map((path) => join(folder, path))
  throw new CommandFailure(`${folder} has no configuration: there is no file of it in ${folders.join(', ')}`)
}

/** @returns nothing where there is no such folder */
function namesIn(folder: string): string[] {
  try {
    return isFolder(folder) ? readdirSync(folder).sort() : []
  } catch (error) {
    throw new CommandFailure(`${folder} cannot be read: ${reasonOf(error)}`)
  }
}
