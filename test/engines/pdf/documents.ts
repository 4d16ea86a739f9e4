import {
  AlignmentType,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Tab,
  Table,
  TableCell,
  TableRow,
  TabStopType,
  TextRun,
  VerticalAlign,
  WidthType,
} from 'docx'
import { zlibSync } from 'fflate'

/** The documents that tests look at and benchmarks time: a one-page letter and a long report with tables. */

/** A PNG with an alpha channel: a disc on nothing, so that what lies behind it must show. */
export function discPng(size: number, [red, green, blue]: readonly [number, number, number]): Uint8Array {
  const rows = new Uint8Array(size * (size * 4 + 1))
  const middle = (size - 1) / 2
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = y * (size * 4 + 1) + 1 + x * 4
      const inside = Math.hypot(x - middle, y - middle) < size * 0.48
      rows.set([red, green, blue, inside ? 255 : 0], at)
    }
  }
  return png(size, size, 6, rows)
}

/** An opaque RGB PNG in one colour, whose rows the PDF takes over unchanged. */
export function plainPng(width: number, height: number, rgb: readonly [number, number, number]): Uint8Array {
  const rows = new Uint8Array(height * (width * 3 + 1))
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows.set(rgb, y * (width * 3 + 1) + 1 + x * 3)
  return png(width, height, 2, rows)
}

export function png(width: number, height: number, color: number, rows: Uint8Array): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([8, color, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', zlibSync(rows)),
    chunk('IEND', new Uint8Array(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  body.copy(bytes, 4)
  bytes.writeUInt32BE(Bun.hash.crc32(body), 8 + data.length)
  return bytes
}

const font = 'Calibri'
const accent = '1F4E79'

function text(value: string, options: Record<string, unknown> = {}) {
  return new TextRun({ text: value, font, size: 21, ...options })
}

const thin = { style: BorderStyle.SINGLE, size: 4, color: 'BFBFBF' }

function cell(
  value: string,
  options: { bold?: boolean; right?: boolean; fill?: string; width: number; color?: string; span?: number },
) {
  return new TableCell({
    width: { size: options.width, type: WidthType.DXA },
    verticalAlign: VerticalAlign.CENTER,
    margins: { top: 60, bottom: 60, left: 110, right: 110 },
    ...(options.span ? { columnSpan: options.span } : {}),
    ...(options.fill ? { shading: { type: ShadingType.CLEAR, color: 'auto', fill: options.fill } } : {}),
    borders: { top: thin, bottom: thin, left: thin, right: thin },
    children: [
      new Paragraph({
        alignment: options.right ? AlignmentType.RIGHT : AlignmentType.LEFT,
        children: [text(value, { bold: options.bold ?? false, ...(options.color ? { color: options.color } : {}) })],
      }),
    ],
  })
}

function pageFooter() {
  return new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.CENTER,
        border: { top: { style: BorderStyle.SINGLE, size: 4, color: 'BFBFBF', space: 6 } },
        children: [
          new TextRun({
            font,
            size: 17,
            color: '595959',
            children: ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES],
          }),
        ],
      }),
    ],
  })
}

