import { limits } from '../../../core/limits.ts'
import type { Link } from '../frame/frame.ts'
import type { FieldKind, Inline } from '../model/document.ts'
import type { RunProps } from '../model/properties.ts'

interface OpenField {
  instruction: string
  phase: 'instruction' | 'result'
  props: RunProps
  resultProps: RunProps | undefined
  stored: string
  computed: FieldKind | undefined
  link: Link | undefined
  /** The entry that a form's list shows. */
  choice: string | undefined
  /** Its result is a table of contents. */
  contents: boolean
  /** What it has swallowed: all of it is shown after all if the field never ends. */
  swallowed: Swallowed[]
}

/** Content that a field keeps from being shown, and where it would be. */
interface Swallowed {
  content: Inline[]
  at: number
  inline: Inline
  /** Counts up in the order of the document. */
  order: number
}

const computedFields: readonly FieldKind[] = ['PAGE', 'NUMPAGES', 'SECTIONPAGES', 'PAGEREF', 'STYLEREF']

function computedField(name: string): FieldKind | undefined {
  return computedFields.find((field) => field === name)
}

/** The words of a field instruction; quoted words keep their spaces, switches their backslash. */
export function splitInstruction(instruction: string): string[] {
  return (instruction.slice(0, 2_000).match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''))
}

/** The `\*` format switch of a page field as the numbering format it asks for. */
function formatOf(words: string[]): string {
  const at = words.indexOf('\\*')
  const name = at < 0 ? '' : (words[at + 1] ?? '')
  if (name === 'roman') return 'lowerRoman'
  if (name === 'alphabetic') return 'lowerLetter'
  return switchFormats[name.toUpperCase()] ?? ''
}

/** Number formats by their switch in a field (17.16.4.3.1). */
const switchFormats: Readonly<Record<string, string>> = {
  AIUEO: 'aiueo',
  ALPHABETIC: 'upperLetter',
  ARABIC: 'decimal',
  ARABICABJAD: 'arabicAbjad',
  ARABICALPHA: 'arabicAlpha',
  ARABICDASH: 'numberInDash',
  BAHTTEXT: 'bahtText',
  CARDTEXT: 'cardText',
  CHINESENUM1: 'chineseCounting',
  CHINESENUM2: 'chineseLegalSimplified',
  CHINESENUM3: 'chineseCountingThousand',
  CHOSUNG: 'chosung',
  CIRCLENUM: 'decimalEnclosedCircle',
  DBCHAR: 'decimalFullWidth',
  DBNUM1: 'ideographDigital',
  DBNUM2: 'koreanDigital2',
  DBNUM3: 'japaneseLegal',
  DBNUM4: 'japaneseDigitalTenThousand',
  DOLLARTEXT: 'dollarText',
  GANADA: 'ganada',
  GB1: 'decimalEnclosedFullstop',
  GB2: 'decimalEnclosedParen',
  GB3: 'decimalEnclosedCircleChinese',
  GB4: 'ideographEnclosedCircle',
  HEBREW1: 'hebrew1',
  HEBREW2: 'hebrew2',
  HEX: 'hex',
  HINDIARABIC: 'hindiNumbers',
  HINDICARDTEXT: 'hindiCounting',
  HINDILETTER1: 'hindiVowels',
  HINDILETTER2: 'hindiConsonants',
  IROHA: 'iroha',
  KANJINUM1: 'ideographDigital',
  KANJINUM2: 'chineseCountingThousand',
  KANJINUM3: 'japaneseLegal',
  ORDINAL: 'ordinal',
  ORDTEXT: 'ordText',
  ROMAN: 'upperRoman',
  SBCHAR: 'decimalHalfWidth',
  THAIARABIC: 'thaiNumbers',
  THAICARDTEXT: 'thaiCounting',
  THAILETTER: 'thaiLetters',
  VIETCARDTEXT: 'vietnameseCounting',
  ZODIAC1: 'ideographTraditional',
  ZODIAC2: 'ideographZodiac',
  ZODIAC3: 'ideographZodiacTraditional',
}

