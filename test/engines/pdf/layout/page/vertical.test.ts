import { describe, expect, test } from 'bun:test'
import { turnedPage } from '../../../../../src/engines/pdf/layout/page/vertical.ts'
import { plainPng } from '../../documents.ts'
import { rangesOf } from '../../text/code-ranges.ts'
import {
  dump,
  dumpTexts,
  layoutOf,
  p,
  picture,
  renderingOf,
  smallSection,
  textFrames,
  wordDocument,
} from '../../word.ts'

const down = `${smallSection}<w:textDirection w:val="tbRl"/>`
const textsOf = (body: string, section = down) =>
  layoutOf(wordDocument(body, { section })).pages.map((page) => dumpTexts(page.frames))

describe('a section whose lines run down', () => {
  test('sets them from the right side of the page, from its top margin to its bottom margin', () => {
    // The first baseline is 9.4 points inside of the margin at the right, the second a line further.
    expect(textsOf(p('one') + p('two', '<w:jc w:val="right"/>'))).toEqual([['240.6,50.0 one', '229.1,334.4 two']])
    const { pages } = layoutOf(wordDocument(p('one'), { section: down }))
    expect([pages[0]!.width, pages[0]!.height]).toEqual([300, 400])
  })

  test('fills the page to its left margin, and continues on the next page', () => {
    const [first, second] = textsOf(Array.from({ length: 18 }, (_, at) => p(`l${at}`)).join(''))
    expect(first).toHaveLength(17)
    expect(first!.at(-1)).toMatch(/^5\d\.\d,50\.0 l16$/)
    expect(second).toEqual(['240.6,50.0 l17'])
  })

  test('keeps ideographs upright in the middle of their line, and lays Latin letters on their side', () => {
    const frames = layoutOf(wordDocument(p('国。ab（', '', '<w:sz w:val="40"/>'), { section: down })).pages[0]!.frames
    const [page] = frames
    if (page?.kind !== 'group') throw new Error('the page is not turned')
    const shown = page.frames.map((frame) =>
      frame.kind === 'group'
        ? { upright: frame.matrix.slice(0, 4), text: frame.frames.map((inner) => inner.kind === 'text' && inner.text) }
        : { text: frame.kind === 'text' && frame.text },
    )
    expect(shown).toEqual([
      { upright: [0, -1, 1, 0], text: ['国'] },
      { upright: [0, -1, 1, 0], text: ['。'] },
      { text: 'ab' },
      { text: '（' },
    ])
    const [first, stop] = dumpTexts(frames).map((line) => line.split(' ')[0]!.split(',').map(Number))
    expect(first![1]).toBeCloseTo(50 + 0.88 * 20, 0)
    // A full stop is in the upper right corner of its box.
    expect(stop![0]! - first![0]!).toBeGreaterThan(3)
  })

  test('centres ideographs on the line, and counts the space between letters after each of them', () => {
    const placed = (spacing: number) => {
      const run = `<w:sz w:val="40"/><w:spacing w:val="${spacing * 20}"/>`
      const [page] = layoutOf(wordDocument(p('国国（ab国、', '<w:autoSpaceDE w:val="0"/>', run), { section: down }))
        .pages[0]!.frames
      return page?.kind === 'group' ? page.frames : []
    }
    for (const spacing of [0, 3]) {
      const [first, next, bracket, letters, second, comma] = placed(spacing)
      if (first?.kind !== 'group' || second?.kind !== 'group' || comma?.kind !== 'group') throw new Error('not upright')
      if (next?.kind !== 'group') throw new Error('not upright')
      if (letters?.kind !== 'text' || bracket?.kind !== 'text') throw new Error('not lying')
      const [inside, raised] = [first.frames[0], comma.frames[0]]
      if (inside?.kind !== 'text' || raised?.kind !== 'text') throw new Error('no text')
      const { ascent, descent } = inside.look.font.face
      // No font has the character, whose box is as wide as its 20 pt.
      const advance = 20
      // The text begins at the margin; 88 % of its 20 pt are above the baseline of an upright character.
      expect(first.matrix[4]).toBeCloseTo(50 + 17.6, 3)
      expect(first.matrix[5]).toBeCloseTo(letters.y - (ascent - descent) * 10 + advance / 2, 3)
      expect([inside.x, inside.y, inside.width]).toEqual([0, -0, advance])
      expect(next.matrix[4]).toBeCloseTo(50 + advance + spacing + 17.6, 3)
      expect(bracket.x).toBeCloseTo(50 + 2 * (advance + spacing), 3)
      expect(letters.x).toBeCloseTo(bracket.x + bracket.width, 1)
      const { face } = letters.look.font
      const wide = [...'ab'].reduce((sum, letter) => sum + face.advance(face.glyph(letter.charCodeAt(0))) * 20, 0)
      expect(letters.width).toBeCloseTo(wide + 2 * spacing, 3)
      expect(second.matrix[4]).toBeCloseTo(letters.x + letters.width + 17.6, 3)
      // A comma is half of its width further right and up.
      expect([raised.x, raised.y]).toEqual([raised.width / 2, -raised.width / 2])
    }
  })

  test('keeps signs that follow the line before, between and behind upright characters', () => {
    const [page] = layoutOf(wordDocument(p('（国ー国）'), { section: down })).pages[0]!.frames
    const shown = page?.kind === 'group' ? page.frames : []
    const told = shown.map((frame) => (frame.kind === 'text' ? frame.text : frame.kind))
    expect(told).toEqual(['（', 'group', 'ー', 'group', '）'])
    const starts = shown.map((frame) =>
      frame.kind === 'text' ? frame.x : frame.kind === 'group' ? frame.matrix[4] - 8.8 : 0,
    )
    const widths = shown.slice(1).map((_, at) => starts[at + 1]! - starts[at]!)
    for (const width of widths) expect(width).toBeCloseTo(widths[0]!, 2)
  })

  test('keeps its header unchanged, and starts a new page between sections of either kind', () => {
    const flat = `<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>flat</w:t></w:r></w:p>`
    const section = `<w:headerReference w:type="default" r:id="h"/><w:type w:val="continuous"/>${down}`
    const { pages } = layoutOf(wordDocument(flat + p('turned'), { section, headers: { h: p('head') } }))
    expect(pages).toHaveLength(2)
    expect(dump(pages[0]!)).toEqual(['50.0,59.4 flat'])
    expect(dumpTexts(pages[1]!.frames)).toEqual(['50.0,29.4 head', '240.6,50.0 turned'])
  })

  test('reports that pictures lie on their side', () => {
    const body = `<w:p><w:r>${picture('dot', 20, 10)}</w:r></w:p>`
    const docx = (section: string) => wordDocument(body, { section, media: { 'dot.png': plainPng(2, 1, [0, 0, 9]) } })
    const codes = (section: string) => renderingOf(docx(section)).report.map(({ code }) => code)
    expect(codes(down)).toContain('render.unsupported')
    expect(codes(smallSection)).not.toContain('render.unsupported')
    const text = wordDocument(p('text', '<w:shd w:val="clear" w:fill="DDEBF7"/>'), { section: down })
    expect(renderingOf(text).report.map(({ code }) => code)).not.toContain('render.unsupported')
  })

  test('keeps brackets along the line, and signs among them upright', () => {
    const [lying] = textFrames(layoutOf(wordDocument(p('a'))).pages[0]!)
    const isUpright = (code: number) => {
      const turned = turnedPage([{ ...lying!, text: String.fromCodePoint(code), glyphs: [1] }], 300)
      return turned.kind === 'group' && turned.frames[0]?.kind === 'group'
    }
    // Ideographic stops are upright; of all brackets and quotation marks only the postal mark and the geta mark are.
    expect(rangesOf((code) => code >= 0x3000 && code <= 0x3020 && isUpright(code))).toBe('3000-3007 3012-3013 3020')
  })

  test('begins an upright character where the letters before it end, in whatever font they are', () => {
    const [lying] = textFrames(layoutOf(wordDocument(p('ii'))).pages[0]!)
    const { face } = lying!.look.font
    const [narrow, wide] = [...'iW'].map((letter) => face.glyph(letter.charCodeAt(0)))
    // As in a font whose 国 is a wide W.
    const turned = turnedPage([{ ...lying!, x: 0, text: 'i国', glyphs: [narrow!, wide!] }], 300)
    const frames = turned.kind === 'group' ? turned.frames : []
    const [letter, upright] = frames
    if (letter?.kind !== 'text' || upright?.kind !== 'group') throw new Error('not turned')
    const [width, advance] = [face.advance(narrow!) * 10, face.advance(wide!) * 10]
    expect([letter.text, letter.x]).toEqual(['i', 0])
    expect(letter.width).toBeCloseTo(width, 6)
    expect(upright.matrix[4]).toBeCloseTo(width + 8.8, 6)
    expect(upright.frames[0]).toMatchObject({ text: '国', width: advance })
  })
})