export async function letterDocx(): Promise<Uint8Array> {
  const widths = [1100, 4700, 1300, 1900]
  const lines = [
    ['1', 'Household contents, standard cover', '12', '€ 1,240.00'],
    ['2', 'Glass breakage extension for conservatories and skylights', '12', '€ 96.50'],
    ['3', 'Bicycle theft, up to € 3,000 a wheel', '12', '€ 148.20'],
    ['4', 'Legal protection', '6', '€ 87.00'],
  ]
  const header = new TableRow({
    tableHeader: true,
    children: ['Item', 'Cover', 'Months', 'Premium'].map((title, index) =>
      cell(title, { bold: true, fill: accent, color: 'FFFFFF', right: index >= 2, width: widths[index]! }),
    ),
  })
  const rows = lines.map(
    (line, row) =>
      new TableRow({
        children: line.map((value, index) =>
          cell(value, { right: index >= 2, width: widths[index]!, ...(row % 2 ? { fill: 'F2F6FA' } : {}) }),
        ),
      }),
  )
  const total = new TableRow({
    children: [
      cell('Total for the year', { bold: true, span: 3, width: 7100 }),
      cell('€ 1,571.70', { bold: true, right: true, width: 1900 }),
    ],
  })
  const paragraph = (value: string, after = 160) =>
    new Paragraph({ spacing: { after, line: 276 }, children: [text(value)] })
  const document = new Document({
    title: 'Policy schedule 2024-0815',
    creator: 'Example Mutual',
    numbering: {
      config: [
        {
          reference: 'steps',
          levels: [
            {
              level: 0,
              format: LevelFormat.DECIMAL,
              text: '%1.',
              alignment: AlignmentType.LEFT,
              style: { paragraph: { indent: { left: 425, hanging: 425 } }, run: { font } },
            },
          ],
        },
      ],
    },
    sections: [
      {
        properties: {
          page: {
            size: { width: 11906, height: 16838 },
            margin: { top: 1417, right: 1417, bottom: 1134, left: 1417, header: 709, footer: 567 },
          },
        },
        footers: { default: pageFooter() },
        children: [
          new Paragraph({
            spacing: { after: 300 },
            tabStops: [{ type: TabStopType.RIGHT, position: 9070 }],
            children: [
              new ImageRun({
                type: 'png',
                data: discPng(64, [31, 78, 121]),
                transformation: { width: 56, height: 56 },
                altText: { name: 'logo', title: 'Logo', description: 'Example Mutual logo' },
              }),
              text('  Example Mutual', { bold: true, size: 32, color: accent }),
              new TextRun({
                font,
                size: 18,
                color: '7F7F7F',
                children: [new Tab(), 'Harbour Street 12 · 20457 Hamburg'],
              }),
            ],
          }),
          ...['Ms Ada Quill', 'Inkwell Road 7', '10115 Berlin'].map(
            (line) => new Paragraph({ children: [text(line)] }),
          ),
          new Paragraph({
            alignment: AlignmentType.RIGHT,
            spacing: { before: 200, after: 200 },
            children: [text('Hamburg, 4 March 2024')],
          }),
          new Paragraph({
            spacing: { after: 200 },
            children: [text('Your policy schedule 2024-0815', { bold: true, size: 26, color: accent })],
          }),
          paragraph('Dear Ms Quill,'),
          paragraph(
            'thank you for renewing your household policy with us. The schedule below lists every cover that is in force from 1 April 2024, the number of months it runs and the premium that falls due. Please read it and tell us within fourteen days if anything is missing or has changed since your application.',
          ),
          new Table({
            width: { size: 9000, type: WidthType.DXA },
            columnWidths: widths,
            rows: [header, ...rows, total],
          }),
          new Paragraph({ spacing: { before: 200, after: 80 }, children: [text('What happens next', { bold: true })] }),
          ...[
            'We collect the premium on 1 April from the account you gave us; nothing needs to be signed again.',
            'Your certificate follows by post within ten working days.',
            'Claims are reported online, at any hour, or by phone on weekdays.',
          ].map(
            (line) =>
              new Paragraph({
                numbering: { reference: 'steps', level: 0 },
                spacing: { after: 60 },
                children: [text(line)],
              }),
          ),
          new Paragraph({
            spacing: { before: 160, after: 160 },
            children: [
              text('Everything about your policy is at '),
              new ExternalHyperlink({
                link: 'https://example.com/policy',
                children: [text('example.com/policy', { color: '0563C1', underline: {} })],
              }),
              text('. '),
              text('Keep this letter with your documents.', { italics: true }),
            ],
          }),
          paragraph('With kind regards', 500),
          paragraph('Edmund Blotter', 0),
          new Paragraph({ children: [text('Customer Service', { color: '7F7F7F' })] }),
        ],
      },
    ],
  })
  return new Uint8Array(await Packer.toBuffer(document))
}

const prose = [
  'The survey covered all twelve sites over a period of nine months, and each was visited at least twice by two engineers who recorded what they found independently of each other before they compared notes.',
  'Where the readings differed by more than the tolerance given in the method statement, a third visit was arranged; this happened at three sites, and in every case one of the instruments turned out to have been calibrated against an outdated reference.',
  'Costs are given net of tax and at the prices of the reporting year. Figures in brackets are estimates that the operators have not confirmed, and totals may differ from the sum of their parts because of rounding.',
]

