import { describe, expect, test } from 'bun:test'
import { glyphsOf } from '../../../../../src/engines/pdf/frame/frame.ts'
import { dump, dumpShapes, layoutOf, p, textFrames, wordDocument } from '../../word.ts'

/*
 * Goldens of small pages, checkable by hand: the text area is 50..250 pt across and starts 50 pt down; Arial 10 pt has
 * a line pitch of 11.499 pt and its first baseline 9.380 pt below the line's top.
 */
const long = 'The quick brown fox jumps over the lazy dog and then returns home by another way entirely.'

describe('paragraphs', () => {
  test('break at the first fit, and align left, right and centred', () => {
    const [page] = layoutOf(
      wordDocument(p(long) + p('Right', '<w:jc w:val="right"/>') + p('Centre', '<w:jc w:val="center"/>')),
    ).pages
    expect(dump(page!)).toEqual([
      '50.0,59.4 The quick brown fox jumps over the lazy dog',
      '50.0,70.9 and then returns home by another way',
      '50.0,82.4 entirely.',
      '226.7,93.9 Right',
      '135.0,105.4 Centre',
    ])
  })

  test('justify every line but the last, from indent to margin', () => {
    const [page] = layoutOf(wordDocument(p(long, '<w:jc w:val="both"/><w:ind w:left="400" w:hanging="200"/>'))).pages
    const frames = textFrames(page!)
    expect(frames.map((frame) => frame.x.toFixed(1))).toEqual(['60.0', '70.0', '70.0'])
    expect(frames[0]!.x + frames[0]!.width).toBeCloseTo(250, 1)
    expect(frames[1]!.x + frames[1]!.width).toBeCloseTo(250, 1)
    expect(frames[2]!.x + frames[2]!.width).toBeLessThan(200)
  })

  test('a justified line squeezes its blanks by up to a quarter to fit one more word, only in Word 2013’s mode', () => {
    const squeezed = (room: number, settings?: string) => {
      const body = p(long, `<w:jc w:val="both"/><w:ind w:right="${Math.round((200 - room) * 20)}"/>`)
      return textFrames(layoutOf(wordDocument(body, settings === undefined ? {} : { settings })).pages[0]!)
    }
    const [natural] = textFrames(layoutOf(wordDocument(p('The quick brown fox jumps over the lazy dog'))).pages[0]!)
    const [first] = squeezed(natural!.width - 5)
    expect(first!.text).toStartWith('The quick brown fox jumps over the lazy dog')
    expect(first!.width).toBeCloseTo(natural!.width - 5, 1)
    expect(squeezed(natural!.width - 6)[0]!.text.trim()).toBe('The quick brown fox jumps over the lazy')
    expect(squeezed(natural!.width - 5, '<w:compat/>')[0]!.text.trim()).toBe('The quick brown fox jumps over the lazy')
  })

  test('a justified line squeezes its blanks behind the tab of a label too, and not behind another tab', () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/><w:pPr><w:ind w:left="200" w:hanging="200"/></w:pPr></w:lvl></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    const words = 'The quick brown fox jumps over the lazy'
    const [natural] = textFrames(layoutOf(wordDocument(p(words))).pages[0]!)
    const indent = (left: number) =>
      `<w:ind w:right="${Math.round((200 - left - natural!.width + 3) * 20)}"/><w:jc w:val="both"/>`
    const label = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>${indent(10)}`
    const item = p(`${words} dog sleeps`, label)
    // Word's line "Determinar la ... cada función;" has blanks of 2.20 pt instead of 2.43 behind its bullet.
    expect(dump(layoutOf(wordDocument(item, { numbering })).pages[0]!)[1]).toEndWith(words)
    const tabbed = `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="200"/></w:tabs>${indent(10)}</w:pPr><w:r><w:tab/><w:t>${words} dog sleeps</w:t></w:r></w:p>`
    expect(dump(layoutOf(wordDocument(tabbed)).pages[0]!)[0]).toEndWith('The quick brown fox jumps over the')
  })

  test('a line-spacing factor adds space below the line, and an exact height puts the baseline at four fifths', () => {
    const body =
      p('one', '<w:spacing w:line="480" w:lineRule="auto"/>') +
      p('two', '<w:spacing w:line="400" w:lineRule="exact"/>') +
      p('three')
    expect(dump(layoutOf(wordDocument(body)).pages[0]!)).toEqual(['50.0,59.4 one', '50.0,89.0 two', '50.0,102.4 three'])
  })

  test('the larger space between two paragraphs wins, unless the document asks for the sum', () => {
    const body = p('a', '<w:spacing w:after="200"/>') + p('b', '<w:spacing w:before="400"/>')
    expect(dump(layoutOf(wordDocument(body)).pages[0]!)[1]).toBe('50.0,90.9 b')
    const settings = '<w:compat><w:doNotUseHTMLParagraphAutoSpacing/></w:compat>'
    expect(dump(layoutOf(wordDocument(body, { settings })).pages[0]!)[1]).toBe('50.0,100.9 b')
  })

  test('automatic space is 14 points, and 5 where the document asks for fixed spacing, whatever is stated beside it', () => {
    const body = p('a', '<w:spacing w:after="240" w:afterAutospacing="1"/>') + p('b')
    expect(dump(layoutOf(wordDocument(body)).pages[0]!)[1]).toBe('50.0,84.9 b')
    const settings = '<w:compat><w:doNotUseHTMLParagraphAutoSpacing/></w:compat>'
    expect(dump(layoutOf(wordDocument(body, { settings })).pages[0]!)[1]).toBe('50.0,75.9 b')
  })

  test('contextual spacing drops the space between paragraphs of the same style, and only there', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="L"><w:name w:val="L"/><w:pPr><w:spacing w:after="200"/><w:contextualSpacing/></w:pPr></w:style>'
    const body = p('a', '<w:pStyle w:val="L"/>') + p('b', '<w:pStyle w:val="L"/><w:spacing w:before="300"/>') + p('c')
    expect(dump(layoutOf(wordDocument(body, { styles })).pages[0]!)).toEqual([
      '50.0,59.4 a',
      '50.0,70.9 b',
      '50.0,92.4 c',
    ])
  })

  test('a paragraph without the numbering of its style has none of its indents either', () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    const style = (id: string, indent = '') =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>${indent}</w:pPr></w:style>`
    const styles = style('L') + style('Own', '<w:ind w:left="400"/>')
    const bare = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="0"/></w:numPr>'
    const left = (properties: string) =>
      dump(layoutOf(wordDocument(p('a', properties), { styles, numbering })).pages[0]!)[0]?.split(',')[0]
    // In eight of Word's PDFs such paragraphs with a left indent of 36 pt begin there, not at 18.
    expect(left(`<w:pStyle w:val="L"/>${bare}<w:ind w:left="720"/>`)).toBe('86.0')
    expect(left(`<w:pStyle w:val="L"/>${bare}`)).toBe('50.0')
    expect(left(`<w:pStyle w:val="Own"/>${bare}`)).toBe('70.0')
  })

  test('a style without an identifier is found by its name, unless another style has that identifier', () => {
    const styles =
      '<w:style><w:name w:val="Small"/><w:rPr><w:sz w:val="10"/></w:rPr></w:style><w:style><w:name w:val="Normal"/><w:rPr><w:sz w:val="80"/></w:rPr></w:style>'
    const [small, normal] = textFrames(
      layoutOf(wordDocument(p('a', '<w:pStyle w:val="Small"/>') + p('b'), { styles })).pages[0]!,
    )
    expect([small!.look.size, normal!.look.size]).toEqual([5, 10])
  })

  test('styles inherit through basedOn, toggles of both style kinds cancel out, and direct formatting wins', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:pPr><w:ind w:left="200"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/><w:name w:val="B"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>' +
      '<w:style w:type="character" w:styleId="S"><w:name w:val="S"/><w:rPr><w:b/></w:rPr></w:style>'
    const body =
      p('plain', '<w:pStyle w:val="B"/>') +
      p('cancelled', '<w:pStyle w:val="B"/>', '<w:rStyle w:val="S"/>') +
      p('direct', '<w:pStyle w:val="B"/>', '<w:b w:val="0"/>')
    const frames = textFrames(layoutOf(wordDocument(body, { styles })).pages[0]!)
    expect(frames.map((frame) => [frame.x, frame.look.size, frame.look.font.id])).toEqual([
      [60, 20, 'Arimo bold'],
      [60, 20, 'Arimo'],
      [60, 20, 'Arimo'],
    ])
  })

  test('tabs align right with leaders, at the decimal point, and centred', () => {
    const right = p('x', '<w:tabs><w:tab w:val="right" w:leader="dot" w:pos="3600"/></w:tabs>').replace(
      'x</w:t>',
      'Intro</w:t><w:tab/><w:t>12</w:t>',
    )
    const decimal = p(
      'x',
      '<w:tabs><w:tab w:val="decimal" w:pos="2000"/><w:tab w:val="center" w:pos="3200"/></w:tabs>',
    ).replace('x</w:t>', 'A</w:t><w:tab/><w:t>1,234.50</w:t><w:tab/><w:t>mid</w:t>')
    const frames = textFrames(layoutOf(wordDocument(right + decimal)).pages[0]!)
    const twelve = frames.find((frame) => frame.text.startsWith('12'))!
    expect(twelve.x + twelve.width).toBeCloseTo(230, 1)
    expect(frames.some((frame) => /^\.{20,}$/.test(frame.text))).toBe(true)
    const amount = frames.find((frame) => frame.text.startsWith('1,234'))!
    const cents = glyphsOf(amount)
      .slice(-3)
      .reduce((sum, glyph) => sum + amount.look.font.face.advance(glyph) * 10, 0)
    expect(amount.x + amount.width - cents).toBeCloseTo(150, 1)
    const middle = frames.find((frame) => frame.text === 'mid')!
    expect(middle.x + middle.width / 2).toBeCloseTo(210, 1)
  })

  test('capitals, small capitals, superscripts and hidden text are drawn as such', () => {
    const body =
      p('caps', '', '<w:caps/>') +
      p('Small', '', '<w:smallCaps/>') +
      p('up', '', '<w:vertAlign w:val="superscript"/>') +
      p('gone', '', '<w:vanish/>')
    const frames = textFrames(layoutOf(wordDocument(body)).pages[0]!)
    expect(frames.map((frame) => [frame.text, frame.look.size])).toEqual([
      ['CAPS', 10],
      ['S', 10],
      ['MALL', 8],
      ['up', 5.8],
    ])
    expect(frames.at(-1)!.y).toBeCloseTo(82.4 - 3.95, 1)
  })

  test('shading and rules reach 1.44 pt beyond the text on a side without a border, but not in cells', () => {
    const look = (sides: string) => `<w:pBdr>${sides}</w:pBdr><w:shd w:val="clear" w:fill="FFFF00"/>`
    const rule = '<w:bottom w:val="single" w:sz="8" w:space="1"/>'
    const edges = (body: string) =>
      layoutOf(wordDocument(body)).pages[0]!.frames.flatMap((frame) =>
        frame.kind === 'box' ? [frame.x, frame.x + frame.width] : frame.kind === 'line' ? [frame.x1, frame.x2] : [],
      )
    expect(edges(p('a', look(rule))).map((x) => x.toFixed(2))).toEqual(['48.56', '251.44', '48.56', '251.44'])
    const left = '<w:left w:val="single" w:sz="8" w:space="4"/>'
    expect(edges(p('a', look(left + rule))).slice(0, 4)).toEqual([45.5, 251.44, 45.5, 251.44])
    const cell = `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${p('a', look(rule))}</w:tc></w:tr></w:tbl>`
    const [from = 0, to = 0] = edges(cell)
    expect(to - from).toBeCloseTo(100 - 2 * 5.4, 6)
  })

  test('shading and borders surround the paragraph, and neighbours with equal borders share one box', () => {
    const border =
      '<w:pBdr><w:top w:val="single" w:sz="8" w:space="1"/><w:bottom w:val="single" w:sz="8" w:space="1"/></w:pBdr>'
    const shapes = dumpShapes(
      layoutOf(wordDocument(p('a', `${border}<w:shd w:val="clear" w:fill="FFFF00"/>`) + p('b', border))).pages[0]!,
    )
    expect(shapes).toEqual(['box 48.6,50.0 202.9×13.5', 'line 48.6,50.5 251.4,50.5', 'line 48.6,76.5 251.4,76.5'])
  })

  test('a border of several lines is as far from its text as a single one, and takes room for all of them', () => {
    const bordered = (style: string) =>
      p(
        'a',
        `<w:pBdr><w:top w:val="${style}" w:sz="8" w:space="1"/><w:left w:val="${style}" w:sz="8" w:space="4"/></w:pBdr>`,
      )
    const [single, double] = ['single', 'double'].map((style) => layoutOf(wordDocument(bordered(style))).pages[0]!)
    const textTop = (page: typeof single) => textFrames(page!)[0]!.y
    expect(textTop(double) - textTop(single)).toBeCloseTo(2)
    const lines = dumpShapes(double!)
    // Three times as wide as the one line, the nearest of them as far from the text as that.
    expect(lines.slice(0, 2)).toEqual(['line 44.5,50.5 251.4,50.5', 'line 44.5,52.5 251.4,52.5'])
    expect(lines.slice(2).map((line) => line.split(',')[0])).toEqual(['line 43.5', 'line 45.5'])
    expect(dumpShapes(single!)[1]).toStartWith('line 45.5,')
  })
})

