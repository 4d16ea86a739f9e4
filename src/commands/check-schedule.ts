/** What comes into force later, checked together with what is in force then. */
import { relative, sep } from 'node:path'
import type { Finding } from '../core/finding.ts'
import { projectPathOf, scheduledPathOf } from '../core/project-layout.ts'
import { ProjectFolder } from '../project/folder.ts'
import { readSchedule } from '../project/schedule.ts'
import { expandFolders, isFolder, readChecked } from './check-files.ts'
import { type CheckedFile, type CheckedStage, checkStage, identify } from './check-stage.ts'
import type { FileFindings } from './findings.ts'

/** What begins at one instant, among all that is in force from then on. */
export interface ScheduledStage {
  /** `2027-01-01T00:00:00Z`, or the folder of files without an instant. */
  when: string
  files: readonly CheckedFile[]
  /** The paths of what begins. */
  own: ReadonlySet<string>
}

/**
 * The scheduled stages of the project folders that were named, and findings about the files that schedule them.
 *
 * @param files all that are checked, the scheduled ones too
 */
export function scheduledStages(
  files: readonly CheckedFile[],
  named: readonly string[],
): { scheduled: ScheduledStage[]; findings: FileFindings } {
  const folders = named.filter(isFolder).map((folder) => {
    const project = new ProjectFolder(folder)
    const { stages, findings } = readSchedule(project)
    const inForce = new Map<string, CheckedFile>()
    const paths = new Map(files.map((file) => [relative(folder, file.path).split(sep).join('/'), file]))
    for (const [path, file] of paths) if (scheduledPathOf(path) === undefined) inForce.set(familyOf(path), file)
    const scheduled = stages.map(({ when, paths: begun }): ScheduledStage => {
      const own = begun.flatMap((path) => {
        const file = paths.get(path)
        return file === undefined ? [] : [[path, file] as const]
      })
      for (const [path, file] of own) inForce.set(familyOf(path), file)
      return { when, files: [...inForce.values()], own: new Set(own.map(([, { path }]) => path)) }
    })
    const all = [...project.findings, ...findings]
    return { scheduled, findings: all.map(({ file, ...each }) => [`${prefixOf(folder)}${file}`, [each]] as const) }
  })
  return {
    scheduled: folders.flatMap(({ scheduled }) => scheduled),
    findings: folders.flatMap(({ findings }) => findings),
  }
}

function prefixOf(folder: string): string {
  return folder === '.' ? '' : `${folder.replace(/[\\/]+$/, '')}/`
}

/** A key that is the same for files that replace each other: those of one family. */
function familyOf(path: string): string {
  const place = projectPathOf(path) ?? scheduledPathOf(path)
  return place === undefined ? path : `${place.kind} ${place.slug}`
}

/**
 * Checks the files that begin, and those already in force for errors that they did not have before.
 *
 * @param isKnown whether a finding of a file was reported before
 */
export async function checkScheduledStage(
  checking: Omit<CheckedStage, 'files'>,
  { when, files, own }: ScheduledStage,
  isKnown: (path: string, finding: Finding) => boolean,
): Promise<void> {
  await checkStage({
    ...checking,
    files,
    fixes: (path) => own.has(path) && checking.fixes?.(path) === true,
    print(path, findings) {
      if (own.has(path)) return checking.print(path, findings)
      const fresh = findings.filter((finding) => finding.severity === 'error' && !isKnown(path, finding))
      checking.print(
        path,
        fresh.map((finding) => ({ ...finding, message: `With what begins at ${when}: ${finding.message}` })),
      )
    },
  })
}

/** The errors of what a project schedules, for whoever does not check the rest. */
export async function scheduledErrors(folder: string): Promise<FileFindings> {
  const files = expandFolders([folder]).flatMap((path) => {
    const read = readChecked(path, [folder])
    return read.ok ? [identify(path, read.value)] : []
  })
  const { scheduled, findings } = scheduledStages(files, [folder])
  const later = new Set(scheduled.flatMap(({ own }) => [...own]))
  const known = new Set<string>()
  const keyOf = (path: string, finding: Finding) => `${path} ${JSON.stringify(finding)}`
  const told: (readonly [path: string, findings: readonly Finding[]])[] = []
  const checking = { named: [folder], say: () => {} }
  await checkStage({
    ...checking,
    files: files.filter(({ path }) => !later.has(path)),
    print: (path, found) => void found.forEach((finding) => void known.add(keyOf(path, finding))),
  })
  const print = (path: string, found: readonly Finding[]) => {
    const errors = found.filter(({ severity }) => severity === 'error')
    if (errors.length > 0) told.push([path, errors])
  }
  for (const stage of scheduled) {
    await checkScheduledStage({ ...checking, print }, stage, (path, finding) => known.has(keyOf(path, finding)))
  }
  for (const [path, found] of findings) print(path, found)
  return told
}
