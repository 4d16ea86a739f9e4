import { describe, expect, test } from 'bun:test'
import { plainPng } from './documents.ts'
import { dump, dumpShapes, layoutOf, p, picture, renderingOf, textFrames, wordDocument } from './word.ts'

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
})
