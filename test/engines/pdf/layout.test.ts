import { describe, expect, test } from 'bun:test'
import { glyphsOf } from '../../../src/engines/pdf/frame/frame.ts'
import { plainPng } from './documents.ts'
import { dump, dumpShapes, layoutOf, p, picture, renderingOf, smallSection, textFrames, wordDocument } from './word.ts'

/*
 * Goldens of small pages, checkable by hand: the text area is 50..250 pt across and starts 50 pt down; Arial 10 pt has
 * a line pitch of 11.499 pt and its first baseline 9.380 pt below the line's top.
 */
const long = 'The quick brown fox jumps over the lazy dog and then returns home by another way entirely.'

describe('the look of text', () => {
  test('an underline colour alone draws no underline', () => {
    const looks = (run: string) => layoutOf(wordDocument(p('word', '', run))).pages[0]!.frames.map(({ kind }) => kind)
    expect(looks('<w:u w:color="FF0000"/>')).toEqual(['text'])
    expect(looks('<w:u w:val="single" w:color="FF0000"/>')).toHaveLength(2)
  })

  test('the tints and shades of a theme keep hue and saturation', () => {
    const theme =
      '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:themeElements><a:clrScheme name="x"><a:accent1><a:srgbClr val="204080"/></a:accent1><a:accent2><a:srgbClr val="80C0FF"/></a:accent2></a:clrScheme></a:themeElements></a:theme>'
    const word = (color: string) => p('word', '', `<w:color w:val="000000" ${color}/>`)
    const body = word('w:themeColor="accent1" w:themeTint="99"') + word('w:themeColor="accent2" w:themeShade="80"')
    const [page] = layoutOf(
      wordDocument(body, {
        others: { 'theme/theme1.xml': theme },
        extraRelationships:
          '<Relationship Id="theme" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme" Target="theme/theme1.xml"/>',
      }),
    ).pages
    // Mixed with white and black channel by channel they would be 798CB3 and 406080.
    expect(textFrames(page!).map(({ look }) => look.color)).toEqual(['5781D5', '0061C0'])
  })
})

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

  test('shading and borders surround the paragraph, and neighbours with equal borders share one box', () => {
    const border =
      '<w:pBdr><w:top w:val="single" w:sz="8" w:space="1"/><w:bottom w:val="single" w:sz="8" w:space="1"/></w:pBdr>'
    const shapes = dumpShapes(
      layoutOf(wordDocument(p('a', `${border}<w:shd w:val="clear" w:fill="FFFF00"/>`) + p('b', border))).pages[0]!,
    )
    expect(shapes).toEqual(['box 50.0,50.0 200.0×13.5', 'line 50.0,50.5 250.0,50.5', 'line 50.0,76.5 250.0,76.5'])
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
    expect(lines.slice(0, 2)).toEqual(['line 44.5,50.5 250.0,50.5', 'line 44.5,52.5 250.0,52.5'])
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

describe('lists', () => {
  const level = (index: number, format: string, text: string) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="${400 * (index + 1)}" w:hanging="400"/></w:pPr></w:lvl>`
  const numbering =
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="1">${level(0, 'upperRoman', '%1')}</w:abstractNum>` +
    '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>' +
    '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>'
  const item = (text: string, id: number, at = 0) =>
    p(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr>`)

  test('count by level, restart below a higher level, and start over if an instance says so', () => {
    const body =
      item('x', 1) +
      item('x', 1, 1) +
      item('x', 1, 1) +
      item('x', 1) +
      item('x', 1, 1) +
      item('x', 2) +
      item('x', 2) +
      item('x', 3)
    const labels = textFrames(layoutOf(wordDocument(body, { numbering })).pages[0]!).filter(
      (frame) => frame.text !== 'x',
    )
    expect(labels.map((frame) => frame.text)).toEqual(['1.', '1.a', '1.b', '2.', '2.a', '1.', '2.', 'I'])
  })

  test('put the label at the first-line indent and the text at the left indent', () => {
    expect(dump(layoutOf(wordDocument(item('text', 1), { numbering })).pages[0]!)).toEqual([
      '50.0,59.4 1.',
      '70.0,59.4 text',
    ])
  })
})

describe('pages', () => {
  const lines = (count: number, properties = '') =>
    Array.from({ length: count }, (_, index) => p(`Line ${index + 1}`, properties)).join('')
  const texts = (body: string) =>
    layoutOf(wordDocument(body)).pages.map((page) => dump(page).map((line) => line.split(' ').slice(1).join(' ')))

  test('hold 26 lines of 11.5 pt in 300 pt', () => {
    const pages = texts(lines(30))
    expect(pages.map((page) => page.length)).toEqual([26, 4])
    expect(pages[1]![0]).toBe('Line 27')
  })

  test('break before a paragraph and after a break in a run, and never twice', () => {
    const run = '<w:p><w:r><w:t>before</w:t><w:br w:type="page"/><w:t>behind</w:t></w:r></w:p>'
    expect(texts(p('a') + p('b', '<w:pageBreakBefore/>') + run)).toEqual([['a'], ['b', 'before'], ['behind']])
    expect(texts(p('first', '<w:pageBreakBefore/>'))).toEqual([['first']])
  })

  test('never leave the last line of a paragraph alone at the head of a page', () => {
    const twice = `${long} ${long}`
    const rows = texts(p(twice))[0]!.length
    const fitting = lines(26 - rows + 1)
    expect(texts(fitting + p(twice)).map((page) => page.length)).toEqual([25, 2])
    expect(texts(fitting + p(twice, '<w:widowControl w:val="0"/>')).map((page) => page.length)).toEqual([26, 1])
  })

  test('never leave the first line of a paragraph alone at the foot of a page', () => {
    const pages = texts(lines(25) + p(long))
    expect(pages[0]).toHaveLength(25)
    expect(pages[1]).toHaveLength(3)
    const loose = texts(lines(25) + p(long, '<w:widowControl w:val="0"/>'))
    expect(loose.map((page) => page.length)).toEqual([26, 2])
  })

  test('keep a heading with the paragraph that follows it', () => {
    const pages = texts(lines(25) + p('Heading', '<w:keepNext/>') + p('body'))
    expect(pages).toEqual([expect.any(Array), ['Heading', 'body']])
    expect(pages[0]).toHaveLength(25)
  })

  test('a chain of keep-next paragraphs longer than a page is set without keeping it together', () => {
    expect(texts(lines(60, '<w:keepNext/>')).length).toBe(3)
  })

  test('every section with a title page shows its own first header there, and no other section does', () => {
    const section = (first: string) =>
      `<w:headerReference w:type="default" r:id="rest"/><w:headerReference w:type="first" r:id="${first}"/>${smallSection}`
    const ended = (properties: string) => `<w:p><w:pPr><w:sectPr>${properties}</w:sectPr></w:pPr></w:p>`
    const body = `${lines(30)}${ended(`${section('one')}<w:titlePg/>`)}${lines(30)}${ended(section('two'))}${lines(30)}`
    const layout = layoutOf(
      wordDocument(body, {
        headers: { rest: p('rest'), one: p('one'), two: p('two'), three: p('three') },
        section: `${section('three')}<w:titlePg/>`,
      }),
    )
    const headers = layout.pages.map((page) => dump(page)[0]!.split(' ')[1])
    expect(headers).toEqual(['one', 'rest', 'rest', 'rest', 'three', 'rest'])
  })

  test('headers, footers and page fields depend on the page: first, even and default', () => {
    const field = (code: string) => `<w:fldSimple w:instr=" ${code} "><w:r><w:t>?</w:t></w:r></w:fldSimple>`
    const story = (name: string) =>
      `<w:p><w:r><w:t xml:space="preserve">${name} </w:t></w:r>${field('PAGE')}<w:r><w:t>/</w:t></w:r>${field('NUMPAGES')}</w:p>`
    const layout = layoutOf(
      wordDocument(lines(60), {
        section:
          '<w:headerReference w:type="default" r:id="header1"/><w:headerReference w:type="first" r:id="header2"/><w:headerReference w:type="even" r:id="header3"/>' +
          `${smallSection}<w:titlePg/>`,
        headers: { header1: story('default'), header2: story('first'), header3: story('even') },
        settings: '<w:evenAndOddHeaders/>',
      }),
    )
    const heads = layout.pages.map((page) =>
      textFrames(page)
        .filter((frame) => frame.node === -1)
        .map((frame) => frame.text)
        .join(''),
    )
    expect(heads).toEqual(['first 1/3', 'even 2/3', 'default 3/3'])
  })

  test('a page count in the body is the real count, not the stored one', () => {
    const count =
      '<w:p><w:r><w:t xml:space="preserve">of </w:t></w:r><w:fldSimple w:instr="NUMPAGES"><w:r><w:t>99</w:t></w:r></w:fldSimple></w:p>'
    expect(texts(count + lines(40))[0]![0]).toBe('of 2')
  })

  test('sections change paper and columns, and continuous sections stay on the page', () => {
    const wide =
      '<w:p><w:pPr><w:sectPr><w:pgSz w:w="8000" w:h="6000"/><w:pgMar w:top="1000" w:right="1000" w:bottom="1000" w:left="1000" w:header="0" w:footer="0" w:gutter="0"/></w:sectPr></w:pPr></w:p>'
    const body = p('wide') + wide + p('narrow')
    const layout = layoutOf(wordDocument(body))
    expect(layout.pages.map((page) => [page.width, page.height])).toEqual([
      [400, 300],
      [300, 400],
    ])
    const columns = layoutOf(
      wordDocument(
        `${p('top')}<w:p><w:pPr><w:sectPr>${smallSection}</w:sectPr></w:pPr></w:p>${p('left')}<w:p><w:r><w:br w:type="column"/><w:t>right</w:t></w:r></w:p>`,
        {
          section: `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`,
        },
      ),
    )
    expect(columns.pages).toHaveLength(1)
    const frames = textFrames(columns.pages[0]!)
    expect(frames.map((frame) => [frame.text, frame.x])).toEqual([
      ['top', 50],
      ['left', 50],
      ['right', 160],
    ])
    expect(frames[2]!.y).toBeCloseTo(frames[1]!.y, 3)
  })

  test('footnotes are at the bottom of the page that refers to them', () => {
    const body = `<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r></w:p>${lines(30)}`
    const footnotes =
      '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> A note.</w:t></w:r></w:p></w:footnote>'
    const [first, second] = layoutOf(wordDocument(body, { footnotes })).pages
    expect(dump(first!).at(-1)).toBe('50.0,347.9 1 A note.')
    expect(dump(second!).join()).not.toContain('note')
    expect(
      textFrames(first!)
        .filter((frame) => frame.text.startsWith('Line'))
        .at(-1)!.y,
    ).toBeLessThan(330)
  })
})

describe('notes', () => {
  test('the rule above footnotes takes the room of its own paragraph, and is 5 pt above the first note', () => {
    const footnotes = (spacing: string) =>
      `<w:footnote w:type="separator" w:id="-1">${p('', spacing)}</w:footnote>` +
      '<w:footnote w:id="2"><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote>'
    const body = `<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>${Array.from({ length: 30 }, (_, index) => p(`Line ${index}`)).join('')}`
    const pageWith = (spacing: string) => layoutOf(wordDocument(body, { footnotes: footnotes(spacing) })).pages[0]!
    // 300 pt less a note and a separator of one line each, and then less three of these.
    expect(dump(pageWith('')).filter((line) => line.includes('Line'))).toHaveLength(23)
    const wide = pageWith('<w:spacing w:before="460"/>')
    expect(dump(wide).filter((line) => line.includes('Line'))).toHaveLength(21)
    expect(dumpShapes(wide)).toEqual(['line 50.0,333.5 194.0,333.5'])
  })

  test('a line whose footnote no longer fits moves to the next page with it', () => {
    const lines = Array.from({ length: 25 }, (_, index) => p(`Line ${index + 1}`)).join('')
    const referring = '<w:p><w:r><w:t>Last</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    const footnotes = '<w:footnote w:id="2"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote>'
    const { pages } = layoutOf(wordDocument(lines + referring, { footnotes }))
    expect(pages.map((page) => textFrames(page).length)).toEqual([25, 3])
    expect(dump(pages[1]!)).toEqual(['50.0,59.4 Last', '68.9,59.4 1', '50.0,347.9 The note.'])
  })

  const long = (count: number) =>
    `<w:footnote w:id="2">${Array.from({ length: count }, (_, index) => p(`Note ${index + 1}`)).join('')}</w:footnote>`
  const referring = '<w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
  const notesOf = (docx: Uint8Array) =>
    layoutOf(docx).pages.map((page) => dump(page).filter((line) => line.includes('Note')))

  test('a footnote too long for the rest of its page continues at the bottom of the next pages, even if no text is left', () => {
    const lines = Array.from({ length: 20 }, (_, index) => p(`Line ${index + 1}`)).join('')
    // 300 pt less 21 lines and the rule's 10 pt are room for four lines of 11.5 pt.
    const pages = notesOf(wordDocument(lines + referring, { footnotes: long(6) }))
    expect(pages.map((page) => page.length)).toEqual([4, 2])
    expect(pages[0]![0]).toBe('50.0,313.4 Note 1')
    expect(pages[1]).toEqual(['50.0,336.4 Note 5', '50.0,347.9 Note 6'])
    // One page takes 25 of them beside the rule.
    expect(notesOf(wordDocument(referring, { footnotes: long(60) })).map((page) => page.length)).toEqual([24, 25, 11])
  })

  test('a footnote starts on the page of its reference, and the next one waits until it ends', () => {
    const lines = Array.from({ length: 19 }, (_, index) => p(`Line ${index + 1}`)).join('')
    const second = referring.replace('w:id="2"', 'w:id="3"')
    const footnotes = `${long(6)}<w:footnote w:id="3">${p('Note X')}</w:footnote>`
    const pages = notesOf(wordDocument(lines + referring + second, { footnotes }))
    expect(pages.map((page) => page.map((line) => line.slice(-1)).join(''))).toEqual(['12345', '6X'])
  })
})

describe('tables', () => {
  const cell = (text: string, cellProps = '', properties = '') =>
    `<w:tc><w:tcPr>${cellProps}</w:tcPr>${p(text, properties)}</w:tc>`
  const borders = `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map((name) => `<w:${name} w:val="single" w:sz="8" w:color="000000"/>`).join('')}</w:tblBorders>`
  const table = (rows: string, props = '', grid = [1000, 1000, 2000]) =>
    `<w:tbl><w:tblPr><w:tblW w:w="${grid.reduce((a, b) => a + b)}" w:type="dxa"/><w:tblLayout w:type="fixed"/>${props}</w:tblPr><w:tblGrid>${grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')}</w:tblGrid>${rows}</w:tbl>`
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`

  test('place cells by grid, span and vertical merge, and draw each shared edge once', () => {
    const rows =
      row(cell('A'), cell('B'), cell('C')) +
      row(cell('span', '<w:gridSpan w:val="2"/>'), cell('m', '<w:vMerge w:val="restart"/><w:vAlign w:val="center"/>')) +
      row(cell('D'), cell('E'), cell('', '<w:vMerge/>'))
    const [page] = layoutOf(wordDocument(table(rows, borders) + p('after'))).pages
    expect(dump(page!)).toEqual([
      '55.9,60.4 A',
      '105.9,60.4 B',
      '155.9,60.4 C',
      '55.9,72.9 span',
      '155.9,79.2 m',
      '55.9,85.4 D',
      '105.9,85.4 E',
      '50.0,97.9 after',
    ])
    const shapes = dumpShapes(page!)
    expect(shapes.filter((shape) => shape === 'line 100.5,50.0 100.5,62.5')).toHaveLength(1)
    expect(shapes).not.toContain('line 100.5,62.5 100.5,75.0')
    expect(shapes).toContain('line 50.0,75.5 151.0,75.5')
  })

  test('the heavier of two borders on an edge wins, and no border loses to any', () => {
    const heavy = '<w:tcBorders><w:right w:val="single" w:sz="24" w:color="FF0000"/></w:tcBorders>'
    const edge = (other: string) => {
      const [page] = layoutOf(wordDocument(table(row(cell('A', heavy), cell('B', other), cell('C')), borders))).pages
      const lines = page!.frames.filter((frame) => frame.kind === 'line')
      return lines.filter((line) => line.x1 === line.x2 && line.x1 === 100.5).map((line) => [line.width, line.color])
    }
    expect(edge('<w:tcBorders><w:left w:val="nil"/></w:tcBorders>')).toEqual([[3, 'FF0000']])
    expect(edge('<w:tcBorders><w:left w:val="single" w:sz="8" w:color="00FF00"/></w:tcBorders>')).toEqual([
      [3, 'FF0000'],
    ])
    expect(edge('<w:tcBorders><w:left w:val="single" w:sz="48" w:color="00FF00"/></w:tcBorders>')).toEqual([
      [6, '00FF00'],
    ])
  })

  test('a double border has two strokes, and the text starts below both', () => {
    const double = '<w:tblBorders><w:top w:val="double" w:sz="8" w:color="000000"/></w:tblBorders>'
    const [page] = layoutOf(wordDocument(table(row(cell('A')), double, [4000]))).pages
    expect(dumpShapes(page!)).toEqual(['line 49.5,50.5 250.5,50.5', 'line 49.5,52.5 250.5,52.5'])
    expect(dump(page!)).toEqual(['55.4,62.4 A'])
  })

  test('a minimum height is the room between the borders, and the table’s lower edge takes extra room', () => {
    const high = `<w:tr><w:trPr><w:trHeight w:val="600"/></w:trPr>${cell('A', '<w:vAlign w:val="bottom"/>')}</w:tr>`
    const [page] = layoutOf(wordDocument(table(high + high, borders, [4000]) + p('after'))).pages
    // Two rows of 30 pt, each under a border of 1 pt, and one more border below.
    expect(dump(page!)).toEqual(['55.9,78.9 A', '55.9,109.9 A', '50.0,122.4 after'])
    expect(dumpShapes(page!)).toContain('line 50.0,112.5 251.0,112.5')
  })

  test('a row’s own borders and cell margins replace those of the table, in that row only', () => {
    const exception =
      '<w:tblPrEx><w:tblBorders><w:left w:val="single" w:sz="24" w:color="FF0000"/></w:tblBorders>' +
      '<w:tblCellMar><w:left w:w="400" w:type="dxa"/></w:tblCellMar></w:tblPrEx>'
    const rows = `<w:tr>${exception}${cell('A')}</w:tr>${row(cell('B'))}`
    const [page] = layoutOf(wordDocument(table(rows, borders, [4000]))).pages
    const left = page!.frames.filter((frame) => frame.kind === 'line' && frame.x1 === 50.5 && frame.x2 === 50.5)
    expect(left.map((line) => line.kind === 'line' && [line.width, line.color])).toEqual([
      [3, 'FF0000'],
      [1, '000000'],
    ])
    const [a, b] = textFrames(page!)
    expect(a!.x - b!.x).toBeCloseTo(20 - 5.4, 1)
  })

  test('a border of a thick and a thin line is as wide as both and the gap between them', () => {
    const uneven = '<w:tblBorders><w:top w:val="thinThickSmallGap" w:sz="24" w:color="000000"/></w:tblBorders>'
    const [page] = layoutOf(wordDocument(table(row(cell('A')), uneven, [4000]))).pages
    const lines = page!.frames.filter((frame) => frame.kind === 'line')
    expect(lines.map((line) => [line.y1, line.width])).toEqual([
      [50.375, 0.75],
      [53, 3],
    ])
    expect(dump(page!)).toEqual(['55.4,63.9 A'])
  })

  test('automatic layout gives columns what they need and never splits the longest word', () => {
    const auto = `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid><w:gridCol w:w="100"/><w:gridCol w:w="100"/></w:tblGrid>${row(cell('Incomprehensibilities'), cell(long))}</w:tbl>`
    const [page] = layoutOf(wordDocument(auto)).pages
    const frames = textFrames(page!)
    expect(frames[0]!.text).toBe('Incomprehensibilities')
    expect(frames[1]!.x).toBeGreaterThan(frames[0]!.x + frames[0]!.width)
    expect(Math.max(...frames.map((frame) => frame.x + frame.width))).toBeLessThan(251)
  })

  test('percentages are shares of the text width', () => {
    const half = `<w:tbl><w:tblPr><w:tblW w:w="2500" w:type="pct"/>${borders}</w:tblPr><w:tblGrid/>${row(cell('a', '<w:tcW w:w="50%" w:type="pct"/>'), cell('b', '<w:tcW w:w="50%" w:type="pct"/>'))}</w:tbl>`
    const shapes = dumpShapes(layoutOf(wordDocument(half)).pages[0]!)
    expect(shapes).toContain('line 50.0,50.5 151.0,50.5')
    expect(shapes.some((shape) => shape.startsWith('line 100.5,50.0'))).toBe(true)
  })

  test('a grid that puts the margins outside the text keeps its proportions in a table as wide as the text', () => {
    const full = (grid: number[]) => {
      const cells = cell('a', '<w:tcW w:w="1500" w:type="pct"/>') + cell('b', '<w:tcW w:w="4000" w:type="pct"/>')
      const columns = grid.map((width) => `<w:gridCol w:w="${width}"/>`).join('')
      const docx = wordDocument(
        `<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/></w:tblPr><w:tblGrid>${columns}</w:tblGrid>${row(cells)}</w:tbl>`,
        { settings: '<w:compat/>' },
      )
      return textFrames(layoutOf(docx).pages[0]!).map((frame) => Number(frame.x.toFixed(1)))
    }
    // 200 pt of text and 5.4 pt of cell margins on both sides, of which the first column has three tenths.
    expect(full([1265, 2951])).toEqual([50, 113.3])
    expect(full([1265, 2000])).not.toEqual([50, 113.3])
  })

  test('header rows repeat on every page as artifacts, and rows that must not split move whole', () => {
    const head = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Head')}${cell('')}${cell('')}</w:tr>`
    const tall = `<w:tc><w:tcPr/>${Array.from({ length: 4 }, (_, index) => p(`t${index}`)).join('')}</w:tc>`
    const rows = Array.from(
      { length: 9 },
      () => `<w:tr><w:trPr><w:cantSplit/></w:trPr>${tall}${cell('')}${cell('')}</w:tr>`,
    ).join('')
    const { pages } = layoutOf(wordDocument(table(head + rows)))
    expect(pages).toHaveLength(2)
    const heads = pages.map((page) => textFrames(page).filter((frame) => frame.text === 'Head'))
    expect(heads.map((frames) => frames.map((frame) => frame.node >= 0))).toEqual([[true], [false]])
    expect(heads[1]![0]!.y).toBeCloseTo(59.4, 1)
    expect(dump(pages[1]!)[1]).toContain('t0')
  })

  test('rows below a repeated header never run below the text area', () => {
    const head = `<w:tr><w:trPr><w:tblHeader/></w:trPr>${cell('Head')}</w:tr>`
    const tall = `<w:tr><w:trPr><w:cantSplit/></w:trPr><w:tc><w:tcPr/>${Array.from({ length: 25 }, (_, index) => p(`t${index}`)).join('')}</w:tc></w:tr>`
    const { pages } = layoutOf(wordDocument(table(head + tall.repeat(3), '', [4000])))
    for (const page of pages) for (const frame of textFrames(page)) expect(frame.y).toBeLessThan(350)
    expect(pages.flatMap((page) => textFrames(page)).filter((frame) => frame.text === 't24')).toHaveLength(3)
    const exact = `<w:tr><w:trPr><w:cantSplit/></w:trPr><w:tc><w:tcPr/>${Array.from({ length: 26 }, (_, index) => p(`u${index}`)).join('')}</w:tc></w:tr>`
    const cut = layoutOf(wordDocument(table(head + exact.repeat(2), '', [4000]))).pages
    for (const page of cut) for (const frame of textFrames(page)) expect(frame.y).toBeLessThan(350)
    expect(cut.flatMap((page) => textFrames(page)).filter((frame) => frame.text === 'u25')).toHaveLength(2)
  })

  test('a row that may split continues after the page break without losing a line', () => {
    const tall = `<w:tc><w:tcPr/>${Array.from({ length: 40 }, (_, index) => p(`t${index}`)).join('')}</w:tc>`
    const { pages } = layoutOf(wordDocument(table(row(tall, cell('x'), cell('y')), borders)))
    expect(pages).toHaveLength(2)
    const found = pages.flatMap((page) => dump(page).filter((line) => / t\d+$/.test(line)))
    expect(found).toHaveLength(40)
    const lowest = dumpShapes(pages[0]!).filter((shape) => /^line 50\.0/.test(shape))
    expect(lowest.length).toBe(2)
  })

  test('a row taller than a page is cut even if it must not split, in a nested table too', () => {
    const tall = `<w:tc><w:tcPr/>${Array.from({ length: 40 }, (_, index) => p(`t${index}`)).join('')}</w:tc>`
    const unsplit = table(`<w:tr><w:trPr><w:cantSplit/></w:trPr>${tall}${cell('x')}${cell('y')}</w:tr>`, borders)
    const nested = table(row(`<w:tc><w:tcPr/>${unsplit}<w:p/></w:tc>`), borders, [4000])
    for (const body of [unsplit, nested]) {
      const { pages } = layoutOf(wordDocument(body))
      expect(pages).toHaveLength(2)
      for (const page of pages) for (const frame of textFrames(page)) expect(frame.y).toBeLessThan(350)
      expect(pages.flatMap((page) => dump(page).filter((line) => / t\d+$/.test(line)))).toHaveLength(40)
    }
  })

  test('table styles format the first row and the bands, and direct formatting overrides them', () => {
    const styles =
      '<w:style w:type="table" w:styleId="T"><w:name w:val="T"/><w:tblPr><w:tblStyleRowBandSize w:val="1"/></w:tblPr>' +
      '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/><w:color w:val="FFFFFF"/></w:rPr><w:tcPr><w:shd w:val="clear" w:fill="112233"/></w:tcPr></w:tblStylePr>' +
      '<w:tblStylePr w:type="band2Horz"><w:tcPr><w:shd w:val="clear" w:fill="EEEEEE"/></w:tcPr></w:tblStylePr></w:style>'
    const rows =
      row(cell('h')) + row(cell('1')) + row(cell('2')) + row(cell('3', '<w:shd w:val="clear" w:fill="00FF00"/>'))
    const [page] = layoutOf(
      wordDocument(
        table(rows, '<w:tblStyle w:val="T"/><w:tblLook w:firstRow="1" w:noHBand="0" w:noVBand="1"/>', [4000]),
        { styles },
      ),
    ).pages
    const boxes = page!.frames.filter((frame) => frame.kind === 'box')
    expect(boxes.map((frame) => `${frame.y.toFixed(1)} ${frame.color}`)).toEqual([
      '50.0 112233',
      '73.0 EEEEEE',
      '84.5 00FF00',
    ])
    const head = textFrames(page!)[0]!
    expect([head.look.font.id, head.look.color]).toEqual(['Arimo bold', 'FFFFFF'])
  })

  test('the first-row format applies to every repeated row, and bands start below them', () => {
    const styles =
      '<w:style w:type="table" w:styleId="T"><w:name w:val="T"/>' +
      '<w:tblStylePr w:type="firstRow"><w:tcPr><w:tcBorders><w:bottom w:val="single" w:sz="8"/></w:tcBorders><w:shd w:val="clear" w:fill="112233"/></w:tcPr></w:tblStylePr>' +
      '<w:tblStylePr w:type="band1Horz"><w:tcPr><w:shd w:val="clear" w:fill="EEEEEE"/></w:tcPr></w:tblStylePr></w:style>'
    const look = '<w:tblStyle w:val="T"/><w:tblLook w:firstRow="1" w:noHBand="0" w:noVBand="1"/>'
    const head = row('<w:trPr><w:tblHeader/></w:trPr>', cell('h'))
    const drawn = (rows: string) => {
      const [page] = layoutOf(wordDocument(table(rows, look, [4000]), { styles })).pages
      const boxes = page!.frames.flatMap((frame) => (frame.kind === 'box' ? [frame.color] : []))
      return [boxes.join(' '), page!.frames.filter((frame) => frame.kind === 'line').length]
    }
    expect(drawn(head + head + row(cell('1')) + row(cell('2')))).toEqual(['112233 112233 EEEEEE', 1])
    expect(drawn(head + row(cell('1')) + row(cell('2')))).toEqual(['112233 EEEEEE', 1])
    expect(drawn(row(cell('1')) + row(cell('2')) + row(cell('3')))).toEqual(['112233 EEEEEE', 1])
  })

  test('nested tables stay inside their cell', () => {
    const inner = table(row(cell('in')), borders, [1000])
    const outer = table(row(`<w:tc><w:tcPr/>${inner}<w:p/></w:tc>`), borders, [4000])
    const frames = textFrames(layoutOf(wordDocument(outer)).pages[0]!)
    expect(frames[0]!.x).toBeCloseTo(61.8, 1)
  })
})

describe('pictures', () => {
  test('are on the baseline, scaled to fit a cell but not the body, and carry their description', () => {
    const cell = `<w:tbl><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr><w:p><w:r>${picture('logo', 400, 100)}</w:r></w:p></w:tc></w:tr></w:tbl>`
    const body = `<w:p><w:r><w:t>x</w:t>${picture('logo', 40, 30, 'Our logo')}</w:r></w:p><w:p><w:r>${picture('logo', 240, 60)}</w:r></w:p>${cell}`
    const layout = layoutOf(wordDocument(body, { media: { 'logo.png': plainPng(4, 3, [255, 0, 0]) } }))
    expect(dumpShapes(layout.pages[0]!)).toEqual([
      'image 55.0,50.0 40.0×30.0',
      'image 50.0,82.1 240.0×60.0',
      'image 55.4,142.1 89.2×22.3',
    ])
    expect(layout.structure.filter((node) => node.type === 'Figure').map((node) => node.alt)).toEqual([
      'Our logo',
      'A picture',
      'A picture',
    ])
  })
})

describe('floating objects', () => {
  const media = { 'logo.png': plainPng(4, 4, [255, 0, 0]) }
  const floating = (wrap: string, horizontal = '<wp:posOffset>0</wp:posOffset>') =>
    picture('logo', 50, 30)
      .replace(
        '<wp:inline>',
        `<wp:anchor><wp:positionH relativeFrom="column">${horizontal}</wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>`,
      )
      .replace('<wp:docPr', `${wrap}<wp:docPr`)
      .replace('</wp:inline>', '</wp:anchor>')
  const body = (wrap: string, horizontal?: string) =>
    `<w:p><w:r>${floating(wrap, horizontal)}<w:t>${long} ${long}</w:t></w:r></w:p>`

  test('have text beside them, for their whole height, on their wider side', () => {
    const left = textFrames(layoutOf(wordDocument(body('<wp:wrapSquare wrapText="bothSides"/>'), { media })).pages[0]!)
    expect(left.slice(0, 4).map((frame) => frame.x)).toEqual([100, 100, 100, 50])
    const right = textFrames(
      layoutOf(wordDocument(body('<wp:wrapSquare wrapText="bothSides"/>', '<wp:align>right</wp:align>'), { media }))
        .pages[0]!,
    )
    expect(right.every((frame) => frame.x === 50)).toBe(true)
    for (const frame of right.slice(0, 3)) expect(frame.x + frame.width).toBeLessThan(200.1)
  })

  test('have no text beside them if they take the whole height, and move none if they take no room', () => {
    const below = textFrames(layoutOf(wordDocument(body('<wp:wrapTopAndBottom/>'), { media })).pages[0]!)
    expect(below[0]!.y).toBeCloseTo(89.4, 1)
    const over = textFrames(layoutOf(wordDocument(body('<wp:wrapNone/>'), { media })).pages[0]!)
    expect([over[0]!.x, over[0]!.y.toFixed(1)]).toEqual([50, '59.4'])
  })

  test('stay in their cell, and the cell’s text moves aside', () => {
    const cell = `<w:tbl><w:tblPr><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid><w:gridCol w:w="1000"/><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:p/></w:tc><w:tc>${body('<wp:wrapSquare/>')}</w:tc></w:tr></w:tbl>`
    const docx = wordDocument(cell, { media })
    expect(dumpShapes(layoutOf(docx).pages[0]!)).toEqual(['image 105.4,50.0 50.0×30.0'])
    const [first] = textFrames(layoutOf(docx).pages[0]!)
    expect(first!.x).toBeCloseTo(155.4, 1)
    expect(renderingOf(docx).report.map((finding) => finding.code)).not.toContain('render.wrap')
  })

  test('all columns of a section start below the space that the paragraph above asks for', () => {
    const above = (after: number) =>
      `<w:p><w:pPr><w:spacing w:after="${after}"/><w:sectPr>${smallSection}</w:sectPr></w:pPr><w:r><w:t>top</w:t></w:r></w:p>`
    const section = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
    const columns = (after: number, before: number) => {
      const right = '<w:p><w:r><w:br w:type="column"/><w:t>right</w:t></w:r></w:p>'
      const body = above(after) + p('left', `<w:spacing w:before="${before}"/>`) + right
      return dump(layoutOf(wordDocument(body, { section })).pages[0]!).slice(1)
    }
    expect(columns(0, 0)).toEqual(['50.0,70.9 left', '160.0,70.9 right'])
    expect(columns(200, 0)).toEqual(['50.0,80.9 left', '160.0,80.9 right'])
    expect(columns(200, 300)).toEqual(['50.0,85.9 left', '160.0,80.9 right'])
  })

  test('a paragraph that continues in a column of another width has lines of that width', () => {
    const section = `${smallSection}<w:cols w:num="2" w:space="400" w:equalWidth="0"><w:col w:w="2400" w:space="400"/><w:col w:w="1200"/></w:cols>`
    const words = Array.from({ length: 200 }, (_, index) => `w${index}`)
    const shaded = '<w:shd w:val="clear" w:fill="FF0000"/>'
    const { pages } = layoutOf(wordDocument(p('above') + p(words.join(' '), shaded), { section }))
    const frames = textFrames(pages[0]!)
    const narrow = frames.filter((frame) => frame.x > 180)
    expect(narrow.length).toBeGreaterThan(10)
    expect(frames.every((frame) => frame.x + frame.width <= (frame.x > 180 ? 250.1 : 170.1))).toBe(true)
    // Nothing is lost, said twice or out of its order where the column ends.
    expect(
      pages
        .flatMap((page) => textFrames(page))
        .map((frame) => frame.text.trim())
        .join(' '),
    ).toBe(`above ${words.join(' ')}`)
    const boxes = pages[0]!.frames.flatMap((frame) => (frame.kind === 'box' ? [frame] : []))
    expect(new Set(boxes.map((box) => Math.round(box.width)))).toEqual(new Set([120, 60]))
    const beside = `<w:p><w:r>${floating('<wp:wrapSquare wrapText="bothSides"/>')}</w:r><w:r><w:t>${words.join(' ')}</w:t></w:r></w:p>`
    const floated = layoutOf(wordDocument(beside, { section, media }))
    const said = floated.pages.flatMap((page) => textFrames(page)).map((frame) => frame.text.trim())
    expect(said.join(' ')).toBe(words.join(' '))
    // On the next page it is wide again.
    expect(Math.max(...textFrames(pages[1]!).map((frame) => frame.width))).toBeGreaterThan(100)
  })

  test('columns that ran over to another page are balanced there', () => {
    const columns = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
    const items = Array.from({ length: 61 }, (_, index) => p(`l${index}`)).join('')
    const end = `<w:p><w:pPr><w:sectPr>${columns}</w:sectPr></w:pPr><w:r><w:t>l61</w:t></w:r></w:p>`
    const docx = wordDocument(items + end + p('after'), { section: `<w:type w:val="continuous"/>${smallSection}` })
    const { pages } = layoutOf(docx)
    expect(pages).toHaveLength(2)
    const second = dump(pages[1]!)
    expect(second.filter((line) => line.startsWith('50.0,') && / l/.test(line))).toHaveLength(5)
    expect(second.filter((line) => line.startsWith('160.0,'))).toHaveLength(5)
    expect(second.at(-1)).toEndWith('after')
    expect(pages.flatMap(dump).map((line) => line.split(' ')[1])).toEqual([
      ...Array.from({ length: 62 }, (_, index) => `l${index}`),
      'after',
    ])
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

  test('equal columns and the gaps between them are whole twips', () => {
    const section = `${smallSection}<w:cols w:num="3" w:space="425"/>`
    const column = (name: string) => `<w:p><w:r><w:br w:type="column"/><w:t>${name}</w:t></w:r></w:p>`
    const body = `${p('one')}${column('two')}${column('three')}`
    const frames = textFrames(layoutOf(wordDocument(body, { section })).pages[0]!)
    expect(frames.map((frame) => Math.round((frame.x - 50) * 1000) / 50)).toEqual([0, 1475, 2950])
    const two = section.replace('"3"', '"2"')
    const right = textFrames(layoutOf(wordDocument(`${p('one')}${column('two')}`, { section: two })).pages[0]!)[1]!
    expect((right.x - 50) * 20).toBeCloseTo(2213, 6)
  })

  test('columns are balanced before a continuous break', () => {
    const columns = `<w:type w:val="continuous"/>${smallSection}<w:cols w:num="2" w:space="400"/>`
    const lines = Array.from({ length: 9 }, (_, index) => p(`l${index}`)).join('')
    const docx = wordDocument(
      `${lines}<w:p><w:pPr><w:sectPr>${columns}</w:sectPr></w:pPr><w:r><w:t>l9</w:t></w:r></w:p>${p('after')}`,
      {
        section: `<w:type w:val="continuous"/>${smallSection}`,
      },
    )
    const frames = textFrames(layoutOf(docx).pages[0]!)
    expect(frames.filter((frame) => frame.x === 160).map((frame) => frame.text)).toEqual(['l5', 'l6', 'l7', 'l8', 'l9'])
    expect(frames.at(-1)!.text).toBe('after')
    expect(frames.at(-1)!.y).toBeCloseTo(59.4 + 5 * 11.499, 0)
  })
})

test('the paper colour fills every page if the document shows it', () => {
  const body = p('one') + p('two', '<w:pageBreakBefore/>')
  const colored = (settings: string) => {
    const docx = wordDocument(body, { settings, background: '<w:background w:color="ddebf7"/>' })
    return layoutOf(docx).pages.map(({ frames }) => frames[0]!)
  }
  const shown = colored('<w:displayBackgroundShape/>')
  expect(shown.length).toBe(2)
  for (const frame of shown)
    expect(frame).toEqual({ kind: 'box', x: 0, y: 0, width: 300, height: 400, color: 'DDEBF7' })
  expect(colored('').map(({ kind }) => kind)).toEqual(['text', 'text'])
})
