import { ARTIFACT, type TextFrame } from '../../frame/frame.ts'
import type { LineNumbers, Paragraph } from '../../model/document.ts'
import type { Context } from '../context.ts'

/** Word's own distance from the text where the section names none. */
const AUTOMATIC_DISTANCE = 18

const plain: Paragraph = { kind: 'paragraph', props: {}, markProps: {}, content: [], number: 0 }

/**
 * The number beside a line of the body (17.6.8), where one is shown.
 *
 * @param count how many lines were counted before it
 * @param place where its column begins, and its baseline on the page
 */
export function numberOfLine(
  context: Context,
  settings: LineNumbers,
  count: number,
  { left, baseline }: { left: number; baseline: number },
): TextFrame | undefined {
  const number = settings.start + count
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
