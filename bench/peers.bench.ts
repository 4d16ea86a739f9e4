/**
 * The peers' own templates in Quire. Each is first checked as it is (is its language recognised and answered?). Then its tags are
 * translated by rule, and both engines fill it with the same data, made from its tags. The text of every paragraph of body,
 * headers, footers and notes is compared.
 * QUIRE_PEERS names a folder with checkouts of docxtemplater, easy-template-x, docx-templates, carbone and python-docx-template.
 * The last two don't run here: their templates are only composed. Templates that no rule translates are written by hand in
 * peers/by-hand.ts.
 * Run: QUIRE_PEERS=… bun bench/peers.bench.ts [--list]
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import createReport from 'docx-templates'
import Docxtemplater from 'docxtemplater'
import { TemplateHandler } from 'easy-template-x'
import PizZip from 'pizzip'
import type { JsonValue } from '../src/core/json.ts'
import { compileTemplate, composeTemplate } from '../src/engines/docx/docx.ts'
import { type ByHand, byHand } from './peers/by-hand.ts'
import { carbone, docxTemplates, jinja, type Language, mustache } from './peers/languages.ts'
import { linesOf, partsOf, tagsOf, withLines, withTags } from './peers/tagged.ts'
import { type Translation, translate } from './peers/translate.ts'

type Fill = (template: Uint8Array, data: JsonValue) => Promise<Uint8Array>

const peers: readonly { name: string; language: Language; fill?: Fill }[] = [
  {
    name: 'docxtemplater',
    language: mustache,
    async fill(template, data) {
      const made = new Docxtemplater(new PizZip(template), {
        paragraphLoop: true,
        linebreaks: true,
        errorLogging: false,
      })
      made.render(data)
      return made.getZip().generate({ type: 'uint8array' })
    },
  },
  {
    name: 'easy-template-x',
    language: mustache,
    async fill(template, data) {
      return new TemplateHandler().process(Buffer.from(template), JSON.parse(JSON.stringify(data)))
    },
  },
  {
    name: 'docx-templates',
    language: docxTemplates,
    fill: (template, data) => createReport({ template, data, cmdDelimiter: '+++', noSandbox: true }),
  },
  { name: 'carbone', language: carbone },
  { name: 'python-docx-template', language: jinja },
]

/** The result for a template, with a reason if there is one. */
type Outcome = ['no tags' | 'equal' | 'composed' | 'malformed' | 'by decision' | 'refused' | 'different', why?: string]

function* templatesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) {
      if (name !== 'node_modules' && !name.startsWith('.')) yield* templatesIn(path)
    } else if (/\.docx$/.test(name) && !/^(?:expected|~)|_report\.docx$/.test(name)) yield path
  }
}

/** Whether checking the unchanged template shows Quire's form of one of its tags. */
function isAnswered(template: Uint8Array): boolean {
  return compileTemplate(template).findings.some(({ hint = '' }) => /\{\{|transformer/.test(hint))
}

async function outcomeOf(
  template: Uint8Array,
  { language, fill }: (typeof peers)[number],
  written: ByHand | undefined,
): Promise<Outcome> {
  if (written !== undefined) {
    const { lines, data, theirs = data } = written
    return compared(withLines(template, lines), data, () => (written.fill ?? fill)?.(template, theirs as JsonValue))
  }
  const parts = partsOf(template)
  if (parts === undefined || !parts.has('word/document.xml')) return ['malformed', 'no Word document']
  const tags = tagsOf(parts, language.tag)
  const spanned =
    language.tag.source.startsWith('\\+') &&
    linesOf(template).some((line) => /\+\+\+[^+]*$/.test(line.replace(language.tag, '')))
  if (tags.length === 0 || spanned)
    return isUnclosed(template) ? ['malformed', 'tags over paragraphs or unclosed'] : ['no tags']
  const byPart = Map.groupBy(tags, ({ part }) => part)
  const translated: Translation = translate(
    [...byPart.values()].map((own) => own.map(({ inner }) => language.read(inner))),
  )
  if (!translated.ok) return ['by decision', translated.why]
  const { tags: ours, data } = translated
  return compared(withTags(template, tags, ours), data, () => fill?.(template, data))
}

async function compared(
  template: Uint8Array,
  data: JsonValue,
  fill: () => Promise<Uint8Array> | undefined,
): Promise<Outcome> {
  const compiled = compileTemplate(template)
  const composed = compiled.ok ? composeTemplate(compiled.value, data) : compiled
  let theirs: string[] | undefined
  try {
    const filled = await fill()
    theirs = filled && linesOf(filled)
  } catch (error) {
    return ['malformed', `the peer refuses it: ${String(error).slice(0, 80)}`]
  }
  if (!composed.ok) {
    const [first] = composed.findings.filter(({ severity }) => severity === 'error')
    return ['refused', `${first?.code}: ${first?.message} ${first?.hint}`]
  }
  const ours = linesOf(composed.value)
  if (theirs === undefined) return ['composed']
  const at = ours.findIndex((line, index) => line !== theirs[index])
  if (at < 0 && ours.length === theirs.length) return ['equal']
  const where = at < 0 ? ours.length : at
  return ['different', `“${ours[where] ?? ''}” where the peer has “${theirs[where] ?? ''}”`]
}

function isUnclosed(template: Uint8Array): boolean {
  return linesOf(template).some((line) => /\{|\+\+\+/.test(line))
}

const folder = process.env.QUIRE_PEERS
if (folder === undefined) throw new Error('QUIRE_PEERS names the folder with the checkouts of the peers')
const isListed = process.argv.includes('--list')
const totals = new Map<string, number>()
let handwritten = 0
const reasons = new Map<string, number>()
const count = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
for (const peer of peers) {
  const { name } = peer
  const own = new Map<string, number>()
  for (const path of templatesIn(join(folder, name))) {
    const template = new Uint8Array(readFileSync(path))
    const written = byHand[`${name} ${relative(join(folder, name), path)}`]
    if (written !== undefined) handwritten++
    const [outcome, why] = await outcomeOf(template, peer, written)
    for (const map of [own, totals]) count(map, outcome)
    if (outcome !== 'no tags')
      for (const map of [own, totals]) count(map, isAnswered(template) ? 'answered' : 'unanswered')
    if (outcome === 'by decision') count(reasons, why ?? '')
    if (isListed && outcome !== 'no tags' && !isAnswered(template))
      console.log(`${name} ${relative(join(folder, name), path)}: unanswered`)
    if (isListed && why !== undefined) console.log(`${name} ${relative(join(folder, name), path)}: ${outcome}, ${why}`)
  }
  console.log(name, Object.fromEntries([...own].sort()))
}
console.log('all', Object.fromEntries([...totals].sort()))
console.log(`${handwritten} of them are translated by hand`)
console.log('by decision', Object.fromEntries([...reasons].sort((a, b) => b[1] - a[1])))
