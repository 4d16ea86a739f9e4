import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

/** More than two pages of a list. */
const contracts = 230

describe.skipIf(skipsBrowserTests('the way back in a browser'))('the way back', () => {
  let bench: ConsoleBench
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole()
    for (let number = 1; number <= contracts; number++) {
      const contract = { name: `contract ${number}`, description: '', schema: '{}' }
      expect((await bench.client.post('/api/v1/contracts', contract)).status).toBe(201)
    }
  }, testMs)

  afterAll(() => bench?.stop())

  test('Back finds a list where it was left: its rows, its filter and how far it was scrolled', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at('/contracts'))
      // The newest come first, and older ones as the list is scrolled.
      const old = page.getByRole('link', { name: 'contract 12', exact: true })
      await eventually(async () => {
        await page.mouse.wheel(0, 4_000)
        return old.isVisible()
      }, true)
      await old.scrollIntoViewIfNeeded()
      // A wheel scrolls on for a while, and the click may scroll a row or two itself.
      await page.evaluate(() => {
        const leave = () => Object.assign(window, { leftAt: window.scrollY })
        document.addEventListener('click', leave, { capture: true, once: true })
      })
      await old.click()
      await page.getByRole('heading', { name: 'contract 12', exact: true }).waitFor()
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
      const before = await page.evaluate(() => Reflect.get(window, 'leftAt') as number)
      expect(before).toBeGreaterThan(3_000)
      await page.goBack()
      await eventually(async () => Math.abs((await page.evaluate(() => window.scrollY)) - before) < 150, true)
      // A table draws its rows in a task after it was scrolled.
      await old.waitFor()
      await page.goForward()
      await page.getByRole('heading', { name: 'contract 12', exact: true }).waitFor()
    })
  })

  test('a person who scrolls after Back is not moved any more', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at('/contracts'))
      const old = page.getByRole('link', { name: 'contract 12', exact: true })
      await eventually(async () => {
        await page.mouse.wheel(0, 4_000)
        return old.isVisible()
      }, true)
      await old.click()
      await page.getByRole('heading', { name: 'contract 12', exact: true }).waitFor()
      await page.goBack()
      await eventually(async () => (await page.evaluate(() => window.scrollY)) > 0, true)
      // Chromium ends the scrolling of a key when the page's height still changes by a pixel, and a person presses again.
      await eventually(async () => {
        await page.keyboard.press('Home')
        await Bun.sleep(500)
        return page.evaluate(() => window.scrollY)
      }, 0)
      await Bun.sleep(500)
      expect(await page.evaluate(() => window.scrollY)).toBe(0)
    })
  })

  test('a server that does not answer is reported as such, and the screen opens by itself when it does', async () => {
    await bench.visit(
      'engineer',
      async (page) => {
        await open(page, at('/contracts'))
        await page.context().setOffline(true)
        // The network hears of it a moment later.
        await page.waitForFunction(() =>
          fetch('/health/live').then(
            () => false,
            () => true,
          ),
        )
        await page.getByRole('link', { name: 'Storage', exact: true }).click()
        await page.getByRole('heading', { name: "The server doesn't answer" }).waitFor()
        await page.context().setOffline(false)
        await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor()
        expect(new URL(page.url()).pathname).toBe('/storage')
      },
      { expects: /ERR_INTERNET_DISCONNECTED/ },
    )
  })

  test('a screen whose file is gone says that the page is older than the server', async () => {
    await bench.visit(
      'engineer',
      async (page) => {
        let isGone = true
        await page.route('**/*storage*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
        await open(page, at('/contracts'))
        await page.getByRole('link', { name: 'Storage', exact: true }).click()
        await page.getByRole('heading', { name: 'This page is older than the server' }).waitFor()
        isGone = false
        await page.getByRole('button', { name: 'Load again' }).click()
        await page.getByRole('heading', { name: 'Storage', exact: true }).waitFor()
      },
      { expects: /status of 404/ },
    )
  })
})
