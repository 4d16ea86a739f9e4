/** The questions of the console's screens to the engines, and the answers. Runs in engines.worker.ts. Pure. */
import type { Finding } from '../../core/finding.ts'
import { readJson } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { locatePointers } from '../../core/positions.ts'
import type { CsvFormat } from '../../engines/ingestion/csv-format.ts'
import { layersOf } from '../../engines/pdf/draw/layers.ts'
import {
  changedRegions,
  type PagePair,
  type Region as PageRegion,
  pairPages,
} from '../../engines/pdf/draw/page-regions.ts'
import { compareSchemas, type SchemaChange } from '../../engines/schema/changes.ts'
import { type Change, convertContract } from '../../engines/schema/convert/convert.ts'
import { reviewSchema } from '../../engines/schema/review.ts'
import { type CompiledSchema, compileSchema, validatePayload } from '../../engines/schema/schema.ts'
import type { DrawnPage, TemplatePages, TemplatePreview, TemplateTest } from '../api/types.ts'
import { mergeTexts, type Region } from '../merge.ts'
import { linesInContract } from '../views/workspace/contract-lines.ts'
import { applyFix, type Texts } from '../views/workspace/fixes.ts'
import type { Fix } from '../views/workspace/links.ts'
import { type CheckedRows, checkRows } from './csv-rows.ts'
import { checkDocument } from './document.ts'
import { type FormRow, formRowsOf, wholeTypeOf } from './form-rows.ts'
import { type InputRow, inputRowsOf } from './input-rows.ts'
import { starterOf } from './starter.ts'

/** A schema that is written in an older draft. */
export interface OlderSchema {
  /** The draft in words, and whether the schema names it. */
  from: string
  isNamed: boolean
  /** Undefined while something in it can't be expressed in 2020-12; the findings say what. */
  conversion?: { text: string; regions: readonly Region[]; notes: readonly Change[] }
}

export interface CheckedSchema {
  findings: readonly Finding[]
  older?: OlderSchema
  /** Undefined while the schema has errors. */
  form?: { rows: readonly FormRow[]; wholeType: string }
}

/** Indexes of two pages, and what changed on each. */
export interface ComparedPair extends PagePair {
  regions: { before: readonly PageRegion[]; after: readonly PageRegion[] }
}

/** A drawn page: its text, or what the browser keeps of it. */
export type Drawing = string | Blob

function textOf(drawing: Drawing): string | Promise<string> {
  return typeof drawing === 'string' ? drawing : drawing.text()
}

/** Drawings stay blobs of the browser, so that pages that nobody looks at are never copied to the console's thread. */
export type ReadPage = Omit<DrawnPage, 'svg'> & { svg: Blob }
export type ReadPages = Omit<TemplatePages, 'pages'> & { pages: readonly ReadPage[] }
export type ReadAnswer = ReadPages | TemplateTest | TemplatePreview

