/**
 * Builds docs/tutorial/reminder.docx, the template of docs/tutorial.md: `bun scripts/build-tutorial-template.ts`. The result is
 * committed; the same script and packages give the same bytes. It has nothing that an author couldn't do in Word.
 */
import { join } from 'node:path'
import {
  AlignmentType,
  BorderStyle,
  Document,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { reproducibleDocx } from './reproducible-docx.ts'

/** In twentieths of a point, on A4 with margins of 25 mm. */
const columns = [3600, 2800, 2672]
const line = { style: BorderStyle.SINGLE, size: 4, color: '9AA7AD' } as const
const none = { style: BorderStyle.NONE, size: 0, color: 'auto' } as const

/** Every paragraph of the template, cells of rows included, in order. */
const texts = {
  sender: ['Harbour Books', '12 Quay Street, Galway'],
  address: ['{{/name}}', '{{/street}}', '{{/place}}'],
  date: '{{/date}}',
  subject: 'Payment reminder',
  opening: [
    'Dear {{/name}},',
    '{{#if /invoices/1}}These invoices are{{#else}}This invoice is{{#end}} still open. Please pay {{/total}} EUR by {{/payBy}}.',
  ],
  head: ['Invoice', 'Due since', 'Amount in EUR'],
  row: ['{{#each /invoices}}{{./number}}', '{{./due}}', '{{./amount}}{{#end}}'],
  sum: ['Total', '', '{{/total}}'],
  closing: [
    'If you have paid in the meantime, please take no notice of this letter.',
    'Yours sincerely',
    'Harbour Books',
  ],
}

function row(cells: readonly string[], isBold: boolean): TableRow {
  return new TableRow({
    children: cells.map(
      (text, index) =>
        new TableCell({
          width: { size: columns[index] ?? 0, type: WidthType.DXA },
          children: [
            new Paragraph({
              alignment: index === 2 ? AlignmentType.RIGHT : AlignmentType.LEFT,
              spacing: { before: 60, after: 60 },
              children: [new TextRun({ text, bold: isBold })],
            }),
          ],
        }),
    ),
  })
}

function paragraph(text: string, after = 160, run: { bold?: boolean; size?: number } = {}): Paragraph {
  return new Paragraph({ spacing: { after }, children: [new TextRun({ text, ...run })] })
}

function reminder(): Document {
  return new Document({
    styles: { default: { document: { run: { font: 'Calibri', size: 22 } } } },
    sections: [
      {
        properties: {
          page: {
            size: { width: 11906, height: 16838 },
            margin: { top: 1417, bottom: 1417, left: 1417, right: 1417 },
          },
        },
        children: [
          paragraph(texts.sender[0] ?? '', 0, { bold: true, size: 28 }),
          paragraph(texts.sender[1] ?? '', 700),
          ...texts.address.map((text) => paragraph(text, 0)),
          new Paragraph({
            alignment: AlignmentType.RIGHT,
            spacing: { before: 300, after: 400 },
            children: [new TextRun(texts.date)],
          }),
          paragraph(texts.subject, 240, { bold: true, size: 26 }),
          ...texts.opening.map((text) => paragraph(text)),
          new Table({
            layout: TableLayoutType.FIXED,
            columnWidths: columns,
            width: { size: 9072, type: WidthType.DXA },
            borders: { top: line, bottom: line, left: none, right: none, insideHorizontal: line, insideVertical: none },
            rows: [row(texts.head, true), row(texts.row, false), row(texts.sum, true)],
          }),
          new Paragraph({ spacing: { after: 160 } }),
          ...texts.closing.map((text) => paragraph(text, 320)),
        ],
      },
    ],
  })
}

/** The bytes of docs/tutorial/reminder.docx. */
export async function buildTutorialTemplate(): Promise<Uint8Array> {
  return reproducibleDocx(new Uint8Array(await Packer.toArrayBuffer(reminder())))
}

if (import.meta.main) {
  await Bun.write(join(import.meta.dir, '../docs/tutorial/reminder.docx'), await buildTutorialTemplate())
}
