import { describe, expect, test } from 'bun:test'
import { plainPng } from '../../documents.ts'
import { dump, layoutOf, p, picture, smallSection, textFrames, wordDocument } from '../../word.ts'

/*
 * Where lines are, to the twentieth of a point: what is off on one line is off by lines over a few pages. Arial 10 pt
 * is 230 twips high, 188 of them above the baseline (9.4 pt); the text begins 50 pt down.
 */
const pageOf = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  layoutOf(wordDocument(body, parts)).pages

const baselines = (body: string, parts: Parameters<typeof wordDocument>[1] = {}) =>
  textFrames(pageOf(body, parts)[0]!).map((frame) => Number(frame.y.toFixed(2)))

const spaced = (line: number, rule: string, ...texts: string[]) =>
  `<w:p><w:pPr><w:spacing w:line="${line}" w:lineRule="${rule}"/></w:pPr><w:r>${texts
    .map((text) => `<w:t>${text}</w:t>`)
    .join('<w:br/>')}</w:r></w:p>`

describe('line heights', () => {
  test('text, gap and ascent are each rounded to twips, from sixths of a twip', () => {
    const heights = [19, 21, 23, 26].map((size) => {
      const [first, second] = baselines(p('a', '', `<w:sz w:val="${size}"/>`) + p('b', '', `<w:sz w:val="${size}"/>`))
      return Math.round((second! - first!) * 20)
    })
    expect(heights).toEqual([218, 242, 265, 300])
  })

  test('a document that asks for printer metrics gets the usual ones, because there is no printer', () => {
    const body = p('measured by dots', '<w:jc w:val="right"/>') + p('next')
    const [plain, asking] = ['<w:compat/>', '<w:compat><w:usePrinterMetrics/></w:compat>'].map((settings) =>
      pageOf(body, { settings }).flatMap((page) => textFrames(page).map(({ width, y }) => [width, y])),
    )
    expect(asking).toEqual(plain!)
  })

  test('a factor counts in whole percents, and its share is rounded down to twips', () => {
    // 259/240 are 108 %, of 230 twips 18.4 more.
    expect(baselines(spaced(259, 'auto', 'a', 'b', 'c') + p('d'))).toEqual([59.4, 71.8, 84.2, 96.6])
  })

  test('spacing is a share of the line below it, and lies between the two lines', () => {
    const big = '</w:t></w:r><w:r><w:rPr><w:sz w:val="40"/></w:rPr><w:t>B</w:t></w:r><w:r><w:t>'
    // The 20 pt line is 460 twips high with 375 above its baseline; single lines 230 with 188.
    expect(baselines(spaced(480, 'auto', 'a', big, 'c'))).toEqual([59.4, 59.4 + 2.1 + 23 + 18.75, 128.4])
  })

  test('less than single spacing gives four fifths of the line to the part above the baseline', () => {
    // 80 % of 230 twips are 184, and 147 of them above the baseline.
    expect(baselines(spaced(192, 'auto', 'a', 'b') + p('c'))).toEqual([57.35, 66.55, 77.8])
    expect(baselines(spaced(24, 'auto', 'a', 'b'))[1]! - baselines(spaced(24, 'auto', 'a', 'b'))[0]!).toBeCloseTo(
      5.75,
      2,
    )
  })

  test('blanks and tabs of another size never make a line higher, but widen the space below the paragraph', () => {
    const big = '<w:r><w:rPr><w:sz w:val="40"/></w:rPr>'
    const blank = `${big}<w:t xml:space="preserve"> </w:t></w:r>`
    const line = (content: string, spacing = '') => `<w:p><w:pPr>${spacing}</w:pPr>${content}</w:p>`
    const text = '<w:r><w:t>x</w:t></w:r>'
    const drawn = (body: string) => baselines(body + p('end')).at(-1)
    expect(drawn(line(text + blank + text))).toBe(70.9)
    expect(drawn(line(`${text}${big}<w:tab/></w:r>${text}`))).toBe(70.9)
    expect(drawn(line(blank))).toBe(70.9)
    expect(drawn(line(text + blank + text, '<w:spacing w:line="480" w:lineRule="auto"/>'))).toBe(93.9)
    expect(drawn(line(`${text + big}<w:t>X</w:t></w:r>${text}`))).toBe(82.4)
  })

  test('blanks are kept if xml:space says so on any element around them', () => {
    const words = '<w:r><w:t>one</w:t></w:r><w:r><w:t> </w:t></w:r><w:r><w:t>two</w:t></w:r>'
    const shown = (body: string) =>
      textFrames(pageOf(body)[0]!)
        .map(({ text }) => text)
        .join('')
    expect(shown(`<w:p>${words}</w:p>`)).toBe('onetwo')
    expect(shown(`<w:p xml:space="preserve">${words}</w:p>`)).toBe('one two')
    expect(shown(`<w:p xml:space="preserve">${words.replaceAll('<w:r>', '<w:r xml:space="default">')}</w:p>`)).toBe(
      'onetwo',
    )
  })

  test('a line that holds only a manual break is as high as its run’s text, whatever the mark’s look', () => {
    const run = (size: number, content: string) => `<w:r><w:rPr><w:sz w:val="${size}"/></w:rPr>${content}</w:r>`
    const broken = (size: number) =>
      `<w:p><w:pPr><w:rPr><w:sz w:val="20"/></w:rPr></w:pPr>${run(20, '<w:t>a</w:t><w:br/>')}${run(size, '<w:br/>')}${run(20, '<w:t>b</w:t>')}</w:p>`
    expect(baselines(broken(20))).toEqual([59.4, 82.4])
    expect(baselines(broken(40))).toEqual([59.4, 93.9])
    // The line that a last break opens is as high as the mark.
    expect(baselines(broken(40).replace('<w:t>b</w:t>', '') + p('c'))).toEqual([59.4, 105.4])
  })

  test('a line that holds only a low picture is as high as the paragraph’s own text', () => {
    const media = { 'image1.png': plainPng(2, 2, [0, 0, 0]) }
    const low = `<w:p><w:pPr><w:rPr><w:sz w:val="40"/></w:rPr></w:pPr><w:r>${picture('image1', 100, 3)}</w:r></w:p>`
    expect(baselines(low + p('below'), { media })).toEqual([70.9])
    const high = `<w:p><w:r>${picture('image1', 100, 30)}</w:r></w:p>`
    expect(baselines(high + p('below'), { media })).toEqual([89.4])
    const broken = `<w:p><w:r>${picture('image1', 100, 30)}<w:br/><w:t>below</w:t></w:r></w:p>`
    expect(baselines(broken, { media })).toEqual([91.5])
  })

  test('an empty list item is as high as its paragraph mark, if the mark is higher than the label', () => {
    const level = (size: number) =>
      `<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/><w:rPr><w:sz w:val="${size}"/></w:rPr></w:lvl>`
    const below = (size: number) => {
      const numbering = `<w:abstractNum w:abstractNumId="1">${level(size)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
      return baselines(p('', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>') + p('after'), { numbering })
    }
    expect(below(20)).toEqual([59.4, 70.9])
    expect(below(10).at(-1)).toBe(70.9)
    // Arial at 20 pt reaches 18.1 pt up; the depth is that of the mark.
    expect(below(40).at(-1)).toBe(80.25)
  })

  test('a bullet raises its line as high as its font reaches, and never makes it deeper', () => {
    const beside = (font: string, text: string) => {
      const level = `<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="${text}"/><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr></w:lvl>`
      const numbering = `<w:abstractNum w:abstractNumId="1">${level}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`
      const item = p('item', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>')
      return [...new Set(baselines(item + item, { numbering }))]
    }
    // Symbol reaches 1.0054 em up: in Word's PDFs lines of Cambria 11 pt are 13.55 pt apart beside it, else 12.9.
    expect(beside('Symbol', '\uf0b7')).toEqual([60.05, 72.2])
    // Courier New is 3 pt deep at this size, Arial 2.1; lines of Cambria stay 12.9 pt apart beside an o of it.
    expect(beside('Courier New', 'o')).toEqual([59.4, 70.9])
    expect(beside('Wingdings', '\uf0a7')).toEqual([59.4, 70.9])
  })

  test('an exact height is rounded down to twips above the baseline too', () => {
    expect(baselines(spaced(203, 'exact', 'a', 'b'))).toEqual([58.1, 68.25])
  })
})

describe('the right edge', () => {
  /** Words a little wider than a whole number of twips, by how much is left over. */
  const leaving = (letter: string, least: number, most: number) => {
    const widthOf = (text: string) => {
      const frames = textFrames(pageOf(p(text))[0]!)
      return Math.max(...frames.map((frame) => frame.x + frame.width)) - 50
    }
    const excess = (text: string) => widthOf(text) - Math.floor(widthOf(text) * 20) / 20
    const candidates = Array.from({ length: 12 }, (_, index) => `a ${letter.repeat(index + 10)}`)
    const text = candidates.find((candidate) => excess(candidate) > least && excess(candidate) < most)!
    return { text, indent: 4000 - Math.floor(widthOf(text) * 20) }
  }
  const linesOf = (
    text: string,
    right: number,
    runs = (content: string) => p(content, `<w:ind w:right="${right}"/>`),
  ) => new Set(baselines(runs(text))).size

  test('does not fit a word that is a fraction of a twip too wide', () => {
    for (const letter of ['e', 'i']) {
      const { text, indent } = leaving(letter, 0.01, 0.045)
      expect(linesOf(text, indent - 1)).toBe(1)
      expect(linesOf(text, indent)).toBe(2)
    }
  })

  test('fits a word a fraction too wide if the whole text is in wide letters, and no other text follows', () => {
    const { text, indent } = leaving('M', 0.01, 0.045)
    expect(linesOf(text, indent)).toBe(1)
    expect(linesOf(text, indent + 1)).toBe(2)
    expect(linesOf(`${text} MM`, indent)).toBe(3)
  })

  test('fits text in several looks, whose fractions are dropped', () => {
    const { text, indent } = leaving('e', 0.01, 0.045)
    const coloured = (content: string) =>
      `<w:p><w:pPr><w:ind w:right="${indent}"/></w:pPr>${[...content].map((letter, at) => `<w:r><w:rPr><w:color w:val="00000${at % 2}"/></w:rPr><w:t xml:space="preserve">${letter}</w:t></w:r>`).join('')}</w:p>`
    expect(linesOf(text, indent, coloured)).toBe(1)
  })
})

describe('slashes', () => {
  const linesOf = (text: string, run = '') => {
    const lines = new Map<number, string>()
    for (const frame of textFrames(pageOf(p(text, '', run))[0]!))
      lines.set(frame.y, (lines.get(frame.y) ?? '') + frame.text)
    return [...lines.values()].map((line) => line.trim())
  }

  test('end a line only if an address is longer than 66 characters', () => {
    const small = '<w:sz w:val="8"/>'
    const lines = linesOf(`see https://example.com${'/abcdefghij'.repeat(9)}`, small)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^see https:.*\/$/)
    expect(lines[0]!.length).toBeGreaterThan(70)
  })

  test('end no other line, and keep a line from ending at a hyphen before them', () => {
    const filled = (count: number, word: string) => linesOf(`${'e '.repeat(count)}${word}`)
    const ends = (lines: readonly string[], end: string) => lines.slice(0, -1).some((line) => line.endsWith(end))
    const counts = Array.from({ length: 40 }, (_, count) => count)
    const count = counts.find((each) => ends(filled(each, 'o-k. othersuchlonger'), 'o-k.'))!
    const lines = filled(count, 'o-k/othersuchlonger')
    expect(lines.at(-1)).toBe('o-k/othersuchlonger')
    expect(ends(filled(count, 'o-kothersuchlonger'), 'o-')).toBe(true)
  })
})

describe('alignment', () => {
  test('distributed lines are justified including the last, from a style too, until another alignment follows', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="D"><w:name w:val="D"/><w:pPr><w:jc w:val="distribute"/></w:pPr></w:style>'
    const widths = (properties: string) => {
      const frames = textFrames(pageOf(p('two words', properties), { styles })[0]!)
      return Number((frames.at(-1)!.x + frames.at(-1)!.width - 50).toFixed(1))
    }
    expect(widths('<w:jc w:val="distribute"/>')).toBe(200)
    expect(widths('<w:pStyle w:val="D"/>')).toBe(200)
    expect(widths('<w:pStyle w:val="D"/><w:jc w:val="both"/>')).toBeLessThan(60)
  })
})

