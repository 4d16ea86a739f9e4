/**
 * Composes hostile files, and prints what came of them as JSON: run by hostile.test.ts in processes of their own, so that
 * memory can be measured. `mutants <count> <seed>`, or `file <docx> <json> [<folder of what it includes>]`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '../../../src/core/json.ts'
import { newestReading } from '../../../src/core/reading.ts'
import { compileTemplate, composeTemplate, type Fragments } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { readZip } from '../../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../../src/engines/ooxml/zip-writer.ts'

const [mode, first = '', second = '', folder] = process.argv.slice(2)

/** A linear congruential generator (Numerical Recipes), so that a failure can be repeated. */
let state = mode === 'mutants' ? Number(second) : 0
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

const tags = [
  '{{#end}}',
  '{{#each /lines}}',
  '{{#else}}',
  '{{/name}}',
  '{{',
  '}}',
  '{{rich /name}}',
  '{{image /name}}',
  '{{#if /x}}',
  '{{#keep}}',
  '{{#with /x}}',
  '{{check /x}}',
  '{{shade /name}}',
  '{{merge down same /name}}',
  '{{merge across count 2}}',
  '{{#each /lines columns}}',
  '{{chart /lines by ./name show ./x}}',
]
const pieces = [
  '<w:p/>',
  '<w:tbl>',
  '</w:tbl>',
  '<w:r><w:t>',
  '</w:p>',
  '<w:sdt>',
  '<w:fldChar w:fldCharType="end"/>',
  '<w:footnoteReference w:id="1"/>',
  ' w:id="99999999999"',
  ' r:id=""',
  '&#0;',
  '<![CDATA[x]]>',
  '<!--',
  '\u0000',
  '\ud800',
]

/** One change inside of a part's XML: text out, text doubled, an element swapped for another, a number or name replaced. */
function mutate(source: string): string {
  const at = random(source.length)
  const length = random(40)
  const from = random(source.length)
  const cut = (text: string, till = at) => source.slice(0, at) + text + source.slice(till)
  switch (random(10)) {
    case 0:
      return cut('', at + length)
    case 1:
      return cut(source.slice(from, from + length))
    case 2:
      return cut('{}<>/&;"#= '[random(11)]!, at + 1)
    case 3:
      return cut(tags[random(tags.length)]!)
    case 4:
      return cut(pieces[random(pieces.length)]!)
    case 5: {
      const number = /"-?\d+"/.exec(source.slice(at))
      const values = ['"0"', '"-1"', '"4294967296"', '"1e9"', '"x"', '""']
      if (number === null) return source
      const start = at + number.index
      return source.slice(0, start) + values[random(values.length)] + source.slice(start + number[0].length)
    }
    default: {
      // Exchanging whole elements keeps the XML well-formed and so reaches the engine itself.
      const elements = [
        ...source.matchAll(/<((?:w|a|wp|pic|v):\w+)(?:\s[^<>]*)?(?:\/>|>(?:(?!<\1[\s>])[\s\S]){0,3000}?<\/\1>)/g),
      ]
      const one = elements[random(elements.length)]
      const other = elements[random(elements.length)]
      if (one === undefined || other === undefined) return source
      const kept = random(3) === 0 ? one[0] : ''
      return source.slice(0, one.index) + kept + other[0] + source.slice(one.index + one[0].length)
    }
  }
}

function mutant(bytes: Uint8Array): Uint8Array {
  const archive = readZip(bytes)
  if (!archive.ok) throw new Error('the template itself cannot be read')
  const names = archive.value.names.filter((name) => /\.(?:xml|rels)$/.test(name))
  const victims = new Set([random(4) === 0 ? names[random(names.length)] : 'word/document.xml'])
  if (random(5) === 0) victims.add(names[random(names.length)])
  return writeZip(
    archive.value.names.map((name) => {
      const read = archive.value.read(name)
      if (!victims.has(name) || !read.ok) return archive.value.entry(name)!
      let text = new TextDecoder().decode(read.value)
      for (let times = random(3); times >= 0; times--) text = mutate(text)
      return { name, data: new TextEncoder().encode(text) }
    }),
  )
}

const tally: Record<string, number> = {}
let slowest = { name: '', ms: 0 }
const problems: string[] = []
let peak = 0

function attempt(name: string, bytes: Uint8Array, data: JsonValue, fragments?: Fragments): void {
  const started = performance.now()
  const startedCpu = process.cpuUsage()
  let result = ''
  try {
    const compiled = compileTemplate(bytes, newestReading, fragments)
    const outcome = compiled.ok ? composeTemplate(compiled.value, data) : compiled
    result = outcome.ok ? 'composed' : (outcome.findings[0]?.code ?? 'none')
    const errors = outcome.findings.filter(({ severity }) => severity === 'error')
    if (!outcome.ok && errors.length === 0) problems.push(`${name}: failed without an error`)
    if (errors.some(({ message, hint }) => message === '' || hint === undefined)) problems.push(`${name}: no hint`)
    // On a busy machine the clock counts the work of others, and the processor's time that of idle threads.
    const cpu = process.cpuUsage(startedCpu)
    const ms = Math.min(performance.now() - started, (cpu.user + cpu.system) / 1_000)
    // Before the result is read again, which is the test's own doing.
    peak = Math.max(peak, peakBytes())
    if (ms > slowest.ms) slowest = { name: `${name} (${result})`, ms }
    if (outcome.ok && outcome.value.length < 2_000_000) {
      const opened = openPackage(outcome.value)
      if (!opened.ok) problems.push(`${name}: the result cannot be opened: ${opened.findings[0]?.message}`)
      else {
        const main = opened.value.readXml(opened.value.mainPart)
        if (!main.ok && main.findings[0]?.code !== 'xml.size') problems.push(`${name}: ${main.findings[0]?.message}`)
      }
    }
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.stack?.split('\n').slice(0, 3).join(' ') : error}`)
  }
  tally[result] = (tally[result] ?? 0) + 1
}

async function attemptMutants(count: number): Promise<void> {
  // Loading these takes longer than most files do.
  const { features } = await import('./features.ts')
  const { realTemplates } = await import('./real-life.ts')
  const sources = [
    ...features.map(({ name, template, data }) => ({ name, bytes: template, data })),
    ...(await Promise.all(realTemplates.map(async ({ name, build, data }) => ({ name, bytes: await build(), data })))),
  ]
  for (let index = 0; index < count; index++) {
    const { name, bytes, data } = sources[index % sources.length]!
    const from = state
    attempt(`mutant ${index} of ${name} from ${from}`, mutant(bytes), data)
  }
}

if (mode === 'mutants') await attemptMutants(Number(first))
else {
  const data = JSON.parse(readFileSync(second, 'utf8')) as JsonValue
  attempt(first, new Uint8Array(readFileSync(first)), data, folder === undefined ? undefined : fragmentsIn(folder))
}

function fragmentsIn(path: string): Fragments {
  const read = (name: string) => new Uint8Array(readFileSync(join(path, name)))
  return new Map(readdirSync(path).map((name) => [name.replace(/\.docx$/, ''), read(name)]))
}

/** Most memory that this process ever held; what the system counts for a child may include its parent's. */
function peakBytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1_024
}

process.stdout.write(JSON.stringify({ tally, slowest, problems: problems.slice(0, 10), peakBytes: peak }))
