import { describe, expect, test } from 'bun:test'
import { plainPng } from './documents.ts'
import { dump, dumpTexts, layoutOf, p, picture, renderingOf, smallSection, wordDocument } from './word.ts'

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
    // A full stop stands in the upper right corner of its box.
    expect(stop![0]! - first![0]!).toBeGreaterThan(3)
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
  })
})
