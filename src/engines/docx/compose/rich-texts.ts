import { limits } from '../../../core/limits.ts'
import type { RichFormat } from '../scan/syntax.ts'
import { type RichResult, readRichText } from './rich/blocks.ts'

/** The rich texts of one composition. Loops often show the same clause; it is read once. */
export class RichTexts {
  private readonly known = new Map<string, Map<RichFormat | undefined, RichResult>>()
  private elements = 0
  private chars = 0

  /** Reads a text within the composition's bounds; each use counts, since each is written. */
  read(text: string, format: RichFormat | undefined): RichResult {
    this.chars += text.length
    if (this.isTooMuch()) return refused
    const read = this.known.get(text)?.get(format) ?? readRichText(text, format)
    const formats = this.known.get(text) ?? new Map<RichFormat | undefined, RichResult>()
    this.known.set(text, formats.set(format, read))
    if (read.ok) this.elements += read.elements
    return this.isTooMuch() ? refused : read
  }

  private isTooMuch(): boolean {
    return this.elements > limits.composeRichTextElements || this.chars > limits.composeRichTextChars
  }
}

const refused: RichResult = { ok: false, message: 'is more rich text than a document takes', hint: 'Shorten it.' }
