import { describe, expect, test } from 'bun:test'
import { dump, dumpShapes, layoutOf, p, smallSection, wordDocument } from '../../word.ts'

/** Where floating tables are: text from 50 to 250 pt across and from 50 to 350 pt down, Arial 10 pt. */
const linesOf = (body: string, section = smallSection) => dump(layoutOf(wordDocument(body, { section })).pages[0]!)
const table = (position: string, width = '', text = 'cell') =>
  `<w:tbl><w:tblPr><w:tblpPr ${position}/>${width}</w:tblPr><w:tblGrid><w:gridCol w:w="4200"/></w:tblGrid><w:tr><w:tc>${p(text)}</w:tc></w:tr></w:tbl>`

describe('a floating table', () => {
  test('is placed between the margins, not on the page, if it names no vertical anchor', () => {
    const bottom = table('w:horzAnchor="margin" w:tblpYSpec="bottom"')
    expect(linesOf(bottom + p('text'))).toContain('55.4,347.9 cell')
    const stated = table('w:horzAnchor="margin" w:vertAnchor="page" w:tblpYSpec="bottom"')
    expect(linesOf(stated + p('text'))).toContain('55.4,397.9 cell')
  })

  test('has one line between two rows, and none where a page ends between them', () => {
    const edges = '<w:tblBorders><w:bottom w:val="single" w:sz="8"/><w:insideH w:val="single" w:sz="8"/></w:tblBorders>'
    const rows = table('w:horzAnchor="margin" w:tblpY="2000"', edges).replace(/<w:tr>.*<\/w:tr>/, '$&$&$&')
    const lines = dumpShapes(layoutOf(wordDocument(rows + p('text'))).pages[0]!).filter((line) =>
      line.startsWith('line'),
    )
    expect(lines).toHaveLength(3)
  })

  test('is centred by its width as a share of the text, whatever its grid says', () => {
    const position = 'w:horzAnchor="margin" w:tblpXSpec="center" w:tblpY="2000"'
    expect(linesOf(table(position) + p('text'))).toContain('50.4,159.4 cell')
    expect(linesOf(table(position, '<w:tblW w:w="5000" w:type="pct"/>') + p('text'))).toContain('55.4,159.4 cell')
    expect(linesOf(table(position, '<w:tblW w:w="2500" w:type="pct"/>') + p('text'))).toContain('105.4,159.4 cell')
  })

  test('places its text as stated before Word 2013’s mode and without a mode, but not beyond the page', () => {
    const cellOf = (position: string, settings: string) => {
      const docx = wordDocument(table(`w:vertAnchor="page" w:tblpY="4000" ${position}`) + p('text'), { settings })
      return dump(layoutOf(docx).pages[0]!).find((line) => line.endsWith('cell'))
    }
    const modern =
      '<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>'
    expect(cellOf('w:horzAnchor="margin"', '<w:compat/>')).toBe('50.0,209.4 cell')
    expect(cellOf('w:horzAnchor="margin"', modern)).toBe('55.4,209.4 cell')
    expect(cellOf('w:horzAnchor="page"', '<w:compat/>')).toBe('5.4,209.4 cell')
    expect(cellOf('w:horzAnchor="margin" w:tblpXSpec="left"', '<w:compat/>')).toBe('55.4,209.4 cell')
  })

  test('moves to the next page in the text flow, below its distance from the text, if it would run off its own page', () => {
    const row = (text: string) => `<w:tr><w:tc>${p(text)}</w:tc></w:tr>`
    const long = (rows: number) =>
      '<w:tbl><w:tblPr><w:tblpPr w:vertAnchor="text" w:horzAnchor="margin" w:tblpXSpec="center" w:tblpY="1000"/></w:tblPr>' +
      `<w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${Array.from({ length: rows }, (_, at) => row(`r${at}`)).join('')}</w:tbl>`
    const pagesOf = (rows: number) =>
      layoutOf(wordDocument(p('before') + long(rows) + p('beside') + p('behind'))).pages.map(dump)
    // 50 pt below the first line, 20 rows end within the page's 300 pt, 22 do not.
    expect(pagesOf(20)).toHaveLength(1)
    expect(pagesOf(20)[0]).toContain('50.0,70.9 beside')
    const [first, second] = pagesOf(22)
    expect(first!.slice(0, 2)).toEqual(['50.0,59.4 before', '105.4,120.9 r0'])
    expect(second!.map((line) => line.split(' ')[1])).toEqual(['r20', 'r21', 'beside', 'behind'])
  })

  test('that is in the text flow appears once, wherever its paragraph ends up', () => {
    const row = `<w:tr><w:tc>${p('row')}</w:tc></w:tr>`
    const long =
      '<w:tbl><w:tblPr><w:tblpPr w:vertAnchor="text" w:horzAnchor="margin"/></w:tblPr>' +
      `<w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>${row.repeat(30)}</w:tbl>`
    const lead = Array.from({ length: 20 }, () => p('lead')).join('')
    const { pages } = layoutOf(wordDocument(lead + long + long + p('last', '<w:keepNext/>') + p('end')))
    const words = pages.flatMap(dump).map((line) => line.split(' ')[1])
    expect(words.filter((word) => word === 'row')).toHaveLength(60)
    expect(words.slice(-2)).toEqual(['last', 'end'])
  })
})

