import { describe, expect, test } from 'bun:test'
import { glyphsOf, type PathFrame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { layoutOf, p, textFrames, wordDocument } from '../../word.ts'

const paragraph = (kind: string, text = 'a b', properties = '', run = '') =>
  p(text, properties, `${run}<w:em w:val="${kind}"/>`)

const inRun = (text: string, look: string) => `<w:r><w:rPr>${look}<w:em w:val="dot"/></w:rPr><w:t>${text}</w:t></w:r>`

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

  test('are in the middle of the room that they make, next to the line’s own text', () => {
    const room = 11.5 / 4
    const middle = (kind: string, run = '') => {
      const { marks, texts } = marksOf(paragraph(kind, 'a', '', run))
      return (marks[0]!.top + marks[0]!.bottom) / 2 - texts[0]!.y
    }
    // 9.4 pt of a line are above its baseline, 2.1 below it.
    for (const kind of ['dot', 'circle', 'comma']) expect(middle(kind)).toBeCloseTo(-9.4 - room / 2, 0)
    expect(middle('dot')).toBeCloseTo(-9.4 - room / 2, 1)
    expect(middle('underDot')).toBeCloseTo(2.1 + room / 2, 1)
    // They are raised and lowered with their text, and above the whole line over a superscript.
    for (const position of [6, -6]) {
      const run = `<w:position w:val="${position}"/>`
      expect(middle('dot', run)).toBeCloseTo(-9.4 - room / 2, 1)
      expect(middle('underDot', run)).toBeCloseTo(2.1 + room / 2, 1)
    }
    const [, high] = marksOf(`<w:p>${inRun('a', '')}${inRun('b', '<w:vertAlign w:val="superscript"/>')}</w:p>`).marks
    const [usual] = marksOf(`<w:p>${inRun('a', '')}</w:p>`).marks
    expect(high!.top).toBeCloseTo(usual!.top, 1)
  })

  test('fill their box, the ring with a hole of its own form and the drop from its tip at the upper left', () => {
    const points = (kind: string) => {
      const { frames } = layoutOf(wordDocument(paragraph(kind, 'a'))).pages[0]!
      const [mark] = frames.filter((frame): frame is PathFrame => frame.kind === 'path')
      const list = [...mark!.outline.points]
      return {
        xs: list.filter((_, at) => at % 2 === 0),
        ys: list.filter((_, at) => at % 2 === 1),
        evenOdd: mark!.evenOdd,
      }
    }
    // Four fifths of a quarter of 11.5 pt.
    const size = 0.8 * 0.25 * 11.5
    for (const kind of ['circle', 'comma']) {
      const { xs, ys } = points(kind)
      expect([Math.min(...xs), Math.min(...ys)].map((value) => value.toFixed(2))).toEqual(['0.00', '0.00'])
      expect(Math.max(...xs)).toBeCloseTo(size, 1)
      expect(Math.max(...ys)).toBeWithin(size * 0.9, size * 1.02)
    }
    const ring = points('circle')
    const inner = ring.xs.slice(ring.xs.length / 2)
    expect([Math.min(...inner) / size, Math.max(...inner) / size].map((value) => value.toFixed(2))).toEqual([
      '0.15',
      '0.85',
    ])
    expect(ring.evenOdd).toBe(true)
    expect(points('dot').xs.length).toBe(ring.xs.length / 2)
    const drop = points('comma')
    expect([drop.xs[0], drop.ys[0], drop.xs.at(-1), drop.ys.at(-1)]).toEqual([0, 0, 0, 0])
  })

  test('are not over marks on letters, which take no room', () => {
    expect(marksOf(paragraph('dot', 'e\u0301a')).marks).toHaveLength(2)
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
