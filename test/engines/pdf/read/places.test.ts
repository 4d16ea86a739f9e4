import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import type {
  AxisPosition,
  Block,
  Inline,
  Paragraph,
  Section,
  Table,
} from '../../../../src/engines/pdf/model/document.ts'
import { anchorFloats, type Float, isPlaced } from '../../../../src/engines/pdf/read/anchor-floats.ts'
import { frameAttributes, readFloatingTable, readFrame } from '../../../../src/engines/pdf/read/floats.ts'
import { startOnNewPage, startTableOnNewPage } from '../../../../src/engines/pdf/read/page-starts.ts'
import { readRuby } from '../../../../src/engines/pdf/read/ruby.ts'
import { defaultSection, readNoteNumbering, readSection } from '../../../../src/engines/pdf/read/section.ts'
import { readCellProps, readRowProps, readTableProps } from '../../../../src/engines/pdf/read/table-properties.ts'
import type { Theme } from '../../../../src/engines/pdf/read/theme.ts'
import { element } from './elements.ts'

const theme: Theme = { fonts: new Map(), colors: new Map(), fills: [], backgrounds: [], lines: [] }
const section = (content: string, previous?: Section) =>
  readSection(element(`<w:sectPr>${content}</w:sectPr>`), previous, theme, (id) =>
    id.startsWith('r') ? `${id}.xml` : undefined,
  )
const paragraph = (content: Inline[] = []): Paragraph => ({
  ...{ kind: 'paragraph', props: { before: 12 }, markProps: {}, content, number: 1 },
})
const text = (word: string): Inline => ({ kind: 'text', text: word, props: {} })
const pageBreak: Inline = { kind: 'break', type: 'page', props: {} }
const bookmark = { kind: 'bookmark', name: 'b' } as Inline

