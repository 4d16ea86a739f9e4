import { markText, maxMarks } from '../../../core/marks.ts'

/** What a mark is for. */
interface Marked {
  /** The tag's place. */
  place: string
  /** JSON Pointer of the value in the data, in this turn of the loops; absent if it comes from no one place there. */
  pointer?: string | undefined
}

/** Marks what each tag leaves in a composed document. Each pair of a tag's place and a value gets a number of its own. */
export class Marking {
  /** What the numbers mean. */
  readonly marked: Marked[] = []
  /** Numbers by the package part of a picture. */
  readonly pictures = new Map<string, number>()
  readonly #known = new Map<string, number>()

  /** A value inside a `w:t`, which may close the element and open it again. */
  value(xml: string, place: string, pointer?: string): string {
    return this.#mark(xml, { place, pointer }, 'inText')
  }

  /** Whole runs or paragraphs. */
  runs(xml: string, place: string, pointer?: string): string {
    return this.#mark(xml, { place, pointer }, 'outside')
  }

  picture(part: string, place: string, pointer?: string): void {
    const mark = this.#numberOf({ place, pointer })
    if (mark !== undefined && !this.pictures.has(part)) this.pictures.set(part, mark)
  }

  #numberOf(marked: Marked): number | undefined {
    const key = `${marked.place} ${marked.pointer}`
    const known = this.#known.get(key)
    if (known !== undefined || this.marked.length >= maxMarks) return known
    this.#known.set(key, this.marked.length)
    return this.marked.push(marked) - 1
  }

  #mark(xml: string, marked: Marked, begins: 'inText' | 'outside'): string {
    const mark = this.#numberOf(marked)
    if (mark === undefined) return xml
    let isText = begins === 'inText'
    return xml
      .split(/(<[^>]*>)/)
      .map((piece) => {
        if (!piece.startsWith('<')) return isText && piece !== '' ? markText(piece, mark) : piece
        if (/^<(?:\w+:)?t[ >]/.test(piece)) isText = !piece.endsWith('/>')
        else if (/^<\/(?:\w+:)?t>/.test(piece)) isText = false
        return piece
      })
      .join('')
  }
}
