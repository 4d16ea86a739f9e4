import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { skipsBrowserTests } from '../support/browser.ts'
import { type ConsoleBench, eventually, makeContract, open, startConsole, testMs } from '../support/console.ts'

setDefaultTimeout(testMs)

/** The browser itself reports refused requests; these tests provoke them. */
const refused = /status of (?:401|403)/

describe.skipIf(skipsBrowserTests('sessions in a browser'))('sessions in a browser', () => {
  let bench: ConsoleBench
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole()
  }, testMs)

  afterAll(() => bench?.stop())

  test('who is not signed in is led to the sign-in page, and from there to where they wanted', async () => {
    await bench.visit(undefined, async (page) => {
      const observer = await page.addInitScript(() => {
        new MutationObserver((_, observer) => {
          if (document.querySelector('[name=username]') === null) return
          observer.disconnect()
          document.body.dataset.seenAt = window.location.pathname
        }).observe(document, { childList: true, subtree: true })
      })
      await page.goto(at('/contracts?find=x'))
      await page.getByLabel('Username').fill(bench.quire.username)
      expect(await page.locator('body').getAttribute('data-seen-at')).toBe('/login')
      await page.waitForURL((url) => url.pathname === '/login')
      await page.getByLabel('Password').fill(bench.quire.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Contracts', level: 1 }).waitFor()
      await page.waitForURL((url) => url.pathname + url.search === '/contracts?find=x')
      await eventually(() => page.title(), 'Contracts · Quire')
      await observer.dispose()
    })
  })

  test('a wrong password is said, with the problem and its correlation id, and what was typed stays', async () => {
    await bench.visit(
      undefined,
      async (page) => {
        await page.goto(at('/login'))
        await page.getByLabel('Username').fill('nobody')
        await page.getByLabel('Password').fill('not the password')
        await page.keyboard.press('Enter')
        const problem = page.getByRole('alert')
        await problem.getByRole('button', { name: /^Copy correlation id/ }).waitFor()
        await problem.getByText('invalid_credentials').waitFor()
        await eventually(() => page.getByLabel('Username').inputValue(), 'nobody')
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 })
          await eventually(() => page.evaluate(() => window.innerWidth), width)
          const [card, note] = await Promise.all([page.locator('.gate-card').boundingBox(), problem.boundingBox()])
          expect(note!.x + note!.width).toBeLessThan(card!.x + card!.width)
        }
      },
      { expects: refused },
    )
  })

  test('two quick presses of Enter sign in once', async () => {
    await bench.visit(undefined, async (page) => {
      await page.goto(at('/login'))
      await page.getByLabel('Username').fill(bench.quire.username)
      await page.getByLabel('Password').fill(bench.quire.password)
      const logins: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/login')) logins.push(request.url())
      })
      await page.locator('form').evaluate((form: HTMLFormElement) => {
        form.requestSubmit()
        form.requestSubmit()
      })
      await page.locator('.frame').waitFor()
      expect(logins).toHaveLength(1)
    })
  })

  test('a first password has to be changed before anything else, by the rules it shows', async () => {
    const user = { username: 'newcomer', display_name: 'New', roles: ['auditor'], password: 'made for the first time' }
    await bench.client.post('/api/v1/admin/users', user)
    await bench.visit(undefined, async (page) => {
      await page.goto(at('/audit'))
      await page.getByLabel('Username').fill(user.username)
      await page.getByLabel('Password').fill(user.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
      expect(await page.getByRole('navigation').count()).toBe(0)
      const change = page.getByRole('button', { name: 'Change password' })
      await page.getByLabel('Present password').fill(user.password)
      await page.getByLabel('New password', { exact: true }).fill('short')
      await page.getByRole('button', { name: 'Change password', disabled: true }).waitFor()
      await page.getByLabel('New password', { exact: true }).fill('chosen by the person')
      await page.getByLabel('New password, again').fill('chosen by the person')
      await change.click()
      await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
    })
  })

  test('a session that ended asks for the password over the page, and saves what was typed', async () => {
    const id = await makeContract(bench.client, 'typed through an ended session', { type: 'object' })
    await bench.visit(
      undefined,
      async (page) => {
        await bench.signIn(page, 'administrator')
        await open(page, at(`/contracts/${id}`))
        const editor = page.getByRole('textbox', { name: 'Schema' })
        await editor.focus()
        await page.keyboard.press('Control+End')
        await page.keyboard.type('\n')
        await page.getByText('with unsaved changes').waitFor()
        await page.context().clearCookies()
        await page.keyboard.press('Control+s')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Password').fill(bench.quire.password)
        await page.keyboard.press('Enter')
        await page.getByText('Revision 2, saved').waitFor()
        await dialog.waitFor({ state: 'detached' })
        const { body } = await bench.client.get(`/api/v1/contracts/${id}`)
        expect(body.schema).toEndWith('}\n')
      },
      { expects: refused },
    )
  })

  test('who leaves the dialog of an ended session is signed out', async () => {
    await bench.visit(
      undefined,
      async (page) => {
        await bench.signIn(page, 'administrator')
        await page.context().clearCookies()
        // In the page: home asks by itself as well, and its question may bring the dialog before a hand does.
        await page.locator('.nav-link[href="/contracts"]').evaluate((link: HTMLElement) => link.click())
        await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
        await page.waitForURL(/\/login/)
      },
      { expects: refused },
    )
  })

  test('signing out ends at the sign-in page, the way back is closed, and nothing that was typed stays in the browser', async () => {
    await bench.visit(
      undefined,
      async (page) => {
        await bench.signIn(page, 'operator')
        const typed = () => page.evaluate(() => sessionStorage.getItem('quire.lab-edits'))
        await page.evaluate(() => sessionStorage.setItem('quire.lab-edits', '{"typed":"by the operator"}'))
        await page.evaluate(() => Object.assign(window, { isOldPage: true }))
        await page.getByRole('button', { name: 'account menu' }).click()
        await page.getByRole('button', { name: /Sign out.*loses what is unsaved/ }).click()
        // A page of its own: what the old one had in memory is gone.
        await page.waitForFunction(() => !('isOldPage' in window))
        await page.getByLabel('Password').waitFor()
        expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([])
        await bench.signIn(page, 'operator')
        // Whoever comes after a session that ended by itself in this tab sees nothing of it, either.
        await page.evaluate(() => sessionStorage.setItem('quire.lab-edits', '{"typed":"by the operator"}'))
        await page.context().clearCookies()
        await page.goto(at('/login'))
        await bench.signIn(page, 'engineer')
        expect(await typed()).toBeNull()
        await page.getByRole('button', { name: 'account menu' }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByLabel('Password').waitFor()
        await page.waitForURL((url) => url.pathname === '/login')
        await eventually(async () => (await page.request.get(at('/api/v1/auth/session'))).status(), 401)
        await page.goto(at('/executions'))
        await page.getByLabel('Password').waitFor()
        expect(await page.locator('.data-table').count()).toBe(0)
      },
      { expects: refused },
    )
  })
})
