import { describe, expect, test } from 'bun:test'
import { glyphsOf, type PathFrame } from '../../../src/engines/pdf/frame/frame.ts'
import { layoutOf, p, textFrames, wordDocument } from './word.ts'

const paragraph = (kind: string, text = 'a b', properties = '', run = '') =>
  p(text, properties, `${run}<w:em w:val="${kind}"/>`)

function marksOf(body: string) {
  const page = layoutOf(wordDocument(body)).pages[0]!
  const marks = page.frames.filter((frame): frame is PathFrame => frame.kind === 'path')
  return {
    marks: marks.map((mark) => {
      const xs = mark.outline.points.filter((_, index) => index % 2 === 0)
      const ys = mark.outline.points.filter((_, index) => index % 2 === 1)
      return {
        left: mark.x + Math.min(...xs),
        right: mark.x + Math.max(...xs),
        top: mark.y + Math.min(...ys),
        bottom: mark.y + Math.max(...ys),
        fill: mark.fill,
      }
    }),
    texts: textFrames(page),
  }
}

describe('emphasis marks', () => {
  test('are centred over each character except blanks, in the colour of the text', () => {
    const { marks, texts } = marksOf(paragraph('dot', 'a b', '', '<w:color w:val="C00000"/>'))
    expect(marks.length).toBe(2)
    const [text] = texts
    const { look } = text!
    const a = look.font.face.advance(glyphsOf(text!)[0]!) * look.size
    expect((marks[0]!.left + marks[0]!.right) / 2).toBeCloseTo(text!.x + a / 2, 1)
    expect(marks[1]!.left).toBeGreaterThan(marks[0]!.right)
    for (const mark of marks) {
      expect(mark.fill).toEqual({ kind: 'solid', color: 'C00000', opacity: 1 })
      expect(mark.bottom).toBeLessThan(text!.y - 5)
      expect(mark.right - mark.left).toBeCloseTo(0.55 * 0.25 * 11.5, 1)
    }
  })

  test('make their line a quarter higher, whether they are above or below the text', () => {
    const lines = (kind: string) =>
      textFrames(layoutOf(wordDocument(`${paragraph(kind)}${p('next')}`)).pages[0]!).map(({ y }) => y)
    const [plain, afterPlain] = lines('none')
    const [over, afterOver] = lines('dot')
    const [under, afterUnder] = lines('underDot')
    expect(over! - plain!).toBeCloseTo(11.5 / 4, 1)
    expect(under).toBe(plain!)
    expect(afterOver! - afterPlain!).toBeCloseTo(11.5 / 4, 1)
    expect(afterUnder).toBeCloseTo(afterOver!, 2)
  })

  test('below the text hang under its descent', () => {
    const { marks, texts } = marksOf(paragraph('underDot'))
    for (const mark of marks) expect(mark.top).toBeGreaterThan(texts[0]!.y + 2)
  })

  test('can be rings and drops as well, and are left out for an unknown kind', () => {
    expect(marksOf(paragraph('circle')).marks.length).toBe(2)
    expect(marksOf(paragraph('comma')).marks.length).toBe(2)
    expect(marksOf(paragraph('none')).marks).toEqual([])
    expect(marksOf(paragraph('sparkle')).marks).toEqual([])
  })

  test('follow the text of a right-to-left paragraph', () => {
    const { marks, texts } = marksOf(paragraph('dot', 'שם', '<w:bidi/>', '<w:rtl/>'))
    expect(marks.length).toBe(2)
    const [text] = texts
    for (const mark of marks) {
      expect(mark.left).toBeGreaterThan(text!.x)
      expect(mark.right).toBeLessThan(text!.x + text!.width)
    }
  })
})