/** A report of `sections` chapters, each about a page of prose, a list and a table. */
export async function reportDocx(sections: number): Promise<Uint8Array> {
  const widths = [900, 3200, 1600, 1600, 1726]
  const children: (Paragraph | Table)[] = [
    new Paragraph({ heading: HeadingLevel.TITLE, children: [new TextRun('Annual site survey')] }),
    new Paragraph({
      spacing: { after: 240 },
      children: [new TextRun({ text: 'Report of the engineering board', italics: true })],
    }),
  ]
  for (let index = 1; index <= sections; index++) {
    children.push(
      new Paragraph({ heading: HeadingLevel.HEADING_1, children: [new TextRun(`${index}. Site ${index}`)] }),
    )
    for (const [at, sentence] of prose.entries()) {
      children.push(
        new Paragraph({
          alignment: at === 1 ? AlignmentType.JUSTIFIED : AlignmentType.LEFT,
          children: [new TextRun(`${sentence} ${prose[(at + index) % 3]}`)],
        }),
      )
    }
    children.push(new Paragraph({ heading: HeadingLevel.HEADING_2, children: [new TextRun('Findings')] }))
    for (let item = 1; item <= 3; item++) {
      children.push(
        new Paragraph({
          numbering: { reference: 'bullets', level: 0 },
          children: [
            new TextRun(
              `Finding ${index}.${item}: the cable tray on level ${item} lacks its cover and must be refitted before the next inspection.`,
            ),
          ],
        }),
      )
    }
    const row = (values: string[], head = false) =>
      new TableRow({
        tableHeader: head,
        cantSplit: true,
        children: values.map(
          (value, column) =>
            new TableCell({
              width: { size: widths[column]!, type: WidthType.DXA },
              ...(head ? { shading: { type: ShadingType.CLEAR, color: 'auto', fill: 'D9E2F3' } } : {}),
              children: [
                new Paragraph({
                  alignment: column >= 2 ? AlignmentType.RIGHT : AlignmentType.LEFT,
                  spacing: { after: 0 },
                  children: [new TextRun({ text: value, bold: head, size: 20 })],
                }),
              ],
            }),
        ),
      })
    const body = Array.from({ length: 14 }, (_, line) =>
      row([
        `${line + 1}`,
        `Position ${index}.${line + 1}`,
        `${(line + 1) * 12}`,
        `${(index * 7 + line * 13) % 97}.50`,
        `${(line + 3) * index * 17}.00`,
      ]),
    )
    children.push(
      new Table({
        width: { size: 9026, type: WidthType.DXA },
        columnWidths: widths,
        rows: [row(['No', 'Description', 'Quantity', 'Hours', 'Amount'], true), ...body],
      }),
      new Paragraph({ children: [] }),
    )
  }
  const document = new Document({
    title: 'Annual site survey',
    styles: {
      default: {
        document: { run: { font: 'Cambria', size: 22 }, paragraph: { spacing: { after: 140, line: 264 } } },
        title: {
          run: { font: 'Calibri', size: 48, bold: true, color: accent },
          paragraph: { spacing: { after: 120 } },
        },
        heading1: {
          run: { font: 'Calibri', size: 30, bold: true, color: accent },
          paragraph: { spacing: { before: 360, after: 120 }, keepNext: true },
        },
        heading2: {
          run: { font: 'Calibri', size: 24, bold: true, color: '2E74B5' },
          paragraph: { spacing: { before: 200, after: 80 }, keepNext: true },
        },
      },
    },
    numbering: {
      config: [
        {
          reference: 'bullets',
          levels: [
            {
              level: 0,
              format: LevelFormat.BULLET,
              text: '•',
              alignment: AlignmentType.LEFT,
              style: { paragraph: { indent: { left: 425, hanging: 283 } } },
            },
          ],
        },
      ],
    },
    sections: [
      {
        properties: {
          page: { size: { width: 11906, height: 16838 }, margin: { top: 1440, right: 1440, bottom: 1440, left: 1440 } },
        },
        headers: {
          default: new Header({
            children: [
              new Paragraph({
                tabStops: [{ type: TabStopType.RIGHT, position: 9026 }],
                children: [
                  new TextRun({
                    size: 18,
                    color: '7F7F7F',
                    children: ['Annual site survey', new Tab(), 'Confidential'],
                  }),
                ],
              }),
            ],
          }),
        },
        footers: { default: pageFooter() },
        children,
      },
    ],
  })
  return new Uint8Array(await Packer.toBuffer(document))
}
