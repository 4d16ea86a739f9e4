import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { skipsBrowserTests } from '../support/browser.ts'
import { ApiClient } from '../support/client.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  folderWithUsers,
  makeContract,
  open,
  runDemo,
  runOnce,
  startConsole,
  testMs,
} from '../support/console.ts'
import { largeContract } from '../support/large-contract.ts'
import { leastMs, leastOfEachMs, longestTaskMs } from '../support/long-tasks.ts'
import { copyExecution } from '../support/many-executions.ts'
import { startQuire } from '../support/quire.ts'
import { lengthenTemplate, longestOf, templateTasks } from '../support/template-tasks.ts'
import { enlargeContract, follow, workspaceTasks } from '../support/workspace-tasks.ts'

setDefaultTimeout(testMs)

/** What nobody notices as a pause. */
const maxTaskMs = 50

const attempts = 3

const aTabOfItsOwn = { isNewTab: true }

/** @param visit resolves with its longest task, in milliseconds */
function testTasks(name: string, visit: () => Promise<number>): void {
  test(
    name,
    async () => {
      expect(await leastMs(maxTaskMs, attempts, visit)).toBeLessThan(maxTaskMs)
    },
    attempts * testMs,
  )
}

describe.skipIf(skipsBrowserTests('large texts in a browser'))('a contract of 600 KB', () => {
  let bench: ConsoleBench
  let id: string
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole({ needsWholeBrowser: true })
    id = await makeContract(bench.client, 'large', largeContract(), largeContract(41))
    const { body } = await bench.client.get(`/api/v1/contracts/${id}`)
    expect(body.schema.length).toBeWithin(600_000, 1_000_000)
  }, testMs)

  afterAll(() => bench?.stop())

  testTasks('opens, is typed in and scrolled without a pause, and its form follows', () =>
    bench.visit('engineer', longestOfEditing, aTabOfItsOwn),
  )

  async function longestOfEditing(page: Page): Promise<number> {
    // The editor's code is loaded by then.
    await open(page, at(`/contracts/${(await bench.client.get('/api/v1/contracts')).body.contracts.at(-1).id}`))
    await page.getByRole('textbox', { name: 'Schema' }).waitFor()
    const opened = await longestTaskMs(bench.browser, page, async () => {
      await follow(page, `/contracts/${id}`)
      await page.getByText('Field 0 of section 0', { exact: true }).waitFor()
    })
    const editor = page.getByRole('textbox', { name: 'Schema' })
    await editor.focus()
    await page.keyboard.press('Control+Home')
    const typed = await longestTaskMs(bench.browser, page, async () => {
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type('"title": "Typed", ')
      await page.getByText('with unsaved changes').waitFor()
      await page.keyboard.type(' oops')
      await page.locator('.findings [data-severity=error]').first().waitFor()
      for (let back = 0; back < 5; back++) await page.keyboard.press('Backspace')
      await page.getByText('A valid JSON Schema 2020-12').waitFor()
    })
    const form = page.getByRole('region', { name: 'Form preview' })
    const scrolled = await longestTaskMs(bench.browser, page, async () => {
      await form.focus()
      for (let press = 0; press < 20; press++) await page.keyboard.press('PageDown')
      await page.keyboard.press('End')
      await page.getByText('Field 49 of section 40', { exact: true }).waitFor()
      await editor.focus()
      await page.keyboard.press('Control+End')
    })
    expect(await form.locator('.form-field').count()).toBeLessThan(200)
    return Math.max(opened, typed, scrolled)
  }

  testTasks('is compared, and its versions are read, without a pause', () =>
    bench.visit('engineer', longestOfReading, aTabOfItsOwn),
  )

  async function longestOfReading(page: Page): Promise<number> {
    await open(page, at(`/contracts/${id}?tab=cases`))
    const compared = await longestTaskMs(bench.browser, page, async () => {
      await follow(page, `/contracts/${id}?tab=compare`)
      await page.getByText('A change that may break').waitFor()
    })
    const read = await longestTaskMs(bench.browser, page, async () => {
      await follow(page, `/contracts/${id}?tab=versions`)
      const text = page.getByRole('region', { name: 'Schema of version 2' })
      await text.getByText('2020-12/schema').waitFor()
      await text.focus()
      await page.keyboard.press('End')
      await text.getByText('Field 49 of section 40').waitFor()
    })
    return Math.max(compared, read)
  }

  test('is read again for every change: what is typed during a reading is read after it', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/contracts/${id}`))
      const editor = page.getByRole('textbox', { name: 'Schema' })
      await page.getByText('A valid JSON Schema 2020-12').waitFor()
      await editor.focus()
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('ArrowRight')
      for (const letter of '"type": 7, ') await page.keyboard.type(letter, { delay: 60 })
      await page.locator('.findings [data-severity=error]', { hasText: 'type' }).first().waitFor()
      await eventually(() => page.getByText('The form shows when the schema has no errors').count(), 1)
    })
  })
})

describe.skipIf(skipsBrowserTests('a large contract in the workspace'))('a workspace with a contract of 600 KB', () => {
  let bench: ConsoleBench
  let made: DemoRuns

  beforeAll(async () => {
    bench = await startConsole({ needsWholeBrowser: true })
    made = await runDemo(bench.client)
    await enlargeContract(bench.client, made.contract)
  }, testMs)

  afterAll(() => bench?.stop())

  test(
    'opens, leads from a word to its place, is typed in and mended, declared in, discarded and brought back without a pause',
    async () => {
      const walk = () => bench.visit('engineer', (page) => workspaceTasks(bench, page, made), aTabOfItsOwn)
      const tooLong = Object.entries(await leastOfEachMs(maxTaskMs, attempts, walk)).filter(([, ms]) => ms >= maxTaskMs)
      expect(tooLong).toEqual([])
    },
    attempts * testMs,
  )
})

describe.skipIf(skipsBrowserTests('a long template in a browser'))('a template of five hundred pages', () => {
  let bench: ConsoleBench
  let made: DemoRuns

  beforeAll(async () => {
    bench = await startConsole({ needsWholeBrowser: true })
    made = await runDemo(bench.client)
    await lengthenTemplate(bench.client, made.template)
  }, testMs)

  afterAll(() => bench?.stop())

  test(
    'is put in place, seen, scrolled through and led about in, followed while one types, and replaced without a pause',
    async () => {
      const walk = () =>
        bench.visit('engineer', async (page) => longestOf(await templateTasks(bench, page, made)), aTabOfItsOwn)
      const tooLong = Object.entries(await leastOfEachMs(maxTaskMs, attempts, walk)).filter(([, ms]) => ms >= maxTaskMs)
      expect(tooLong).toEqual([])
    },
    attempts * testMs,
  )
})

describe.skipIf(skipsBrowserTests('long lists in a browser'))('ten thousand executions', () => {
  const executions = 10_000
  let bench: ConsoleBench

  beforeAll(async () => {
    const first = await startQuire({ folder: await folderWithUsers() })
    const client = new ApiClient(first.origin)
    await client.login(first.username, first.password)
    await runOnce(client, 'copied')
    await first.stop()
    copyExecution(first.folder, executions)
    bench = await startConsole({ folder: first.folder, needsWholeBrowser: true })
  }, 2 * testMs)

  afterAll(() => bench?.stop())

  testTasks('are scrolled to the end and filtered without a pause', () =>
    bench.visit('operator', longestOfList, aTabOfItsOwn),
  )

  async function longestOfList(page: Page): Promise<number> {
    await open(page, `${bench.quire.origin}/executions`)
    const count = page.locator('.list-count')
    const scrolled = await longestTaskMs(bench.browser, page, async () => {
      await page.waitForFunction(
        () => {
          // A hundred rows, as many as are loaded at once: every step draws all that is in sight anew.
          window.scrollBy(0, 4_500)
          return document.querySelector('.list-count')?.textContent?.endsWith('that is all') === true
        },
        undefined,
        // In the frames between, the page only waits for the next rows.
        { timeout: testMs, polling: 30 },
      )
    })
    expect(Number.parseInt((await count.textContent()) ?? '', 10)).toBeGreaterThan(executions)
    expect(await page.locator('.data-table tbody tr').count()).toBeLessThan(200)
    const filtered = await longestTaskMs(bench.browser, page, async () => {
      await page.getByLabel('Object or id').pressSequentially('00009999')
      await page.getByText('One, that is all').waitFor()
    })
    return Math.max(scrolled, filtered)
  }
})
