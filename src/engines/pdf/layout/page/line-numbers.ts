import { ARTIFACT, type TextFrame } from '../../frame/frame.ts'
import type { LineNumbers, Paragraph } from '../../model/document.ts'
import type { Context } from '../context.ts'

/** Word's own distance from the text where the section names none. */
const AUTOMATIC_DISTANCE = 18

const plain: Paragraph = { kind: 'paragraph', props: {}, markProps: {}, content: [], number: 0 }

/** Counts the lines of the body and draws their numbers beside them (17.6.8). */
export class LineCounter {
  /** Lines since the count last began. */
  count = 0

  /** At a new page or section, which may begin the count anew. */
  restart(settings: LineNumbers | undefined, at: 'newPage' | 'newSection'): void {
    if (settings?.restart === at) this.count = 0
  }

  /**
   * The number of the next line, where one is shown.
   *
   * @param left where the line's column begins
   * @param baseline of the line, on the page
   */
  next(context: Context, settings: LineNumbers, left: number, baseline: number): TextFrame | undefined {
    const number = settings.start + this.count++
    if (number % settings.countBy !== 0) return undefined
    const { cascade } = context
    const style = [...cascade.styles.byId.values()].find(({ name }) => name.toLowerCase() === 'line number')
    const { look } = cascade.text(cascade.runBase(plain), style ? { style: style.id } : {}, undefined)
    const { face } = look.font
    const text = `${number}`
    let width = 0
    for (const digit of text) width += face.advance(face.glyph(digit.charCodeAt(0))) * look.size * look.scale
    const x = left - (settings.distance || AUTOMATIC_DISTANCE) - width
    return { kind: 'text', x, y: baseline, width, text, glyphs: undefined, shifts: undefined, look, node: ARTIFACT }
  }
}