describe('the last line', () => {
  test('of italic text ends a twelfth of its height before the margin, and other lines do not', () => {
    const width = (text: string) => textFrames(pageOf(p(text, '', '<w:i/>'))[0]!)[0]!.width
    const lines = (text: string, room: number, italic: string) => {
      const indent = `<w:ind w:right="${Math.round((200 - room) * 20)}"/>`
      return new Set(baselines(p(text, indent, italic))).size
    }
    const exact = width('some words')
    expect(lines('some words', exact + 0.5, '<w:i/>')).toBe(2)
    expect(lines('some words', exact + 1.1, '<w:i/>')).toBe(1)
    expect(lines('some words', exact + 0.5, '')).toBe(1)
    expect(lines('some words x', exact + 0.5, '<w:i/>')).toBe(2)
  })

  test('of italic text reaches the margin after a tab that moved it there', () => {
    const tabbed = (kind: string, position: number) => {
      const properties = `<w:tabs><w:tab w:val="${kind}" w:pos="${position}"/></w:tabs>`
      const run = '<w:r><w:rPr><w:i/></w:rPr><w:tab/><w:t>some words</w:t></w:r>'
      return new Set(baselines(`<w:p><w:pPr>${properties}</w:pPr>${run}</w:p>`)).size
    }
    expect(tabbed('right', 4000)).toBe(1)
    const width = textFrames(pageOf(p('some words', '', '<w:i/>'))[0]!)[0]!.width
    expect(tabbed('left', Math.floor((200 - width) * 20))).toBe(2)
  })
})

