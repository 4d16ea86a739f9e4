import { describe, expect, test } from 'bun:test'
import { plainPng } from './documents.ts'
import { dump, layoutOf, p, picture, smallSection, textFrames, wordDocument } from './word.ts'

/*
 * Where lines stand, to the twentieth of a point: what is off on one line is off by lines over a few pages. Arial 10 pt
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
  test('text, gap and ascent are rounded to twips each, from sixths of a twip', () => {
    const heights = [19, 21, 23, 26].map((size) => {
      const [first, second] = baselines(p('a', '', `<w:sz w:val="${size}"/>`) + p('b', '', `<w:sz w:val="${size}"/>`))
      return Math.round((second! - first!) * 20)
    })
    expect(heights).toEqual([218, 242, 265, 300])
  })

  test('a factor counts in whole percents, and its share is cut to twips', () => {
    // 259/240 are 108 %, of 230 twips 18.4 more.
    expect(baselines(spaced(259, 'auto', 'a', 'b', 'c') + p('d'))).toEqual([59.4, 71.8, 84.2, 96.6])
  })

  test('the room for spacing is a share of the line below it, and stands between the two', () => {
    const big = '</w:t></w:r><w:r><w:rPr><w:sz w:val="40"/></w:rPr><w:t>B</w:t></w:r><w:r><w:t>'
    // The 20 pt line is 460 twips high with 375 above its baseline; single lines 230 with 188.
    expect(baselines(spaced(480, 'auto', 'a', big, 'c'))).toEqual([59.4, 59.4 + 2.1 + 23 + 18.75, 128.4])
  })

  test('less than single spacing takes four fifths of the line for what is above the baseline', () => {
    // 80 % of 230 twips are 184, and 147 of them above the baseline.
    expect(baselines(spaced(192, 'auto', 'a', 'b') + p('c'))).toEqual([57.35, 66.55, 77.8])
    expect(baselines(spaced(24, 'auto', 'a', 'b'))[1]! - baselines(spaced(24, 'auto', 'a', 'b'))[0]!).toBeCloseTo(
      5.75,
      2,
    )
  })

  test('blanks and tabs of another size make no line higher, alone neither, but widen the space below the paragraph', () => {
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

  test('a line of nothing but a low picture is as high as the paragraph’s own text would be', () => {
    const media = { 'image1.png': plainPng(2, 2, [0, 0, 0]) }
    const low = `<w:p><w:pPr><w:rPr><w:sz w:val="40"/></w:rPr></w:pPr><w:r>${picture('image1', 100, 3)}</w:r></w:p>`
    expect(baselines(low + p('below'), { media })).toEqual([70.9])
    const high = `<w:p><w:r>${picture('image1', 100, 30)}</w:r></w:p>`
    expect(baselines(high + p('below'), { media })).toEqual([89.4])
    const broken = `<w:p><w:r>${picture('image1', 100, 30)}<w:br/><w:t>below</w:t></w:r></w:p>`
    expect(baselines(broken, { media })).toEqual([91.5])
  })

  test('an exact height is cut to twips above the baseline as well', () => {
    expect(baselines(spaced(203, 'exact', 'a', 'b'))).toEqual([58.1, 68.25])
  })
})

describe('the right edge', () => {
  test('is met by a word that is less than a twip too wide, not by a wider one', () => {
    // Words as wide as a whole number of twips and 0.02 to 0.04 pt more: what rounding of twips leaves over.
    const excess = (width: number) => width - Math.floor(width * 20) / 20
    const candidates = Array.from({ length: 30 }, (_, index) => `a ${'e'.repeat(index + 1)}`)
    const widthOf = (text: string) => {
      const frames = textFrames(pageOf(p(text))[0]!)
      return Math.max(...frames.map((frame) => frame.x + frame.width)) - 50
    }
    const text = candidates.find(
      (candidate) => excess(widthOf(candidate)) > 0.025 && excess(widthOf(candidate)) < 0.035,
    )
    expect(text).toBeDefined()
    const linesWith = (twips: number) =>
      new Set(baselines(p(text!, `<w:ind w:right="${4000 - Math.floor(widthOf(text!) * 20) + twips}"/>`))).size
    expect(linesWith(0)).toBe(1)
    expect(linesWith(1)).toBe(2)
  })
})

describe('alignment', () => {
  test('distributed lines are justified up to and with the last, under a style’s as well, until another alignment comes', () => {
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
  test('of text in italics ends a twelfth of its height before the margin, other lines do not', () => {
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
})

describe('raised text', () => {
  test('superscripts end where the text around them ends, subscripts at its foot, at 58 % and without a higher line', () => {
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

  test('a stated position moves text by a whole percentage of the line, which grows by as much', () => {
    const body = `<w:p><w:r><w:t>x</w:t></w:r><w:r><w:rPr><w:position w:val="6"/></w:rPr><w:t>up</w:t></w:r></w:p>${p('next')}`
    // 3 pt of 10 are 30 %, and of 230 twips 69.
    expect(baselines(body)).toEqual([62.85, 59.4, 74.35])
  })
})

describe('document grid', () => {
  const grid = `${smallSection}<w:docGrid w:type="lines" w:linePitch="312"/>`

  test('whole lines stand in the middle of the text area, and text in the middle of its line', () => {
    // 6000 twips hold 19 lines of 312; half of the other 72 is 1.8 pt. Above the text of 230 twips are 41 of the line.
    expect(baselines(p('a') + p('b'), { section: grid })).toEqual([63.25, 78.85])
    const lines = Array.from({ length: 20 }, (_, index) => p(`l${index}`)).join('')
    const pages = pageOf(lines, { section: grid })
    expect(dump(pages[0]!)).toHaveLength(19)
    expect(dump(pages[1]!)).toHaveLength(1)
  })

  test('an exact height replaces the line of the grid, less than single spacing does not', () => {
    const at = (body: string) => baselines(p('x') + body, { section: grid }).slice(1)
    expect(at(spaced(240, 'exact', 'a', 'b'))).toEqual([77.05, 89.05])
    expect(at(spaced(192, 'auto', 'a', 'b'))).toEqual([78.85, 94.45])
  })

  test('does not hold in headers, footnotes and text boxes', () => {
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

  test('each has its border above, the table one below, and text keeps clear of half a border beside it', () => {
    // A border of 3 pt: 50 + 3 + 9.4, then 11.5 + 3 on each, and 3 more below the last row.
    expect(dump(pageOf(table([p('a'), p('b')], borders(24)) + p('after'))[0]!)).toEqual([
      '56.9,62.4 a',
      '56.9,76.9 b',
      '50.0,91.4 after',
    ])
  })

  test('a least height is that of the cell, and the border comes to it; an exact one is the whole row', () => {
    const rows = (rule: string) => baselines(table([p('a'), p('b')], borders(24), `<w:trHeight w:val="400"${rule}/>`))
    expect(rows('')).toEqual([62.4, 85.4])
    expect(rows(' w:hRule="exact"')).toEqual([62.4, 82.4])
  })

  test('tables that follow each other share the border between them', () => {
    const one = table([p('a')], borders(24))
    expect(baselines(one + one + p('after'))).toEqual([62.4, 76.9, 91.4])
  })

  test('an empty paragraph that only ends its cell below a table takes no room there, and elsewhere it does', () => {
    const nested = (end: string) => baselines(table([table([p('a')]) + end]) + p('after')).at(-1)
    expect(nested(p(''))).toBeCloseTo(70.95, 2)
    expect(nested(p('') + p(''))).toBeCloseTo(93.9, 2)
  })

  test('where text hangs in the margin, the border beside it does too', () => {
    const old =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="14"/></w:compat>'
    expect(dump(pageOf(table([p('a')], borders(24)), { settings: old })[0]!)[0]).toBe('50.0,62.4 a')
  })

  test('in a table with a style, a size of 11 or 12 pt in Normal gives way, unless the document says it wins', () => {
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
  })
})

describe('what the document leaves open', () => {
  const empty = '<w:compat/>'

  test('where some pages of a section have a header, the others have an empty line in its style there', () => {
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

  test('a table in a document of no stated version begins at the text edge', () => {
    const table = `<w:tbl><w:tblPr><w:tblW w:w="2000" w:type="dxa"/></w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc>${p('a')}</w:tc></w:tr></w:tbl>`
    expect(dump(pageOf(table + p('x'), { settings: empty })[0]!)[0]).toBe('55.4,59.4 a')
  })

  test('a document that takes its styles from its template has the space of Word’s defaults where it states none', () => {
    const styles = '<w:style w:type="paragraph" w:styleId="S"><w:name w:val="S"/></w:style>'
    const body = p('a') + p('b')
    expect(baselines(body, { settings: '<w:linkStyles/>', styles })).toEqual([59.4, 82.6])
    expect(baselines(body, { settings: empty, styles })).toEqual([59.4, 70.9])
  })
})
