/**
 * How a project folder names its files of configuration: a folder for each kind, a file for each family, named by its slug.
 * `quire test` and the operations of projects both use this table.
 */
import type { SourceFormat } from './formats.ts'
import type { FamilyKind } from './kinds.ts'
import { namesOf } from './names.ts'

interface KindLayout {
  folder: string
  /** Longest first, so that `x.schema.json` is the family `x`. */
  endings: readonly (readonly [ending: string, format: SourceFormat])[]
}

const sources = [
  ['.yaml', 'yaml'],
  ['.yml', 'yaml'],
  ['.json', 'json'],
] as const

const table = {
  contract: {
    folder: 'contracts',
    endings: [
      ['.schema.json', 'json'],
      ['.json', 'json'],
    ],
  },
  template: {
    folder: 'templates',
    endings: [
      ['.docx', 'docx'],
      ['.dotx', 'docx'],
    ],
  },
  transformer: { folder: 'transformers', endings: sources },
  ingestion_model: { folder: 'models', endings: sources },
} as const satisfies Record<FamilyKind, KindLayout>

export const projectLayout: Readonly<Record<FamilyKind, KindLayout>> = table

/** In the order in which what is named comes before what names it. */
export const projectKinds: readonly FamilyKind[] = namesOf(table)

/** A file's family. */
export interface ProjectPath {
  kind: FamilyKind
  slug: string
  format: SourceFormat
}

/** The configuration that a path below the project's folder holds; undefined for other files, such as notes. */
export function projectPathOf(path: string): ProjectPath | undefined {
  const [folder, name, ...deeper] = path.split('/')
  // Word keeps a file of this name beside each document that is open.
  if (name === undefined || deeper.length > 0 || name.startsWith('~$')) return undefined
  const kind = projectKinds.find((each) => projectLayout[each].folder === folder)
  const found = kind && projectLayout[kind].endings.find(([ending]) => name.endsWith(ending) && name !== ending)
  if (kind === undefined || found === undefined) return undefined
  return { kind, slug: name.slice(0, -found[0].length), format: found[1] }
}

/** The end of the file beside a template that has its text, for reviews. */
const reviewEnding = '.md'

/** The file beside a template, `templates/letter.docx.md`. */
export function reviewPathOf(template: string): string {
  return `${template}${reviewEnding}`
}

/** The template that a path is the review text of; undefined for any other file. */
export function reviewedPathOf(path: string): string | undefined {
  if (!path.endsWith(reviewEnding)) return undefined
  const template = path.slice(0, -reviewEnding.length)
  return (projectPathOf(template) ?? scheduledPathOf(template))?.kind === 'template' ? template : undefined
}

/** Names and descriptions of the families, by the folder and the slug of each. */
export const familiesFile = 'families.json'

/** How long the submissions of each model are kept. Exported, but only `quire retention set` puts it in force. */
export const retentionFile = 'retention.yaml'

/** Says when the files below the next come into force. */
export const activationsFile = 'activations.yaml'
/** Configuration that comes into force later: `scheduled/<a name>/models/letter.yaml`. */
export const scheduledFolder = 'scheduled'

/** What a path below the folder of scheduled configuration holds; undefined for any other file. */
export function scheduledPathOf(path: string): ProjectPath | undefined {
  const inner = innerOf(path)
  return inner === undefined ? undefined : projectPathOf(inner)
}

/** The path as it is without the two folders of what is scheduled. */
function innerOf(path: string): string | undefined {
  const [folder, name = '', ...inner] = path.split('/')
  return folder !== scheduledFolder || name === '' || name.startsWith('.') ? undefined : inner.join('/')
}

/** Inputs with what is expected of them, a folder for each ingestion model. */
export const casesFolder = 'cases'
/** Endings of inputs in other formats, for models that read them. */
const formatEnds = { csv: '.csv', xml: '.xml' } as const
const inputEnds = ['.json', ...Object.values(formatEnds)]

/** How the inputs of a model end, by the format that it reads; JSON without one. */
export function inputEndsFor(format: keyof typeof formatEnds | undefined): string[] {
  return format === undefined ? ['.json'] : ['.json', formatEnds[format]]
}
/** The ends of a case's files that are not its input. */
export const paramsEnd = '.params.json'
export const expectedEnd = '.expected'

/** The name of a case's expectations from an instant on: `ann.from-2027-01-01T00-00-00Z`. */
export function datedName(name: string, instant: string): string {
  return `${name}.from-${instant.replaceAll(':', '-')}`
}

/** The two parts of such a name; undefined for any other. */
export function datedNameOf(name: string): { name: string; instant: string } | undefined {
  const [, own = '', day, time] = /^(.+)\.from-(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d(?:\.\d+)?Z)$/.exec(name) ?? []
  return day === undefined || time === undefined
    ? undefined
    : { name: own, instant: `${day}T${time.replaceAll('-', ':')}` }
}

/** What is expected of a node, in its folder below that of the case, besides its pages. */
export const expectedFiles = {
  output: 'output.json',
  text: 'document.txt',
  refusal: 'refusal.json',
} as const

/** The number of the expected page that a file in a node's folder shows; undefined for other files. */
export function expectedPageOf(name: string): number | undefined {
  const number = /^page-([1-9]\d*)\.svg$/.exec(name)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** A file below `cases/<model>/`. */
export interface CasePath {
  model: string
  /** The name of the case; with the model's slug it identifies the case. */
  name: string
  /** An expected file has its path below the folder `<name>.expected`. */
  part: 'input' | 'params' | { expected: string }
}

/** What a path below the project's folder is of a case; undefined if it is none. */
export function casePathOf(path: string): CasePath | undefined {
  const [folder, model = '', file = '', ...deeper] = path.split('/')
  if (folder !== casesFolder || model === '' || model.startsWith('.') || file.startsWith('.')) return undefined
  if (deeper.length > 0) {
    if (!file.endsWith(expectedEnd) || deeper.some((name) => name.startsWith('.'))) return undefined
    return { model, name: file.slice(0, -expectedEnd.length), part: { expected: deeper.join('/') } }
  }
  if (file.endsWith(paramsEnd)) return { model, name: file.slice(0, -paramsEnd.length), part: 'params' }
  const end = inputEnds.find((each) => file.endsWith(each))
  return end === undefined ? undefined : { model, name: file.slice(0, -end.length), part: 'input' }
}

/**
 * Whether a path is a file of a project, as archives of projects hold. Refuses backslashes, which separate folders on
 * Windows.
 */
export function isProjectPath(path: string): boolean {
  if (path.includes('\\')) return false
  return (
    path === familiesFile ||
    path === activationsFile ||
    path === retentionFile ||
    projectPathOf(path) !== undefined ||
    scheduledPathOf(path) !== undefined ||
    reviewedPathOf(path) !== undefined ||
    casePathOf(path) !== undefined
  )
}

/** The path that a family's file has where the program names it. */
export function projectFileOf(kind: FamilyKind, slug: string, format: SourceFormat): string {
  const { folder, endings } = projectLayout[kind]
  const ending = endings.find(([, each]) => each === format)?.[0] ?? ''
  return `${folder}/${slug}${ending}`
}
