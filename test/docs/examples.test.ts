import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { commandTable } from '../../src/commands/table.ts'
import { isJsonObject, readJson } from '../../src/core/json.ts'
import { compileTransformer } from '../../src/engines/declarative/declarative.ts'
import { compileSchema } from '../../src/engines/schema/schema.ts'
import { compileModel } from '../../src/modules/drafts/conditions.service.ts'
import { chartPackage, drawing } from '../engines/docx/chart-package.ts'
import {
  compileCodes,
  composedBody,
  composedLines,
  linesOf,
  p,
  tbl,
  tr,
  wordPackage,
} from '../engines/docx/word-package.ts'
import { allBlocks, blocksOf, pageNames, placeOf, proseOf, readPage, root } from './pages.ts'

const blocks = await allBlocks()
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))

/** Pages whose every example is run, with its input and its output, beside the language's own tests. */
const runElsewhere = ['docs/cookbook.md', 'docs/declarative-v1.md']

test('every example in JSON is JSON, and a contract among them is one', () => {
  const wrong = inLanguage('json').flatMap((block) => {
    const read = readJson(block.text)
    const isContract = read.ok && isJsonObject(read.value) && ('$schema' in read.value || 'properties' in read.value)
    const { findings } = isContract ? compileSchema(block.text) : read
    return findings.map(({ message }) => `${placeOf(block)}: ${message}`)
  })
  expect(inLanguage('json').length).toBeGreaterThan(1)
  expect(wrong).toEqual([])
})

