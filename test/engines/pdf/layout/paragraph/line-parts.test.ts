import { describe, expect, test } from 'bun:test'
import type { Frame } from '../../../../../src/engines/pdf/frame/frame.ts'
import { dump, layoutOf, p, textFrames, wordDocument } from '../../word.ts'

/* The small page: text from 50 to 250 pt across; Courier New 10 pt has 6 pt a character. */
const mono = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New" w:cs="Courier New"/>'
const framesOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}): readonly Frame[] =>
  layoutOf(wordDocument(body, parts)).pages[0]!.frames
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${mono}${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`
/** Left and right edges of what is drawn, by kind. */
const spans = (frames: readonly Frame[], kind: 'text' | 'box' | 'link' | 'line') =>
  frames.flatMap((frame) => {
    if (frame.kind !== kind) return []
    const [from, to] = frame.kind === 'line' ? [frame.x1, frame.x2] : [frame.x, frame.x + frame.width]
    return [[Math.round(from * 10) / 10, Math.round(to * 10) / 10]]
  })

describe('what is drawn around text', () => {
  const link = (content: string) => `<w:hyperlink r:id="away">${content}</w:hyperlink>`
  const parts = {
    extraRelationships:
      '<Relationship Id="away" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.com" TargetMode="External"/>',
  }

  test('is as wide as its text, in a line from right to left as in one from left to right', () => {
    const looks: [string, 'box' | 'line'][] = [
      ['<w:shd w:val="clear" w:fill="FFFF00"/>', 'box'],
      ['<w:u w:val="single"/>', 'box'],
      ['<w:u w:val="wave"/>', 'line'],
      ['<w:strike/>', 'box'],
    ]
    for (const [look, kind] of looks) {
      const body = run('aaa') + run('bbbb', look)
      const forwards = framesOf(paragraph(body))
      expect([look, spans(forwards, kind)]).toEqual([look, [[68, 92]]])
      const backwards = framesOf(paragraph(`${run('אא', '<w:rtl/>')}${run('בבב', `<w:rtl/>${look}`)}`, '<w:bidi/>'))
      const texts = spans(backwards, 'text').toSorted((a, b) => b[1]! - a[1]!)
      expect(texts[0]![1]).toBe(250)
      expect([look, spans(backwards, kind)]).toEqual([look, [texts[1]!]])
    }
  })

  test('is a box of lines around bordered runs, from right to left too', () => {
    const bordered = '<w:bdr w:val="single" w:sz="8" w:space="2" w:color="FF0000"/>'
    const forwards = framesOf(paragraph(run('aaa') + run('bbbb', bordered)))
    // 2 pt away, and the middle of the line half a point more.
    expect(spans(forwards, 'line')).toEqual([
      [65.5, 94.5],
      [65.5, 94.5],
      [65.5, 65.5],
      [94.5, 94.5],
    ])
    const backwards = framesOf(paragraph(`${run('אא', '<w:rtl/>')}${run('בבב', `<w:rtl/>${bordered}`)}`, '<w:bidi/>'))
    const [left, right] = spans(backwards, 'text').toSorted((a, b) => a[0]! - b[0]!)[0]!
    const edges = spans(backwards, 'line').flat()
    expect([Math.min(...edges), Math.max(...edges)]).toEqual([left! - 2.5, right! + 2.5])
  })

  test('is one link area over the runs of a link, on each of its lines', () => {
    const forwards = framesOf(paragraph(run('aaa ') + link(run('bb') + run('cc', '<w:b/>')) + run(' d')), parts)
    expect(spans(forwards, 'link')).toEqual([[74, 98]])
    const link1 = forwards.find((frame) => frame.kind === 'link')
    expect(link1?.kind === 'link' && link1.text).toBe('bbcc')
    // As high as its text, on its line.
    const [text] = forwards
    if (link1?.kind !== 'link' || text?.kind !== 'text') throw new Error('no link')
    expect(link1.y).toBeCloseTo(50, 1)
    expect(link1.height).toBeWithin(11.2, 11.6)
    expect(link1.y + link1.height).toBeGreaterThan(text.y + 2)
    const wrapped = framesOf(paragraph(run('a'.repeat(30)) + run(' ') + link(run('bbbb cccc'))), parts)
    expect(spans(wrapped, 'link')).toEqual([[50, 104]])
    const parted = framesOf(paragraph(run('a'.repeat(28)) + run(' ') + link(run('bbb cccc'))), parts)
    expect(spans(parted, 'link').map(([from]) => from)).toEqual([50 + 29 * 6, 50])
    const other = `<w:hyperlink w:anchor="there">${run('cc')}</w:hyperlink>`
    expect(spans(framesOf(paragraph(link(run('bb')) + other), parts), 'link')).toEqual([
      [50, 62],
      [62, 74],
    ])
    const backwards = framesOf(paragraph(link(run('אאא', '<w:rtl/>')), '<w:bidi/>'), parts)
    expect(spans(backwards, 'link')).toEqual(spans(backwards, 'text'))
  })

  test('are underlines of their own thickness, place and colour', () => {
    const drawn = (underline: string) =>
      framesOf(paragraph(run('aa', `<w:u w:val="${underline}" w:color="FF0000"/>`))).flatMap((frame) =>
        frame.kind === 'box' ? [[frame.y, frame.height, frame.color] as const] : [],
      )
    const [text] = textFrames(layoutOf(wordDocument(paragraph(run('aa')))).pages[0]!)
    const { face } = text!.look.font
    const thickness = face.underlineThickness * 10
    // The font says where its top is (post.underlinePosition).
    const y = text!.y - face.underlinePosition * 10
    const [single] = drawn('single')
    expect(single![0]).toBeCloseTo(y, 6)
    expect(single![1]).toBeCloseTo(thickness, 6)
    expect(single![2]).toBe('FF0000')
    const [thick] = drawn('thick')
    expect(thick![1]).toBeCloseTo(thickness * 2, 6)
    expect(thick![0]).toBeCloseTo(y, 6)
    const [upper, lower] = drawn('double')
    expect(lower![0] - upper![0]).toBeCloseTo(2 * thickness, 6)
    expect([upper![1], lower![1]]).toEqual([thickness, thickness])
    expect(drawn('none')).toEqual([])
  })

  test.each([
    ['Calibri', 0.1133, 0.0654],
    ['Aptos', 0.05, 0.02],
  ])('are underlines of the font that is replaced: %s', (family, below, thickness) => {
    const look = `<w:rFonts w:ascii="${family}" w:hAnsi="${family}"/><w:sz w:val="40"/><w:u w:val="single"/>`
    const page = layoutOf(wordDocument(paragraph(`<w:r><w:rPr>${look}</w:rPr><w:t>aa</w:t></w:r>`))).pages[0]!
    const [text] = textFrames(page)
    const line = page.frames.find((frame) => frame.kind === 'box')
    expect(line!.y - text!.y).toBeCloseTo(below * 20, 6)
    expect(line!.height).toBeCloseTo(thickness * 20, 6)
  })

  test('are one strike through the middle of small letters, or two beside it', () => {
    const drawn = (look: string) =>
      framesOf(paragraph(run('aa', look))).flatMap((frame) =>
        frame.kind === 'box' ? [frame.y + frame.height / 2] : [],
      )
    const [text] = textFrames(layoutOf(wordDocument(paragraph(run('aa')))).pages[0]!)
    const { face } = text!.look.font
    const middle = text!.y - face.strikePosition * 10
    expect(drawn('<w:strike/>')[0]).toBeCloseTo(middle, 6)
    const [upper, lower] = drawn('<w:dstrike/>')
    const [raised] = textFrames(layoutOf(wordDocument(paragraph(run('aa', '<w:position w:val="12"/>')))).pages[0]!)
    expect(drawn('<w:strike/><w:position w:val="12"/>')[0]).toBeCloseTo(raised!.y - face.strikePosition * 10, 6)
    expect(upper).toBeCloseTo(middle - face.underlineThickness * 10, 6)
    expect(lower).toBeCloseTo(middle + face.underlineThickness * 10, 6)
  })

  test('is carried over a tab by its run, but not over the tab of a label', () => {
    const tabbed = (look: string) =>
      paragraph(`${run('aa', look)}<w:r><w:rPr>${look}</w:rPr><w:tab/></w:r>${run('b', look)}`)
    expect(spans(framesOf(tabbed('<w:u w:val="single"/>')), 'box')).toEqual([
      [50, 62],
      [62, 86],
      [86, 92],
    ])
    expect(spans(framesOf(tabbed('')), 'box')).toEqual([])
    const numbering =
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/><w:pPr><w:ind w:left="720" w:hanging="720"/></w:pPr><w:rPr><w:shd w:val="clear" w:fill="FF0000"/></w:rPr></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    const item = paragraph(run('text'), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
    const boxes = spans(framesOf(item, { numbering }), 'box')
    expect(boxes).toHaveLength(1)
    expect(boxes[0]![1]).toBeLessThan(60)
  })
})

describe('what is drawn behind text', () => {
  const boxes = (content: string) =>
    framesOf(paragraph(content)).flatMap((frame) =>
      frame.kind === 'box'
        ? [[frame.x, frame.y, frame.width, frame.height].map((value) => Math.round(value * 10) / 10)]
        : [],
    )
  const shade = '<w:shd w:val="clear" w:fill="FFFF00"/>'

  test('is as high as a line of its own text, on the line’s baseline', () => {
    const [small, large] = boxes(run('aa', shade) + run('bb', `${shade}<w:sz w:val="40"/>`))
    // A line of 20 pt is twice as high as one of 10 pt; both have their baseline in common.
    expect(small![2]).toBe(12)
    expect(large![2]).toBe(24)
    expect(large![3]! / small![3]!).toBeCloseTo(2, 1)
    expect(large![1]).toBeCloseTo(50, 1)
    expect(small![1]! + small![3]!).toBeLessThan(large![1]! + large![3]!)
    const text = textFrames(layoutOf(wordDocument(paragraph(run('aa', shade)))).pages[0]!)[0]!
    const [alone] = boxes(run('aa', shade))
    expect([alone![1]! < text.y - 7, alone![1]! + alone![3]! > text.y + 2]).toEqual([true, true])
  })

  test('is behind everything that is drawn of the line', () => {
    const kinds = framesOf(paragraph(run('aa', '<w:u w:val="wave"/>') + run('bb', shade))).map(({ kind }) => kind)
    expect(kinds[0]).toBe('box')
  })

  test('is moved with its line by the alignment, under a tab too', () => {
    const tab = `<w:r><w:rPr>${mono}${shade}</w:rPr><w:tab/></w:r>`
    const centred = framesOf(
      paragraph(
        run('aa', shade) + tab + run('b', shade),
        '<w:jc w:val="center"/><w:tabs><w:tab w:val="left" w:pos="1000"/></w:tabs>',
      ),
    )
    // 12 pt, a stop at 50 pt and 6 pt are 56 pt wide: 72 pt are left on either side.
    expect(spans(centred, 'box')).toEqual([
      [122, 134],
      [134, 172],
      [172, 178],
    ])
    expect(spans(centred, 'text').map(([from]) => from)).toEqual([122, 172])
  })
})

describe('a box around runs', () => {
  const bordered = (color: string, size = '') =>
    `<w:bdr w:val="single" w:sz="8" w:space="0" w:color="${color}"/>${size}`
  const ends = (content: string) =>
    framesOf(paragraph(content)).flatMap((frame) =>
      frame.kind === 'line' ? [[frame.x1, frame.y1, frame.x2, frame.y2]] : [],
    )

  test('is as high as the highest of them', () => {
    const lines = ends(run('aa', bordered('FF0000')) + run('bb', bordered('FF0000', '<w:sz w:val="40"/>')))
    expect(lines).toHaveLength(4)
    const [top, bottom] = [Math.min(...lines.map(([, y]) => y!)), Math.max(...lines.map(([, , , y]) => y!))]
    const alone = ends(run('bb', bordered('FF0000', '<w:sz w:val="40"/>')))
    expect(bottom - top).toBeCloseTo(
      Math.max(...alone.map(([, , , y]) => y!)) - Math.min(...alone.map(([, y]) => y!)),
      2,
    )
  })

  test('ends where another border begins, and where text without one is between two', () => {
    expect(ends(run('aa', bordered('FF0000')) + run('bb', bordered('00FF00')))).toHaveLength(8)
    expect(ends(run('aa', bordered('FF0000')) + run('x') + run('bb', bordered('FF0000')))).toHaveLength(8)
    expect(ends(run('aa', bordered('FF0000')) + run('bb', `${bordered('FF0000')}<w:b/>`))).toHaveLength(4)
  })
})

test('a hyphen of layout’s own is drawn behind the word that it parts, in its look', () => {
  const body = paragraph(run('considerable '.repeat(4), '<w:color w:val="FF0000"/><w:position w:val="6"/>'))
  const settings = '<w:autoHyphenation/><w:hyphenationZone w:val="0"/>'
  const frames = textFrames(layoutOf(wordDocument(body, { settings })).pages[0]!)
  const at = frames.findIndex(({ text }) => text === '-')
  const [word, hyphen] = [frames[at - 1]!, frames[at]!]
  expect(hyphen.x).toBeCloseTo(word.x + word.width, 6)
  expect([hyphen.y, hyphen.look.color, hyphen.node]).toEqual([word.y, 'FF0000', word.node])
  expect(hyphen.width).toBeCloseTo(6, 1)
  const wide = paragraph(run('considerable '.repeat(4), '<w:w w:val="150"/>'))
  const wider = textFrames(layoutOf(wordDocument(wide, { settings })).pages[0]!).find(({ text }) => text === '-')
  expect(wider!.width).toBeCloseTo(9, 1)
})

describe('the leader of a tab', () => {
  const line = (leader: string, properties = '', position = 2_000) =>
    framesOf(
      paragraph(
        `${run('aa')}<w:r><w:rPr>${mono}</w:rPr><w:tab/></w:r>${run('b')}`,
        `${properties}<w:tabs><w:tab w:val="left" w:leader="${leader}" w:pos="${position}"/></w:tabs>`,
      ),
    ).flatMap((frame) => (frame.kind === 'text' && /^([.\-_·])\1+$/.test(frame.text) ? [frame] : []))

  test('has as many dots as fit from where the gap begins, and one stroke more than fits', () => {
    // From 62 to 150 pt are 88 pt: 14 characters of 6 pt and a rest.
    const counts = ['dot', 'hyphen', 'underscore', 'middleDot'].map((leader) =>
      line(leader).map(({ text }) => text.length),
    )
    expect(counts).toEqual([[14], [15], [15], [15]])
    for (const leader of ['dot', 'hyphen']) expect(line(leader)[0]!.x).toBeCloseTo(62, 2)
    expect(line('dot')[0]!.width).toBeCloseTo(14 * 6, 1)
    expect(line('none')).toEqual([])
    // Two and fourteen characters of 6.001 pt end at 96.02 pt.
    expect(line('dot', '', 1_921)[0]!.text).toHaveLength(14)
    expect(line('dot', '', 1_920)[0]!.text).toHaveLength(13)
  })

  test('is in the scale of the run that has the tab', () => {
    const wide = framesOf(
      paragraph(
        `${run('aa')}<w:r><w:rPr>${mono}<w:w w:val="200"/></w:rPr><w:tab/></w:r>${run('b')}`,
        '<w:tabs><w:tab w:val="left" w:leader="dot" w:pos="2000"/></w:tabs>',
      ),
    ).find((frame) => frame.kind === 'text' && frame.text.startsWith('.'))
    // In 88 pt are seven dots of 12 pt.
    expect(wide).toMatchObject({ text: '.......' })
    expect(wide?.kind === 'text' && wide.width).toBeCloseTo(84, 1)
  })
})

describe('a vertical bar of the tab stops', () => {
  const bar = '<w:tabs><w:tab w:val="bar" w:pos="1000"/></w:tabs>'

  test('is on each line at its place, measured from the right in a paragraph from right to left', () => {
    const [first, second] = framesOf(paragraph(`${run('a')}<w:r><w:br/></w:r>${run('b')}`, bar)).filter(
      ({ kind }) => kind === 'line',
    )
    const line = { kind: 'line', x1: 100, y1: 50, x2: 100, width: 0.5, color: '000000', dash: 'solid' }
    expect(first).toMatchObject(line)
    expect(second?.kind === 'line' && first?.kind === 'line' && second.y1 - first.y2).toBeCloseTo(0, 2)
    expect(spans(framesOf(paragraph(run('אב', '<w:rtl/>'), `<w:bidi/>${bar}`)), 'line')).toEqual([[200, 200]])
  })
})

test('text reaches into the margins where its indents are negative', () => {
  const words = Array.from({ length: 12 }, () => 'aaaa').join(' ')
  const edges = (properties: string) =>
    spans(framesOf(paragraph(run(words), properties)), 'text')
      .slice(0, 2)
      .map(([from, to]) => [from, to! - (to! % 1)])
  // 33 characters of 6 pt fit 200 pt; six words and their blanks are 29 of them, seven are 34.
  expect(edges('')).toEqual([
    [50, 224],
    [50, 224],
  ])
  expect(edges('<w:ind w:left="-200"/>')).toEqual([
    [40, 244],
    [40, 244 - 60],
  ])
  expect(edges('<w:ind w:right="-200"/>')[0]).toEqual([50, 254])
  expect(edges('<w:ind w:left="200" w:firstLine="-400"/>')).toEqual([
    [40, 244],
    [60, 204],
  ])
})

test('spacing of less than a line is rounded down for the first line, and up for those below it', () => {
  // 83 % of 230 twips are 190.9; four fifths of either are 152 twips.
  const tight = `<w:p><w:pPr><w:spacing w:line="199" w:lineRule="auto"/></w:pPr><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>`
  const baselines = textFrames(layoutOf(wordDocument(tight)).pages[0]!).map(({ y }) => Math.round(y * 20) - 1_000)
  expect(baselines).toEqual([152, 190 + 152, 190 + 191 + 152])
})

test('line spacing beyond single below the last line of a page may run over its foot', () => {
  const double = '<w:spacing w:line="480" w:lineRule="auto"/>'
  const lines = (count: number) => Array.from({ length: count }, (_, index) => p(`l${index}`, double)).join('')
  const counts = (count: number) => layoutOf(wordDocument(lines(count))).pages.map((page) => dump(page).length)
  // 13 lines of 23 pt are 299 pt; with 12 pt of text above it the thirteenth would begin at 276 pt.
  expect(counts(13)).toEqual([13])
  expect(counts(14)).toEqual([13, 1])
  const lowered = (points: number) =>
    `<w:p><w:pPr><w:spacing w:line="${points * 20}" w:lineRule="exact"/></w:pPr></w:p>`
  const below = (points: number) => layoutOf(wordDocument(lowered(points) + lines(13))).pages.length
  // The last line needs only its own 11.5 pt: 12 times 23 and that leave 12.5 of 300.
  expect(below(12)).toBe(1)
  expect(below(13)).toBe(2)
})

test('a line of nothing but blanks or a tab may have letter spacing, which moves nothing', () => {
  const spaced = '<w:spacing w:val="60"/>'
  const below = `<w:r><w:br/></w:r>${run('x')}`
  const xOf = (content: string) => {
    const texts = framesOf(paragraph(content + below, '<w:jc w:val="right"/>')).filter(({ kind }) => kind === 'text')
    return texts
      .map((frame) => (frame.kind === 'text' && frame.text.trim() === 'x' ? Math.round(frame.x) : undefined))
      .at(-1)
  }
  for (const content of [run('   ', spaced), `<w:r><w:rPr>${spaced}</w:rPr><w:tab/></w:r>`])
    expect(xOf(content)).toBe(244)
})
