/**
 * How similar Quire's pages are to LibreOffice's, drawn with the same fonts. Run with `bun bench/fidelity.bench.ts`.
 *
 * `QUIRE_FIDELITY_DOCUMENTS` names a folder of DOCX files to compare besides the project's own (they never become part of it),
 * `QUIRE_FIDELITY_FOLDER` one for keeping conversions and pictures, `QUIRE_FIDELITY_ONLY` a part of the names,
 * `QUIRE_FIDELITY_FONTS` a folder of TrueType files for both sides. `QUIRE_FIDELITY_INK=false` skips comparing the drawn pages,
 * which takes most of the time.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { openPackage } from '../src/engines/ooxml/package.ts'
import { renderPdf } from '../src/engines/pdf/pdf.ts'
import { letterDocx, reportDocx } from '../test/engines/pdf/documents.ts'
import { compare, type Score } from './fidelity/compare.ts'
import { openPeer, readFontFolder, sameFonts } from './fidelity/soffice.ts'

/** Least content of a document worth comparing: words, and constructs of real documents. */
const MIN_WORDS = 40
const constructs =
  /<w:(tbl|numPr|drawing|pict|hyperlink|fldChar|fldSimple|headerReference|footerReference|footnoteReference|cols|jc|tab|shd|pBdr|sdt)[ />]/g
const MIN_CONSTRUCTS = 2
const WORST = 12

interface Entry {
  name: string
  file: string
  own: string
  peer: string
  score: Score
  ms: number
}

const soffice = Bun.which('soffice')
if (!soffice) {
  console.log('There is no soffice on PATH, so there is nothing to compare with.')
  process.exit(0)
}
const folder = process.env.QUIRE_FIDELITY_FOLDER ?? mkdtempSync(join(tmpdir(), 'quire-fidelity-'))
const given = process.env.QUIRE_FIDELITY_DOCUMENTS
const withInk = process.env.QUIRE_FIDELITY_INK !== 'false'
const only = process.env.QUIRE_FIDELITY_ONLY ?? ''
mkdirSync(join(folder, 'own'), { recursive: true })
await Bun.write(join(folder, 'letter.docx'), await letterDocx())
await Bun.write(join(folder, 'report.docx'), await reportDocx(8))
const files = [
  join(folder, 'letter.docx'),
  join(folder, 'report.docx'),
  ...(given === undefined
    ? []
    : [...new Bun.Glob('**/*.docx').scanSync({ cwd: given })].map((name) => join(given, name))),
]
  .filter((file) => file.includes(only))
  .sort()

const names = new Set<string>()
const rich: string[] = []
const refused: string[] = []
for (const file of files) {
  const opened = openPackage(await Bun.file(file).bytes())
  if (!opened.ok) {
    refused.push(`${basename(file)}: ${opened.findings[0]?.code}`)
    continue
  }
  let found = 0
  for (const part of opened.value.parts) {
    if (!/^word\/[^/]*\.xml$|theme/i.test(part)) continue
    const bytes = opened.value.readBytes(part)
    if (!bytes.ok) continue
    const xml = new TextDecoder().decode(bytes.value)
    for (const [, name] of xml.matchAll(/(?:w:ascii|w:hAnsi|typeface)="([^"+@]{1,60})"/g)) names.add(name!)
    if (part === opened.value.mainPart) found = new Set([...xml.matchAll(constructs)].map(([, name]) => name)).size
  }
  if (found >= MIN_CONSTRUCTS) rich.push(file)
}

const more = process.env.QUIRE_FIDELITY_FONTS === undefined ? [] : readFontFolder(process.env.QUIRE_FIDELITY_FONTS)
const fonts = sameFonts(names, more)
const peer = openPeer(soffice, folder, names, more)
const converted = await peer.convert(rich)

