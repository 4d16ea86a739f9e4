import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import { untilEnded } from '../support/client.ts'
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
import { until } from '../support/until.ts'

setDefaultTimeout(testMs)

describe.skipIf(skipsBrowserTests('operating in a browser'))('operating in a browser', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole({ hasRunDemo: true, needsWholeBrowser: true })
    made = await runDemo(bench.client)
  }, testMs)

  afterAll(() => bench?.stop())

  test('home tells whether it works, what is in force, what came in, and needs nobody for what the lab expects', async () => {
    await bench.visit('administrator', async (page) => {
      await open(page, at('/'))
      await page.locator('.tile', { hasText: 'Quire' }).getByText('Ready').waitFor()
      await page.locator('.tile', { hasText: 'Outbox' }).waitFor()
      await page.getByText('and 1 as the test lab expects').waitFor()
      await page.getByText('Nothing failed.').waitFor()
      await page.locator('.tile', { hasText: 'Failed' }).locator('.tile-value', { hasText: /^0$/ }).waitFor()
      const recent = page.locator('.panel', { hasText: 'Recent submissions' })
      await eventually(() => recent.locator('.lines > li').count(), 4)
      await page
        .locator('.panel', { hasText: 'In force today' })
        .getByRole('link', { name: /clws-policy/ })
        .first()
        .waitFor()
    })
  })

  test('home calls nobody for what the lab expects, however late it hears of the lab', async () => {
    await bench.visit('auditor', async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route('**/api/v1/intake-test-lab/scenarios', async (route) => {
        await released
        await route.continue()
      })
      const failures = page.waitForResponse(/executions\?status=failed/)
      await open(page, at('/'))
      await (await failures).finished()
      await page.locator('.panel', { hasText: 'Recent submissions' }).locator('.lines > li').first().waitFor()
      await page.locator('.tile', { hasText: 'Failed' }).locator('.tile-value', { hasText: '…' }).waitFor()
      expect(await page.locator('.panel', { hasText: 'Needs someone' }).locator('.line-main').count()).toBe(0)
      release()
      await page.getByText('Nothing failed.').waitFor()
    })
  })

  test('an unexpected failure is shown on the home page, with a link to where it failed', async () => {
    const metadata = (await bench.client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0].metadata
    const { body } = await bench.client.post(
      '/api/v1/submissions',
      { ingestion_model: 'clws-policy', raw_input: '{"no": "policy"}', metadata },
      { 'idempotency-key': 'an-unexpected-failure' },
    )
    const { id } = await untilEnded(bench.client, body.submission.executions[0].id)
    await bench.visit('auditor', async (page) => {
      await open(page, at('/'))
      await page.locator('.panel', { hasText: 'Needs someone' }).locator('.line-main').first().click()
      await page.waitForURL(new RegExp(`/executions/${id}`))
      await page.locator('.issue').first().waitFor()
    })
  })

  test('an execution shows its steps with durations, what it pinned, and is made again identically', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${made.execution}`))
      await eventually(() => page.locator('.step[data-status=succeeded]').count(), 4)
      for (const text of await page.locator('.step-duration').allTextContents()) expect(text).toMatch(/\d+ ms|\d s/)
      await page.getByText('waiting and recording', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Policy premium letter: template v1' }).waitFor()
      await page.locator('iframe[title="PDF preview"]').waitFor()
      const twice = page.getByRole('button', { name: 'Make it again' })
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/verify')) sent.push(request.url())
      })
      await twice.evaluate((button: HTMLElement) => {
        button.click()
        button.click()
      })
      await page.locator('[data-identical=true]').waitFor()
      expect(await page.locator('[data-identical=true]').textContent()).not.toContain('different')
      expect(sent).toHaveLength(1)
    })
  })

  test('the bar of a step is as long as its duration says, inside the span that waiting and recording took', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at(`/executions/${made.execution}`))
      await eventually(() => page.locator('.step-bar-span').count(), 4)
      const bars = await page
        .locator('.step-track')
        .evaluateAll((tracks) =>
          tracks.map((track) => [...track.children].map((bar) => Number.parseFloat((bar as HTMLElement).style.width))),
        )
      for (const [span, worked] of bars) expect(worked!).toBeLessThanOrEqual(span!)
    })
  })

  test('a list is filtered by its state, and the address keeps it', async () => {
    await bench.visit('auditor', async (page) => {
      await open(page, at('/executions'))
      await page.getByLabel('Status').selectOption('failed')
      await page.waitForURL(/status=failed/)
      await eventually(
        async () => [...new Set(await page.locator('.data-table .status').allTextContents())],
        ['Failed'],
      )
      await page.reload()
      await settled(page)
      await eventually(() => page.getByLabel('Status').inputValue(), 'failed')
      await page.getByRole('button', { name: 'Clear' }).click()
      await eventually(async () => (await page.locator('.data-table tbody tr').count()) >= 4, true)
    })
  })

  test('a submission is found by a part of its object in what is loaded, and by all of it on the server', async () => {
    const { body } = await bench.client.get(`/api/v1/submissions/${made.submission}`)
    const reference = body.object_reference
    await bench.visit('business_viewer', async (page) => {
      await open(page, at('/submissions'))
      await page.keyboard.press('/')
      await page.keyboard.type(reference.slice(0, -2))
      await page.waitForURL(/find=/)
      await page.locator('.row-link', { hasText: reference }).first().waitFor()
      const asked = page.waitForRequest(
        (request) => new URL(request.url()).searchParams.get('object_reference') === reference,
      )
      await page.keyboard.type(reference.slice(-2))
      // Enter doesn't wait for a pause in typing.
      await page.keyboard.press('Enter')
      await asked
      await page.locator('.row-link', { hasText: reference }).first().click()
      await page.waitForURL(/\/submissions\/[0-9a-f-]{36}/)
      await page.getByRole('heading', { name: reference }).waitFor()
    })
  })

  test('a document in storage is found by its object and looked at', async () => {
    await bench.visit('business_viewer', async (page) => {
      await open(page, at('/storage?format=pdf'))
      const first = page.locator('.data-table .row-link').first()
      const object = (await first.textContent()) ?? ''
      await page.getByLabel('Object').fill(object)
      await page.waitForURL(/object_reference=/)
      await eventually(
        async () => [...new Set(await page.locator('.data-table .row-link').allTextContents())],
        [object],
      )
      await first.click()
      await page.getByRole('dialog').locator('iframe').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
  })

  test('a user without the right to download documents learns so, and gets no download links', async () => {
    await bench.visit('auditor', async (page) => {
      await open(page, at(`/executions/${made.execution}`))
      await page.getByText('Your roles do not include downloading documents.').waitFor()
      expect(await page.getByRole('link', { name: /^Download/ }).count()).toBe(0)
      expect(await page.locator('iframe').count()).toBe(0)
    })
  })

  test('a version is put in force later after a warning of the consequence, and taken back again', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at(`/transformers/${made.transformer}?tab=versions`))
      await page.getByRole('button', { name: /^Put in force/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: /^A later instant/ }).check()
      await dialog.getByLabel(/^In force from/).fill('2031-01-01T00:00')
      await dialog.getByText(/takes over from v1/).waitFor()
      await dialog.getByRole('button', { name: 'Put in force' }).click()
      await dialog.waitFor({ state: 'detached' })
      await open(page, at('/activations?status=scheduled'))
      await page.getByRole('button', { name: /^Take back/ }).click()
      await dialog.getByText('stays in force').waitFor()
      await dialog.getByRole('button', { name: 'Take back' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Nothing was put in force').waitFor()
    })
  })

  test('a version is put in force now, by a click and by the clock of the server', async () => {
    await bench.visit('engineer', async (page) => {
      let from = 0
      // A clock that is a day slow would begin in the past, and one that is fast would begin later.
      for (const wrongMs of [-86_400_000, 86_400_000]) {
        const wrongClock = await page.addInitScript((ms) => {
          const now = Date.now.bind(Date)
          Date.now = () => now() + ms
        }, wrongMs)
        await open(page, at(`/transformers/${made.transformer}?tab=versions`))
        await page.getByRole('button', { name: /^Put in force/ }).click()
        const dialog = page.getByRole('dialog')
        expect(await dialog.getByRole('radio', { name: /^Now/ }).isChecked()).toBe(true)
        const sent = page.waitForRequest(/\/publish$/)
        const beforeMs = Date.now()
        await dialog.getByRole('button', { name: 'Put in force' }).click()
        from = new Date((await sent).postDataJSON().effective_from).getTime()
        expect(from).toBeWithin(beforeMs - 60_000, Date.now() + 60_000)
        await dialog.waitFor({ state: 'detached' })
        await wrongClock.dispose()
        // The page knows the server's clock by whole seconds, and the next one has to be later than this.
        await until('the next second has come for certain', () => Date.now() > from + 2_000)
      }
      const path = `/api/v1/activations?family_id=${made.transformer}&status=active`
      const [active] = (await bench.client.get(path)).body.activations
      expect(new Date(active.effective_from).getTime()).toBe(from)
    })
  })

  test('a past instant is refused in the form, and said in words', async () => {
    await bench.visit('engineer', async (page) => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/publish')) sent.push(request.url())
      })
      await open(page, at(`/transformers/${made.transformer}?tab=versions`))
      await page.getByRole('button', { name: /^Put in force/ }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('radio', { name: /^A later instant/ }).check()
      const from = dialog.getByLabel(/^In force from/)
      await from.fill('2020-01-01T00:00')
      await dialog.getByText('This instant is past').waitFor()
      await eventually(() => from.getAttribute('aria-invalid'), 'true')
      await dialog.getByRole('button', { name: 'Put in force', disabled: true }).waitFor()
      await from.press('Enter')
      expect(await axeViolations(page)).toEqual([])
      await dialog.getByRole('radio', { name: /^Now/ }).check()
      await dialog.getByRole('button', { name: 'Put in force', disabled: false }).waitFor()
      expect(sent).toEqual([])
    })
  })

  test('the table of activations waits for the timeline, which would push it away under the pointer', async () => {
    await bench.visit('engineer', async (page) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      await page.route(/\/api\/v1\/activations\?(?!.*status=)/, async (route) => {
        await released
        await route.continue()
      })
      const rows = page.waitForResponse(/activations\?status=active/)
      await page.goto(at('/activations?status=active'))
      await (await rows).finished()
      await page.locator('main .panel-loading').waitFor()
      expect(await page.locator('.data-table').count()).toBe(0)
      release()
      await page.locator('.data-table').waitFor()
      await page.locator('.timeline').waitFor()
    })
  })

  test('the slider says what is in force at another time, and the address keeps it', async () => {
    await bench.visit('auditor', async (page) => {
      await open(page, at('/activations'))
      await page.getByLabel('In force at').focus()
      await page.keyboard.press('Home')
      await page.locator('.lane-at', { hasText: 'nothing' }).first().waitFor()
      await page.waitForURL(/at=/)
      await page.reload()
      await page.locator('.lane-at', { hasText: 'nothing' }).first().waitFor()
      await page.getByRole('button', { name: 'Back to now' }).click()
      await page.locator('.lane-at', { hasText: 'v1' }).first().waitFor()
    })
  })

  test('who puts a version in force has read what it supersedes, from when, until when, and what stays', async () => {
    await bench.visit('engineer', async (page) => {
      const dialog = page.getByRole('dialog')
      const told = dialog.locator('.consequence')
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/publish')) sent.push(request.url())
      })
      await open(page, at('/activations'))
      const schedule = page.getByRole('button', { name: /^Put in force template clws-policy/i })
      await schedule.click()
      const later = dialog.getByRole('radio', { name: /^A later instant/ })
      await later.check()
      const from = dialog.getByLabel(/^In force from/)
      await from.fill('2032-01-01T00:00')
      await told.getByText(/^v1 takes over from v1, the same version again at 1 Jan 2032, 00:00 UTC/).waitFor()
      await told.getByText(/Objects of an earlier time stay with v1\.$/).waitFor()
      expect(await told.textContent()).not.toContain('follows')
      expect(sent).toEqual([])
      await dialog.getByRole('button', { name: 'Put in force' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.locator('.data-table .status', { hasText: 'Coming' }).waitFor()
      expect(sent).toHaveLength(1)

      await schedule.click()
      await later.check()
      await from.fill('2031-06-01T00:00')
      await told.getByText(/at 1 Jun 2031.* until 1 Jan 2032.*, when v1 follows/).waitFor()
      await from.fill('2032-01-01T00:00')
      await told.getByText('has this very instant already: choose another one').waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      expect(sent).toHaveLength(1)
      await page.getByRole('button', { name: /^Take back/ }).click()
      await told.getByText('v1 stays in force').waitFor()
      await dialog.getByRole('button', { name: 'Take back' }).click()
      await dialog.waitFor({ state: 'detached' })
    })
  })

  test('the chain of the audit trail is checked from its first record on, and records are filtered', async () => {
    await bench.visit('auditor', async (page) => {
      await open(page, at('/audit'))
      await page.getByRole('button', { name: 'Check the chain' }).click()
      await page.getByText(/The chain holds: \d+ records checked/).waitFor()
      await page.getByLabel('Action').fill('session.opened')
      await page.waitForURL(/action=session\.opened/)
      await eventually(
        async () => [...new Set(await page.locator('.data-table .row-link').allTextContents())],
        ['session.opened'],
      )
    })
  })

  test('a user is created, gets other roles and is disabled, each after a warning of the consequence', async () => {
    await bench.visit('administrator', async (page) => {
      await open(page, at('/users'))
      await page.getByRole('button', { name: 'New user' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(/^Username/).fill('made.here')
      await dialog.getByLabel(/^Name/).fill('Made Here')
      await dialog.getByLabel(/^First password/).fill('told in person only')
      await dialog.getByRole('button', { name: 'Create' }).click()
      const row = page.locator('.data-table tbody tr', { hasText: 'made.here' })
      await row.getByText('First password').waitFor()
      await row.getByRole('button', { name: /^Made Here/ }).click()
      await dialog.getByText('Other roles end the sessions').waitFor()
      await dialog.getByRole('checkbox', { name: /^auditor/ }).check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await row.getByText('auditor').waitFor()
      await row.getByRole('button', { name: /^Disable/ }).click()
      await dialog.getByText('is signed out at once').waitFor()
      await dialog.getByRole('button', { name: 'Disable' }).click()
      await row.getByText('Disabled').waitFor()
    })
  })

  test('readiness names every dependency with what it answered', async () => {
    await bench.visit('administrator', async (page) => {
      await open(page, at('/readiness'))
      for (const name of ['Database', 'Message bus', 'Object store']) {
        await page
          .getByRole('row', { name: new RegExp(`^${name}`) })
          .getByText('Ready')
          .waitFor()
      }
      await page.getByText('Nothing: every event was sent').waitFor()
    })
  })

  test('readiness says why a dependency is unavailable, how much work waits for it, and since when', async () => {
    await bench.visit('administrator', async (page) => {
      const { body } = await bench.client.get('/api/v1/admin/readiness')
      const [database, bus, store, outbox] = body.dependencies
      const reason = 'it is full, or its disk is below its reserve'
      const paused = {
        dependency: 'object-store',
        code: 'object_store_full',
        since: new Date().toISOString().replace(/\.\d+/, ''),
        steps: 12,
      }
      const dependencies = [database, bus, { ...store, status: 'unavailable', reason }, outbox]
      await page.route('**/api/v1/admin/readiness', (route) =>
        route.fulfill({
          headers: { 'x-correlation-id': 'of-the-test' },
          json: { ...body, status: 'unavailable', dependencies, paused },
        }),
      )
      await open(page, at('/readiness'))
      const row = page.getByRole('row', { name: /^Object store/ })
      await row.getByText(reason).waitFor()
      const [state, why] = await Promise.all([
        row.getByText('Unavailable').boundingBox(),
        row.getByText(reason).boundingBox(),
      ])
      expect(why!.y).toBeGreaterThanOrEqual(state!.y + state!.height - 1)
      const panel = page.getByRole('region', { name: 'Paused work' })
      await panel.getByText('The object store. Work goes on by itself').waitFor()
      await panel.getByText('12', { exact: true }).waitFor()
      await open(page, at('/'))
      await page.getByText('object store; 12 steps wait').waitFor()
    })
  })

  test(
    'ten thousand executions are a list of a few drawn rows, wherever one scrolls',
    async () => {
      const total = 10_000
      const { executions } = (await bench.client.get('/api/v1/executions?status=completed&limit=1')).body
      // As small as an execution can be: handing thousands of them to the browser is what takes the time.
      const small = { ...executions[0], steps: executions[0].steps.slice(0, 2), artifacts: [] }
      const row = (index: number) => ({
        ...small,
        id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      })
      await bench.visit('administrator', async (page) => {
        // How the page draws them doesn't depend on where they come from; bench/console.ts has ten thousand real ones.
        await page.route('**/api/v1/executions?*', (route) => {
          const query = new URL(route.request().url()).searchParams
          const cursor = query.get('cursor')
          const from = cursor === null ? 0 : Number(cursor.slice(-12)) + 1
          const executions = Array.from({ length: 100 }, (_, index) => row(from + index))
          const next = from + 100
          const json = next < total ? { executions, next_cursor: row(next - 1).id } : { executions }
          return route.fulfill({ headers: { 'x-correlation-id': 'made-up' }, json })
        })
        await page.goto(at('/executions'))
        await page.locator('.data-table').waitFor()
        const drawn = () => page.locator('.data-table tbody tr:not(.spacer)').count()
        await page.waitForFunction(
          (all) => {
            window.scrollTo(0, document.documentElement.scrollHeight)
            return document.querySelector('.list-count')?.textContent === `${all}, that is all`
          },
          total,
          { timeout: 2 * testMs - 30_000 },
        )
        expect(await drawn()).toBeLessThan(200)
        await page.evaluate(() => window.scrollTo(0, 45 * 5_000))
        await page.locator('[aria-rowindex="5010"]').waitFor()
        expect(await drawn()).toBeLessThan(200)
        await page.getByLabel('Object or id').fill('000000009999')
        await page.getByText('One, that is all').waitFor()
        await eventually(drawn, 1)
      })
    },
    2 * testMs,
  )
})