describe('A section', () => {
  test('that says nothing is letter paper with margins of an inch', () => {
    expect(section('')).toEqual(defaultSection())
    expect(defaultSection()).toMatchObject({
      ...{ type: 'nextPage', width: 612, height: 792, titlePage: false, pageNumberFormat: 'decimal', vertical: 'top' },
      ...{ margins: { top: 72, right: 72, bottom: 72, left: 72, header: 36, footer: 36, gutter: 0 }, gridPitch: 0 },
      ...{ columns: { count: 1, space: 36 }, columnLine: false, borderOffset: 'text', linesRunDown: false },
    })
  })

  test('has a size within bounds, and margins that may be negative', () => {
    expect(section('<w:pgSz w:w="11906" w:h="16838"/>')).toMatchObject({ width: 595.3, height: 841.9 })
    expect(section('<w:pgSz w:w="20" w:h="200000"/>')).toMatchObject({ width: 36, height: 5_000 })
    expect(
      section(
        '<w:pgMar w:top="-20" w:right="40" w:bottom="60" w:left="80" w:header="100" w:footer="120" w:gutter="140"/>',
      ).margins,
    ).toEqual({ top: -1, right: 2, bottom: 3, left: 4, header: 5, footer: 6, gutter: 7 })
  })

  test('has headers and footers by kind, of which it inherits those that it doesn’t name', () => {
    const first = section(
      '<w:headerReference r:id="r1"/><w:headerReference w:type="first" r:id="r2"/><w:footerReference w:type="even" r:id="r3"/>' +
        '<w:headerReference w:type="x" r:id="r4"/><w:footerReference r:id="x"/>',
    )
    expect([first.headers, first.footers]).toEqual([{ default: 'r1.xml', first: 'r2.xml' }, { even: 'r3.xml' }])
    const next = section('<w:headerReference w:type="default" r:id="r5"/>', first)
    expect([next.headers, next.footers]).toEqual([{ default: 'r5.xml', first: 'r2.xml' }, { even: 'r3.xml' }])
    expect(first.headers.default).toBe('r1.xml')
  })

  test('starts where its type says, with its title page, number and alignment', () => {
    expect(
      ['continuous', 'evenPage', 'oddPage', 'nextColumn', 'nextPage', 'x'].map(
        (type) => section(`<w:type w:val="${type}"/>`).type,
      ),
    ).toEqual([...(['continuous', 'evenPage', 'oddPage', 'nextColumn', 'nextPage', 'nextPage'] as const)])
    expect([section('<w:titlePg/>').titlePage, section('<w:titlePg w:val="0"/>').titlePage]).toEqual([true, false])
    expect(section('<w:pgNumType w:start="0" w:fmt="lowerRoman"/>')).toMatchObject({
      ...{ pageNumberStart: 0, pageNumberFormat: 'lowerRoman' },
    })
    expect(section('<w:pgNumType w:fmt="x"/>')).not.toHaveProperty('pageNumberStart')
    expect(['center', 'bottom', 'both', 'top', 'x'].map((it) => section(`<w:vAlign w:val="${it}"/>`).vertical)).toEqual(
      [...(['center', 'bottom', 'both', 'top', 'top'] as const)],
    )
    expect(['tbRl', 'btLr', 'lrTb'].map((it) => section(`<w:textDirection w:val="${it}"/>`).linesRunDown)).toEqual([
      ...[true, false, false],
    ])
  })

  test('has columns of one width, or of their own where it says so', () => {
    expect(section('<w:cols w:num="3" w:space="400" w:sep="1"/>')).toMatchObject({
      ...{ columns: { count: 3, space: 20 }, columnLine: true },
    })
    expect(section('<w:cols w:sep="0"/>')).toMatchObject({ columns: { count: 1, space: 36 }, columnLine: false })
    expect(['0', '46'].map((count) => section(`<w:cols w:num="${count}" w:space="-1"/>`).columns)).toEqual([
      ...[
        { count: 1, space: 0 },
        { count: 45, space: 0 },
      ],
    ])
    const own = '<w:col w:w="2000" w:space="200"/><w:col w:w="20" w:space="-1"/><w:col/>'
    expect(section(`<w:cols w:num="2" w:equalWidth="0">${own}</w:cols>`).columns).toEqual([
      ...[
        { width: 100, space: 10 },
        { width: 4, space: 0 },
        { width: 72, space: 0 },
      ],
    ])
    for (const equal of ['', 'w:equalWidth="1"'])
      expect(section(`<w:cols w:num="2" ${equal}>${own}</w:cols>`).columns).toEqual({ count: 2, space: 36 })
    expect(section('<w:cols w:num="2" w:equalWidth="0"/>').columns).toEqual({ count: 2, space: 36 })
    expect(section(`<w:cols w:equalWidth="0">${'<w:col/>'.repeat(46)}</w:cols>`).columns).toHaveLength(45)
  })

  test('has a grid of characters only where its type is one of them, in parts of 4,096 of a point', () => {
    const space = (type: string) =>
      section(`<w:docGrid w:type="${type}" w:linePitch="360" w:charSpace="-2048"/>`).gridSpace
    expect(['linesAndChars', 'lines', 'snapToChars'].map(space)).toEqual([-0.5, 0, 0])
  })

  test('has a grid of lines only where its type is one of lines', () => {
    const pitch = (attributes: string) => section(`<w:docGrid ${attributes}/>`).gridPitch
    expect([pitch('w:type="lines" w:linePitch="360"'), pitch('w:type="linesAndChars" w:linePitch="240"')]).toEqual([
      ...[18, 12],
    ])
    expect([
      ...[pitch('w:linePitch="360"'), pitch('w:type="default" w:linePitch="360"'), pitch('w:type="lines"')],
      pitch('w:type="lines" w:linePitch="-20"'),
    ]).toEqual([0, 0, 0, 0])
  })

  test('numbers its lines if it says how often', () => {
    const lines = (attributes: string) => section(`<w:lnNumType ${attributes}/>`).lineNumbers
    expect(lines('w:countBy="5"')).toEqual({ countBy: 5, start: 1, distance: 0, restart: 'newPage' })
    expect(lines('w:countBy="101" w:start="2" w:distance="200" w:restart="newSection"')).toEqual({
      ...{ countBy: 100, start: 3, distance: 10, restart: 'newSection' },
    })
    expect(lines('w:countBy="1" w:start="-3" w:distance="-1" w:restart="continuous"')).toEqual({
      ...{ countBy: 1, start: 1, distance: 0, restart: 'continuous' },
    })
    expect([lines(''), lines('w:countBy="0"'), section('').lineNumbers]).toEqual([undefined, undefined, undefined])
  })

  test('has borders at its text or its edge, and notes in their own numbers', () => {
    const bordered = section('<w:pgBorders w:offsetFrom="page"><w:top w:val="single" w:sz="8"/></w:pgBorders>')
    expect(bordered).toMatchObject({ borderOffset: 'page', borders: { top: { width: 1 } } })
    expect(section('<w:pgBorders/>').borderOffset).toBe('text')
    const notes = '<w:numFmt w:val="lowerRoman"/><w:numStart w:val="3"/><w:numRestart w:val="eachPage"/>'
    const numbering = { format: 'lowerRoman', start: 3, restart: 'eachPage' } as const
    expect(section(`<w:footnotePr>${notes}</w:footnotePr>`)).toMatchObject({ footnotes: numbering, endnotes: {} })
    expect(section(`<w:endnotePr>${notes}</w:endnotePr>`)).toMatchObject({ footnotes: {}, endnotes: numbering })
    const restart = (word: string) =>
      readNoteNumbering(element(`<w:footnotePr><w:numRestart w:val="${word}"/></w:footnotePr>`))
    expect(['eachSect', 'continuous', 'x'].map(restart)).toEqual([
      { restart: 'eachSect' },
      { restart: 'continuous' },
      {},
    ])
    expect(readNoteNumbering(undefined)).toEqual({})
  })
})