test('every example in YAML can be read, and a transformer or ingestion model among them has no finding', () => {
  const wrong = inLanguage('yaml').flatMap((block) => {
    const place = placeOf(block)
    const syntax = parseAllDocuments(block.text).flatMap(({ errors }) => errors.map(({ message }) => message))
    if (syntax.length > 0 || runElsewhere.includes(block.page)) return syntax.map((message) => `${place}: ${message}`)
    const source = { source: block.text, format: 'yaml' as const }
    const checked = /^transform:/m.test(block.text)
      ? compileTransformer(block.text, 'yaml').findings
      : /^model:/m.test(block.text)
        ? compileModel(source).findings
        : []
    return checked.map(({ message }) => `${place}: ${message}`)
  })
  expect(inLanguage('yaml').length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

test('every example in TypeScript can be read', () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  for (const { text } of inLanguage('ts')) expect(() => transpiler.transformSync(text)).not.toThrow()
})

/** The lines of the page of templates that begin with a tag, with every block on them closed. */
async function tagLines(): Promise<string[]> {
  const lines = (await blocksOf('docs/templates.md')).flatMap(({ text }) => text.split('\n'))
  return lines
    .filter((line) => line.startsWith('{{'))
    .map((line) => {
      const opened = [...line.matchAll(/\{\{#(?:if|each|with)\b/g)].length - [...line.matchAll(/\{\{#end\}\}/g)].length
      return line + '{{#end}}'.repeat(opened)
    })
}

test('every tag that the page of templates shows is one', async () => {
  const lines = await tagLines()
  expect(lines.length).toBeGreaterThan(18)
  for (const line of lines) {
    if (line.startsWith('{{chart ')) {
      expect(compileCodes(chartPackage(drawing(line)))).toEqual([])
      continue
    }
    // Relative pointers are for inside of a loop.
    const inLoop = line.includes('./') ? `{{#each /items}}${line}{{#end}}` : line
    expect([line, compileCodes(wordPackage(p(xmlText(inLoop))))]).toEqual([line, []])
  }
})

function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

test('what the page of templates shows beside a format is what it prints', async () => {
  const shown = (await tagLines()).flatMap((line) => {
    const [, tag, printed] = /^(\{\{\/(?:total|due)\b.*?\}\}) {2,}(\S+(?: \S+)*)/.exec(line) ?? []
    return tag === undefined || printed === undefined ? [] : [[tag, printed] as const]
  })
  expect(shown.length).toBe(3)
  for (const [tag, printed] of shown) {
    expect([tag, composedLines(p(tag), { total: 1234.5, due: '2026-03-01' })]).toEqual([tag, [printed]])
  }
})

test('the table that the page of templates shows becomes the one below it', async () => {
  const tables = (await blocksOf('docs/templates.md')).filter(({ text }) => text.startsWith('| Area'))
  const [template = [], shown = []] = tables.map(({ text }) =>
    text.split('\n').map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    ),
  )
  const data = /^With `(\{.*\})` the table$/m.exec(await proseOf('docs/templates.md'))?.[1] ?? ''
  const rows = [
    ...composedBody(tbl(...template.map((cells) => tr(...cells))), JSON.parse(data)).matchAll(/<w:tr>.*?<\/w:tr>/g),
  ]
  expect(rows.map(([row]) => linesOf(row))).toEqual(shown)
})

test('every link to a page, a place on it or a file leads there', async () => {
  const anchors = new Map<string, Set<string>>()
  for (const page of pageNames()) anchors.set(page, anchorsOf(await readPage(page)))
  const broken: string[] = []
  for (const page of pageNames()) {
    for (const [, target = ''] of (await proseOf(page)).replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^(?:https?|mailto):/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : normalize(join(dirname(page), path))
      const isThere = existsSync(join(root, file))
      const isPlace = anchor === undefined || anchors.get(file)?.has(anchor) === true
      if (!isThere || !isPlace) broken.push(`${page}: ${target}`)
    }
  }
  expect(broken).toEqual([])
})

/** The names that a page's headings have as targets of links, as GitHub and GitLab make them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-')
    let name = anchor
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`
    anchors.add(name)
  }
  return anchors
}

test('a command and its options that prose names are in the table of commands', async () => {
  const known = new Map(commandTable.map((entry) => [entry.name, JSON.stringify([entry.forms, entry.options])]))
  const wrong: string[] = []
  let named = 0
  for (const page of pageNames()) {
    for (const [code] of (await proseOf(page)).matchAll(/`(?:dist\/)?quire [a-z][^`]*`/g)) {
      const [, command = ''] = /quire ([a-z]+)/.exec(code) ?? []
      named++
      if (command === 'help') continue
      const options = [...code.matchAll(/ (--[a-z][a-z-]*)/g)]
        .map(([, option = '']) => option)
        .filter((option) => option !== '--help')
      if (!known.has(command)) wrong.push(`${page}: ${code}`)
      else if (options.some((option) => !known.get(command)?.includes(option))) wrong.push(`${page}: ${code}`)
    }
  }
  expect(named).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})

test('the page of commands says what --json prints, for every command that takes it', async () => {
  const page = await readPage('docs/commands.md')
  const section = page.slice(page.indexOf('\n## For programs'), page.indexOf('\n## In an editor'))
  const taking = commandTable.filter(({ options = [] }) => options.some(([option]) => option.startsWith('--json')))
  expect(taking.length).toBeGreaterThan(20)
  expect(taking.map(({ name }) => name).filter((name) => !new RegExp(`\`${name}[ \`]`).test(section))).toEqual([])
})

test('a bench, a test or a script that a page names is there', async () => {
  const missing: string[] = []
  for (const page of pageNames().filter((name) => name !== 'CHANGELOG.md')) {
    for (const [, path = ''] of (await readPage(page)).matchAll(
      /`(?:[A-Z_]+=\S+ )*(?:bun (?:test )?|sh )?((?:bench|test|scripts|src|packaging|\.ci)\/[\w/.-]+\.\w+)/g,
    )) {
      if (!existsSync(join(root, path))) missing.push(`${page}: ${path}`)
    }
  }
  expect(missing).toEqual([])
})

test('every cell about another product has its source, or says that there is none', async () => {
  const page = await readPage('docs/comparison.md')
  const table = page.slice(page.indexOf('## Side by side'), page.indexOf('## Speed'))
  const rows = [...table.matchAll(/^\| (.*) \|$/gm)].slice(1).map(([, row = '']) => row.split(' | '))
  expect(rows.length).toBeGreaterThan(8)
  const wrong = rows.flatMap(([what, own = '', ...others]) => {
    const sourced = others.every((cell) => /\]\(https:|^(?:–|yours|not known)$/.test(cell))
    return sourced && others.length === 4 && /`|\]\(/.test(own) ? [] : [what]
  })
  expect(wrong).toEqual([])
  const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  const others = ['Carbone', 'Gotenberg', 'docxtemplater', 'jsreport']
  const rowsOf = (text: string) => [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row)
  const claims = [
    ...section('Where the others are better')
      .split(/\n- |\n\n/)
      .filter((text) => !/^(?:\*\*.*\*\*)?$/.test(text.trim())),
    ...rowsOf(section('What each is for')).filter((row) => others.some((name) => row.startsWith(name))),
    ...section('Speed')
      .split(/(?<=[.:])\s/)
      .filter((text) => others.some((name) => text.includes(name))),
  ]
  expect(claims.length).toBeGreaterThan(20)
  const measuredHere = /bench\/|takes docxtemplater 20 times|was measured\.$/
  expect(claims.filter((claim) => !claim.includes('](https:') && !measuredHere.test(claim))).toEqual([])
  // Nothing is said of another product anywhere else, but which of them to choose.
  const rest = ['What each is for', 'Where the others are better', 'Side by side', 'Speed', 'Which one']
  const elsewhere = rest.reduce((text, title) => text.replace(section(title), ''), page)
  expect(elsewhere.split('\n').filter((line) => others.some((name) => line.includes(name)))).toEqual([
    '# Quire beside Carbone, Gotenberg, docxtemplater and jsreport',
  ])
  expect(page).toMatch(/read on\n?\s*\d+ November 2026/)
})