describe('raised text', () => {
  test('superscripts share the top of the text around them, subscripts its bottom, at 58 % and without a higher line', () => {
    const run = (text: string, vertical: string) =>
      `<w:r><w:rPr><w:vertAlign w:val="${vertical}"/></w:rPr><w:t>${text}</w:t></w:r>`
    const body = `<w:p><w:r><w:t>x</w:t></w:r>${run('up', 'superscript')}${run('down', 'subscript')}</w:p>${p('next')}`
    const frames = textFrames(pageOf(body)[0]!)
    expect(frames.map((frame) => [frame.text, frame.look.size, Number(frame.y.toFixed(2))])).toEqual([
      ['x', 10, 59.4],
      ['up', 5.8, 55.45],
      ['down', 5.8, 60.25],
      ['next', 10, 70.9],
    ])
  })

  test('a stated position moves text by a whole percentage of the line, which grows by the same amount', () => {
    const body = `<w:p><w:r><w:t>x</w:t></w:r><w:r><w:rPr><w:position w:val="6"/></w:rPr><w:t>up</w:t></w:r></w:p>${p('next')}`
    // 3 pt of 10 are 30 %, and of 230 twips 69.
    expect(baselines(body)).toEqual([62.85, 59.4, 74.35])
  })

  test('a stated position moves pictures too, and the line holds them, but a superscript does not move them', () => {
    const media = { 'image1.png': plainPng(2, 2, [0, 0, 0]) }
    const styles =
      '<w:style w:type="paragraph" w:styleId="Low"><w:name w:val="Low"/><w:rPr><w:position w:val="-6"/></w:rPr></w:style>'
    const placed = (props: string, height: number, mark = '') => {
      const body = `<w:p><w:pPr>${mark}</w:pPr><w:r><w:rPr>${props}</w:rPr>${picture('image1', 100, height)}</w:r></w:p>`
      const frames = pageOf(body + p('below'), { media, styles })[0]!.frames
      const image = frames.find((frame) => frame.kind === 'image')!
      const below = frames.find((frame) => frame.kind === 'text')!
      return [image.y + image.height, below.y].map((y) => Number(y.toFixed(2)))
    }
    expect(placed('', 30)).toEqual([80, 89.4])
    expect(placed('<w:position w:val="-6"/>', 30)).toEqual([80, 89.4])
    expect(placed('<w:position w:val="6"/>', 30)).toEqual([80, 92.85])
    expect(placed('<w:vertAlign w:val="superscript"/>', 30)).toEqual([80, 89.4])
    // The paragraph's own text would be 3.45 pt higher where its style lowers it.
    expect(placed('', 3, '<w:pStyle w:val="Low"/>')).toEqual([64.95, 74.35])
  })
})

