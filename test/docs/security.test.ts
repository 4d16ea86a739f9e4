import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { asvsRequirements } from './asvs-numbers.ts'
import { readPage, root } from './pages.ts'

const page = await readPage('docs/security.md')
const pages = ['docs/security.md', 'docs/threat-model.md', 'SECURITY.md']
const verdicts = ['met', 'open', 'not applicable'] as const

interface Row {
  number: string
  chapter: string
  verdict: string
  ground: string
}

const rows: Row[] = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)].map((found) => {
  const [, number = '', , verdict = '', ground = ''] = found
  return { number, chapter: number.slice(0, number.indexOf('.')), verdict, ground }
})

/** Links to tests, each with the name of one. */
function namedTests(text: string): [file: string, name: string][] {
  return [...text.matchAll(/\]\((?:\.\.\/)?(test\/[^)]+\.ts)\) “([^”]+)”/g)].map(([, file = '', name = '']) => [
    file,
    name,
  ])
}

describe('the requirements of ASVS 5.0.0', () => {
  test('are on the page exactly once each, at the levels that it says', () => {
    expect(asvsRequirements).toHaveLength(276)
    expect(rows.map(({ number }) => number)).toEqual([...asvsRequirements])
  })

  test('have one of three verdicts, and a test where they are met', () => {
    for (const { number, verdict, ground } of rows) {
      expect([number, verdicts.some((one) => one === verdict)]).toEqual([number, true])
      if (verdict === 'met') expect([number, namedTests(ground).length > 0]).toEqual([number, true])
    }
  })

  test('are counted as they are', () => {
    const counted = (of: readonly Row[]) => verdicts.map((one) => of.filter(({ verdict }) => verdict === one).length)
    const said = [...page.matchAll(/^\| (V\d+|all)\b[^|]* \| (\d+) \| (\d+) \| (\d+) \|$/gm)]
    const chapters = [...new Set(rows.map(({ chapter }) => chapter))]
    expect(said.map(([, name, ...counts]) => [name, ...counts.map(Number)])).toEqual([
      ...chapters.map((chapter) => [`V${chapter}`, ...counted(rows.filter((row) => row.chapter === chapter))]),
      ['all', ...counted(rows)],
    ])
    const [met = 0, open = 0] = counted(rows)
    expect(page).toContain(
      `${met} of the ${met + open} that apply are met, ${Math.floor((met / (met + open)) * 100)} %`,
    )
  })
})

test('every test that the pages about security name is there', async () => {
  const sources = new Map<string, string>()
  for (const name of pages) {
    for (const [file, sentence] of namedTests(await readPage(name))) {
      if (!sources.has(file))
        sources.set(file, existsSync(join(root, file)) ? await Bun.file(join(root, file)).text() : '')
      const source = sources.get(file) ?? ''
      const isThere = [`'`, '"', '`'].some((quote) => source.includes(`${quote}${sentence}${quote}`))
      expect([name, file, sentence, isThere]).toEqual([name, file, sentence, true])
    }
  }
  expect(sources.size).toBeGreaterThan(40)
})

test('the pages about security know each other', async () => {
  for (const from of ['README.md', 'docs/architecture.md', ...pages]) {
    const text = await readPage(from)
    const targets = [...text.matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)].map(([, path = '']) => {
      return normalize(join(dirname(from), path))
    })
    for (const to of pages) if (to !== from) expect([from, targets.includes(to), to]).toEqual([from, true, to])
  }
})

test('every place that uses cryptography is in the inventory', async () => {
  const cryptography =
    /from 'node:crypto'|from 'oslo\/|import\('age-encryption'\)|CryptoHasher|Bun\.password|Bun\.hash|crypto\.(?:subtle|getRandomValues|timingSafeEqual)|from 'elysia\/utils'|createHash|tls: \{ cert: /
  const using: string[] = []
  for (const path of new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)) {
    const file = path.replaceAll('\\', '/')
    if (cryptography.test(await Bun.file(join(root, file)).text())) using.push(file)
  }
  const listed = [...page.matchAll(/^\| `(src\/[^`]+)` \|/gm)].map(([, file = '']) => file)
  expect(listed).toEqual(using.sort())
  for (const file of listed) expect(await Bun.file(join(root, file)).text()).not.toMatch(/['"](?:md5|sha1|des|rc4)\b/i)
})

test('every field of a password hides it, and lets password managers fill it', async () => {
  let fields = 0
  for (const path of new Bun.Glob('src/console/**/*.tsx').scanSync(root)) {
    const source = await Bun.file(join(root, path)).text()
    for (const [field] of source.matchAll(/<input\b(?:[^>]|=>)*\/>/g)) {
      const hides = field.includes('type="password"')
      const isNamed = /autocomplete="(?:current|new)-password"/.test(field)
      expect([path, hides]).toEqual([path, isNamed])
      if (!hides) continue
      fields++
      expect(field).not.toMatch(/onPaste|onBeforeInput/)
    }
  }
  expect(fields).toBeGreaterThanOrEqual(5)
})