/** The letters of a `STYLEREF` field's switches. */
function switchesOf(words: string[]): string {
  return words.flatMap((word) => /^\\([a-z])$/i.exec(word)?.[1]?.toLowerCase() ?? []).join('')
}

export function linkOf(words: string[]): Link | undefined {
  const name = words[0]?.toUpperCase()
  if (name === 'PAGEREF' && words.includes('\\h') && words[1]) return { kind: 'internal', bookmark: words[1] }
  if (name !== 'HYPERLINK') return undefined
  const local = words.indexOf('\\l')
  const bookmark = local > 0 ? words[local + 1] : undefined
  if (bookmark) return { kind: 'internal', bookmark }
  const target = words[1]
  return target && !target.startsWith('\\') ? { kind: 'uri', uri: target } : undefined
}

/**
 * Follows complex fields (17.16.18) through the runs of a story. Page and style references swallow their stored result
 * and become a field inline; every other field shows what the document stored for it.
 */
export class FieldReader {
  private readonly open: OpenField[] = []
  /** Open fields beyond those that are looked at. */
  private beyond = 0
  /** How many inlines were swallowed so far. */
  swallowed = 0
  /** How many fields have started or ended so far. */
  marks = 0

  /** @param choice the entry that is chosen, of a form's list */
  begin(props: RunProps, choice?: string): void {
    this.marks++
    if (this.open.length >= limits.fieldDepth) {
      this.beyond++
      return
    }
    this.open.push({
      instruction: '',
      phase: 'instruction',
      props,
      resultProps: undefined,
      stored: '',
      computed: undefined,
      link: undefined,
      choice,
      contents: false,
      swallowed: [],
    })
  }

  instruction(text: string): void {
    const field = this.innermost
    if (field?.phase === 'instruction' && field.instruction.length < 4_000) field.instruction += text
  }

  /** The field that marks belong to; undefined outside of fields, and in fields nested too deep. */
  private get innermost(): OpenField | undefined {
    return this.beyond > 0 ? undefined : this.open.at(-1)
  }

  separate(): void {
    const field = this.innermost
    if (!field) return
    field.phase = 'result'
    const words = splitInstruction(field.instruction)
    const name = (words[0] ?? '').toUpperCase()
    const computed = computedField(name)
    if (computed) field.computed = computed
    field.link = linkOf(words)
    field.contents = name === 'TOC'
  }

  /** Ends the innermost field; returns the inline that takes its place if the field is computed. */
  end(): Inline | undefined {
    this.marks++
    const field = this.innermost
    if (!field) {
      this.beyond = Math.max(0, this.beyond - 1)
      return undefined
    }
    const words = splitInstruction(field.instruction)
    const own = field.phase === 'instruction' ? shownBy(field, words) : undefined
    if (field.phase === 'instruction') this.separate()
    this.open.pop()
    if (own) return own
    if (!field.computed) return undefined
    const link = field.link ?? this.link()
    return {
      kind: 'field',
      field: field.computed,
      argument: /REF$/.test(field.computed) ? (words[1] ?? '') : '',
      stored: field.stored,
      format: field.computed === 'STYLEREF' ? switchesOf(words) : formatOf(words),
      props: field.resultProps ?? field.props,
      ...(link ? { link } : {}),
    }
  }

  /** Shows an inline, unless it belongs to an instruction or to a result that is computed again. */
  show(content: Inline[], inline: Inline): void {
    let by: OpenField | undefined
    for (const field of this.open) {
      if (field.phase === 'instruction') by = field
      else if (field.computed) {
        by = field
        field.resultProps ??= inline.props
        if (field.stored.length < 64) field.stored += storedAs(inline)
      }
    }
    if (by) by.swallowed.push({ content, at: content.length, inline, order: ++this.swallowed })
    else content.push(inline)
  }

  /**
   * Moves what was swallowed from `second`, the last paragraph's content, to the end of `first`. Call it before the
   * content itself moves.
   *
   * @param since the value of `swallowed` before that paragraph was read
   */
  joins(first: Inline[], second: Inline[], since: number): void {
    for (const { swallowed } of this.open) {
      for (const entry of reversed(swallowed)) {
        if (entry.order <= since) break
        if (entry.content !== second) continue
        entry.at += first.length
        entry.content = first
      }
    }
  }

