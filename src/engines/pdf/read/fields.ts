import type { FieldKind, Inline, Link, RunProps } from './model.ts'

/** Fields nest: a table of contents holds a hyperlink for each line, which holds a page reference. */
const FIELD_DEPTH = 64

interface OpenField {
  instruction: string
  phase: 'instruction' | 'result'
  props: RunProps
  resultProps: RunProps | undefined
  stored: string
  computed: FieldKind | undefined
  link: Link | undefined
}

const computedFields: readonly string[] = ['PAGE', 'NUMPAGES', 'SECTIONPAGES', 'PAGEREF']

/** The words of a field instruction; quoted words keep their spaces, switches their backslash. */
export function splitInstruction(instruction: string): string[] {
  return (instruction.slice(0, 2_000).match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"|"$/g, ''))
}

/** The `\*` format switch of a page field as the numbering format it asks for. */
function formatOf(words: string[]): string {
  const at = words.indexOf('\\*')
  const name = at < 0 ? '' : (words[at + 1] ?? '')
  if (name === 'roman') return 'lowerRoman'
  if (name === 'ROMAN' || name === 'Roman') return 'upperRoman'
  if (name === 'alphabetic') return 'lowerLetter'
  if (name === 'ALPHABETIC') return 'upperLetter'
  return name === 'Arabic' ? 'decimal' : ''
}

export function linkOf(words: string[]): Link | undefined {
  if (words[0]?.toUpperCase() !== 'HYPERLINK') return undefined
  const local = words.indexOf('\\l')
  if (local > 0 && words[local + 1]) return { kind: 'internal', bookmark: words[local + 1]! }
  const target = words[1]
  return target && !target.startsWith('\\') ? { kind: 'uri', uri: target } : undefined
}

/**
 * Follows complex fields (17.16.18) through the runs of a story. Page fields swallow their stored result and become a
 * field inline; every other field shows what the document stored for it.
 */
export class FieldReader {
  private readonly open: OpenField[] = []

  begin(props: RunProps): void {
    if (this.open.length >= FIELD_DEPTH) return
    this.open.push({
      instruction: '',
      phase: 'instruction',
      props,
      resultProps: undefined,
      stored: '',
      computed: undefined,
      link: undefined,
    })
  }

  instruction(text: string): void {
    const field = this.open.at(-1)
    if (field?.phase === 'instruction' && field.instruction.length < 4_000) field.instruction += text
  }

  separate(): void {
    const field = this.open.at(-1)
    if (!field) return
    field.phase = 'result'
    const words = splitInstruction(field.instruction)
    const name = (words[0] ?? '').toUpperCase()
    if (computedFields.includes(name)) field.computed = name as FieldKind
    field.link = linkOf(words)
    if (name === 'PAGEREF' && words.includes('\\h') && words[1]) field.link = { kind: 'internal', bookmark: words[1] }
  }

  /** Ends the innermost field; answers the inline that takes its place, when it is a page field. */
  end(): Inline | undefined {
    const field = this.open.at(-1)
    if (!field) return undefined
    if (field.phase === 'instruction') this.separate()
    this.open.pop()
    if (!field.computed) return undefined
    const words = splitInstruction(field.instruction)
    const link = field.link ?? this.link()
    return {
      kind: 'field',
      field: field.computed,
      argument: field.computed === 'PAGEREF' ? (words[1] ?? '') : '',
      stored: field.stored,
      format: formatOf(words),
      props: field.resultProps ?? field.props,
      ...(link ? { link } : {}),
    }
  }

  /** True while text belongs to an instruction or to a result that is computed anew. */
  swallows(text: string, props: RunProps): boolean {
    let swallowed = false
    for (const field of this.open) {
      if (field.phase === 'instruction') swallowed = true
      else if (field.computed) {
        swallowed = true
        field.resultProps ??= props
        if (field.stored.length < 64) field.stored += text
      }
    }
    return swallowed
  }

  link(): Link | undefined {
    for (let index = this.open.length - 1; index >= 0; index--) {
      const field = this.open[index]!
      if (field.phase === 'result' && field.link) return field.link
    }
    return undefined
  }
}

/** A simple field (`w:fldSimple`): the inline for a page field, or undefined when its stored content is to be shown. */
export function simpleField(instruction: string, stored: string, props: RunProps): Inline | undefined {
  const words = splitInstruction(instruction)
  const name = (words[0] ?? '').toUpperCase()
  if (!computedFields.includes(name)) return undefined
  return { kind: 'field', field: name as FieldKind, argument: words[1] ?? '', stored, format: formatOf(words), props }
}