describe('an object in the middle of the text', () => {
  /** 40 pt wide, with 80 pt left of it and right of it. */
  const floating = (wrap: string, from = 80) =>
    '<w:r><w:drawing><wp:anchor behindDoc="0" distT="0" distB="0" distL="0" distR="0"><wp:simplePos x="0" y="0"/>' +
    `<wp:positionH relativeFrom="column"><wp:posOffset>${from * 12_700}</wp:posOffset></wp:positionH>` +
    '<wp:positionV relativeFrom="paragraph"><wp:posOffset>0</wp:posOffset></wp:positionV>' +
    `<wp:extent cx="508000" cy="317500"/>${wrap}<wp:docPr id="1" name="s"/><a:graphic><a:graphicData uri="x">` +
    '<wps:wsp><wps:spPr><a:prstGeom prst="rect"/></wps:spPr></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>'
  const square = (sides: string) => `<wp:wrapSquare wrapText="${sides}"/>`
  const lines = (wrap: string, text: string, properties = '', from = 80) =>
    linesOf(
      `<w:p><w:pPr>${properties}</w:pPr>${floating(wrap, from)}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`,
    ).flatMap((line) => (line.endsWith(' ') ? [] : [line.replace(/(\d+)\.\d,(\d+)\.\d/, '$1,$2')]))

  const words = 'one two three four five six seven eight nine ten eleven twelve'
  const first = ['50,59 one two three', '170,59 four five six', '50,70 seven eight nine', '170,70 ten eleven twelve']

  test('has lines of text on both sides, left before right, and whole lines below it', () => {
    expect(lines(square('bothSides'), words)).toEqual(first)
    const more = lines(square('bothSides'), `${words} ${words}`)
    expect(more).toEqual(
      [...first, ...first.map((line) => line.replace(',59', ',82').replace(',70', ',93'))]
        .slice(0, 6)
        .concat('50,93 seven eight nine ten eleven twelve'),
    )
  })

  test('has text on the stated side, or on the wider one', () => {
    const places = (sides: string, from = 80) => lines(square(sides), words, '', from).map((line) => line.split(' ')[0])
    expect(places('left')).toEqual(['50,59', '50,70', '50,82', '50,93'])
    expect(places('right')).toEqual(['170,59', '170,70', '170,82', '50,93'])
    expect(places('largest')).toEqual(['170,59', '170,70', '170,82', '50,93'])
    expect(places('largest', 90)[0]).toBe('50,59')
  })

  test('lets a word that is too long for one side move to the other', () => {
    const [left] = lines(square('bothSides'), `incomprehensibility ${words}`, '', 72)
    expect(left).toBe('162,59 incomprehensibility')
  })

  test('has the text of right-to-left paragraphs on its right first', () => {
    expect(lines(square('bothSides'), words, '<w:bidi/>')).toEqual([
      '189,59 one two three',
      '79,59 four five six',
      '177,70 seven eight nine',
      '52,70 ten eleven twelve',
    ])
  })
})
