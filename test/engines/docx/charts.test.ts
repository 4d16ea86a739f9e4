import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { compileTemplate, composeTemplate, watchTemplate } from '../../../src/engines/docx/docx.ts'
import { openForRetagging } from '../../../src/engines/docx/retag.ts'
import { seriesOf as seriesOfChart } from '../../../src/engines/docx/scan/chart-series.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { parseXml } from '../../../src/engines/ooxml/xml-parser.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { tagChanges } from '../../../src/project/mutation/tag-changes.ts'
import { barPlot, type ChartParts, chartPackage, drawing, workbookParts } from './chart-package.ts'
import { cellsInCalc, hasCalc } from './office.ts'
import { compileCodes, compiled, composedPackage, p, partText, tbl, tr, wordPackage } from './word-package.ts'

const tag = '{{chart /m by ./n show ./s ./c}}'
const months = {
  y: 2026,
  m: [
    { n: 'Jan', s: 4.5, c: 2 },
    { n: 'Feb', s: 5, c: null },
    { n: 'A & <b>', s: '3.25', c: 1e21 },
  ],
}

/** The caches of a chart: each series as its name, formulas and points. */
const seriesOf = (xml: string) =>
  [...xml.matchAll(/<c:ser>.*?<\/c:ser>/gs)].map(([series]) => {
    const points = (name: string) => {
      const holder = new RegExp(`<c:${name}>.*?</c:${name}>`, 's').exec(series)?.[0] ?? ''
      const count = /<c:ptCount val="(\d+)"\/>/.exec(holder)?.[1]
      const values = [...holder.matchAll(/<c:pt idx="(\d+)"><c:v>([^<]*)<\/c:v>/g)].map(
        ([, index, value]) => `${index}:${value}`,
      )
      return `${/<c:f>([^<]*)/.exec(holder)?.[1] ?? ''} ${count} ${values.join(' ')}`
    }
    return [points('tx'), points('cat'), points('val')]
  })
const composedChart = (data: JsonValue, parts: ChartParts = {}, body = drawing(tag)) => {
  const opened = composedPackage(chartPackage(body, parts), data)
  const workbook = opened.readBytes('word/embeddings/sheet.xlsx')
  const zip = workbook.ok ? readZip(workbook.value) : workbook
  if (!zip.ok) throw new Error('no workbook')
  const sheet = (part: string) => {
    const bytes = zip.value.read(part)
    return bytes.ok ? new TextDecoder().decode(bytes.value) : ''
  }
  return { opened, xml: partText(opened, 'word/charts/chart1.xml'), sheet }
}
/** The cells of a sheet: reference, style and content. */
const cellsOf = (xml: string) =>
  [...xml.matchAll(/<c r="(\w+)"(?: s="(\d+)")?[^>]*>(?:<v>([^<]*)|<is><t[^>]*>([^<]*))/g)].map(
    ([, cell, style, value, text]) => `${cell}${style === undefined ? '' : `/${style}`} ${value ?? text}`,
  )
const messages = (data: JsonValue, parts: ChartParts = {}, body = drawing(tag)) => {
  const composed = composeTemplate(compiled(chartPackage(body, parts)), data)
  return composed.ok ? [] : composed.findings.map(({ code, path, message }) => `${code} ${path} ${message}`)
}
const compileMessages = (parts: ChartParts, body = drawing(tag)) =>
  compileTemplate(chartPackage(body, parts)).findings.map(({ code, message }) => `${code} ${message}`)

