/** The contents of a project's `activations.yaml` and `families.json`, and the order in which files below `scheduled/` begin. */
import type { Finding, Outcome } from '../core/finding.ts'
import { formatInstant } from '../core/instant.ts'
import { activationsFile, familiesFile, scheduledFolder, scheduledPathOf } from '../core/project-layout.ts'
import { readActivations, type ScheduledFiles } from '../modules/projects/projects.activations.ts'
import { readFamilyTexts } from '../modules/projects/projects.texts.ts'
import type { FileFinding, ProjectFolder } from './folder.ts'

/** What begins together. */
export interface Stage {
  /** The instant, or for files without a known one their folder: `2027-01-01T00:00:00Z`, `scheduled/spring`. */
  when: string
  /** Below the project's folder. */
  paths: readonly string[]
}

/** Earliest first; then files without an instant, a stage for each folder below `scheduled/`. */
export function readSchedule(folder: ProjectFolder): { stages: Stage[]; findings: FileFinding[] } {
  const findings: FileFinding[] = []
  const read = <T>(file: string, reading: (bytes: Uint8Array) => Outcome<T>): T | undefined => {
    const bytes = folder.optional(file)
    const outcome = bytes === undefined ? undefined : reading(bytes)
    findings.push(...(outcome?.findings ?? []).map((finding) => inFile(file, finding)))
    return outcome?.ok ? outcome.value : undefined
  }
  read(familiesFile, readFamilyTexts)
  const paths = folder.filesBelow(scheduledFolder).filter((path) => scheduledPathOf(path) !== undefined)
  const all = new Set(paths)
  const known: ScheduledFiles | undefined = read(activationsFile, (bytes) => readActivations(bytes, all))
  if (findings.every(({ file }) => file !== activationsFile)) {
    findings.push(...paths.filter((path) => known?.has(path) !== true).map(unscheduled))
  }
  const begins = (path: string) => known?.get(path)
  const named = [...Map.groupBy(paths, begins)].flatMap(([at, own]) => (at === undefined ? [] : [{ at, paths: own }]))
  const stages = named
    .sort((one, other) => (one.at < other.at ? -1 : 1))
    .map(({ at, paths: own }): Stage => ({ when: formatInstant(at), paths: own }))
  const others = paths.filter((path) => begins(path) === undefined)
  const byFolder = Map.groupBy(others, (path) => path.split('/').slice(0, 2).join('/'))
  return { stages: [...stages, ...[...byFolder].map(([when, own]) => ({ when, paths: own }))], findings }
}

/** The reader of a file names it in front of the place. */
function inFile(file: string, { path = '', ...finding }: Finding): FileFinding {
  const place = path.slice(file.length + 1)
  return { ...finding, file, ...(place === '' ? {} : { path: place }) }
}

function unscheduled(file: string): FileFinding {
  const message = `${activationsFile} does not say when it comes into force.`
  const hint = 'Name it there with its instant, or remove it.'
  return { file, code: 'project.unscheduled', severity: 'error', message, hint }
}
