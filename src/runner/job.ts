import type { FileFormat, SourceFormat } from '../core/formats.ts'
import { sha256Hex } from '../core/hash.ts'
import { newestReading, type Reading } from '../core/reading.ts'
import type { SourceRole, StepName } from '../core/steps.ts'
import type { StepFailure } from '../db/schema.ts'
import type { Fragments } from '../engines/docx/docx.ts'
import type { InputFormat } from '../engines/ingestion/input-format.ts'

/** A piece of pinned configuration: its content hash identifies it, so it may be cached anywhere. */
export interface Source {
  /** SHA-256 of its content, as its version records it. */
  hash: string
  format: SourceFormat
  /** The rules that it was frozen under; absent for a draft, which is read by today's. */
  reading?: Reading
  content: string | Uint8Array
  /** For a template: what it includes, and what these include, by slug in order. */
  fragments?: readonly FragmentSource[]
}

/** A template that another includes. */
export interface FragmentSource {
  slug: string
  hash: string
  content: Uint8Array
}

/** How a source is named between a pool and its workers; free of spaces. */
export function sourceKey(
  role: SourceRole,
  { hash, reading, fragments = [] }: Pick<Source, 'hash' | 'reading' | 'fragments'>,
): string {
  const key = `${role}/${reading ?? newestReading}/${hash}`
  return fragments.length === 0
    ? key
    : `${key}+${sha256Hex(fragments.map((each) => `${each.slug} ${each.hash}`).join('\n'))}`
}

/** What a template includes, as its engine takes it; undefined for none. */
export function fragmentsOf({ fragments = [] }: Pick<Source, 'fragments'>): Fragments | undefined {
  return fragments.length === 0 ? undefined : new Map(fragments.map(({ slug, content }) => [slug, content]))
}

/**
 * What the engines need to make one or several steps of one execution; plain values, so that it can be posted. The files
 * that its steps read go by their format: the DOCX that is rendered is `docx`.
 */
export interface StepJob extends Partial<Record<FileFormat, Uint8Array>> {
  /** In order; a step that fails ends the job. */
  steps: readonly StepName[]
  /** The first of them was started before and may crash its process, so others run before it for a while. */
  isRepeated?: boolean
  sources: Partial<Record<SourceRole, Source>>
  /** Its steps have the time of one together: they share it because they should take moments, and can be made one by one. */
  hasOneDeadline?: boolean
  /** Jobs with the same steps and the same name here take about as long for what they read: the template's. */
  alike?: string
  /** Characters of the data that a document was filled with, for `render`: a file says little of how long it takes. */
  dataChars?: number
  /** What was submitted, for `validate`. */
  rawInput?: string
  /** What the raw input is written in, where its model says so; else JSON. */
  inputFormat?: InputFormat
  /** JSON text for `transform.declarative`: the raw input, or the parent's output. */
  input?: string
  /** True for a child: `input` is its parent's output, which the release's contract does not describe. */
  readsParent?: boolean
  /** JSON text of the params handed in with the submission; the transformer is given those that it declares. */
  params?: string
  /** JSON text for `compose`: what the transform made. */
  output?: string
  /** True if `compose` should only draw the pages for a preview, and make no file. */
  draws?: boolean
  /** True if `compose` should also tell the document's text. */
  tellsText?: boolean
  /** True if nobody wants the files: they are not handed back, and steps within the job may pass them on in any form. */
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
  /** JSON Pointer of the value in the data, in its turn of the loops; undefined if it comes from no one place there. */
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
  /** From `compose`, where the job asks for it and the document can be read. */
  text?: string
}

/** The step would fail in the same way every time: bad input, or configuration that doesn't fit it. */
export interface StepRefusal {
  step: StepName
  ok: false
  durationMs: number
  failure: StepFailure
}
