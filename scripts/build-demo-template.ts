/**
 * Builds src/demo/letter.docx, the template of the demo's premium letter: `bun run build:demo-template`. The result is
 * committed; the same script and packages give the same bytes.
 *
 * The layout is a business letter after DIN 5008, form B: the address field is 45 mm from the top and 20 mm from the
 * left edge, so that it shows in the window of a DL envelope; text starts 25 mm from the left and ends 20 mm from the
 * right edge. Lengths are in millimetres here and in twentieths of a point (DXA) in the file.
 */
import { join } from 'node:path'
import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Header,
  HeightRule,
  ImageRun,
  type IParagraphOptions,
  type IRunOptions,
  type ITableCellBorders,
  type ITableCellOptions,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Tab,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  VerticalAlignTable,
  WidthType,
} from 'docx'
import { drawLogo } from './demo-logo.ts'
import { reproducibleDocx } from './reproducible-docx.ts'

const dxa = (mm: number): number => Math.round((mm / 25.4) * 1440)
const halfPoints = (points: number): number => Math.round(points * 2)

const page = { width: 210, height: 297, left: 25, right: 20, top: 27, bottom: 25, header: 10, footer: 9 }
const textWidth = page.width - page.left - page.right
const colour = { brand: '0F4C5C', text: '1F2A30', quiet: '5B6770', line: 'B9C8CD', shade: 'E9F1F3' }
const company = 'Clearwater Mutual Insurance'

const none = { style: BorderStyle.NONE, size: 0, color: 'auto' } as const
const noBorders: ITableCellBorders = { top: none, bottom: none, left: none, right: none }
const noTableBorders = { ...noBorders, insideHorizontal: none, insideVertical: none }

function paragraph(content: string | (TextRun | ImageRun)[], options: IParagraphOptions = {}): Paragraph {
  return new Paragraph({ ...options, children: typeof content === 'string' ? [new TextRun(content)] : content })
}

function run(text: string, options: Omit<IRunOptions, 'text'> = {}): TextRun {
  return new TextRun({ ...options, text })
}

function cell(widthMm: number, children: Paragraph[], options: Partial<ITableCellOptions> = {}): TableCell {
  return new TableCell({
    borders: noBorders,
    width: { size: dxa(widthMm), type: WidthType.DXA },
    ...options,
    children,
  })
}

function fixedTable(widthsMm: readonly number[], rows: TableRow[], cellMarginMm = 0): Table {
  const margin = dxa(cellMarginMm)
  return new Table({
    layout: TableLayoutType.FIXED,
    width: { size: dxa(textWidth), type: WidthType.DXA },
    columnWidths: widthsMm.map(dxa),
    borders: noTableBorders,
    margins: { top: 0, bottom: 0, left: margin, right: margin, marginUnitType: WidthType.DXA },
    rows,
  })
}

/** First page: the logo and the company's name. The address field below starts at a fixed height, whatever is here. */
function letterhead(): Header {
  const logo = new ImageRun({
    type: 'png',
    data: drawLogo(),
    transformation: { width: 46, height: 46 },
    // Set here, because the package otherwise numbers pictures across everything made in the process.
    altText: { id: '1', name: 'Logo', title: `${company} logo`, description: `${company} logo: two waves in a circle` },
  })
  return new Header({
    children: [
      fixedTable(
        [16, textWidth - 16],
        [
          new TableRow({
            height: { value: dxa(13), rule: HeightRule.EXACT },
            children: [
              cell(16, [paragraph([logo], { style: 'Plain' })], { verticalAlign: VerticalAlignTable.CENTER }),
              cell(
                textWidth - 16,
                [
                  paragraph([run('Clearwater', { bold: true, size: halfPoints(21), color: colour.brand })], {
                    style: 'Plain',
                  }),
                  paragraph(
                    [run('MUTUAL INSURANCE', { size: halfPoints(8), color: colour.quiet, characterSpacing: 36 })],
                    { style: 'Plain' },
                  ),
                ],
                { verticalAlign: VerticalAlignTable.CENTER },
              ),
            ],
          }),
        ],
      ),
      // Word requires a paragraph after a table; this one is too small to push the body down.
      paragraph('', { style: 'Hairline' }),
    ],
  })
}

