/**
 * Composing a DOCX beside easy-template-x, docxtemplater, docx-templates and the patcher of the `docx` package.
 * Run: bun bench/compose.bench.ts [--short], which ends after the letter and the table
 */

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
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
import { MimeType, TemplateHandler } from 'easy-template-x'
import PizZip from 'pizzip'
import type { JsonValue } from '../src/core/json.ts'
import { compileTemplate, composeTemplate } from '../src/engines/docx/docx.ts'
import { readZip } from '../src/engines/ooxml/zip.ts'
import { type Bar, keepResults, rounded } from './results.ts'

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

interface Times {
  /** Processor time, user and system, which a busy machine lengthens little. */
  processor: number
  median: number
  best: number
}

async function timesOf(run: Run, warmUps: number, runs: number): Promise<Times> {
  const [times] = await byTurns([run], warmUps, runs)
  return times!
}

/** Runs the contenders in turn, so that all meet the same state of the machine. */
async function byTurns(contenders: readonly Run[], warmUps: number, runs: number): Promise<Times[]> {
  const walls = contenders.map((): number[] => [])
  const processors = contenders.map((): number[] => [])
  for (let index = 0; index < warmUps + runs; index++) {
    for (const [which, run] of contenders.entries()) {
      const used = process.cpuUsage()
      const start = performance.now()
      await run()
      const wall = performance.now() - start
      const { user, system } = process.cpuUsage(used)
      if (index < warmUps) continue
      walls[which]!.push(wall)
      processors[which]!.push((user + system) / 1_000)
    }
  }
  return contenders.map((_, which) => {
    const [wall, processor] = [walls[which]!, processors[which]!].map((times) => times.sort((x, y) => x - y))
    return { processor: processor![runs >> 1]!, median: wall![runs >> 1]!, best: wall![0]! }
  })
}

async function compare(title: string, contenders: Record<string, Run>, warmUps: number, runs: number): Promise<Bar[]> {
  console.log(`\n${title}`)
  const all = await byTurns(Object.values(contenders), warmUps, runs)
  const [own] = all
  const bars: Bar[] = []
  for (const [index, [name, run]] of Object.entries(contenders).entries()) {
    const times = all[index]!
    const told = (key: keyof Times) =>
      `${times[key].toFixed(2).padStart(8)} ms ${(times[key] / own![key]).toFixed(1).padStart(6)}×`
    console.log(`${name.padEnd(28)} ${told('processor')} ${told('median')} ${told('best')} ${await run()} bytes`)
    bars.push({ label: name.replace('quire', 'Quire'), value: rounded(times.best), isOwn: name.startsWith('quire') })
  }
  return bars
}

console.log(
  'Warm runs in one process by turns, each peer on the same document in its own tag syntax: the medians of the processor’s time and of the clock’s, then the fastest run.',
)
console.log('Quire compiles a template once and caches it; peers read theirs at every call, having no such step.')
console.log('Every run gives a whole compressed DOCX; the ratio is the time over that of "quire, warm".')