describe('A frame of paragraphs', () => {
  const frame = (attributes: Record<string, string>) => readFrame({ attributes }, [])

  test('is as large as it says, and grows unless its height is exact', () => {
    expect(frame({ 'w:w': '200', 'w:h': '400' })).toMatchObject({ width: 10, height: 20, autoHeight: true })
    expect(frame({})).toMatchObject({ width: 0, height: 0, autoHeight: true })
    expect(frame({ 'w:w': '-20', 'w:h': '-20' })).toMatchObject({ width: 0, height: 0 })
    expect(['exact', 'atLeast', 'auto'].map((rule) => frame({ 'w:h': '20', 'w:hRule': rule }).autoHeight)).toEqual([
      ...[false, true, true],
    ])
  })

  test('has text beside it unless it keeps its sides free, at its distances', () => {
    expect(
      ['auto', 'around', 'tight', 'through', 'none', 'notBeside'].map((wrap) => frame({ 'w:wrap': wrap }).anchor?.wrap),
    ).toEqual([...(['square', 'square', 'square', 'square', 'topAndBottom', 'topAndBottom'] as const)])
    expect(frame({}).anchor?.wrap).toBe('square')
    expect(frame({ 'w:hSpace': '20', 'w:vSpace': '40' }).anchor?.margins).toEqual({
      left: 1,
      right: 1,
      top: 2,
      bottom: 2,
    })
    expect(frame({ 'w:hSpace': '-20' }).anchor?.margins).toEqual({ left: 0, right: 0, top: 0, bottom: 0 })
    expect(frame({}).anchor?.behind).toBe(false)
  })

  test('is placed from the page, the margin or the text; a dropped letter from its text', () => {
    const axes = (attributes: Record<string, string>) => {
      const { anchor } = frame(attributes)
      return [anchor?.horizontal, anchor?.vertical]
    }
    expect(axes({})).toEqual([
      { from: 'page', offset: 0 },
      { from: 'page', offset: 0 },
    ])
    for (const dropCap of ['drop', 'margin'])
      expect(axes({ 'w:dropCap': dropCap })).toMatchObject([{ from: 'column' }, { from: 'paragraph' }])
    expect(axes({ 'w:dropCap': 'none' })).toMatchObject([{ from: 'page' }, { from: 'page' }])
    expect(axes({ 'w:hAnchor': 'text', 'w:vAnchor': 'margin', 'w:x': '40', 'w:y': '-20' })).toEqual([
      { from: 'column', offset: 2 },
      { from: 'margin', offset: -1 },
    ])
    expect(axes({ 'w:hAnchor': 'margin', 'w:vAnchor': 'text', 'w:xAlign': 'center', 'w:yAlign': 'inline' })).toEqual([
      { from: 'margin', offset: 0, align: 'center' },
      { from: 'paragraph', offset: 0 },
    ])
  })

  test('takes from its style what it doesn’t say, and no alignment beside a place of its own', () => {
    const styled = { 'w:xAlign': 'center', 'w:yAlign': 'top', 'w:w': '20' }
    expect(frameAttributes(styled, { 'w:x': '5' })).toEqual({ 'w:yAlign': 'top', 'w:w': '20', 'w:x': '5' })
    expect(frameAttributes(styled, { 'w:y': '5', 'w:yAlign': 'bottom', 'w:w': '9' })).toEqual({
      ...{ 'w:xAlign': 'center', 'w:y': '5', 'w:yAlign': 'bottom', 'w:w': '9' },
    })
    expect([frameAttributes(styled), frameAttributes(undefined, styled), frameAttributes()]).toEqual([
      styled,
      styled,
      {},
    ])
  })
})