export const answers = {
  /** The same engine as the server's: what it says here is what freezing will say. */
  schema(text: string): CheckedSchema {
    if (text === '') return { findings: [] }
    const compiled = compileSchema(text)
    if (!compiled.ok) return refusedSchema(text, compiled.findings.slice(0, limits.configurationIssues))
    const { model } = compiled.value
    const findings = [...compiled.findings, ...reviewSchema(compiled.value, { text })]
    return {
      findings: findings.slice(0, limits.configurationIssues),
      form: { rows: formRowsOf(model), wholeType: wholeTypeOf(model) },
    }
  },

  /** An input as the form that its contract describes, with what is wrong with it. */
  input({ schema, text, toggled, chosen }: AskedInput): CheckedInput {
    const compiled = compiledOf(schema)
    if (compiled === undefined) return { rows: [], findings: [], starter: '{}', isJson: false }
    const starter = starterOf(compiled.model.root)
    const read = readJson(text)
    if (!read.ok) return { rows: [], findings: read.findings.slice(0, 1), starter, isJson: text.trim() === '' }
    const findings = validatePayload(compiled, read.value, { maxFindings: limits.configurationIssues })
    const places = locatePointers(
      text,
      findings.map(({ path = '' }) => path),
    )
    const rows = inputRowsOf({ schema: compiled, value: read.value, toggled: new Set(toggled), chosen })
    return {
      rows,
      starter,
      isJson: true,
      findings: findings.map(({ hint: _hint, ...finding }) => ({ ...finding, ...places.get(finding.path ?? '') })),
    }
  },

  /** The same of an input in CSV, as its rows. */
  rows({ schema, text, format }: AskedRows): CheckedRows {
    const compiled = compiledOf(schema)
    if (compiled === undefined) return { columns: [], rows: [], count: 0, isRead: false, findings: [] }
    return checkRows(compiled, text, format)
  },

  /** A document while its parts are being written. */
  document: checkDocument,

  /** Lines where the contract declares what was read, and findings where it should. */
  contractLines: linesInContract,

  /** The texts of a document with a broken link mended; undefined if the fix doesn't fit them any more. */
  fixed: ({ fix, texts }: { fix: Fix; texts: Texts }) => applyFix(fix, texts),

  /** The same changes that a project's plan lists. Undefined if one of the two schemas has errors. */
  comparison({ before, after }: { before: string; after: string }): readonly SchemaChange[] | undefined {
    const [older, newer] = [compileSchema(before), compileSchema(after)]
    return older.ok && newer.ok ? compareSchemas(older.value, newer.value) : undefined
  },

  /** An answer about a template: its pages, or else what the server says of it. */
  async filled(answer: Blob): Promise<ReadAnswer> {
    const read = JSON.parse(await answer.text()) as TemplatePages | Exclude<ReadAnswer, ReadPages>
    if (!('pages' in read)) return read
    return { ...read, pages: read.pages.map((page) => ({ ...page, svg: new Blob([page.svg]) })) }
  },

  /** A drawn page as pictures that lie on each other. */
  async layers(drawing: Drawing): Promise<readonly Blob[]> {
    return layersOf(await textOf(drawing)).map((layer) => new Blob([layer], { type: 'image/svg+xml' }))
  },

  /** Drawn pages of two documents beside each other, with the places that changed. */
  async pages(asked: { before: readonly Drawing[]; after: readonly Drawing[] }): Promise<readonly ComparedPair[]> {
    const before = await Promise.all(asked.before.map(textOf))
    const after = await Promise.all(asked.after.map(textOf))
    return pairPages(before, after).map((pair) => {
      const [left, right] = [before[pair.before ?? -1], after[pair.after ?? -1]]
      const isBeside = !pair.isSame && left !== undefined && right !== undefined
      return { ...pair, regions: isBeside ? changedRegions(left, right) : { before: [], after: [] } }
    })
  },
}

/** Why a schema can't be used, and whether that is only because of its draft. */
function refusedSchema(text: string, findings: readonly Finding[]): CheckedSchema {
  const converted = convertContract(text)
  if (converted.kind === 'current') return { findings }
  if (converted.kind === 'refused') {
    const { from } = converted
    return { findings: converted.findings.slice(0, limits.configurationIssues), older: { from, isNamed: true } }
  }
  const { from, isNamed, text: made, changes } = converted.conversion
  const notes = changes.filter(({ isNotable }) => isNotable).slice(0, limits.configurationIssues)
  return {
    findings,
    older: { from, isNamed, conversion: { text: made, regions: mergeTexts(text, text, made), notes } },
  }
}

export interface AskedInput {
  /** The contract's. */
  schema: string
  text: string
  /** Groups that somebody opened or folded, by pointer. */
  toggled: readonly string[]
  /** Alternatives that somebody chose, by pointer. */
  chosen: Readonly<Record<string, number>>
}

export interface AskedRows {
  /** The contract's. */
  schema: string
  text: string
  format: CsvFormat
}

export interface CheckedInput {
  rows: readonly InputRow[]
  findings: readonly Finding[]
  /** What the form begins with, as JSON. */
  starter: string
  /** Also true of a text without anything in it. */
  isJson: boolean
}

/** The newest schema: a form asks about one, again and again. */
let known: { text: string; compiled: CompiledSchema | undefined } | undefined

function compiledOf(text: string): CompiledSchema | undefined {
  if (known?.text !== text) {
    const compiled = compileSchema(text)
    known = { text, compiled: compiled.ok ? compiled.value : undefined }
  }
  return known.compiled
}

export type Question = keyof typeof answers
export type Asked<Q extends Question> = Parameters<(typeof answers)[Q]>[0]
export type Answer<Q extends Question> = Awaited<ReturnType<(typeof answers)[Q]>>
