/**
 * Rendering DOCX to PDF in this process, beside LibreOffice where it is installed. Run with `bun bench/render.bench.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '../src/core/limits.ts'
import { createRenderCache } from '../src/engines/pdf/cache.ts'
import { embeddedFonts } from '../src/engines/pdf/font/embedded.ts'
import { renderPdf } from '../src/engines/pdf/pdf.ts'
import { letterDocx, reportDocx } from '../test/engines/pdf/documents.ts'
import { type BarPanel, keepResults, rounded } from './results.ts'

const fonts = embeddedFonts()
// As in a worker.
const cache = createRenderCache({ maxBytes: limits.renderCacheBytes })

function render(docx: Uint8Array) {
  const outcome = renderPdf(docx, { fonts, cache, collect: () => Bun.gc(true) })
  if (!outcome.ok) throw new Error(outcome.findings.map((finding) => finding.message).join('; '))
  return outcome.value
}

// In a process of its own, so that neither making the documents nor earlier runs count.
if (process.argv[2] === '--memory') {
  render(new Uint8Array(readFileSync(process.argv[3]!)))
  console.log((process.memoryUsage().rss / 1e6).toFixed(0))
  process.exit(0)
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}

function timeRuns(docx: Uint8Array, warmUp: number, runs: number): { median: number; best: number } {
  for (let run = 0; run < warmUp; run++) render(docx)
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    render(docx)
    times.push(performance.now() - start)
  }
  return { median: median(times), best: Math.min(...times) }
}

const documents = [
  { name: 'Letter, 1 page', docx: await letterDocx(), warmUp: 100, runs: 200 },
  { name: 'Report with tables, about 20 pages', docx: await reportDocx(21), warmUp: 20, runs: 40 },
  { name: 'The same five times over', docx: await reportDocx(105), warmUp: 2, runs: 7 },
  { name: 'The same ten times over', docx: await reportDocx(210), warmUp: 2, runs: 5 },
  { name: 'The same eleven times over', docx: await reportDocx(240), warmUp: 2, runs: 5 },
]

console.log(
  'Method: each document is rendered from its DOCX bytes to PDF bytes, fonts embedded and subset, with a cache as workers have',
)
console.log(
  '        (pictures, subsets, styles); warm-up runs first, then the median (and best) of the timed runs, in this one process.',
)
console.log(
  '        LibreOffice is one `soffice --convert-to pdf` process per document with a profile of its own, median of three;',
)
console.log(
  '        and, where python3-uno is there, one that stays and is asked over its socket, median of twenty after five.',
)

const cold = performance.now()
render(documents[0]!.docx)
console.log(`first rendering in the process (reads the fonts): ${(performance.now() - cold).toFixed(1)} ms`)

const soffice = Bun.which('soffice')
if (!soffice) console.log('LibreOffice: no soffice on PATH, so there is no peer in this run.')

const perPage: number[] = []
const panels: BarPanel[] = []
const byPages: { at: number; value: number }[] = []
for (const { name, docx, warmUp, runs } of documents) {
  const { pages, pdf } = render(docx)
  const own = timeRuns(docx, warmUp, runs)
  perPage.push(own.median / pages)
  const peer = soffice && pages < 100 ? timeSoffice(soffice, docx) : undefined
  const stays = soffice && pages < 100 ? timeListener(soffice, docx) : undefined
  if (pages > 1) byPages.push({ at: pages, value: rounded(own.median) })
  if (peer !== undefined) panels.push(panelOf(name, { own: own.median, stays, peer }))
  const beside = (what: string, ms: number | undefined) =>
    ms === undefined ? '' : `  ${what} ${ms.toFixed(0)} ms, ${(ms / own.median).toFixed(0)}×`
  const ratio = beside('soffice process', peer) + beside('soffice listener', stays)
  console.log(
    `${name}: ${pages} pages, ${(pdf.length / 1000).toFixed(0)} kB, median ${own.median.toFixed(2)} ms, best ${own.best.toFixed(2)} ms${ratio}`,
  )
}
console.log(`time per page, ten times the pages: ${(perPage[3]! / perPage[1]!).toFixed(2)}× (1 is linear)`)
console.log(`resident memory after rendering the long one once, in a fresh process: ${memoryOf(documents[3]!.docx)} MB`)
await keepResults('render', {
  title: 'From DOCX to PDF',
  method: 'Quire in its process, LibreOffice as a process for each document and as one that stays; medians',
  command: 'bun bench/render.bench.ts --keep',
  panels: [
    ...panels,
    { title: 'More pages take as much longer, in the process', unit: 'ms', along: 'pages', points: byPages },
  ],
})

function panelOf(
  title: string,
  { own, stays, peer }: { own: number; stays: number | undefined; peer: number },
): BarPanel {
  const listener = stays === undefined ? [] : [{ label: 'LibreOffice that stays', value: rounded(stays), isOwn: false }]
  const bars = [
    { label: 'Quire', value: rounded(own), isOwn: true },
    ...listener,
    { label: 'LibreOffice process', value: rounded(peer), isOwn: false },
  ]
  return { title, unit: 'ms', bars }
}

function memoryOf(docx: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-memory-'))
  try {
    const file = join(folder, 'in.docx')
    writeFileSync(file, docx)
    return Bun.spawnSync([process.execPath, import.meta.path, '--memory', file])
      .stdout.toString()
      .trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function timeSoffice(binary: string, docx: Uint8Array): number {
  const folder = mkdtempSync(join(tmpdir(), 'quire-soffice-'))
  try {
    const file = join(folder, 'in.docx')
    writeFileSync(file, docx)
    const times: number[] = []
    for (let run = 0; run < 4; run++) {
      const start = performance.now()
      const result = Bun.spawnSync([
        binary,
        `-env:UserInstallation=file://${folder}/profile`,
        '--headless',
        '--convert-to',
        'pdf',
        '--outdir',
        folder,
        file,
      ])
      if (result.exitCode !== 0) throw new Error(`soffice ended with ${result.exitCode}`)
      // The first run creates the profile.
      if (run > 0) times.push(performance.now() - start)
    }
    return median(times)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Undefined if no Python has UNO; on Debian, python3-uno is for the system's own Python. */
function timeListener(binary: string, docx: Uint8Array): number | undefined {
  const hasUno = (python: string) => Bun.spawnSync([python, '-c', 'import uno'], { stderr: 'ignore' }).success
  const python = ['/usr/bin/python3', 'python3'].find((candidate) => Bun.which(candidate) !== null && hasUno(candidate))
  if (python === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'quire-soffice-'))
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  const listener = Bun.spawn(
    [
      binary,
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      '--norestore',
      `--accept=socket,host=127.0.0.1,port=${port};urp;`,
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  )
  try {
    const file = join(folder, 'in.docx')
    writeFileSync(file, docx)
    const client = join(import.meta.dir, 'render/listener.py')
    const run = Bun.spawnSync([python, client, `${port}`, file, join(folder, 'out.pdf'), '25'])
    if (!run.success) throw new Error(`the listener's client failed: ${run.stderr.toString()}`)
    return median(run.stdout.toString().trim().split('\n').map(Number).slice(5))
  } finally {
    listener.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
