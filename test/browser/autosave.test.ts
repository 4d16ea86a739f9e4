import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

const source = 'transform: declarative-v1\noutput:\n  a: 1\n  b: 2\n  c: 3\n'

describe.skipIf(skipsBrowserTests('autosave in a browser'))('what is typed and not saved, in a browser', () => {
  let bench: ConsoleBench
  let families = 0
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  /** A transformer with this source as revision 1, and how somebody else saves another. */
  async function make() {
    const slug = `typed-${++families}`
    const keyed = (more: object = {}) => ({ 'idempotency-key': crypto.randomUUID(), ...more })
    const { body } = await bench.client.post('/api/v1/transformers', { slug, name: slug, description: '' }, keyed())
    const path = `/transformers/${body.resource_id}`
    const put = (text: string, condition: Record<string, string>) =>
      bench.client.send('PUT', `/api/v1${path}/draft`, { source: text, format: 'yaml' }, keyed(condition))
    await put(source, { 'if-none-match': '*' })
    return { path, saveElsewhere: (text: string) => put(text, { 'if-match': '"1"' }) }
  }

  async function type(page: Page, text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Source' }).focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }
  const typed = (page: Page) =>
    page
      .locator('.editor-host[data-label="Source"]')
      .evaluate((host) =>
        [...(host.shadowRoot?.querySelectorAll('.cm-line') ?? [])].map((line) => line.textContent).join('\n'),
      )
  const kept = (page: Page) => page.getByText('kept on the server').waitFor()
  async function reload(page: Page): Promise<void> {
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('textbox', { name: 'Source' }).waitFor()
  }
  /** In a browser of its own, which is closed afterwards as a machine that is switched off. */
  const onDevice = (work: (page: Page) => Promise<void>, more: object = {}) =>
    bench.visit('engineer', work, { isNewTab: true, ...more })

  test('a browser that is closed loses nothing: another one of the same person is offered it, and nobody else', async () => {
    const { path } = await make()
    const mine = source.replace('c: 3', 'c: 33')
    await onDevice(async (page) => {
      await open(page, at(path))
      await page.evaluate(() => localStorage.removeItem('quire.browser'))
      await type(page, mine)
      await kept(page)
    })
    await bench.visit('administrator', async (page) => {
      await open(page, at(path))
      await page.getByRole('button', { name: 'History' }).click()
      await page.getByText('Nothing yet.').waitFor()
      expect(await page.getByText(/^Typed (in|on)/).count()).toBe(0)
    })
    await onDevice(async (page) => {
      await open(page, at(path))
      await page.getByText(/Typed on another device .*, and not saved/).waitFor()
      expect(await axeViolations(page)).toEqual([])
      await page.getByRole('button', { name: 'Take it' }).click()
      await page.getByText('Revision 1, with unsaved changes').waitFor()
      await eventually(() => typed(page), mine)
      await page.keyboard.press('Control+s')
      await page.getByText('Revision 2, saved').waitFor()
    })
    await onDevice(async (page) => {
      await open(page, at(path))
      await page.getByText('Revision 2, saved').waitFor()
      await page.getByRole('button', { name: 'History' }).click()
      await page.getByText('This is what is in the editor').waitFor()
      expect(await page.getByText(/^Typed (in|on)/).count()).toBe(0)
    })
  })

  test('what is offered meets a draft that was saved meanwhile in the same three columns', async () => {
    const { path, saveElsewhere } = await make()
    await onDevice(async (page) => {
      await open(page, at(path))
      await type(page, source.replace('b: 2', 'b: mine'))
      await kept(page)
    })
    await saveElsewhere(source.replace('b: 2', 'b: theirs'))
    await onDevice(async (page) => {
      await open(page, at(path))
      await page.getByRole('button', { name: 'Take it' }).click()
      await page.getByRole('heading', { name: 'One place where two people wrote' }).waitFor()
      await page.getByRole('button', { name: 'Mine everywhere' }).click()
      await page.getByRole('button', { name: 'Go on with the merged text' }).click()
      await eventually(() => typed(page), source.replace('b: 2', 'b: mine'))
    })
  })

  for (const width of [1440, 390]) {
    test(`the history brings back what was typed, and undoing takes it away again, at ${width} pixels`, async () => {
      const { path } = await make()
      const first = source.replace('a: 1', 'a: first')
      await onDevice(
        async (page) => {
          await open(page, at(path))
          await type(page, first)
          await kept(page)
          await page.getByRole('button', { name: 'Discard changes' }).click()
          await page.getByText('Revision 1, saved').waitFor()
          await page.getByRole('button', { name: 'History' }).click()
          await page.getByRole('heading', { name: /What differs from the editor/ }).waitFor()
          expect(await axeViolations(page)).toEqual([])
          const isWithin = () => document.documentElement.scrollWidth <= window.innerWidth
          expect(await page.evaluate(isWithin)).toBe(true)
          await page.getByRole('button', { name: 'Bring this back' }).click()
          await eventually(() => typed(page), first)
          await page.getByRole('textbox', { name: 'Source' }).focus()
          await page.keyboard.press('Control+z')
          await eventually(() => typed(page), source)
          await page.getByRole('button', { name: 'History' }).click()
          await page.getByRole('button', { name: 'Remove all' }).click()
          await page.getByRole('button', { name: 'Remove all for good' }).click()
          await page.getByRole('button', { name: 'History' }).click()
          await page.getByText('Nothing yet.').waitFor()
        },
        { width },
      )
    })
  }

  test('undoing goes back beyond a reload, and forward again', async () => {
    const { path } = await make()
    await bench.visit('engineer', async (page) => {
      await open(page, at(path))
      await type(page, 'one')
      await type(page, 'two')
      await type(page, 'three')
      await reload(page)
      await eventually(() => typed(page), 'three')
      await page.getByRole('textbox', { name: 'Source' }).focus()
      await page.keyboard.press('Control+z')
      await eventually(() => typed(page), 'two')
      await reload(page)
      await page.getByRole('textbox', { name: 'Source' }).focus()
      await page.keyboard.press('Control+z')
      await eventually(() => typed(page), 'one')
      await page.keyboard.press('Control+y')
      await page.keyboard.press('Control+y')
      await eventually(() => typed(page), 'three')
      for (let count = 0; count < 4; count++) await page.keyboard.press('Control+z')
      await eventually(() => typed(page), source)
    })
  })

  test('a server that can’t keep it stops nobody, is reported quietly, and gets it later', async () => {
    const { path } = await make()
    await bench.visit(
      'engineer',
      async (page) => {
        let isAway = false
        await page.route('**/api/v1/unsaved-drafts/**', (route) => (isAway ? route.abort() : route.continue()))
        await open(page, at(path))
        isAway = true
        await type(page, 'offline')
        await page.getByText('not on the server yet, kept in this tab').waitFor()
        expect(await page.locator('.problem').count()).toBe(0)
        expect(await axeViolations(page)).toEqual([])
        await reload(page)
        await eventually(() => typed(page), 'offline')
        isAway = false
        await type(page, 'online')
        await kept(page)
        await page.keyboard.press('Control+s')
        await page.getByText('Revision 2, saved').waitFor()
      },
      { expects: /Failed to load resource|ERR_FAILED/ },
    )
  })

  test('a tab that is loaded again isn’t offered its own text, and what another tab typed may be left', async () => {
    const { path } = await make()
    await bench.visit('engineer', async (page) => {
      await open(page, at(path))
      await type(page, 'mine')
      await kept(page)
      await reload(page)
      await page.getByText('This is what you had typed and not saved').waitFor()
      expect(await page.getByText(/^Typed (in|on)/).count()).toBe(0)
      const other = await page.context().newPage()
      await open(other, at(path))
      await other.getByText(/Typed in another tab/).waitFor()
      const settled = other.waitForResponse((response) => response.url().endsWith('/settle'))
      await other.getByRole('button', { name: 'Leave it' }).click()
      await settled
      await other.reload()
      await other.getByText('Revision 1, saved').waitFor()
      expect(await other.getByText(/^Typed (in|on)/).count()).toBe(0)
      await other.close()
    })
  })

  test('a tab that is loaded again before its text was sent isn’t offered it while more is typed', async () => {
    const { path } = await make()
    await bench.visit('engineer', async (page) => {
      await open(page, at(path))
      await type(page, 'mine')
      await reload(page)
      await page.getByText('This is what you had typed and not saved').waitFor()
      await type(page, 'mine, and more')
      const looked = page.waitForResponse(
        (response) => response.request().method() === 'GET' && response.url().includes('/unsaved-drafts/'),
      )
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await looked
      await kept(page)
      expect(await page.getByText(/^Typed (in|on)/).count()).toBe(0)
      const other = await page.context().newPage()
      await open(other, at(path))
      await other.getByText(/Typed in another tab/).waitFor()
      const settled = other.waitForResponse((response) => response.url().endsWith('/settle'))
      await other.getByRole('button', { name: 'Leave it' }).click()
      await settled
      await other.reload()
      await other.getByText('Revision 1, saved').waitFor()
      expect(await other.getByText(/^Typed (in|on)/).count()).toBe(0)
      await other.close()
    })
  })

  test('signing out sends what is typed, and the next sign-in is offered it', async () => {
    const { path } = await make()
    await onDevice(async (page) => {
      await open(page, at(path))
      await type(page, 'the last words')
      page.once('dialog', (dialog) => void dialog.accept())
      await page.getByRole('button', { name: /account menu/ }).click()
      await page.getByRole('button', { name: /Sign out/ }).click()
      await page.getByLabel('Password').waitFor()
      await bench.signIn(page, 'engineer')
      await open(page, at(path))
      await page.getByRole('button', { name: 'Take it' }).click()
      await eventually(() => typed(page), 'the last words')
    })
  })
})
