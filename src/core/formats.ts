/**
 * The files that an execution makes, at most one of each, in the order they are made. Descriptions, storage, downloads,
 * ingestion models and the console take them from here; core/steps.ts says which step makes which. A new format is a row
 * here and the step that makes it.
 */
import { namesOf } from './names.ts'

interface FileFormatKind {
  label: string
  mediaType: string
  /** The extension of a downloaded file, without the dot. */
  extension: string
  /** Made for a node that names a template and says nothing of formats. */
  isDefault: boolean
  /** Where lists show it: first what people look at. */
  rank: number
}

const table = {
  docx: {
    label: 'DOCX',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    extension: 'docx',
    isDefault: true,
    rank: 2,
  },
  pdf: { label: 'PDF', mediaType: 'application/pdf', extension: 'pdf', isDefault: true, rank: 1 },
} as const satisfies Record<string, FileFormatKind>

export type FileFormat = keyof typeof table

/** With the literal media types, which the wire's types name. */
export const fileFormats: {
  readonly [F in FileFormat]: FileFormatKind & { mediaType: (typeof table)[F]['mediaType'] }
} = table

export const fileFormatNames = namesOf(table)

/** Each once, whichever formats share it. */
export const fileMediaTypes = [...new Set(fileFormatNames.map((name) => fileFormats[name].mediaType))]

export const defaultFileFormats: readonly FileFormat[] = fileFormatNames.filter((name) => fileFormats[name].isDefault)

/** In the order of `rank`. */
export const fileFormatsByRank: readonly FileFormat[] = fileFormatNames.toSorted(
  (one, other) => fileFormats[one].rank - fileFormats[other].rank,
)

export function isFileFormat(name: unknown): name is FileFormat {
  return typeof name === 'string' && Object.hasOwn(table, name)
}

/** What transformers and ingestion models are written in. */
export const textFormats = ['yaml', 'json'] as const
export type TextFormat = (typeof textFormats)[number]

/** What a family's versions hold: text, or the file of a template. */
export const sourceFormats = [...textFormats, 'docx'] as const
export type SourceFormat = (typeof sourceFormats)[number]
