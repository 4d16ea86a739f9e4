import { markText, maxMarks } from '../../../core/marks.ts'

/** Marks what each tag leaves in a composed document with the number of the tag's place. */
export class Marking {
  /** Numbers by place. */
  readonly places = new Map<string, number>()
  /** Numbers by the package part of a picture. */
  readonly pictures = new Map<string, number>()

  /** A value inside a `w:t`, which may close the element and open it again. */
  value(xml: string, place: string): string {
    return this.marked(xml, place, 'inText')
  }

  /** Whole runs or paragraphs. */
  runs(xml: string, place: string): string {
    return this.marked(xml, place, 'outside')
  }

  picture(part: string, place: string): void {
    const mark = this.markOf(place)
    if (mark !== undefined && !this.pictures.has(part)) this.pictures.set(part, mark)
  }

  private markOf(place: string): number | undefined {
    const known = this.places.get(place)
    if (known !== undefined || this.places.size >= maxMarks) return known
    this.places.set(place, this.places.size)
    return this.places.size - 1
  }

  private marked(xml: string, place: string, begins: 'inText' | 'outside'): string {
    const mark = this.markOf(place)
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