describe('A floating table', () => {
  const rows = (count: number) => new Array(count).fill({ props: {}, cells: [] })
  const table = (change: Partial<Table> = {}): Table => ({
    kind: 'table',
    props: {},
    grid: [30, 40],
    rows: [],
    ...change,
  })
  const float = (attributes: string, from = table(), where: 'body' | 'cell' = 'body') =>
    readFloatingTable(element(`<w:tblpPr ${attributes}/>`), from, where)

  test('is as wide as its grid, or a share of the text', () => {
    expect(float('')).toMatchObject({ width: 70, height: 0, autoHeight: true })
    expect(float('')).not.toHaveProperty('share')
    expect(float('', table({ props: { width: { type: 'fraction', value: 0.5 } } }))).toMatchObject({ share: 0.5 })
    expect(float('', table({ props: { width: { type: 'points', value: 5 } } }))).not.toHaveProperty('share')
  })

  test('has its place from its text and margins, unless it says otherwise', () => {
    expect(float('')?.anchor).toEqual({
      ...{ behind: false, wrap: 'square', margins: { left: 0, top: 0, right: 0, bottom: 0 } },
      ...{ horizontal: { from: 'column', offset: 0 }, vertical: { from: 'margin', offset: 0 } },
    })
    const placed =
      'w:horzAnchor="page" w:vertAnchor="text" w:tblpX="20" w:tblpY="40" w:leftFromText="20" w:topFromText="40" w:rightFromText="60" w:bottomFromText="-80"'
    expect(float(placed)?.anchor).toMatchObject({
      ...{ horizontal: { from: 'page', offset: 1 }, vertical: { from: 'paragraph', offset: 2 } },
      margins: { left: 1, top: 2, right: 3, bottom: 0 },
    })
    expect(float('w:tblpXSpec="right" w:tblpYSpec="inline"')?.anchor).toMatchObject({
      ...{ horizontal: { align: 'right' }, vertical: { from: 'margin', offset: 0 } },
    })
    expect(float('w:tblpYSpec="inline"')?.anchor?.vertical).not.toHaveProperty('align')
  })

  test('stays in the flow without a width, or with many rows in a cell', () => {
    expect([float('', table({ grid: [] })), float('', table({ grid: [0] }))]).toEqual([undefined, undefined])
    const most = table({ rows: rows(limits.renderFloatRows) })
    const more = table({ rows: rows(limits.renderFloatRows + 1) })
    expect([float('', most, 'cell'), float('', more, 'cell'), float('', more)].map((it) => it?.width)).toEqual([
      ...[70, undefined, 70],
    ])
  })
})

describe('Floats', () => {
  test('are placed where they are off the page’s edge and not aligned', () => {
    const placed = (horizontal: AxisPosition) => {
      const margins = { left: 0, top: 0, right: 0, bottom: 0 }
      return isPlaced({ behind: false, wrap: 'none', horizontal, vertical: horizontal, margins })
    }
    expect([
      placed({ from: 'page', offset: 0 }),
      placed({ from: 'page', offset: 1 }),
      placed({ from: 'column', offset: -1 }),
      placed({ from: 'column', offset: 0, align: 'left' }),
    ]).toEqual([false, true, true, false])
  })

  test('move into the paragraph after them, neighbours of one frame together', () => {
    const [a, b, c, d, last] = [1, 2, 3, 4, 5].map((at) => paragraph([text(`${at}`)]))
    if (!a || !b || !c || !d || !last) throw new Error('five paragraphs')
    const float = (key: string): Float => ({ key, box: (blocks) => readFrame({ attributes: {} }, blocks) })
    const floats = new Map<Block, Float>([
      [a, float('x')],
      [b, float('x')],
      [c, float('')],
      [d, float('')],
    ])
    expect(anchorFloats([a, b, c, d, last], floats)).toEqual([last])
    expect(last.content.map((inline) => (inline.kind === 'textbox' ? inline.blocks : []))).toEqual([
      [a, b],
      [c],
      [d],
      [],
    ])
    expect(floats.size).toBe(0)
  })

  test('stay in the flow before a table or at the end', () => {
    const float: Float = { key: '', box: (blocks) => readFrame({ attributes: {} }, blocks) }
    const [a, b] = [paragraph(), paragraph()]
    const table: Table = { kind: 'table', props: {}, grid: [], rows: [] }
    const floats = () =>
      new Map<Block, Float>([
        [a, float],
        [b, float],
      ])
    expect(anchorFloats([a, table, b], floats())).toEqual([a, table, b])
    const plain = [paragraph()]
    expect(anchorFloats(plain, floats())).toBe(plain)
  })
})