const entries: Entry[] = []
const failed: string[] = []
const seen = new Set<string>()
for (const file of rich) {
  const theirs = converted.get(file)
  if (theirs === undefined) continue
  const docx = await Bun.file(file).bytes()
  const started = performance.now()
  const outcome = renderPdf(docx, { fonts })
  const ms = performance.now() - started
  if (!outcome.ok) {
    failed.push(`${basename(file)}: ${outcome.findings[0]?.code} ${outcome.findings[0]?.message}`)
    continue
  }
  const own = join(folder, 'own', `${basename(file, '.docx')}.pdf`)
  await Bun.write(own, outcome.value.pdf)
  const score = await compare(own, theirs, withInk)
  if (score.words < MIN_WORDS) continue
  // Fixtures come in families that differ only in an invisible property; one of each counts.
  const text = await new Response(Bun.spawn(['pdftotext', theirs, '-'], { stderr: 'ignore' }).stdout).text()
  const key = `${Bun.hash(text)}`
  if (seen.has(key)) continue
  seen.add(key)
  entries.push({ name: basename(file), file, own, peer: theirs, score, ms })
}

entries.sort((a, b) => a.score.position - b.score.position)
const mean = (pick: (score: Score) => number) =>
  entries.reduce((sum, { score }) => sum + pick(score), 0) / Math.max(1, entries.length)
const share = (value: number) => value.toFixed(3)

console.log(
  `Method: ${peer.version}, one profile, the same fonts for both; documents with ${MIN_CONSTRUCTS} or more constructs and`,
)
console.log(
  `        ${MIN_WORDS} or more words; equal texts count once. A word within 1.5 pt of its place counts 1, within 9 pt ½.`,
)
console.log('        Tracked changes are drawn as the final text on both sides.')
for (const { name, score, ms } of entries) {
  const pages = score.pages[0] === score.pages[1] ? `${score.pages[0]}` : `${score.pages[0]} ≠ ${score.pages[1]}`
  console.log(
    `${share(score.position)}  lines ${share(score.lines)}  ink ${share(score.ink)}  pages ${pages.padEnd(9)} words ${`${score.words}`.padEnd(6)} ${ms.toFixed(0).padStart(4)} ms  ${name}`,
  )
}
const equal = entries.filter(({ score }) => score.pages[0] === score.pages[1]).length
console.log(
  `${entries.length} documents: position ${share(mean((score) => score.position))}, lines ${share(mean((score) => score.lines))}, ` +
    `ink ${share(mean((score) => score.ink))}, page count equal in ${((100 * equal) / Math.max(1, entries.length)).toFixed(1)} %`,
)
console.log(`refused before rendering (macros, objects, no Word document): ${refused.length}`)
console.log(`failed though LibreOffice converts them: ${failed.length}`)
for (const line of failed) console.log(`  ${line}`)

const sheet = await contactSheet(entries.slice(0, WORST))
if (sheet !== undefined) console.log(`first pages of the worst, Quire's on the left: ${sheet}`)

/** The worst pairs, one page each and side by side, rendered by this engine and drawn as PNG by pdftoppm. */
async function contactSheet(worst: readonly Entry[]): Promise<string | undefined> {
  if (worst.length === 0) return undefined
  const { Document, ImageRun, Packer, Paragraph, TextRun } = await import('docx')
  const children = []
  for (const { name, own, peer: theirs, score } of worst) {
    const pictures = []
    for (const pdf of [own, theirs]) {
      const child = Bun.spawn(['pdftoppm', '-png', '-r', '60', '-f', '1', '-l', '1', pdf], { stderr: 'ignore' })
      const data = Buffer.from(await new Response(child.stdout).arrayBuffer())
      if (data.length < 100) continue
      const height = 330
      const width = Math.round((height * data.readUInt32BE(16)) / data.readUInt32BE(20))
      pictures.push(new ImageRun({ type: 'png', data, transformation: { width, height } }))
      pictures.push(new TextRun('   '))
    }
    children.push(new Paragraph({ keepNext: true, text: `${name}  ${share(score.position)}` }))
    children.push(new Paragraph({ children: pictures }))
  }
  const page = { margin: { top: 400, bottom: 400, left: 600, right: 600 } }
  const docx = await Packer.toBuffer(new Document({ sections: [{ properties: { page }, children }] }))
  const rendered = renderPdf(new Uint8Array(docx), { fonts })
  if (!rendered.ok) return undefined
  const pdf = join(folder, 'worst.pdf')
  await Bun.write(pdf, rendered.value.pdf)
  Bun.spawnSync(['pdftoppm', '-png', '-r', '70', pdf, join(folder, 'worst')])
  return `${join(folder, 'worst')}-*.png`
}