describe('document grid', () => {
  const grid = `${smallSection}<w:docGrid w:type="lines" w:linePitch="312"/>`

  test('its lines begin at the margin, as in Word, and text is centred in its line', () => {
    // 6000 twips hold 19 lines of 312; what is left is below them. Above the text of 230 twips are 41 of the line.
    expect(baselines(p('a') + p('b'), { section: grid })).toEqual([61.45, 77.05])
    const lines = Array.from({ length: 20 }, (_, index) => p(`l${index}`)).join('')
    const pages = pageOf(lines, { section: grid })
    expect(dump(pages[0]!)).toHaveLength(19)
    expect(dump(pages[1]!)).toHaveLength(1)
  })

  test('a line that a picture makes higher leaves the rest of its grid lines below it, not half of them above', () => {
    const beside = `<w:p><w:r><w:t>a</w:t></w:r><w:r>${picture('image1', 40, 40)}</w:r></w:p>`
    const parts = { media: { 'image1.png': plainPng(2, 2, [0, 0, 0]) }, section: grid }
    // Three lines of 15.6 pt hold the picture and the descent of the text.
    expect(baselines(beside + p('b'), parts)).toEqual([90, 108.25])
    const low = beside.replace(/cy="\d+"/, 'cy="63500"')
    expect(baselines(low + p('b'), parts)).toEqual([61.45, 77.05])
  })

  test('an exact height replaces the grid’s line, but less than single spacing does not', () => {
    const at = (body: string) => baselines(p('x') + body, { section: grid }).slice(1)
    expect(at(spaced(240, 'exact', 'a', 'b'))).toEqual([75.25, 87.25])
    expect(at(spaced(192, 'auto', 'a', 'b'))).toEqual([77.05, 92.65])
  })

  test('applies in tables from Word 2013 on, and before that where the document asks for it', () => {
    const table = `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${p('a')}${p('b')}</w:tc></w:tr></w:tbl>`
    const pitch = (settings: string) => {
      const [first = 0, second = 0] = baselines(table + p('x'), { section: grid, settings })
      return Math.round((second - first) * 100) / 100
    }
    const mode = (version: number) =>
      `<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/>`
    expect(pitch(`<w:compat>${mode(15)}</w:compat>`)).toBe(15.6)
    expect(pitch(`<w:compat>${mode(14)}</w:compat>`)).toBe(11.5)
    expect(pitch('<w:compat/>')).toBe(11.5)
    expect(pitch(`<w:compat><w:adjustLineHeightInTable/>${mode(14)}</w:compat>`)).toBe(15.6)
  })

  test('of characters widens ideographs by its space, and what is among them by half', () => {
    const width = (section: string, snap = '') => {
      const frames = textFrames(pageOf(p('国国ab国', `<w:autoSpaceDE w:val="0"/>${snap}`), { section })[0]!)
      return Math.max(...frames.map((frame) => frame.x + frame.width))
    }
    const chars = grid.replace('w:type="lines"', 'w:type="linesAndChars" w:charSpace="4096"')
    expect(width(chars) - width(grid)).toBeCloseTo(4, 2)
    expect(width(chars, '<w:snapToGrid w:val="0"/>')).toBeCloseTo(width(grid), 2)
  })

  test('does not apply in headers, footnotes and text boxes', () => {
    const section = `<w:headerReference w:type="default" r:id="h1"/>${grid}`
    const pages = pageOf(p('body'), { section, headers: { h1: p('one') + p('two') } })
    const header = textFrames(pages[0]!).filter((frame) => frame.text !== 'body')
    expect(header.map((frame) => Number(frame.y.toFixed(2)))).toEqual([29.4, 40.9])
  })
})