function continuationHeader(): Header {
  return new Header({
    children: [
      paragraph(
        [
          run(company, { bold: true, color: colour.brand }),
          new TextRun({ children: [new Tab(), 'Policy {{/reference}}, {{/date}}'] }),
        ],
        {
          style: 'Small',
          tabStops: [{ type: 'right', position: dxa(textWidth) }],
          border: { bottom: { style: BorderStyle.SINGLE, size: 4, color: colour.line, space: 4 } },
        },
      ),
    ],
  })
}

function companyFooter(): Footer {
  const widths = [47, 47, 47, textWidth - 141]
  const column = (title: string, ...lines: string[]) => [
    paragraph([run(title, { bold: true, color: colour.brand })], { style: 'Small' }),
    ...lines.map((line) => paragraph(line, { style: 'Small' })),
  ]
  const pageNumber = paragraph(
    [new TextRun({ children: ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES] })],
    { style: 'Small', alignment: AlignmentType.RIGHT },
  )
  const contents = [
    column(company, '14 Harbour Row', 'Dublin 2, Ireland'),
    column('Customer service', '+353 1 555 0100', 'service@clearwater.example'),
    column('Bank account', 'IE29 AIBK 9311 5212 3456 78', 'BIC AIBKIE2D'),
    [pageNumber],
  ]
  return new Footer({
    children: [
      paragraph('', {
        style: 'Hairline',
        border: { bottom: { style: BorderStyle.SINGLE, size: 4, color: colour.line, space: 0 } },
        spacing: { after: dxa(1.5) },
      }),
      fixedTable(widths, [
        new TableRow({ children: contents.map((children, index) => cell(widths[index] ?? 0, children)) }),
      ]),
      paragraph('', { style: 'Hairline' }),
    ],
  })
}

/**
 * The address field and, right of it, the information block. Two rows of exact height: the return line ends 62.7 mm from
 * the page's top (45 mm and the 17.7 mm zone for endorsements), the address takes the 27.3 mm below.
 */
function addressField(): Table {
  const widths = [100, textWidth - 100]
  const fact = (name: string, value: string) =>
    paragraph([run(name, { color: colour.quiet }), new TextRun({ children: [new Tab(), value] })], {
      style: 'Fact',
      tabStops: [{ type: 'left', position: dxa(24) }],
    })
  return fixedTable(widths, [
    new TableRow({
      height: { value: dxa(45 + 17.7 - page.top), rule: HeightRule.EXACT },
      children: [
        cell(100, [paragraph(`${company} · 14 Harbour Row · Dublin 2`, { style: 'ReturnLine' })], {
          verticalAlign: VerticalAlignTable.BOTTOM,
        }),
        cell(textWidth - 100, [paragraph('', { style: 'Plain' })]),
      ],
    }),
    new TableRow({
      height: { value: dxa(27.3), rule: HeightRule.EXACT },
      children: [
        cell(100, [
          paragraph('{{#each /addressLines}}', { style: 'Address' }),
          paragraph('{{./text}}', { style: 'Address' }),
          paragraph('{{#end}}', { style: 'Address' }),
        ]),
        cell(textWidth - 100, [
          fact('Date', '{{/date}}'),
          fact('Policy', '{{/reference}}'),
          fact('Product', '{{/product}}'),
          paragraph('{{#if /insuredItem}}', { style: 'Fact' }),
          fact('Insured', '{{/insuredItem}}'),
          paragraph('{{#end}}', { style: 'Fact' }),
        ]),
      ],
    }),
  ])
}