  /**
   * Ends the story. A field that is still open is no field, so what it has swallowed is shown (17.16.18); returns true
   * if there was one.
   */
  endStory(): boolean {
    const left = this.open.splice(0)
    this.beyond = 0
    const entries = left.flatMap(({ swallowed }) => swallowed)
    const byContent = Map.groupBy(entries, ({ content }) => content)
    for (const [content, parts] of byContent) restore(content, parts)
    return left.length > 0
  }

  /** True inside a table of contents. */
  inContents(): boolean {
    return this.open.length > 0 && this.open.some((field) => field.contents)
  }

  link(): Link | undefined {
    // Nearly all text is outside of fields.
    if (this.open.length === 0) return undefined
    return this.open.findLast((field) => field.phase === 'result' && field.link)?.link
  }
}

/** What a result that is computed again says in the meantime. */
function storedAs(inline: Inline): string {
  if (inline.kind === 'text') return inline.text
  if (inline.kind === 'tab') return '\t'
  return inline.kind === 'break' ? ' ' : ''
}

function* reversed<T>(list: readonly T[]): Generator<T> {
  for (let at = list.length - 1; at >= 0; at--) yield list[at] as T
}

/** Puts content back where it would have been. */
function restore(content: Inline[], parts: readonly Swallowed[]): void {
  const placed = parts.toSorted((a, b) => a.order - b.order)
  let next = 0
  const whole: Inline[] = []
  for (let at = 0; at <= content.length; at++) {
    for (let part = placed[next]; part && part.at <= at; part = placed[++next]) whole.push(part.inline)
    const own = content[at]
    if (own) whole.push(own)
  }
  for (const { inline } of placed.slice(next)) whole.push(inline)
  content.length = 0
  for (const inline of whole) content.push(inline)
}

/** The result of a field without a stored one: the choice of a list, the text of a button, a symbol. */
function shownBy({ choice, props, instruction }: OpenField, words: string[]): Inline | undefined {
  const name = words[0]?.toUpperCase()
  if (name === 'FORMDROPDOWN') return choice === undefined ? undefined : { kind: 'text', text: choice, props }
  if (name !== 'MACROBUTTON' && name !== 'GOTOBUTTON') return symbolOf(words, props)
  // Everything after the name of the macro, or of the place, is shown as written (17.16.5.33).
  const text = /^\s*\S+\s+(?:"[^"]*"|\S+)\s+(.*\S)/s.exec(instruction)?.[1]
  return text === undefined ? undefined : { kind: 'text', text, props }
}

/** The character of a `SYMBOL` field (17.16.5.61). */
function symbolOf(words: string[], props: RunProps): Inline | undefined {
  if (words[0]?.toUpperCase() !== 'SYMBOL') return undefined
  const code = Number(words[1])
  if (!Number.isInteger(code) || code < 0x20 || code > 0xffff) return undefined
  const font = words[words.indexOf('\\f') + 1]
  const fonts = words.includes('\\f') && font !== undefined ? { fonts: { ascii: font, highAnsi: font } } : {}
  const size = Number(words[words.indexOf('\\s') + 1])
  const sized = words.includes('\\s') && size >= 1 && size <= 1638 ? { size } : {}
  return { kind: 'text', text: String.fromCharCode(code), props: { ...props, ...fonts, ...sized } }
}

/** A simple field (`w:fldSimple`): the inline for a page field, or undefined when its stored content is to be shown. */
export function simpleField(instruction: string, stored: string, props: RunProps): Inline | undefined {
  const words = splitInstruction(instruction)
  const name = (words[0] ?? '').toUpperCase()
  const field = computedField(name)
  if (!field) return undefined
  const format = name === 'STYLEREF' ? switchesOf(words) : formatOf(words)
  return { kind: 'field', field, argument: words[1] ?? '', stored, format, props }
}

/** Where a simple field leads. */
export function simpleLink(instruction: string): Link | undefined {
  return linkOf(splitInstruction(instruction))
}
