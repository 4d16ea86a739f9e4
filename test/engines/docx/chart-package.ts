/** Templates with a chart and its workbook, as Word writes them, small enough to check by hand. */
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'
import { p, wordPackage } from './word-package.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const relations = (...list: [id: string, word: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list
    .map(([id, word, target]) => `<Relationship Id="${id}" Type="${office}/${word}" Target="${target}"/>`)
    .join('')}</Relationships>`
const spreadsheet = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export interface ChartParts {
  /** Names of the series. */
  names?: readonly string[]
  /** The plots around the series. */
  plot?: (series: readonly string[]) => string
  /** Instead of text for the categories: the format of numbers. */
  dates?: string
  workbook?: Record<string, string>
  /** Before the chart in its part. */
  before?: string
}

const letters = ['B', 'C', 'D']
const cached = (kind: 'str' | 'num', range: string, values: readonly (string | number)[], format = '0.0') =>
  `<c:${kind}Ref><c:f>Sheet1!${range}</c:f><c:${kind}Cache>${kind === 'num' ? `<c:formatCode>${format}</c:formatCode>` : ''}<c:ptCount val="${values.length}"/>${values
    .map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`)
    .join('')}</c:${kind}Cache></c:${kind}Ref>`
const axes =
  '<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:axPos val="l"/><c:majorGridlines/><c:crossAx val="1"/></c:valAx>'
export const barPlot = (series: readonly string[]) =>
  `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/>${series.join('')}${axes}`

export function chartXml({ names = ['Sales', 'Costs'], plot = barPlot, dates, before = '' }: ChartParts = {}): string {
  const series = names.map((name, at) => {
    const column = `$${letters[at]}`
    const category =
      dates === undefined ? cached('str', '$A$2:$A$3', ['one', 'two']) : cached('num', '$A$2:$A$3', [1, 2], dates)
    return `<c:ser><c:idx val="${at}"/><c:order val="${at}"/><c:tx>${cached('str', `${column}$1`, [name])}</c:tx><c:cat>${category}</c:cat><c:val>${cached('num', `${column}$2:${column}$3`, [1, 2])}</c:val></c:ser>`
  })
  return `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${office}">${before}<c:chart><c:plotArea><c:layout/>${plot(series)}</c:plotArea><c:legend><c:legendPos val="b"/></c:legend></c:chart><c:externalData r:id="rId1"/></c:chartSpace>`
}

export function workbookParts({ names = ['Sales', 'Costs'] }: ChartParts = {}): Record<string, string> {
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const rows = [
    `<row r="1" spans="1:3" ht="20" customHeight="1">${names.map((name, at) => text(`${letters[at]}1`, name)).join('')}<c r="E1"><v>7</v></c></row>`,
    ...[2, 3].map(
      (row) =>
        `<row r="${row}">${text(`A${row}`, 'x')}${names.map((_, at) => `<c r="${letters[at]}${row}" s="1"><v>${row}</v></c>`).join('')}</row>`,
    ),
    '<row r="9"><c r="B9"><v>99</v></c></row>',
  ]
  const columns = ['Month', ...names].map((name, index) => `<tableColumn id="${index + 1}" name="${name}"/>`).join('')
  const last = letters[names.length - 1]
  return {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/tables/table1.xml" ContentType="${types}.table+xml"/></Types>`,
    '_rels/.rels': relations(['r1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook ${spreadsheet} xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ['r1', 'worksheet', 'worksheets/sheet1.xml'],
      ['r2', 'styles', 'styles.xml'],
    ),
    'xl/worksheets/sheet1.xml': `<worksheet ${spreadsheet} xmlns:r="${office}"><dimension ref="A1:E9"/><sheetData>${rows.join('')}</sheetData><tableParts count="1"><tablePart r:id="r1"/></tableParts></worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': relations(['r1', 'table', '../tables/table1.xml']),
    'xl/tables/table1.xml': `<table ${spreadsheet} id="1" name="Table1" displayName="Table1" ref="A1:${last}3"><autoFilter ref="A1:${last}3"/><tableColumns count="${names.length + 1}">${columns}</tableColumns></table>`,
    'xl/styles.xml': `<styleSheet ${spreadsheet}><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="2" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }
}

const encoder = new TextEncoder()
export const archive = (parts: Record<string, string | Uint8Array>) =>
  writeZip(
    Object.entries(parts).map(([name, text]) => ({
      name,
      data: typeof text === 'string' ? encoder.encode(text) : text,
    })),
  )

export const drawing = (tag: string, where = 'title') =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="4572000" cy="2286000"/><wp:docPr id="1" name="Chart 1" ${where}="${tag}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="c1"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

/** A template whose chart has such a tag as its alternative text. */
export function chartPackage(body: string, parts: ChartParts = {}): Uint8Array {
  const workbook = archive(parts.workbook ?? workbookParts(parts))
  return wordPackage(body + p(''), {
    'word/_rels/document.xml.rels': relations(['c1', 'chart', 'charts/chart1.xml']),
    'word/charts/chart1.xml': chartXml(parts),
    'word/charts/_rels/chart1.xml.rels': relations(['rId1', 'package', '../embeddings/sheet.xlsx']),
    'word/embeddings/sheet.xlsx': workbook,
  })
}
