/**
 * Composing a DOCX beside easy-template-x, docxtemplater, docx-templates and the patcher of the `docx` package.
 * Run: bun bench/compose.bench.ts
 */

import {
  Document,
  Footer,
  Header,
  Packer,
  Paragraph,
  PatchType,
  patchDocument,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx'
import createReport from 'docx-templates'
import Docxtemplater from 'docxtemplater'
import { TemplateHandler } from 'easy-template-x'
import PizZip from 'pizzip'
import type { JsonValue } from '../src/core/json.ts'
import { compileTemplate, composeTemplate } from '../src/engines/docx/docx.ts'

const names = Array.from({ length: 30 }, (_, index) => `field${index + 1}`)
const rowCount = 1_000
const letterData = Object.fromEntries(names.map((name, index) => [name, `Value ${index + 1} of the letter`]))
const tableData = {
  rows: Array.from({ length: rowCount }, (_, index) => ({
    position: `${index + 1}`,
    text: `Service number ${index + 1}, as agreed`,
    quantity: `${(index % 7) + 1}`,
    price: `${(index * 13) % 1000}.50`,
    sum: `${(index * 29) % 5000}.00`,
  })),
}

interface Syntax {
  value(name: string): string
  item(name: string): string
  open: string
  close: string
}

const quire: Syntax = {
  value: (n) => `{{/${n}}}`,
  item: (n) => `{{./${n}}}`,
  open: '{{#each /rows}}',
  close: '{{#end}}',
}
const mustache: Syntax = { value: (n) => `{${n}}`, item: (n) => `{${n}}`, open: '{#rows}', close: '{/rows}' }
const report: Syntax = {
  value: (n) => `+++${n}+++`,
  item: (n) => `+++$r.${n}+++`,
  open: '+++FOR r IN rows+++',
  close: '+++END-FOR r+++',
}
const patcher: Syntax = { ...mustache, value: (n) => `{{${n}}}` }

const filler =
  'We refer to your letter and confirm the following terms, which hold until one of us gives notice in writing. '

async function letter(syntax: Syntax): Promise<Uint8Array> {
  const line = (text: string) =>
    new Paragraph({ children: [new TextRun(filler), new TextRun({ text, bold: true }), new TextRun(' and so on.')] })
  const body = names.slice(2, 29).map((name) => line(syntax.value(name)))
  const heads = new Header({ children: [new Paragraph(syntax.value(names[0]!))] })
  const feet = new Footer({ children: [new Paragraph(syntax.value(names[1]!))] })
  const section = {
    headers: { default: heads },
    footers: { default: feet },
    children: [...body, line(syntax.value(names[29]!))],
  }
  return new Uint8Array(await Packer.toBuffer(new Document({ sections: [section] })))
}

async function invoice(syntax: Syntax, markerRows: boolean): Promise<Uint8Array> {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] })
  const row = (texts: string[]) => new TableRow({ children: texts.map(cell) })
  const cells = ['position', 'text', 'quantity', 'price', 'sum'].map(syntax.item)
  const empty = ['', '', '', '']
  if (!markerRows) {
    cells[0] = syntax.open + cells[0]
    cells[4] += syntax.close
  }
  const rows = markerRows ? [row([syntax.open, ...empty]), row(cells), row([syntax.close, ...empty])] : [row(cells)]
  const table = new Table({ rows: [row(['Pos.', 'Text', 'Qty', 'Price', 'Sum']), ...rows] })
  return new Uint8Array(
    await Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph('Invoice'), table] }] })),
  )
}

function composeWithQuire(bytes: Uint8Array, data: JsonValue): () => number {
  const template = compileTemplate(bytes)
  if (!template.ok) throw new Error(JSON.stringify(template.findings))
  return () => {
    const composed = composeTemplate(template.value, data)
    if (!composed.ok) throw new Error(JSON.stringify(composed.findings))
    return composed.value.length
  }
}

function composeWithDocxtemplater(bytes: Uint8Array, data: object): number {
  const document = new Docxtemplater(new PizZip(bytes), { paragraphLoop: true })
  document.render(data)
  return document.getZip().generate({ type: 'uint8array', compression: 'DEFLATE' }).length
}

async function composeWithPatcher(bytes: Uint8Array, data: Record<string, string>): Promise<number> {
  const patches = Object.fromEntries(
    Object.entries(data).map(([name, text]) => [name, { type: PatchType.PARAGRAPH, children: [new TextRun(text)] }]),
  )
  return (await patchDocument({ outputType: 'uint8array', data: bytes, patches })).length
}

type Run = () => number | Promise<number>

async function medianMs(run: Run, warmUps: number, runs: number): Promise<number> {
  for (let index = 0; index < warmUps; index++) await run()
  const times: number[] = []
  for (let index = 0; index < runs; index++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[runs >> 1]!
}

async function compare(title: string, contenders: Record<string, Run>, warmUps: number, runs: number): Promise<void> {
  console.log(`\n${title}`)
  let own: number | undefined
  for (const [name, run] of Object.entries(contenders)) {
    const median = await medianMs(run, warmUps, runs)
    own ??= median
    const bytes = await run()
    console.log(
      `${name.padEnd(28)} ${median.toFixed(2).padStart(8)} ms ${(median / own).toFixed(1).padStart(7)}× ${bytes} bytes`,
    )
  }
}

console.log('Median of warm runs in one process, each peer on the same document in its own tag syntax.')
console.log('Quire compiles a template once and caches it; peers read theirs at every call, having no such step.')
console.log('Every run gives a whole compressed DOCX; the ratio is the time over that of "quire, warm".')

const handler = new TemplateHandler()
const mustacheLetter = await letter(mustache)
const reportLetter = await letter(report)
const patcherLetter = await letter(patcher)
const quireLetter = await letter(quire)
await compare(
  'One-page letter, 30 bindings, header and footer',
  {
    'quire, warm': composeWithQuire(quireLetter, letterData),
    'quire, compiled every time': () => composeWithQuire(quireLetter, letterData)(),
    'easy-template-x': async () => (await handler.process(Buffer.from(mustacheLetter), letterData)).length,
    docxtemplater: () => composeWithDocxtemplater(mustacheLetter, letterData),
    'docx-templates': async () =>
      (await createReport({ template: reportLetter, data: letterData, noSandbox: true })).length,
    'docx patcher': () => composeWithPatcher(patcherLetter, letterData),
  },
  30,
  60,
)

const mustacheInvoice = await invoice(mustache, false)
const reportInvoice = await invoice(report, true)
await compare(
  `Table of ${rowCount} rows, 5 columns`,
  {
    'quire, warm': composeWithQuire(await invoice(quire, false), tableData),
    'easy-template-x': async () => (await handler.process(Buffer.from(mustacheInvoice), tableData)).length,
    docxtemplater: () => composeWithDocxtemplater(mustacheInvoice, tableData),
    'docx-templates': async () =>
      (await createReport({ template: reportInvoice, data: tableData, noSandbox: true })).length,
  },
  5,
  15,
)