describe('rows', () => {
  const borders = (size: number) =>
    `<w:tblBorders>${['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
      .map((edge) => `<w:${edge} w:val="single" w:sz="${size}" w:space="0" w:color="000000"/>`)
      .join('')}</w:tblBorders>`
  const table = (rows: string[], properties = '', row = '') =>
    `<w:tbl><w:tblPr><w:tblW w:w="2000" w:type="dxa"/>${properties}</w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${rows
      .map((content) => `<w:tr><w:trPr>${row}</w:trPr><w:tc>${content}</w:tc></w:tr>`)
      .join('')}</w:tbl>`

  test('each row has its border above and the table one below, and cell margins hold half the border beside them', () => {
    // A border of 3 pt: 50 + 3 + 9.4, then 11.5 + 3 on each, and 3 more below the last row.
    expect(dump(pageOf(table([p('a'), p('b')], borders(24)) + p('after'))[0]!)).toEqual([
      '56.9,62.4 a',
      '56.9,76.9 b',
      '50.0,91.4 after',
    ])
  })

  test('a minimum height applies to the cell and the border is added, but an exact height is the whole row', () => {
    const rows = (rule: string) => baselines(table([p('a'), p('b')], borders(24), `<w:trHeight w:val="400"${rule}/>`))
    expect(rows('')).toEqual([62.4, 85.4])
    expect(rows(' w:hRule="exact"')).toEqual([62.4, 82.4])
  })

  test('a minimum height includes a thick border of the row before, and grows by the border of its own cells', () => {
    const least = '<w:trHeight w:val="400"/>'
    const thick =
      '<w:tcPr><w:tcBorders><w:bottom w:val="single" w:sz="24" w:space="0" w:color="000000"/></w:tcBorders></w:tcPr>'
    const at = (row: string) =>
      textFrames(pageOf(table([thick + p('a'), thick + p('b'), p('c')], borders(8), row))[0]!).map(({ y }) =>
        Number(y.toFixed(2)),
      )
    // 1 pt above the first row, then 20 + 1 each, of which the next border takes 3.
    expect(at(least)).toEqual([60.4, 50 + 21 + 3 + 9.4, 50 + 42 + 3 + 9.4])
    // Where text needs more, the thick border comes on top: 11.5 + 1, then 11.5 + 3.
    expect(at('<w:trHeight w:val="200"/>')).toEqual([60.4, 50 + 12.5 + 3 + 9.4, 50 + 27 + 3 + 9.4])
  })

  test('consecutive tables share the border between them', () => {
    const one = table([p('a')], borders(24))
    expect(baselines(one + one + p('after'))).toEqual([62.4, 76.9, 91.4])
  })

  test('an empty paragraph that only ends its cell below a table takes no room, but takes room elsewhere', () => {
    const nested = (end: string) => baselines(table([table([p('a')]) + end]) + p('after')).at(-1)
    expect(nested(p(''))).toBeCloseTo(70.95, 2)
    expect(nested(p('') + p(''))).toBeCloseTo(93.9, 2)
  })

  test('a border pushes text only by the half that is wider than the cell’s margin, on the right by what both margins leave', () => {
    const across = (left: number, right: number, size: number) => {
      const margins = `<w:tblCellMar><w:left w:w="${left}" w:type="dxa"/><w:right w:w="${right}" w:type="dxa"/></w:tblCellMar>`
      const cell = `${p('a')}${p('b', '<w:jc w:val="right"/>')}`
      return textFrames(pageOf(table([cell], borders(size) + margins))[0]!).map(({ x, width, text }) =>
        text === 'a' ? x : x + width,
      )
    }
    // The outer edge of the border is at 50, the middles of both 100 pt apart.
    expect(across(100, 60, 24)).toEqual([56.5, 148.5])
    expect(across(100, 60, 48)).toEqual([58, 150])
    expect(across(20, 200, 48)).toEqual([56, 145])
    expect(across(0, 0, 48)).toEqual([56, 150])
  })

  test('the outer edge of a border is at the indent, which never reaches out of a cell', () => {
    const left = (body: string) => textFrames(pageOf(body)[0]!)[0]!.x
    const indent = '<w:tblInd w:w="-400" w:type="dxa"/>'
    expect(left(table([p('a')], `${borders(24)}${indent}`))).toBeCloseTo(36.9, 2)
    const nested = (properties: string) => left(table([table([p('a')], properties) + p('')]))
    expect(nested(indent)).toBe(nested(''))
  })

  test('a border beside text that hangs in the margin hangs there too', () => {
    const old =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="14"/></w:compat>'
    expect(dump(pageOf(table([p('a')], borders(24)), { settings: old })[0]!)[0]).toBe('50.0,62.4 a')
  })

  test('a table style overrides a Normal size of 11 or 12 pt, unless the document says that Normal wins', () => {
    const styles =
      '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:rPr><w:sz w:val="24"/></w:rPr></w:style>' +
      '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="Sub"/><w:basedOn w:val="Normal"/></w:style>' +
      '<w:style w:type="table" w:styleId="T"><w:name w:val="T"/></w:style>'
    const normal = (text: string) => p(text, '<w:pStyle w:val="Normal"/>')
    const body = `${table([normal('a'), p('b', '<w:pStyle w:val="S"/>')], '<w:tblStyle w:val="T"/>')}${table([normal('c')])}${normal('d')}`
    const sizes = (settings: string) => textFrames(pageOf(body, { styles, settings })[0]!).map(({ look }) => look.size)
    expect(sizes('<w:compat/>')).toEqual([10, 12, 12, 12])
    const wins =
      '<w:compat><w:compatSetting w:name="overrideTableStyleFontSizeAndJustification" w:uri="http://schemas.microsoft.com/office/word" w:val="1"/></w:compat>'
    expect(sizes(wins)).toEqual([12, 12, 12, 12])
    const unknown = table([normal('a')], '<w:tblStyle w:val="t"/>')
    expect(textFrames(pageOf(unknown, { styles, settings: '<w:compat/>' })[0]!)[0]!.look.size).toBe(12)
  })
})

