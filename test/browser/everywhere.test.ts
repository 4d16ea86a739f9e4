import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  open,
  runDemo,
  settled,
  startConsole,
  testMs,
} from '../support/console.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('what every screen has'))('what every screen has', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole({ hasRunDemo: true })
    made = await runDemo(bench.client)
  }, testMs)

  afterAll(() => bench?.stop())

  test('Ctrl-K opens the palette for what is typed in the same breath, and Enter goes there', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at('/'))
      // In one task each: no code is waited for, and no key reaches the page behind.
      await page.evaluate(() => {
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }))
      })
      await page.keyboard.type('ingestion')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/ingestion-models$/)
      await page.getByRole('heading', { name: 'Ingestion models', level: 1 }).waitFor()
    })
  })

  test('the palette finds configuration by its name and executions by their id', async () => {
    await bench.visit('auditor', async (page) => {
      await open(page, at('/'))
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox')
      await field.fill('premium letter: temp')
      await page.getByRole('option', { name: /^Policy premium letter: template/ }).click()
      await page.waitForURL(new RegExp(`/templates/${made.template}`))
      await page.keyboard.press('Control+k')
      await field.fill(made.execution)
      await page.getByRole('option', { name: /^Execution/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/executions/${made.execution}`))
    })
  })

  test('the palette finds by any part of a slug, a reference, a description, an id or a source', async () => {
    await bench.visit('engineer', async (page) => {
      const { body } = await bench.client.get(`/api/v1/submissions/${made.submission}`)
      const reference: string = body.submission?.object_reference ?? body.object_reference
      await open(page, at('/'))
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: 'Search or go to' })
      const hit = (name: RegExp) => page.getByRole('option', { name }).first().waitFor()
      await field.fill('ws-poli')
      await hit(/clws-policy Transformer$/)
      await field.fill(reference.slice(4, -2).toLowerCase())
      await hit(new RegExp(`^${reference.replaceAll('.', '\\.')}.*Submission$`))
      await field.fill('premium notice of an insurance')
      await hit(/Transformer$/)
      await field.fill('surcharge: { $calc')
      await hit(/Transformer, in its text$/)
      await field.fill(made.template.slice(-10))
      await hit(/Template$/)
      await field.fill(made.execution.slice(5, 30))
      await hit(new RegExp(`^Execution ${made.execution}`))
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/executions/${made.execution}`))
    })
  })

  test('names that come in late leave what Enter would run as it was', async () => {
    await bench.visit('engineer', async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/v1/search?*', async (route) => {
        const found = [{ kind: 'template', id: made.template, title: 'storage', words: 'storage', found_in: 'title' }]
        await released
        await route.fulfill({ json: { found, looked_back_to: null }, headers: { 'x-correlation-id': 'here' } })
      })
      await open(page, at('/'))
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('rag')
      await page.locator('[role=option][aria-selected=true]', { hasText: 'Storage' }).waitFor()
      release()
      await page.getByRole('option', { name: /^storage/ }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/storage$/)
    })
  })

  test('`/` goes to the filter, `?` lists the keys, `g` and a letter opens a screen; none of them while one types', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at('/executions'))
      await page.keyboard.press('/')
      const field = page.getByLabel('Object or id')
      await eventually(() => field.evaluate((input) => input === document.activeElement), true)
      await page.keyboard.type('?g/')
      await eventually(() => field.inputValue(), '?g/')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await field.evaluate((input: HTMLElement) => input.blur())
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByText('Save the draft in an editor').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      // At once, as far as the browser is concerned: the second key counts for a moment only.
      await Promise.all([page.keyboard.press('g'), page.keyboard.press('t')])
      await page.waitForURL(/\/transformers$/)
    })
  })

  test('a problem shows its detail and correlation id, which a button copies, and the way on', async () => {
    await bench.visit(
      'administrator',
      async (page) => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
        let fails = true
        await page.route('**/api/v1/contracts?*', (route) =>
          fails
            ? route.fulfill({
                status: 503,
                headers: { 'content-type': 'application/problem+json', 'x-correlation-id': 'the-correlation-id' },
                body: JSON.stringify({
                  type: '/problems/dependency_unavailable',
                  title: 'Unavailable',
                  status: 503,
                  code: 'dependency_unavailable',
                  detail: 'The database does not answer.',
                  correlation_id: 'the-correlation-id',
                }),
              })
            : route.continue(),
        )
        await page.goto(at('/contracts'))
        const problem = page.getByRole('alert')
        await problem.getByText('The database does not answer.').waitFor()
        // It is said for a moment only, so the page itself has to look.
        await problem.evaluate((shown) => {
          new MutationObserver(() => {
            if (shown.querySelector('[role=status]')?.textContent === 'Copied') document.body.dataset.saidCopied = 'yes'
          }).observe(shown, { childList: true, characterData: true, subtree: true })
        })
        await problem.getByRole('button', { name: 'Copy correlation id the-correlation-id' }).click()
        await page.locator('body[data-said-copied=yes]').waitFor()
        await eventually(() => page.evaluate(() => navigator.clipboard.readText()), 'the-correlation-id')
        fails = false
        await problem.getByRole('button', { name: 'Try again' }).click()
        await page.locator('.data-table').waitFor()
        await problem.waitFor({ state: 'detached' })
      },
      { expects: /status of 503/ },
    )
  })

  test('work that takes over half a second shows that it is still running, also to screen readers', async () => {
    await bench.visit('administrator', async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/v1/{contracts,executions,storage,audit}?*', async (route) => {
        await released
        await route.continue()
      })
      for (const path of ['/contracts', '/executions', '/storage', '/audit']) {
        await page.goto(at(path))
        const loading = page.locator('main .panel-loading[role=status]')
        await loading.waitFor()
        expect(await loading.getAttribute('aria-label')).toMatch(/^Loading /)
      }
      release()
      await settled(page)
    })
  })

  test('an empty list says what to do', async () => {
    await bench.visit('engineer', async (page) => {
      const nothing = [
        ['executions', 'executions', 'Nothing has run yet'],
        ['submissions', 'submissions', 'Nothing was submitted yet'],
        ['storage', 'storage', 'No document was made'],
        ['contracts', 'contracts', 'There is no contract yet'],
        ['transformers', 'transformers', 'There is no transformer yet'],
        ['templates', 'templates', 'There is no template yet'],
        ['ingestion-models', 'ingestion_models', 'There is no'],
        ['activations', 'activations', 'Nothing was put in force'],
      ] as const
      for (const [path, member, words] of nothing) {
        await page.route(new RegExp(`/api/v1/${path}(?:\\?|$)`), async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { [member]: [] } })
        })
        await page.goto(at(`/${path}`))
        await page.locator('.empty-panel', { hasText: words }).waitFor()
      }
    })
  })

  test('times are relative to now, with the absolute ones and their zone beside them, exact on hover', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${made.execution}`))
      const time = page.locator('main time').first()
      expect(await time.textContent()).toMatch(/ago|just now|in /)
      const exact = (await time.getAttribute('datetime')) ?? ''
      expect(exact).toMatch(/^\d{4}-\d\d-\d\dT/)
      expect(await time.getAttribute('title')).toContain(exact)
      expect(await time.locator('.moment-exact').textContent()).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d [A-Z]/)
    })
  })

  test('ids and hashes are copied whole, however short they are shown', async () => {
    await bench.visit('operator', async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await open(page, at(`/executions/${made.execution}`))
      await page.getByRole('button', { name: /^Copy execution id/ }).click()
      await eventually(() => page.evaluate(() => navigator.clipboard.readText()), made.execution)
      await page.getByRole('button', { name: /^Copy pdf content hash/ }).click()
      await eventually(
        async () => /^[0-9a-f]{64}$/.test(await page.evaluate(() => navigator.clipboard.readText())),
        true,
      )
    })
  })

  test('what is typed at once on a screen stays where it is typed: the focus is not taken away', async () => {
    await bench.visit('operator', async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/assets/executions-*', async (route) => {
        await released
        await route.continue()
      })
      await open(page, at('/'))
      await page.getByRole('link', { name: 'Executions' }).click()
      await page.waitForURL(/\/executions$/)
      release()
      const field = page.getByLabel('Object or id')
      await field.waitFor()
      await field.focus()
      await page.keyboard.type('abc')
      await settled(page)
      await eventually(() => field.inputValue(), 'abc')
    })
  })

  test('a filter that is cleared in the same breath as it is typed stays cleared', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at('/storage?format=pdf'))
      await page.getByLabel('Object').fill('CLW')
      await page.getByRole('button', { name: 'Clear' }).click()
      await page.waitForURL((url) => url.search === '')
      await eventually(() => page.getByLabel('Object').inputValue(), '')
      await page.locator('.data-table').waitFor()
      expect(new URL(page.url()).search).toBe('')
    })
  })

  test('every state has an address: back goes through tabs and filters, and reload shows the same', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/contracts/${made.contract}`))
      await page.getByRole('link', { name: /^Versions/ }).click()
      await page.waitForURL(/tab=versions/)
      await page.getByRole('link', { name: 'Compare' }).click()
      await page.waitForURL(/tab=compare/)
      await page.goBack()
      await page.getByRole('table', { name: /^Versions of/ }).waitFor()
      await page.reload()
      await page.getByRole('table', { name: /^Versions of/ }).waitFor()
      await page.goForward().catch(() => {})
    })
  })

  test('the theme that was chosen stays', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at('/'))
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('dark theme')
      await page.keyboard.press('Enter')
      const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
      await eventually(theme, 'dark')
      await page.reload()
      await settled(page)
      await eventually(theme, 'dark')
    })
  })
})
