import { Kind, Plan } from '../../../../../src/engines/pdf/layout/paragraph/plan.ts'
import type { LineSettings, ParagraphText } from '../../../../../src/engines/pdf/layout/paragraph/set-line.ts'
import type { TabStop } from '../../../../../src/engines/pdf/model/properties.ts'
import type { ParagraphStyle, TextStyle } from '../../../../../src/engines/pdf/style/cascade.ts'
import { layoutOf, p, textFrames, wordDocument } from '../../word.ts'

/* Plans of paragraphs with widths that are easy to check by hand. */

const { look } = textFrames(layoutOf(wordDocument(p('a'))).pages[0]!)[0]!

/** Letters of 6 pt, blanks too; lines of 8 pt above the baseline and 2 pt below it. */
export const plain: TextStyle = {
  ...{ look, family: 'Arial', symbolic: false, rtl: false, complex: false, eastAsiaHint: false, splitLatin: false },
  ...{ by: 'family', ascent: 8, descent: 2, rise: 0, position: 0, spacing: 0, kern: false, caps: false },
  ...{ smallCaps: false, hidden: false, bold: false, italic: false, underline: 'none', underlineColor: '000000' },
  ...{ strike: 'none', emphasis: 'none', emphasisRoom: 0, background: undefined, border: undefined },
}
export const usual: ParagraphStyle = {
  ...{ styleId: undefined, align: 'left', lastLineToo: false, left: 0, right: 0, firstLine: 0, before: 0, after: 0 },
  ...{ beforeAuto: false, afterAuto: false, line: 1, lineRule: 'auto', contextual: false, keepNext: false },
  ...{ keepLines: false, pageBreakBefore: false, widowControl: false, snapToGrid: true, bidi: false, kinsoku: true },
  ...{ overflowPunctuation: true, autoSpaceLatin: true, autoSpaceDigits: true, suppressHyphens: false },
  ...{ suppressLineNumbers: false, tabs: [], numberingId: undefined, numberingLevel: 0, borders: undefined },
  ...{ shading: undefined, outline: 9 },
}
export const settings: LineSettings = {
  ...{ width: 200, defaultTab: 36, gridPitch: 0, expandBrokenLines: true, squeezeBlanks: true },
}

const kinds: Record<string, number> = {
  ...{ ' ': Kind.space, '\t': Kind.tab, '\n': Kind.line, '\f': Kind.page, '\v': Kind.column },
  ...{ '\u00ad': Kind.softHyphen, '#': Kind.object, '^': Kind.mark },
}
/** A stretch of text in one style; `#` is an object, `^` a mark, and control characters are tabs and breaks. */
export type Stretch = readonly [text: string, style?: Partial<TextStyle>, advance?: number]

export function planOf(stretches: readonly Stretch[], bidi = false): Plan {
  const lists = { kinds: [] as number[], codes: [] as number[], advances: [] as number[], spanOf: [] as number[] }
  const plan = new Plan(lists, { markStyle: plain, bidi, kinsoku: true })
  for (const [index, [text, style, advance = 6]] of stretches.entries()) {
    plan.spans.push({ style: { ...plain, ...style }, link: undefined, node: 0 })
    for (const character of text) {
      const kind = kinds[character] ?? Kind.text
      lists.kinds.push(kind)
      lists.codes.push(character.codePointAt(0)!)
      lists.advances.push(kind === Kind.text || kind === Kind.space || kind === Kind.object ? advance : 0)
      lists.spanOf.push(index)
      plan.characters += character
    }
  }
  return plan
}
export interface Changes {
  style?: Partial<ParagraphStyle>
  settings?: Partial<LineSettings>
  plan?: (plan: Plan) => unknown
}
export function textOf(content: string | readonly Stretch[], changes: Changes = {}): ParagraphText {
  const style = { ...usual, ...changes.style }
  const plan = planOf(typeof content === 'string' ? [[content]] : content, style.bidi)
  changes.plan?.(plan)
  return { plan, style, settings: { ...settings, ...changes.settings } }
}
export const stop = (kind: TabStop['kind'], position: number, leader: TabStop['leader'] = 'none'): TabStop => ({
  ...{ kind, position, leader },
})
