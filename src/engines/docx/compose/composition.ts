import type { Finding } from '../../../core/finding.ts'
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { conformanceOf } from '../../ooxml/namespaces.ts'
import type { Op } from '../program/ops.ts'
import type { GreatestIds } from '../scan/greatest-ids.ts'
import type { NoteKind } from '../scan/notes.ts'
import type { Styles } from '../scan/styles.ts'
import type { FilledChart } from './filled-chart.ts'
import { FreshIds } from './fresh-ids.ts'
import type { Marking } from './marking.ts'
import { NumberingGains, type NumberingSource } from './numbering.ts'
import { PictureStore } from './picture-store.ts'
import { PartRelationships } from './relationships.ts'
import { RichTexts } from './rich-texts.ts'
import type { TemplateWatch } from './watch.ts'

/** What a composition needs to know of its template beside the programs. */
export interface CompositionTemplate {
  greatestIds: GreatestIds
  numbering: NumberingSource
  styles: Styles
  /** Six digits for each colour of the theme, by its name. */
  themeColors: ReadonlyMap<string, string>
  /** Namespace of the template's WordprocessingML. */
  uri: string
  /** What the main document writes before WordprocessingML names: `w:`. */
  prefix: string
  /** Programs of notes, with the part each belongs to. */
  notes: ReadonlyMap<string, { part: string; ops: Op[] }>
}

/** Who is notified of a composition while it is made. */
export interface Observers {
  /** Present if the values of tags must be marked. */
  marking?: Marking
  /** Present if what is reached of a watched template must be noted. */
  watch?: TemplateWatch
}

/** What all parts of one composition share: the findings, the bounds, and everything the document gains. */
export class Composition {
  readonly findings: Finding[] = []
  /** What the document is made in spite of. */
  readonly remarks: Finding[] = []
  readonly ids: FreshIds
  readonly numbering: NumberingGains
  readonly pictures = new PictureStore()
  readonly richTexts = new RichTexts()
  /** What charts show, by their parts. */
  readonly charts = new Map<string, FilledChart>()
  /** Notes that loops have copied, in order. */
  readonly notes: Record<NoteKind, string[]> = { footnote: [], endnote: [] }
  private readonly relationships = new Map<string, PartRelationships>()
  private readonly seen = new Set<Op>()
  private iterations = 0
  private chars = 0

  readonly marking: Marking | undefined
  readonly watch: TemplateWatch | undefined

  constructor(
    readonly data: JsonValue,
    readonly template: CompositionTemplate,
    { marking, watch }: Observers = {},
  ) {
    this.marking = marking
    this.watch = watch
    this.ids = new FreshIds(template.greatestIds)
    this.numbering = new NumberingGains(template.numbering, template.uri)
  }

  /** What a part gains. */
  relationshipsOf(part: string): PartRelationships {
    const known = this.relationships.get(part)
    if (known !== undefined) return known
    const gained = new PartRelationships(conformanceOf(this.template.uri))
    this.relationships.set(part, gained)
    return gained
  }

  report(code: string, path: string, message: string, hint: string): void {
    if (this.findings.length < limits.configurationIssues) {
      this.findings.push({ code, severity: 'error', message, hint, path })
    }
  }

  /** Tells the author something of a document that is made all the same. */
  remark(code: string, path: string, message: string, hint: string): void {
    if (this.remarks.length < limits.configurationIssues) {
      this.remarks.push({ code, severity: 'warning', message, hint, path })
    }
  }

  /** Counts what is written; false once it is too much, which is reported once. */
  mayWrite(length: number): boolean {
    const before = this.chars
    this.chars += length
    if (this.chars <= limits.composeChars) return true
    if (before <= limits.composeChars) {
      const message = `The document grows over ${limits.composeChars} characters.`
      this.report('docx.too_large', '', message, 'Hand in shorter lists.')
    }
    return false
  }

  /** Counts turns of loops; false when there were too many, which is reported once. */
  mayIterate(place: string): boolean {
    // Stop when composing has failed for good or has all the findings it may list.
    if (this.findings.length >= limits.configurationIssues || this.chars > limits.composeChars) return false
    if (++this.iterations <= limits.composeIterations) return true
    if (this.iterations === limits.composeIterations + 1) {
      const message = `The data makes the loops turn more than ${limits.composeIterations} times.`
      this.report('docx.too_many_items', place, message, 'Hand in shorter lists.')
    }
    return false
  }

  /** Whether the step runs for the first time in this composition. */
  isFirst(op: Op): boolean {
    if (this.seen.has(op)) return false
    this.seen.add(op)
    return true
  }
}
