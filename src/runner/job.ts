import type { FileFormat, SourceFormat } from '../core/formats.ts'
import { sha256Hex } from '../core/hash.ts'
import { newestReading, type Reading } from '../core/reading.ts'
import type { SourceRole, StepName } from '../core/steps.ts'
import type { StepFailure } from '../db/schema.ts'
import type { Fragments } from '../engines/docx/docx.ts'
import type { InputFormat } from '../engines/ingestion/input-format.ts'

/** A piece of pinned configuration. Its content hash identifies it, so it may be cached anywhere. */
export interface Source {
  /** SHA-256 of its content, as its version records it. */
  hash: string
  format: SourceFormat
  /** The rules that it was frozen under; absent for a draft, which is read by today's. */
  reading?: Reading
  content: string | Uint8Array
  /** For a template: all templates that it includes, directly or through others, by slug in order. */
  fragments?: readonly FragmentSource[]
}

/** A template that another includes. */
export interface FragmentSource {
  slug: string
  hash: string
  content: Uint8Array
}

/** A source's name between pool and workers; has no spaces. */
export function sourceKey(
  role: SourceRole,
  { hash, reading, fragments = [] }: Pick<Source, 'hash' | 'reading' | 'fragments'>,
): string {
  const key = `${role}/${reading ?? newestReading}/${hash}`
  return fragments.length === 0
    ? key
    : `${key}+${sha256Hex(fragments.map((each) => `${each.slug} ${each.hash}`).join('\n'))}`
}

/** Included templates in the engine's form; undefined if there are none. */
export function fragmentsOf({ fragments = [] }: Pick<Source, 'fragments'>): Fragments | undefined {
  return fragments.length === 0 ? undefined : new Map(fragments.map(({ slug, content }) => [slug, content]))
}

/**
 * What the engines need to run one or several steps of an execution; plain values, so that it can be posted. Files that its steps
 * read are named by their format: the DOCX to render is `docx`.
 */
export interface StepJob extends Partial<Record<FileFormat, Uint8Array>> {
  /** In order; a step that fails ends the job. */
  steps: readonly StepName[]
  /** Its first step was started before and may crash its process, so other jobs run before it for a while. */
  isRepeated?: boolean
  sources: Partial<Record<SourceRole, Source>>
  /** Its steps share the time of one, because they should be quick and can be run one by one instead. */
  hasOneDeadline?: boolean
  /** Names the template: jobs with the same name and steps take about equally long per byte. */
  alike?: string
  /** For `render`: characters of the data that the document was filled with. The file's size says little about the time. */
  dataChars?: number
  /** The submitted text, for `validate`. */
  rawInput?: string
  /** Format of the raw input, if its model has one; else JSON. */
  inputFormat?: InputFormat
  /** JSON text for `transform.declarative`: the raw input, or the parent's output. */
  input?: string
  /** True for a child: its `input` is the parent's output, which the contract doesn't describe. */
  readsParent?: boolean
  /** JSON text of the submission's params; the transformer gets those that it declares. */
  params?: string
  /** JSON text for `compose`: the transformer's result. */
  output?: string
  /** True if `compose` should only draw the pages for a preview, without making a file. */
  draws?: boolean
  /** True if `compose` should also return the document's text. */
  tellsText?: boolean
  /** True if the files aren't needed: they are not returned, and steps of the job may pass them on in any form. */
  discardsFiles?: boolean
}

/** The pages of a preview, drawn. Marks are places of tags: `word/document.xml#12:5`. */
export interface DrawnPages {
  pages: { width: number; height: number; svg: string; marks: DrawnMark[] }[]
  totalPages: number
}

/** The place of a tag's value on a page, in points from its top left. */
export interface DrawnMark {
  place: string
  /** JSON Pointer of the value in the data, with the current items of loops; undefined if it has no single place there. */
  pointer: string | undefined
  x: number
  y: number
  width: number
  height: number
}

export type StepResult = StepSuccess | StepRefusal

export interface StepSuccess {
  step: StepName
  ok: true
  durationMs: number
  summary: Record<string, unknown>
  /** Canonical JSON text and its hash, from `transform.declarative`. */
  output?: { text: string; hash: string }
  /** The file of the format that the step makes. */
  file?: { bytes: Uint8Array; hash: string }
  /** From `compose` for a preview. */
  drawn?: DrawnPages
  /** From `compose`, if requested and the document can be read. */
  text?: string
}

/** A step would fail in the same way every time: bad input, or configuration that doesn't fit it. */
export interface StepRefusal {
  step: StepName
  ok: false
  durationMs: number
  failure: StepFailure
}