function scheduleTable(): Table {
  const widths = [14, 73, 45, 33] as const
  const right = AlignmentType.RIGHT
  const rule = (size: number, color: string) => ({ style: BorderStyle.SINGLE, size, color })
  const headCell = (width: number, text: string, alignment?: IParagraphOptions['alignment']) =>
    cell(width, [paragraph(text, { style: 'TableHead', keepNext: true, ...(alignment && { alignment }) })], {
      borders: { ...noBorders, bottom: rule(8, colour.brand) },
      shading: { type: ShadingType.CLEAR, color: 'auto', fill: colour.shade },
      verticalAlign: VerticalAlignTable.CENTER,
    })
  const bodyCell = (width: number, text: string, alignment?: IParagraphOptions['alignment']) =>
    cell(width, [paragraph(text, { style: 'TableText', ...(alignment && { alignment }) })], {
      borders: { ...noBorders, bottom: rule(4, colour.line) },
    })
  const sumCells = (label: string, value: string, style: string, options: Partial<ITableCellOptions>) => [
    cell(widths[0] + widths[1] + widths[2], [paragraph(label, { style })], { ...options, columnSpan: 3 }),
    cell(widths[3], [paragraph(value, { style, alignment: right })], options),
  ]
  return fixedTable(
    widths,
    [
      new TableRow({
        tableHeader: true,
        cantSplit: true,
        children: [
          headCell(widths[0], 'No.'),
          headCell(widths[1], 'Period covered'),
          headCell(widths[2], 'Due date'),
          headCell(widths[3], 'Amount', right),
        ],
      }),
      new TableRow({
        cantSplit: true,
        children: [
          bodyCell(widths[0], '{{#each /schedule}}{{./number}}'),
          bodyCell(widths[1], '{{./from}} – {{./to}}'),
          bodyCell(widths[2], '{{./dueDate}}'),
          bodyCell(widths[3], '{{./amount}}{{#end}}', right),
        ],
      }),
      new TableRow({
        cantSplit: true,
        children: sumCells('Total for the policy year', '{{/total}}', 'TableSum', {
          borders: { ...noBorders, top: rule(8, colour.brand) },
          shading: { type: ShadingType.CLEAR, color: 'auto', fill: colour.shade },
        }),
      }),
      new TableRow({
        cantSplit: true,
        children: sumCells('including the government levy of 3%', '{{/levy}}', 'TableNote', {}),
      }),
    ],
    1.8,
  )
}

function letterBody(): (Paragraph | Table)[] {
  return [
    addressField(),
    paragraph('{{/subject}}', { style: 'Subject' }),
    paragraph('{{/salutation}},'),
    paragraph(
      'Thank you for insuring with Clearwater. Your cover continues for another policy year, from {{/year/from}} to ' +
        '{{/year/to}}. You have chosen to pay {{/interval}}; the table shows what falls due, and when.',
      { keepNext: true, spacing: { after: dxa(3) } },
    ),
    scheduleTable(),
    paragraph('', { style: 'AfterTable' }),
    paragraph('{{#if /hasSurcharge}}'),
    paragraph(
      'Paying in instalments adds {{/surcharge}} to the yearly premium of {{/annualPremium}}. If you would rather pay ' +
        'once a year, simply tell us before {{/firstDueDate}}.',
    ),
    paragraph('{{#end}}'),
    paragraph('{{#if /directDebit}}'),
    paragraph(
      'There is nothing you need to do: we debit each amount on its due date from your account ending in {{/account}}, ' +
        'under the mandate {{/mandate}}.',
    ),
    paragraph('{{#else}}'),
    paragraph(
      'Please transfer each amount by its due date to the account named at the foot of this letter, and quote your ' +
        'policy number {{/reference}}.',
    ),
    paragraph('{{#end}}'),
    paragraph('{{#if /agent}}'),
    paragraph([
      run('Do you have any questions? Your personal adviser, '),
      run('{{/agent/name}}', { bold: true }),
      run(', will be glad to help: {{/agent/phone}}.'),
    ]),
    paragraph('{{#else}}'),
    paragraph('Do you have any questions? Our customer service will be glad to help: +353 1 555 0100.'),
    paragraph('{{#end}}'),
    paragraph('Yours sincerely,', { keepNext: true, spacing: { before: dxa(2.5), after: dxa(3) } }),
    paragraph([run('Aoife Kinsella', { bold: true })], { style: 'Plain', keepNext: true }),
    paragraph([run('Head of Policy Services', { color: colour.quiet })], {
      style: 'Plain',
      keepNext: true,
      spacing: { after: dxa(2) },
    }),
    paragraph('This letter was produced by machine and is valid without a signature.', { style: 'Small' }),
    ...goodToKnow(),
  ]
}