describe('a chart', () => {
  test('shows the items of the list, in the format that the template has', () => {
    const { xml } = composedChart(months)
    expect(seriesOf(xml)).toEqual([
      [
        'Sheet1!$B$1 1 0:Sales',
        'Sheet1!$A$2:$A$4 3 0:Jan 1:Feb 2:A &amp; &lt;b&gt;',
        'Sheet1!$B$2:$B$4 3 0:4.5 1:5 2:3.25',
      ],
      ['Sheet1!$C$1 1 0:Costs', 'Sheet1!$A$2:$A$4 3 0:Jan 1:Feb 2:A &amp; &lt;b&gt;', 'Sheet1!$C$2:$C$4 3 0:2 2:1e+21'],
    ])
    expect(xml.match(/<c:formatCode>0\.0<\/c:formatCode>/g)).toHaveLength(2)
    expect(parseXml(xml).ok).toBe(true)
    expect(seriesOf(composedChart({ m: [] }).xml)[0]?.[2]).toBe('Sheet1!$B$2:$B$2 0 ')
  })

  test.skipIf(!hasCalc)(
    'has a workbook that a spreadsheet program opens, with the data that the chart shows',
    () => {
      const workbook = (data: JsonValue, parts: ChartParts = {}) => {
        const read = composedChart(data, parts).opened.readBytes('word/embeddings/sheet.xlsx')
        if (!read.ok) throw new Error('no workbook')
        return read.value
      }
      const many = Array.from({ length: 500 }, (_, at) => ({ n: `Tag ${at}`, s: at / 8, c: -at }))
      const dates = { y: 2026, m: [{ n: '2026-03-01', s: 1, c: 2 }] }
      const found = cellsInCalc({
        months: workbook(months),
        longer: workbook({ y: 2026, m: many }),
        none: workbook({ y: 2026, m: [] }),
        dates: workbook(dates, { dates: 'yyyy\\-mm\\-dd' }),
      })
      expect(found.months).toEqual([
        ['', 'Sales', 'Costs', '', '7'],
        ['Jan', '4.5', '2', '', ''],
        ['Feb', '5', '', '', ''],
        ['A & <b>', '3.25', '1E+021', '', ''],
        ...Array.from({ length: 4 }, () => ['', '', '', '', '']),
        ['', '99', '', '', ''],
      ])
      expect(found.longer?.slice(1)).toEqual(many.map(({ n, s, c }) => [n, String(s), String(c + 0), '', '']))
      expect(found.none?.slice(0, 3)).toEqual([
        ['', 'Sales', 'Costs', '', '7'],
        ['', '', '', '', ''],
        ['', '', '', '', ''],
      ])
      expect(found.dates?.[1]?.slice(0, 3)).toEqual(['46082', '1', '2'])
    },
    120_000,
  )

  test('reports cells below its data that more items replace, and leaves nothing of them behind', () => {
    const items = (count: number) => ({
      y: 2026,
      m: Array.from({ length: count }, (_, at) => ({ n: `n${at}`, s: at, c: 1 })),
    })
    const remarks = (count: number) => {
      const composed = composeTemplate(compiled(chartPackage(drawing(tag))), items(count))
      if (!composed.ok) throw new Error('not composed')
      return composed.findings.map(({ code, severity, message }) => `${code} ${severity} ${message}`)
    }
    expect(remarks(7)).toEqual([])
    expect(remarks(8)).toEqual([
      'docx.chart_cells warning The 8 items of /m take the place of what the cell B9 of the chart’s workbook holds.',
    ])
    const hole = { y: 2026, m: items(8).m.map((item, at) => (at === 7 ? { ...item, s: null } : item)) }
    const cells = cellsOf(composedChart(hole).sheet('xl/worksheets/sheet1.xml'))
    expect(cells.filter((cell) => /^[ABC]9/.test(cell))).toEqual(['A9 n7', 'C9/1 1'])
  })

  test('has the same values in its workbook, whose other cells and formats stay', () => {
    const { sheet } = composedChart(months)
    expect(cellsOf(sheet('xl/worksheets/sheet1.xml'))).toEqual([
      'B1 Sales',
      'C1 Costs',
      'E1 7',
      'A2 Jan',
      'B2/1 4.5',
      'C2/1 2',
      'A3 Feb',
      'B3/1 5',
      'A4 A &amp; &lt;b&gt;',
      'B4/1 3.25',
      'C4/1 1e+21',
      'B9 99',
    ])
    expect(sheet('xl/worksheets/sheet1.xml')).toContain('<row r="1" ht="20" customHeight="1">')
    expect(sheet('xl/worksheets/sheet1.xml')).not.toContain('<dimension')
    expect(sheet('xl/tables/table1.xml')).toContain('ref="A1:C4"><autoFilter ref="A1:C4"/>')
    const one = composedChart({ m: [{ n: 'x', s: 1, c: 1 }] }).sheet
    expect(cellsOf(one('xl/worksheets/sheet1.xml')).slice(3)).toEqual(['A2 x', 'B2/1 1', 'C2/1 1', 'B9 99'])
    expect(one('xl/tables/table1.xml')).toContain('ref="A1:C2"')
    for (const part of ['xl/worksheets/sheet1.xml', 'xl/tables/table1.xml']) expect(parseXml(sheet(part)).ok).toBe(true)
  })

  test('gives each cell the look of the one that it replaces, and those of further items that of the first item', () => {
    const styled = (cells: string) => {
      const parts = workbookParts()
      const sheet = parts['xl/worksheets/sheet1.xml'] as string
      const rows = `<sheetData><row r="1"><c r="B1" s="4"/><c r="C1" s="4"/></row>${cells}<row r="9"><c r="B9" s="5"><v>9</v></c></row></sheetData>`
      const workbook = {
        ...parts,
        'xl/worksheets/sheet1.xml': sheet.replace(/<sheetData>.*<\/sheetData>/, () => rows),
      }
      const made = cellsOf(composedChart(months, { workbook }).sheet('xl/worksheets/sheet1.xml'))
      return made.filter((cell) => /^[BC][234]/.test(cell)).map((cell) => cell.split(' ')[0])
    }
    const of = (row: number, b: number, c: number) =>
      `<row r="${row}"><c r="B${row}" s="${b}"/><c r="C${row}" s="${c}"/></row>`
    expect(styled(of(2, 1, 2) + of(3, 3, 4))).toEqual(['B2/1', 'C2/2', 'B3/3', 'B4/1', 'C4/2'])
    expect(styled(of(3, 3, 4) + of(2, 1, 2))).toEqual(['B2/1', 'C2/2', 'B3/3', 'B4/1', 'C4/2'])
    // A first item without a cell is as the next one is.
    expect(styled(of(3, 3, 4))).toEqual(['B2/3', 'C2/4', 'B3/3', 'B4/3', 'C4/4'])
  })

  test('fills the names of its series, in its cells and its table too', () => {
    const { xml, sheet } = composedChart(months, { names: ['Sales {{/y}}', 'Costs'] })
    expect(seriesOf(xml)[0]?.[0]).toBe('Sheet1!$B$1 1 0:Sales 2026')
    expect(cellsOf(sheet('xl/worksheets/sheet1.xml'))[0]).toBe('B1 Sales 2026')
    expect(sheet('xl/tables/table1.xml')).toContain('<tableColumn id="2" name="Sales 2026"/>')
  })

  test('takes numbers and dates for categories that are numbers', () => {
    const dates = { m: ['2026-01-01', '2026-02-01T10:00', 7].map((n) => ({ n, s: 1, c: 2 })) }
    expect(seriesOf(composedChart(dates, { dates: 'mmm yy' }).xml)[0]?.[1]).toBe(
      'Sheet1!$A$2:$A$4 3 0:46023 1:46054 2:7',
    )
    const since1904 = { dates: 'mmm yy', before: '<c:date1904 val="1"/>' }
    expect(seriesOf(composedChart(dates, since1904).xml)[0]?.[1]).toContain(' 0:44561 1:44592 2:7')
    expect(messages({ m: [{ n: 'x', s: 1, c: 2 }] }, { dates: 'mmm yy' })).toEqual([
      'docx.bad_value word/document.xml#1:0 /m/0/n is neither a number nor a date.',
    ])
  })

  test('of other kinds works alike, and without a workbook', () => {
    const pie = { names: ['Share'], plot: (series: readonly string[]) => `<c:pieChart>${series.join('')}</c:pieChart>` }
    const { xml } = composedChart({ m: [{ n: 'a', s: 1 }] }, pie, drawing('{{chart /m by ./n show ./s}}', 'descr'))
    expect(seriesOf(xml)).toEqual([['Sheet1!$B$1 1 0:Share', 'Sheet1!$A$2:$A$2 1 0:a', 'Sheet1!$B$2:$B$2 1 0:1']])
    const literal = (series: readonly string[]) =>
      barPlot(
        series.map((one) =>
          one.replace(
            /<c:cat>.*<\/c:val>/,
            '<c:cat><c:strLit><c:ptCount val="0"/></c:strLit></c:cat><c:val><c:numLit><c:formatCode>0%</c:formatCode></c:numLit></c:val>',
          ),
        ),
      )
    const literals = composedChart({ m: [{ n: 'a', s: 1, c: 2 }] }, { plot: literal }).xml
    expect(literals).toContain('<c:strLit><c:ptCount val="1"/><c:pt idx="0"><c:v>a</c:v></c:pt></c:strLit>')
    expect(literals).toContain(
      '<c:numLit><c:formatCode>0%</c:formatCode><c:ptCount val="1"/><c:pt idx="0"><c:v>2</c:v></c:pt></c:numLit>',
    )
  })

  test('takes the members of an object by their names', () => {
    const body = drawing('{{chart /m by @name show . .}}')
    expect(seriesOf(composedChart({ m: { b: 2, a: 1 } }, {}, body).xml)[0]?.slice(1)).toEqual([
      'Sheet1!$A$2:$A$3 2 0:a 1:b',
      'Sheet1!$B$2:$B$3 2 0:1 1:2',
    ])
  })

  test('makes the same bytes of the same data, and leaves no tag', () => {
    const template = compiled(chartPackage(drawing(tag)))
    const [one, other] = [1, 2].map(() => composeTemplate(template, months))
    if (!one?.ok || !other?.ok) throw new Error('not composed')
    expect(Buffer.from(one.value).equals(Buffer.from(other.value))).toBe(true)
    const opened = openPackage(one.value)
    expect(opened.ok && partText(opened.value, 'word/document.xml')).not.toContain('{{')
  })

  test('refuses data that is no list, no category and no number', () => {
    const place = 'word/document.xml#1:0'
    expect(messages({})).toEqual([`docx.missing_value ${place} /m is missing, and the chart shows its items.`])
    expect(messages({ m: 'x' })).toEqual([
      `docx.not_a_list ${place} /m is neither a list nor an object, and the chart shows its items.`,
    ])
    expect(messages({ m: [{ s: 'x', c: true }] })).toEqual([
      `docx.missing_value ${place} /m/0/n is missing.`,
      `docx.bad_value ${place} /m/0/s is not a number.`,
      `docx.bad_value ${place} /m/0/c is not a number.`,
    ])
    expect(messages({ m: [{ n: 'a\u0001', s: 1, c: 1 }] })).toEqual([
      `docx.illegal_character ${place} The value holds a control character that a document cannot carry.`,
    ])
    expect(messages({ m: Array(5001).fill({ n: 'a', s: 1, c: 1 }) })).toEqual([
      `docx.too_many_items ${place} /m gives the chart more than 10000 points.`,
    ])
    expect(messages({ m: Array(5000).fill({ n: 'a', s: 1, c: 1 }) })).toEqual([])
    // Its items count as turns, together with those of the loops.
    const m = Array(5).fill({ n: 'a', s: 1, c: 1 })
    const l = Array(limits.composeIterations - 4).fill(0)
    expect(messages({ m, l }, {}, p('{{#each /l}}{{#if /y}}x{{#end}}{{#end}}') + drawing(tag))).toEqual([
      `docx.too_many_items word/document.xml#2:0 The data makes the loops turn more than 1000000 times.`,
    ])
  })

  test('is refused where its data could not be told', () => {
    expect(compileMessages({ names: ['Sales'] })).toEqual([
      'docx.bad_chart The tag shows 2 values, and the chart has 1 series.',
    ])
    const changed = (from: string | RegExp, to: string) => (series: readonly string[]) =>
      barPlot(series.map((one) => one.replace(from, to)))
    expect(compileMessages({ plot: changed('$B$2:$B$3', '$B$2:$C$2') })).toEqual([
      'docx.bad_chart The chart doesn’t take each series from a column of its own.',
    ])
    expect(compileMessages({ plot: changed(/c:val>/g, 'c:yVal>') })).toEqual([
      'docx.bad_chart The chart has series without categories and values.',
    ])
    expect(compileMessages({ plot: () => '' })).toEqual(['docx.bad_chart The chart has no series.'])
    expect(compileMessages({ workbook: { x: 'y' } })).toEqual([
      'docx.bad_chart The chart has a workbook that can’t be read.',
    ])
    expect(compileMessages({ workbook: { ...workbookParts(), 'xl/calcChain.xml': '<x/>' } })).toEqual([
      'docx.bad_chart The chart has a workbook that calculates.',
    ])
    expect(compileMessages({}, drawing(`Sales ${tag}`))).toEqual([
      `docx.bad_chart ${tag} is not alone in the alternative text of a chart.`,
    ])
    expect(compileMessages({}, p('{{#each /l}}') + drawing(tag) + p('{{#end}}'))).toEqual([
      'docx.misplaced A chart in a loop would have the data of one turn only.',
    ])
    expect(compileCodes(wordPackage(p(tag) + tbl(tr('x'))))).toEqual(['docx.misplaced word/document.xml#1:0'])
    for (const wrong of [
      'chart /m',
      'chart /m by ./n',
      'chart /m show ./s',
      'chart m by ./n show ./s',
      'chart /m by n show ./s',
      'chart /m by ./n show s',
    ]) {
      expect([wrong, compileCodes(chartPackage(drawing(`{{${wrong}}}`))).length]).toEqual([wrong, 1])
    }
  })

  test('is bound as a loop over its list is, and counted for coverage', () => {
    const template = chartPackage(drawing(tag))
    expect(
      compiled(template).bindings.map(({ pointer, shape, required, use }) => [pointer, shape, required, use?.as]),
    ).toEqual([
      ['/m', 'list', true, undefined],
      ['/m/*/n', 'scalar', true, undefined],
      ['/m/*/s', 'scalar', false, 'number'],
      ['/m/*/c', 'scalar', false, 'number'],
    ])
    const watched = watchTemplate(template)
    expect(watched.ok && watched.value.coverage.points.map(({ place }) => place)).toEqual(['word/document.xml#1:0'])
  })

  test('has two of its series swapped by mutation', () => {
    const template = chartPackage(drawing(tag))
    const [change, ...more] = tagChanges(compiled(template).tags[0] ?? { kind: '', raw: '' }, [])
    expect([change?.raw, more]).toEqual(['{{chart /m by ./n show ./c ./s}}', []])
    const retag = openForRetagging(template)
    const changed = retag.ok ? retag.value('word/document.xml#1:0', change?.raw ?? '') : undefined
    expect(changed && compiled(changed).tags.map(({ raw }) => raw)).toEqual([change?.raw ?? ''])
  })

  test('without a tag stays as it is, workbook and all', () => {
    const template = chartPackage(drawing('Sales') + p('{{/y}}'))
    const opened = composedPackage(template, months)
    const before = openPackage(template)
    for (const part of ['word/charts/chart1.xml', 'word/embeddings/sheet.xlsx']) {
      const [one, other] = [opened, before.ok ? before.value : undefined].map((each) => each?.readBytes(part))
      expect(one?.ok && other?.ok && Buffer.from(one.value).equals(Buffer.from(other.value))).toBe(true)
    }
  })
})

test('the series of a chart are in the order of their numbers, whichever plot has them', () => {
  const series = (order: number) =>
    `<c:ser><c:order val="${order}"/><c:tx><c:strRef><c:f>S!$${'ABC'[order]}$1</c:f></c:strRef></c:tx></c:ser>`
  const root = parseXml(
    `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart>${series(2)}${series(0)}</c:barChart><c:lineChart>${series(1)}</c:lineChart></c:plotArea></c:chart></c:chartSpace>`,
  )
  if (!root.ok) throw new Error(JSON.stringify(root.findings))
  expect(
    seriesOfChart(root.value).map(({ name }) => name && /\$(\w)\$/.exec(JSON.stringify(name.children))?.[1]),
  ).toEqual(['A', 'B', 'C'])
})