describe('A page break', () => {
  test('that a paragraph begins with breaks before it', () => {
    const broken = paragraph([bookmark, pageBreak, text('a')])
    startOnNewPage(broken)
    expect(broken).toMatchObject({ props: { pageBreakBefore: true, before: 0, beforeAuto: false } })
    expect(broken.content.map(({ kind }) => kind)).toEqual(['bookmark', 'text'])
  })

  test('alone, later or of another kind stays where it is', () => {
    const others: Inline[][] = [[pageBreak], [bookmark, pageBreak, bookmark], [text('a'), pageBreak], [], [bookmark]]
    others.push([{ kind: 'break', type: 'line', props: {} }, text('a')])
    for (const content of others) {
      const before = [...content]
      const kept = paragraph(content)
      startOnNewPage(kept)
      expect([kept.content, kept.props]).toEqual([before, { before: 12 }])
    }
  })

  test('takes away the space above the first paragraph of a table after it', () => {
    const after = (content: Inline[]) => {
      const first = paragraph()
      const cell = { props: {}, blocks: [first] }
      const table = { kind: 'table', props: {}, grid: [], rows: [{ props: {}, cells: [cell] }] } as unknown as Table
      startTableOnNewPage(table, paragraph(content))
      return first.props
    }
    expect(after([text('a'), pageBreak, bookmark])).toEqual({ before: 0, beforeAuto: false })
    expect([after([pageBreak, text('a')]), after([]), after([{ kind: 'break', type: 'line', props: {} }])]).toEqual([
      ...[{ before: 12 }, { before: 12 }, { before: 12 }],
    ])
  })
})

describe('A phonetic guide', () => {
  const ruby = (properties: string, size?: number) =>
    readRuby(
      element(`<w:ruby><w:rubyPr>${properties}</w:rubyPr><w:rt/><w:rubyBase/></w:ruby>`),
      ({ name }): Inline[] => [{ kind: 'text', text: name, props: size === undefined ? {} : { size } }],
    )

  test('has its base, and its small text in the size that it states, raised and aligned', () => {
    expect(ruby('<w:hps w:val="9"/><w:hpsRaise w:val="18"/><w:rubyAlign w:val="left"/>')).toEqual({
      ...{ raise: 9, align: 'left', base: [text('w:rubyBase')] },
      guide: [{ kind: 'text', text: 'w:rt', props: { size: 4.5 } }],
    })
    expect(ruby('<w:hps w:val="9"/>', 7).guide[0]?.props.size).toBe(7)
    expect(ruby('')).toMatchObject({ raise: 0, align: 'center', guide: [{ props: {} }] })
    const aligns = {
      ...{ left: 'left', right: 'right', distributeLetter: 'betweenLetters', distributeSpace: 'aroundLetters' },
      ...{ center: 'center', rightVertical: 'center' },
    }
    for (const [word, align] of Object.entries(aligns))
      expect([word, ruby(`<w:rubyAlign w:val="${word}"/>`).align]).toEqual([word, align as 'left'])
    expect(readRuby(element('<w:ruby/>'), () => [])).toEqual({ base: [], guide: [], raise: 0, align: 'center' })
  })
})

describe('Rows, cells and tables', () => {
  test('have heights of at least what they say, unless it is exact', () => {
    const rule = (word: string) => readRowProps(element(`<w:trPr><w:trHeight w:val="20" w:hRule="${word}"/></w:trPr>`))
    expect(['exact', 'atLeast', 'auto'].map((word) => rule(word).heightRule)).toEqual([
      ...(['exact', 'atLeast', 'atLeast'] as const),
    ])
    expect(readRowProps(undefined)).toEqual({})
  })

  test('have margins, borders and shading of their own', () => {
    const content = (margins: string, borders: string) =>
      `<w:${margins}><w:top w:w="20"/><w:bottom w:w="40"/><w:left w:w="60"/><w:right w:w="80"/></w:${margins}>` +
      `<w:${borders}><w:top w:val="single" w:sz="8"/></w:${borders}><w:shd w:fill="FF0000"/>`
    const margins = { top: 1, bottom: 2, left: 3, right: 4 }
    expect(readCellProps(element(`<w:tcPr>${content('tcMar', 'tcBorders')}</w:tcPr>`), theme)).toMatchObject({
      ...{ margins, borders: { top: { width: 1 } }, shading: 'FF0000' },
    })
    expect(readTableProps(element(`<w:tblPr>${content('tblCellMar', 'tblBorders')}</w:tblPr>`), theme)).toMatchObject({
      ...{ cellMargins: margins, borders: { top: { width: 1 } }, shading: 'FF0000' },
    })
    expect([readCellProps(undefined, theme), readTableProps(undefined, theme)]).toEqual([{}, {}])
  })
})