/** The reverse page: what an insurer has to tell everyone. */
function goodToKnow(): Paragraph[] {
  const topic = (title: string, text: string) => [paragraph(title, { style: 'Topic' }), paragraph(text)]
  return [
    paragraph('Good to know about your premium', { style: 'Section' }),
    ...topic(
      'What the amounts contain',
      'Every amount contains the government levy of 3% on insurance premiums, which we pass on in full.',
    ),
    ...topic(
      'When a payment is late',
      'If an amount has not reached us 14 days after its due date, we remind you in writing. Your cover stays in force ' +
        'for another 30 days after that reminder; only then may we end the policy.',
    ),
    ...topic(
      'Changing how you pay',
      'You may change between monthly, half-yearly and yearly payment at the start of a policy year, and the account we ' +
        'debit at any time. Name policy {{/reference}} in a message to service@clearwater.example, and that is enough.',
    ),
    ...topic(
      'If you are not satisfied',
      'Please tell us first: we answer every complaint within five working days. You may also turn to the ombudsman for ' +
        'financial services of your country, free of charge.',
    ),
  ]
}

function letter(): Document {
  const style = (id: string, size: number, spacing: object, look: object = {}, indent: object = {}) => ({
    id,
    name: id,
    basedOn: 'Normal',
    run: { size: halfPoints(size), ...look },
    paragraph: { spacing, ...indent },
  })
  const single = { before: 0, after: 0, line: 240 }
  const tableLine = { before: dxa(0.6), after: dxa(0.6), line: 240 }
  return new Document({
    title: 'Premium notice {{/reference}}',
    subject: '{{/subject}}',
    creator: company,
    lastModifiedBy: company,
    revision: 1,
    styles: {
      default: {
        document: {
          run: { font: 'Calibri', size: halfPoints(10.5), color: colour.text, language: { value: 'en-IE' } },
          paragraph: { spacing: { before: 0, after: dxa(2.2), line: 259 } },
        },
      },
      paragraphStyles: [
        style('Plain', 10.5, single),
        style('Hairline', 1, { before: 0, after: 0, line: 20, lineRule: 'exact' }),
        style('Small', 7.5, single, { color: colour.quiet }),
        style('ReturnLine', 7, { before: 0, after: dxa(1.5), line: 240 }, { color: colour.quiet }),
        style('Address', 10.5, single),
        style(
          'Fact',
          9.5,
          { before: 0, after: dxa(0.6), line: 240 },
          {},
          { indent: { left: dxa(24), hanging: dxa(24) } },
        ),
        style(
          'Subject',
          12.5,
          { before: dxa(7), after: dxa(4), line: 240 },
          { bold: true, color: colour.brand },
          { outlineLevel: 0 },
        ),
        style(
          'Section',
          12.5,
          { before: 0, after: dxa(4), line: 240 },
          { bold: true, color: colour.brand },
          { outlineLevel: 0, pageBreakBefore: true, keepNext: true },
        ),
        style(
          'Topic',
          10.5,
          { before: dxa(2), after: dxa(0.6), line: 240 },
          { bold: true, color: colour.brand },
          { outlineLevel: 1, keepNext: true },
        ),
        style('TableHead', 9, tableLine, { bold: true, color: colour.brand }),
        style('TableText', 10, tableLine),
        style('TableSum', 10, tableLine, { bold: true }),
        style('TableNote', 9, { before: dxa(0.7), after: 0, line: 240 }, { color: colour.quiet }),
        style('AfterTable', 3, { before: 0, after: dxa(1.8), line: 240 }),
      ],
    },
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: { width: dxa(page.width), height: dxa(page.height) },
            margin: {
              top: dxa(page.top),
              bottom: dxa(page.bottom),
              left: dxa(page.left),
              right: dxa(page.right),
              header: dxa(page.header),
              footer: dxa(page.footer),
            },
          },
        },
        headers: { first: letterhead(), default: continuationHeader() },
        footers: { first: companyFooter(), default: companyFooter() },
        children: letterBody(),
      },
    ],
  })
}

/** The bytes of src/demo/letter.docx. */
export async function buildDemoTemplate(): Promise<Uint8Array> {
  return reproducibleDocx(new Uint8Array(await Packer.toArrayBuffer(letter())))
}

if (import.meta.main) {
  await Bun.write(join(import.meta.dir, '../src/demo/letter.docx'), await buildDemoTemplate())
}