describe('defaults for what the document leaves open', () => {
  const empty = '<w:compat/>'

  test('if some pages of a section have a header, the others have an empty line in its style', () => {
    const styles =
      '<w:style w:type="paragraph" w:styleId="Hd"><w:name w:val="header"/><w:rPr><w:sz w:val="40"/></w:rPr></w:style>'
    const section = smallSection.replace('w:top="1000"', 'w:top="400"')
    const parts = { headers: { h1: p('header') }, styles }
    const second = `${p('one')}${p('two', '<w:pageBreakBefore/>')}`
    const titled = pageOf(second, {
      ...parts,
      section: `<w:headerReference w:type="default" r:id="h1"/>${section}<w:titlePg/>`,
    })
    // 20 pt down, the first page has 23 pt of the style's line and the second 11.5 pt of the header's text.
    expect(titled.map((page) => dump(page).at(-1))).toEqual(['50.0,52.4 one', '50.0,40.9 two'])
    const none = pageOf(p('one'), { ...parts, section: `<w:headerReference w:type="first" r:id="h1"/>${section}` })
    expect(dump(none[0]!)).toEqual(['50.0,29.4 one'])
  })

  test('a table in a document of no stated version has its text at the text edge', () => {
    const table = `<w:tbl><w:tblPr><w:tblW w:w="2000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${p('a')}</w:tc></w:tr></w:tbl>`
    expect(dump(pageOf(table + p('x'), { settings: empty })[0]!)[0]).toBe('50.0,59.4 a')
  })

  test('a document that takes its styles from its template uses Word’s default spacing where it states none', () => {
    const styles = '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/></w:style>'
    const body = p('a') + p('b')
    expect(baselines(body, { settings: '<w:linkStyles/>', styles })).toEqual([59.4, 82.6])
    expect(baselines(body, { settings: empty, styles })).toEqual([59.4, 70.9])
  })
})

