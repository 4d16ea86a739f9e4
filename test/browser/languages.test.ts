import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { texts } from '../../src/console/texts/de.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  goOn,
  open,
  runDemo,
  runOnce,
  startConsole,
  testMs,
} from '../support/console.ts'

setDefaultTimeout(testMs)

/** Every screen, and the tabs that show texts of their own. */
const addresses = (made: DemoRuns): string[] => [
  ...['/', '/lab', '/submissions', '/submissions/new?model=clws-policy', `/submissions/${made.submission}`, '/batches'],
  ...[
    '/executions',
    `/executions/${made.execution}`,
    '/storage',
    '/contracts',
    '/transformers',
    '/templates',
    '/ingestion-models',
  ],
  ...['versions', 'compare', 'cases'].map((tab) => `/contracts/${made.contract}?tab=${tab}`),
  `/contracts/${made.contract}`,
  ...['', '?tab=versions', '?tab=compare'].map((tab) => `/transformers/${made.transformer}${tab}`),
  ...['', '?tab=bindings', '?tab=preview', '?tab=versions'].map((tab) => `/templates/${made.template}${tab}`),
  ...['', '?tab=versions', '/workspace', '/workspace?tab=template', '/review'].map(
    (rest) => `/ingestion-models/${made.model}${rest}`,
  ),
  ...['', '?tab=month', '?tab=list'].map((tab) => `/activations${tab}`),
  ...[
    '/audit',
    '/users',
    '/tokens',
    '/retention',
    '/webhooks',
    '/operations',
    '/readiness',
    '/account',
    '/password',
    '/docs',
    '/nowhere',
  ],
]

/** What is English only: the parts of texts between their values, of at least two words. */
const english = Object.keys(texts)
  .flatMap((key) => key.split(/\{\d+\}/))
  .map((part) => part.trim())
  .filter((part) => /\p{L}{2,}\s\p{L}{2,}/u.test(part))
const german = Object.values(texts)
const onlyEnglish = english.filter((part) => !german.some((text) => text.includes(part)))

/** The texts that a person reads or hears, but for what somebody wrote: sources, data and descriptions. */
const textsOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const isWritten = 'code, pre, textarea, option, .cm-editor, .sheet, .reference, .scenario'
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement
      if (element?.closest(isWritten) != null) continue
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(node.getAttribute(name) ?? '')
      } else found.push(node.textContent ?? '')
    }
    return found.filter((text) => text.trim() !== '')
  })

describe.skipIf(skipsBrowserTests('the console in other languages'))('the console in other languages', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole({ hasRunDemo: true })
    made = await runDemo(bench.client)
  }, testMs)

  afterAll(() => bench?.stop())

  test('is German where the browser keeps that choice, on every screen, and leaves no English text', async () => {
    const left: string[] = []
    let count = 0
    await bench.visit(
      'administrator',
      async (page) => {
        await page.addInitScript(() => localStorage.setItem('quire.language', 'de'))
        await open(page, at('/'))
        for (const address of addresses(made)) {
          await goOn(page, address)
          const shown = await textsOn(page)
          count += shown.length
          for (const text of shown) {
            const part = onlyEnglish.find((one) => text.includes(one))
            if (part !== undefined) left.push(`${address}: ${text.slice(0, 100)}`)
          }
          expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
        }
      },
      { isNewTab: true },
    )
    expect(count).toBeGreaterThan(1_000)
    expect(left).toEqual([])
  })

  test('keeps the longer words of German within a narrow screen', async () => {
    const wide: string[] = []
    await bench.visit(
      'administrator',
      async (page) => {
        await page.addInitScript(() => localStorage.setItem('quire.language', 'de'))
        await open(page, at('/'))
        for (const address of addresses(made)) {
          await goOn(page, address)
          const [needed, there] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
          if ((needed ?? 0) > (there ?? 0)) wide.push(`${address}: ${needed}`)
        }
      },
      { width: 390, theme: 'dark', isNewTab: true },
    )
    expect(wide).toEqual([])
  })

  test('cuts no button of a list off at a desk, and lets no word of a suite run into the next', async () => {
    await bench.client.post('/api/v1/admin/users', {
      username: 'second',
      display_name: 'Second',
      roles: ['administrator', 'engineer'],
      password: 'a first password',
    })
    await bench.visit(
      'administrator',
      async (page) => {
        await page.addInitScript(() => localStorage.setItem('quire.language', 'de'))
        await page.setViewportSize({ width: 1440, height: 900 })
        await open(page, at('/users'))
        await page.locator('.data-table tbody tr').nth(1).waitFor()
        const list = page.locator('.table-panel')
        expect(await list.evaluate((panel) => panel.scrollWidth - panel.clientWidth)).toBe(0)
        const tools = list.locator('td:has(> .row-tools)')
        const cut = (cells: Element[]) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length
        expect(await tools.evaluateAll(cut)).toBe(0)
        await open(page, at(`/transformers/${made.transformer}`))
        const word = page.locator('.suite-case summary > .status').getByText('Nicht festgehalten').first()
        await word.waitFor()
        expect(await word.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
      },
      { isNewTab: true },
    )
  })

  test('follows the languages of the browser until somebody chooses another', async () => {
    const context = await bench.browser.newContext({ locale: 'de-AT' })
    const page = await context.newPage()
    await page.goto(at('/login'))
    await page.getByRole('heading', { name: 'Bei Quire anmelden' }).waitFor()
    await page.getByRole('radio', { name: 'English' }).check()
    await page.getByRole('heading', { name: 'Sign in to Quire' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Quire' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    await context.close()
  })

  test('writes numbers, dates and times as the language does', async () => {
    // Not one of the demo, which another test file of this process may have run hours ago.
    const { id } = await runOnce(bench.client, 'of-this-minute')
    await bench.visit(
      'administrator',
      async (page) => {
        await page.addInitScript(() => localStorage.setItem('quire.language', 'de'))
        await open(page, at(`/executions/${id}`))
        const shown = await page.locator('main').textContent()
        expect(shown).toMatch(/\d,\d+ KB/)
        expect(shown).toMatch(/vor \d+ (?:Sekunde|Minute)n?|gerade eben/)
        expect(shown).toMatch(/\d\d?\. [\p{L}.]+ 20\d\d, \d\d:\d\d/u)
      },
      { isNewTab: true },
    )
  })
})