describe('hidden paragraphs', () => {
  const mark = '<w:rPr><w:vanish/></w:rPr>'
  const hidden = p('Gone', `<w:spacing w:before="400" w:after="400"/>${mark}`, '<w:vanish/>')
  const shown = (body: string) => dump(layoutOf(wordDocument(body)).pages[0]!)

  test('take no room, and their spacing takes none either', () => {
    expect(shown(p('One') + hidden + p('Two'))).toEqual(shown(p('One') + p('Two')))
  })

  test('keep their place if their mark or part of their text is visible', () => {
    const second = (body: string) => shown(p('One') + body + p('Two')).at(-1)
    expect(second(p('Gone', '', '<w:vanish/>'))).toBe('50.0,82.4 Two')
    expect(second(p('Here', mark))).toBe('50.0,82.4 Two')
  })

  test('still end a cell if nothing else can', () => {
    const cell = (content: string) =>
      `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${content}</w:tc></w:tr></w:tbl>`
    expect(shown(cell(p('', mark)) + p('Two')).at(-1)).toBe(shown(cell(p('')) + p('Two')).at(-1))
  })
})

test('no-break and ideographic spaces at the ends of a text count as text, and blanks do not', () => {
  const text = (content: string) =>
    textFrames(layoutOf(wordDocument(`<w:p><w:r><w:t>${content}</w:t></w:r></w:p>`)).pages[0]!)[0]!
  expect(text('  a  ').text).toBe('a')
  expect(text('\u00a0a').text).toBe('\u00a0a')
  expect(text('\u00a0a').width - text('a').width).toBeGreaterThan(2)
})

test('letter spacing after the last character of a line needs no room', () => {
  // 22 characters of 6 points and 3 between them: 195, and 198 with the spacing behind the last.
  const run = '<w:rFonts w:ascii="Courier New" w:hAnsi="Courier New"/><w:spacing w:val="60"/>'
  const lines = (right: number) => {
    const text = p(`${'a'.repeat(10)} ${'b'.repeat(11)} ccc`, `<w:ind w:right="${right}"/>`, run)
    const frames = textFrames(layoutOf(wordDocument(text)).pages[0]!)
    return frames.filter((frame) => frame.y === frames[0]!.y).map((frame) => frame.text.trim())
  }
  expect(lines(80)).toEqual([`${'a'.repeat(10)} ${'b'.repeat(11)}`])
  expect(lines(120)).toEqual(['a'.repeat(10)])
})