const handler = new TemplateHandler()
const mustacheLetter = await letter(mustache)
const reportLetter = await letter(report)
const patcherLetter = await letter(patcher)
const quireLetter = await letter(quire)
const letterBars = await compare(
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
const tableBars = await compare(
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

if (process.argv.includes('--short')) process.exit(0)

const paragraphCount = 30_000
const longData = { items: Array.from({ length: paragraphCount }, (_, index) => ({ text: `Paragraph ${index + 1}` })) }

async function longDocument(syntax: Syntax, count: number): Promise<Uint8Array> {
  const line = (text: string) => new Paragraph({ children: [new TextRun(text)] })
  const filled = Array.from({ length: count / 2 }, (_, index) => line(`Fixed paragraph ${index}. ${filler}`))
  const loop = [syntax.open, `${syntax.item('text')}: ${filler}`, syntax.close].map(line)
  return new Uint8Array(await Packer.toBuffer(new Document({ sections: [{ children: [...filled, ...loop] }] })))
}

const open = { ...quire, open: '{{#each /items}}' }
const half = { items: longData.items.slice(0, paragraphCount / 2) }
const longQuire = await longDocument(open, paragraphCount)
const longMustache = await longDocument({ ...mustache, open: '{#items}', close: '{/items}' }, paragraphCount)
const longReport = await longDocument(
  { ...report, open: '+++FOR r IN items+++', close: '+++END-FOR r+++' },
  paragraphCount,
)
await compare(
  `${paragraphCount} paragraphs, half of them fixed and half made by a loop`,
  {
    'quire, warm': composeWithQuire(longQuire, half),
    'quire, compiled every time': () => composeWithQuire(longQuire, half)(),
    'easy-template-x': async () => (await handler.process(Buffer.from(longMustache), half)).length,
    docxtemplater: () => composeWithDocxtemplater(longMustache, half),
    'docx-templates': async () =>
      (await createReport({ template: longReport, data: half, noSandbox: true, maximumWalkingDepth: 10_000_000 }))
        .length,
  },
  1,
  5,
)

/** A PNG of noise, 200 × 200 pixels, which can't be compressed; different for each seed. */
function noisePng(seed: number): Buffer {
  const side = 200
  const rows = Buffer.alloc(side * (1 + side * 3))
  let state = seed + 1
  for (let at = 0; at < rows.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    rows[at] = at % (1 + side * 3) === 0 ? 0 : state >>> 24
  }
  const chunk = (type: string, data: Buffer) => {
    const bytes = Buffer.alloc(12 + data.length)
    bytes.writeUInt32BE(data.length, 0)
    bytes.write(type, 4, 'latin1')
    data.copy(bytes, 8)
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
    return bytes
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const pictures = Array.from({ length: 50 }, (_, index) => noisePng(index))
const pictureLines = (tag: (index: number) => string) =>
  new Document({
    sections: [{ children: pictures.map((_, index) => new Paragraph({ children: [new TextRun(tag(index))] })) }],
  })
const packed = async (tag: (index: number) => string) => new Uint8Array(await Packer.toBuffer(pictureLines(tag)))
const pictureTexts = Object.fromEntries(pictures.map((bytes, index) => [`p${index}`, bytes.toString('base64')]))
const pictureObjects = Object.fromEntries(
  pictures.map((source, index) => [
    `p${index}`,
    { _type: 'image', source, format: MimeType.Png, width: 100, height: 100, altText: '' },
  ]),
)
const pictureReport = await packed((index) => `+++IMAGE picture(${index})+++`)
const pictureMustache = await packed((index) => `{p${index}}`)
const pictureBars = await compare(
  '50 different pictures of 120 KB (docxtemplater sells pictures as an extra, the docx patcher embeds none into runs)',
  {
    'quire, warm': composeWithQuire(await packed((index) => `{{image /p${index} width=3cm}}`), pictureTexts),
    'easy-template-x': async () => (await handler.process(Buffer.from(pictureMustache), pictureObjects)).length,
    'docx-templates': async () =>
      (
        await createReport({
          template: pictureReport,
          data: {},
          noSandbox: true,
          additionalJsContext: {
            picture: (index: number) => ({ width: 3, height: 3, data: pictures[index], extension: '.png' }),
          },
        })
      ).length,
  },
  2,
  7,
)

console.log('\nCost by size: table rows, warm; the time of a row should not grow')
const rowsTemplate = await invoice(quire, false)
const byRows: { at: number; value: number }[] = []
for (const count of [1_000, 4_000, 16_000]) {
  const rows = Array.from({ length: count }, (_, index) => tableData.rows[index % rowCount]!)
  const { median, best } = await timesOf(composeWithQuire(rowsTemplate, { rows }), 2, 5)
  byRows.push({ at: count, value: rounded(best) })
  console.log(
    `${String(count).padStart(8)} rows ${median.toFixed(1).padStart(8)} ms ${((median / count) * 1000).toFixed(2)} µs a row`,
  )
}

await keepResults('compose', {
  title: 'Filling a template',
  method: 'A whole compressed DOCX from a template and data, in one process after warming up; the fastest run',
  command: 'bun bench/compose.bench.ts --keep',
  panels: [
    { title: 'One-page letter, 30 values', unit: 'ms', bars: letterBars },
    { title: `Table of ${rowCount.toLocaleString('en-GB')} rows`, unit: 'ms', bars: tableBars },
    { title: '50 different pictures of 120 KB', unit: 'ms', bars: pictureBars },
    { title: 'A longer table takes as much longer', unit: 'ms', along: 'rows', points: byRows },
  ],
})

console.log('\nMemory over what the process holds before, beside the inflated parts; in a process of its own.')
console.log(
  'The first document also pays for the compiled code of the engine, which is some 25 MiB whatever the document is.',
)
const memoryChild = `
const { readFileSync, writeFileSync } = require('node:fs')
const { compileTemplate, composeTemplate } = require(${JSON.stringify(`${import.meta.dir}/../src/engines/docx/docx.ts`)})
const mebibytes = (key) => Number(new RegExp(key + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024
const data = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const bytes = new Uint8Array(readFileSync(process.argv[1]))
const measure = () => {
  // Makes the peak begin anew at what is held now.
  writeFileSync('/proc/self/clear_refs', '5')
  const before = mebibytes('VmRSS')
  composeTemplate(compileTemplate(bytes).value, data)
  return mebibytes('VmHWM') - before
}
const first = measure()
for (let run = 0; run < 3; run++) measure()
for (let run = 0; run < 4; run++) {
  Bun.gc(true)
  Bun.sleepSync(100)
}
console.log(JSON.stringify({ first, warm: measure() }))`
if (existsSync('/proc/self/status')) {
  const folder = mkdtempSync(join(tmpdir(), 'quire-bench-'))
  const [docx, json] = [join(folder, 'long.docx'), join(folder, 'long.json')]
  writeFileSync(docx, longQuire)
  writeFileSync(json, JSON.stringify(half))
  const child = Bun.spawnSync([process.execPath, '-e', memoryChild, docx, json])
  rmSync(folder, { recursive: true, force: true })
  const { first, warm } = JSON.parse(child.stdout.toString())
  const composed = compileTemplate(longQuire)
  const result = composed.ok ? composeTemplate(composed.value, half) : composed
  const inflated = (bytes: Uint8Array) => {
    const archive = readZip(bytes)
    if (!archive.ok) throw new Error('unreadable')
    return archive.value.names.reduce((sum, name) => sum + archive.value.entry(name)!.inflatedBytes, 0) / 1_048_576
  }
  const parts = inflated(longQuire) + (result.ok ? inflated(result.value) : 0)
  const told = (mebibytes: number) => `${mebibytes.toFixed(0)} MiB, ${(mebibytes / parts).toFixed(1)}×`
  console.log(
    `${paragraphCount} paragraphs, parts of ${parts.toFixed(1)} MiB: ${told(warm)}; as the first: ${told(first)}`,
  )
}