describe('tabs to a place on the line', () => {
  const ptab = (align: string, from = 'margin', leader = 'none') =>
    `<w:r><w:ptab w:relativeTo="${from}" w:alignment="${align}" w:leader="${leader}"/></w:r>`
  const r = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`
  const placed = (properties: string, ...runs: string[]) =>
    textFrames(layoutOf(wordDocument(`<w:p><w:pPr>${properties}</w:pPr>${runs.join('')}</w:p>`)).pages[0]!)
  const stops = '<w:tabs><w:tab w:val="left" w:pos="300"/></w:tabs>'

  test('centre and end text between the margins, whatever stops the paragraph has', () => {
    const [left, middle, right] = placed(stops, r('a'), ptab('center'), r('middle'), ptab('right'), r('end'))
    expect(left!.x).toBe(50)
    expect(middle!.x + middle!.width / 2).toBeCloseTo(150, 1)
    expect(right!.x + right!.width).toBeCloseTo(250, 1)
  })

  test('can be measured between the indents instead, and can have leaders', () => {
    const indents = '<w:ind w:left="400" w:right="600"/>'
    const inside = placed(indents, r('a'), ptab('right', 'indent', 'dot'), r('end'))
    expect(inside.at(-1)!.x + inside.at(-1)!.width).toBeCloseTo(220, 1)
    expect(inside.some((frame) => frame.text.startsWith('....'))).toBe(true)
    const outside = placed(indents, r('a'), ptab('right'), r('end'))
    expect(outside.at(-1)!.x + outside.at(-1)!.width).toBeCloseTo(250, 1)
  })
})

describe('a word too long for its line', () => {
  const lines = (text: string) => textFrames(pageOf(p(text))[0]!).map((frame) => frame.text)

  test('is cut after its last slash if it starts the paragraph, but not inside a number', () => {
    const path = 'https://example.com/abcdefghijkl/mnopqrstuvwxyz'
    expect(lines(path)).toEqual(['https://example.com/abcdefghijkl/', 'mnopqrstuvwxyz'])
    const digits = 'https://example.com/abcdefghijkl/0123456789012'
    expect(lines(digits)).toEqual(['https://example.com/abcdefghijkl/', '0123456789012'])
    const date = 'https://example.com/ab/2013/05/7abcdefghijklmnop'
    expect(lines(date)).toEqual(['https://example.com/ab/', '2013/05/7abcdefghijklmnop'])
    const time = 'https://example.com/ab/2013.05:/7abcdefghijklmnop'
    expect(lines(time)).toEqual(['https://example.com/ab/', '2013.05:/7abcdefghijklmnop'])
  })

  test('is cut where its room ends if it has no slash, or if it starts a line after a blank', () => {
    const [first, second] = lines('abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
    expect(first!.length).toBeGreaterThan(second!.length)
    const [before, start, rest] = lines('see https://example.com/abcdefghijkl/mnopqrstuvwxyz')
    expect(before).toBe('see ')
    expect(start).toStartWith('https://example.com/abcdefghijkl/mn')
    expect(start! + rest!).toBe('https://example.com/abcdefghijkl/mnopqrstuvwxyz')
  })

  test('is cut after the slash before the one that ends its line', () => {
    const narrow = (text: string, indent: number) =>
      textFrames(pageOf(p(text, `<w:ind w:right="${indent}"/>`))[0]!).map((frame) => frame.text)
    const text = 'abcdef/ghijkl/mno'
    const [whole] = textFrames(pageOf(p('abcdef/ghijkl/'))[0]!)
    const indent = Math.floor((200 - whole!.width) * 20) - 2
    expect(narrow(text, indent)).toEqual(['abcdef/', 'ghijkl/mno'])
  })

  test('stays whole on the next line if a hyphen comes before its slash', () => {
    expect(lines('some more words and other either-or/neither-nor')).toEqual([
      'some more words and other ',
      'either-or/neither-nor',
    ])
  })

  test('stays whole if the next line has room for it', () => {
    expect(lines('some more words before either/or/neither/nor')).toEqual([
      'some more words before ',
      'either/or/neither/nor',
    ])
  })
})

describe('boxed runs', () => {
  const bordered = (color: string) => `<w:bdr w:val="single" w:sz="8" w:space="1" w:color="${color}"/>`
  const r = (text: string, look: string) => `<w:r><w:rPr>${look}</w:rPr><w:t>${text}</w:t></w:r>`
  const boxOf = (...runs: string[]) =>
    layoutOf(wordDocument(`<w:p>${runs.join('')}</w:p>`)).pages[0]!.frames.filter((frame) => frame.kind === 'line')

  test('have a box in their stated colour and width, at its distance', () => {
    const lines = boxOf(r('boxed', bordered('C00000')))
    expect(lines.length).toBe(4)
    expect(new Set(lines.map(({ color, width }) => `${color} ${width}`))).toEqual(new Set(['C00000 1']))
    expect(Math.min(...lines.map(({ x1 }) => x1))).toBeCloseTo(50 - 1.5, 2)
  })

  test('share one box if their borders are equal, and otherwise have one each', () => {
    const [first, second] = [bordered('C00000'), bordered('0000C0')]
    expect(boxOf(r('one', first), r('two', `<w:b/>${first}`)).length).toBe(4)
    expect(boxOf(r('one', first), r('two', second)).length).toBe(8)
    expect(boxOf(r('one', first), r('plain', ''), r('two', first)).length).toBe(8)
  })
})
