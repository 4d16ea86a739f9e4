/**
 * How a project folder names its files of configuration: a folder for each kind, a file for each family, named by its slug.
 * `quire test` and the operations of projects take the folder apart by this table.
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

/** What a path below the project's folder holds; undefined where it is no configuration, such as a page of notes. */
export function projectPathOf(path: string): ProjectPath | undefined {
  const [folder, name, ...deeper] = path.split('/')
  // Word keeps a file of this name beside each document that is open.
  if (name === undefined || deeper.length > 0 || name.startsWith('~$')) return undefined
  const kind = projectKinds.find((each) => projectLayout[each].folder === folder)
  const found = kind && projectLayout[kind].endings.find(([ending]) => name.endsWith(ending) && name !== ending)
  if (kind === undefined || found === undefined) return undefined
  return { kind, slug: name.slice(0, -found[0].length), format: found[1] }
}

/** The path that a family's file has where the program names it. */
export function projectFileOf(kind: FamilyKind, slug: string, format: SourceFormat): string {
  const { folder, endings } = projectLayout[kind]
  const ending = endings.find(([, each]) => each === format)?.[0] ?? ''
  return `${folder}/${slug}${ending}`
}
