import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Locator, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  goOn,
  makeContract,
  open,
  runDemo,
  runOnce,
  startConsole,
  testMs,
} from '../support/console.ts'
import { switchedRenderer } from '../support/switched-renderer.ts'

setDefaultTimeout(testMs)

const consoleSource = join(import.meta.dir, '../../src/console')

interface DialogRow {
  name: string
  /** The file of the console that has the dialog. */
  file: string
  path(made: Made): string
  /** What opens it, by keyboard. */
  opener(page: Page): Locator
  /** By a key that works anywhere, instead of Enter on the opener. */
  key?: string
}

interface Made extends DemoRuns {
  /** A contract of its own, with a frozen version and a case. */
  ownContract: string
  /** A contract whose draft is of an older draft of JSON Schema. */
  olderContract: string
  /** An execution whose renderer failed. */
  unrendered: string
  /** A receiver of events that nobody can ask. */
  webhook: string
  batch: string
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const field = (label: string) => (page: Page) => page.getByLabel(label).first()

const dialogs: readonly DialogRow[] = [
  {
    name: 'New contract',
    file: 'views/configuration/new-family.tsx',
    path: () => '/contracts',
    opener: button('New contract'),
  },
  {
    name: 'New transformer',
    file: 'views/configuration/new-family.tsx',
    path: () => '/transformers',
    opener: button('New transformer'),
  },
  {
    name: 'the end of all other sessions',
    file: 'views/account.tsx',
    path: () => '/account',
    opener: button('End all others'),
  },
  {
    name: 'an authenticator app',
    file: 'parts/factor-adding.tsx',
    path: () => '/account',
    opener: button('Add an app'),
  },
  { name: 'New template', file: 'views/templates.tsx', path: () => '/templates', opener: button('New template') },
  {
    name: 'a contract’s name and description',
    file: 'views/contract/edit-details.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}`,
    opener: button('Name and description'),
  },
  {
    name: 'a contract of an older draft, converted',
    file: 'views/contract/convert-offer.tsx',
    path: ({ olderContract }) => `/contracts/${olderContract}`,
    opener: button('Convert to 2020-12'),
  },
  {
    name: 'what was typed into a draft',
    file: 'views/configuration/draft-history.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}`,
    opener: button('History'),
  },
  {
    name: 'publishing a contract’s version',
    file: 'views/contract/contract-versions.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}?tab=versions`,
    opener: button(/^Publish/),
  },
  {
    name: 'putting a version in force',
    file: 'views/configuration/force-dialog.tsx',
    path: ({ transformer }) => `/transformers/${transformer}?tab=versions`,
    opener: button(/^Put in force/),
  },
  {
    name: 'putting in force from the timeline',
    file: 'views/configuration/force-dialog.tsx',
    path: () => '/activations',
    opener: button(/^Put in force template/i),
  },
  { name: 'taking back', file: 'views/activations.tsx', path: () => '/activations', opener: button(/^Take back/) },
  {
    name: 'taking back from the calendar',
    file: 'views/activations/take-back.tsx',
    path: () => '/activations?tab=list&month=2031-12',
    opener: button(/^Take back/),
  },
  {
    name: 'generating a case',
    file: 'views/contract/cases.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}?tab=cases`,
    opener: button('Generate'),
  },
  {
    name: 'importing a case',
    file: 'views/contract/cases.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}?tab=cases`,
    opener: button('Import'),
  },
  {
    name: 'a case',
    file: 'views/contract/cases.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}?tab=cases`,
    opener: button(/^Valid, seed/),
  },
  {
    name: 'a view of a list',
    file: 'parts/view-choice.tsx',
    path: () => '/executions?status=failed',
    opener: button('Save view'),
  },
  {
    name: 'the policy of a suite',
    file: 'views/suite/policy-dialog.tsx',
    path: ({ model }) => `/ingestion-models/${model}`,
    opener: button('Policy'),
  },
  {
    name: 'a new case of a suite',
    file: 'views/suite/case-dialog.tsx',
    path: ({ model }) => `/ingestion-models/${model}`,
    opener: button('Add a case'),
  },
  {
    name: 'a filled template as PDF',
    file: 'views/template/sheets.tsx',
    path: ({ template }) => `/templates/${template}?tab=preview`,
    opener: button('As PDF'),
  },
  {
    name: 'a retry',
    file: 'views/execution.tsx',
    path: ({ unrendered }) => `/executions/${unrendered}`,
    opener: button('Retry'),
  },
  {
    name: 'a retry of all that failed',
    file: 'views/execution/retry-many.tsx',
    path: () => '/executions?status=failed',
    opener: button('Retry failed'),
  },
  {
    name: 'a document in storage',
    file: 'views/storage.tsx',
    path: () => '/storage?format=pdf',
    opener: (page) => page.locator('button.row-link').first(),
  },
  {
    name: 'an audit record',
    file: 'views/audit.tsx',
    path: () => '/audit',
    opener: (page) => page.locator('button.row-link').nth(1),
  },
  { name: 'New user', file: 'views/users.tsx', path: () => '/users', opener: button('New user') },
  {
    name: 'New service account',
    file: 'views/users.tsx',
    path: () => '/users',
    opener: button('New service account'),
  },
  { name: 'New token', file: 'views/tokens.tsx', path: () => '/tokens', opener: button('New token') },
  {
    name: 'retention policies',
    file: 'views/retention.tsx',
    path: () => '/retention',
    opener: button('Change policies'),
  },
  { name: 'New hold', file: 'views/retention.tsx', path: () => '/retention', opener: button('New hold') },
  { name: 'New batch', file: 'views/batches.tsx', path: () => '/batches', opener: button('New batch') },
  { name: 'New receiver', file: 'views/webhooks.tsx', path: () => '/webhooks', opener: button('New receiver') },
  {
    name: 'removing a receiver',
    file: 'views/webhook.tsx',
    path: ({ webhook }) => `/webhooks/${webhook}`,
    opener: button('Remove…'),
  },
  {
    name: 'taking back a batch',
    file: 'views/batch.tsx',
    path: ({ batch }) => `/batches/${batch}`,
    opener: button('Take back the rest…'),
  },
  { name: 'a user', file: 'views/users.tsx', path: () => '/users', opener: button(/^operator/) },
  {
    name: 'a new password',
    file: 'views/users.tsx',
    path: () => '/users',
    opener: button('New password for operator'),
  },
  {
    name: 'ending sessions',
    file: 'views/users.tsx',
    path: () => '/users',
    opener: button('End sessions of operator'),
  },
  { name: 'disabling', file: 'views/users.tsx', path: () => '/users', opener: button('Disable operator') },
  { name: 'the keys, from their button', file: 'parts/keys-help.tsx', path: () => '/', opener: button('Keys') },
  { name: 'the keys, from a heading', file: 'parts/keys-help.tsx', path: () => '/', opener: heading, key: '?' },
  { name: 'the palette, from its button', file: 'parts/palette.tsx', path: () => '/', opener: button(/^Search or go/) },
  {
    name: 'the palette, from a field',
    file: 'parts/palette.tsx',
    path: () => '/executions',
    opener: field('Object or id'),
    key: 'Control+k',
  },
  {
    name: 'the palette, from an editor',
    file: 'parts/palette.tsx',
    path: ({ ownContract }) => `/contracts/${ownContract}`,
    opener: (page) => page.getByRole('textbox', { name: 'Schema' }),
    key: 'Control+k',
  },
]

/** They have no opener. All but the secret, which follows a dialog (test/console/doing.test.ts), are tested below, each in its own way. */
const otherFiles = [
  ...['parts/dialog.tsx', 'parts/renewal-dialog.tsx', 'parts/confirmation-dialog.tsx'],
  'parts/shown-secret.tsx',
  // Closing it leads to another screen; sets.test.ts opens it.
  'views/review/done.tsx',
  // Behind a case that is unfolded once it has run; suites.test.ts opens them.
  ...['views/suite/accept-dialog.tsx', 'views/suite/case-result.tsx'],
]

function heading(page: Page): Locator {
  return page.locator('main h1')
}

/** What has the focus, in words; inside an editor's own tree as well. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    if (active === null || active === document.body) return 'nothing'
    const name = active.getAttribute('aria-label') ?? active.textContent ?? ''
    return `${active.tagName.toLowerCase()}: ${name.trim().replace(/\s+/g, ' ').slice(0, 60)}`
  })
}

function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => {
    const root = element.getRootNode() as Document | ShadowRoot
    return root.activeElement === element
  })
}

describe.skipIf(skipsBrowserTests('where the focus goes after a dialog'))('where the focus goes after a dialog', () => {
  let bench: ConsoleBench
  let made: Made
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    const renderer = await switchedRenderer()
    bench = await startConsole({ environment: { QUIRE_RENDERER: renderer.program } })
    const ownContract = await makeContract(bench.client, 'opened from everywhere', { type: 'object' })
    const contract = (await bench.client.get(`/api/v1/contracts/${ownContract}`)).body
    const body = { contract_version_id: contract.versions[0].id, kind: 'valid', seed: 1 }
    await bench.client.post('/api/v1/cases/generate', body)
    const runs = await runDemo(bench.client)
    renderer.breakDown()
    const { id: unrendered } = await runOnce(bench.client, 'unrendered')
    const older = { $schema: 'http://json-schema.org/draft-07/schema#', definitions: { a: { type: 'string' } } }
    const olderContract = await makeContract(bench.client, 'of an older draft', older)
    const receiver = { name: 'Nobody', url: 'https://hooks.invalid/' }
    const webhook = (await bench.client.post('/api/v1/webhooks', receiver)).body.webhook.id
    made = { ...runs, ownContract, olderContract, unrendered, webhook, batch: await pausedBatch() }
    await schedule('2032-01-01T00:00:00Z')
  }, testMs)

  afterAll(() => bench?.stop())

  async function pausedBatch(): Promise<string> {
    const form = new FormData()
    form.set('ingestion_model', 'clws-policy')
    form.set('file', new File(['{}\n'.repeat(2_000)], 'many.ndjson', { type: 'application/x-ndjson' }))
    const encoded = new Response(form)
    const headers = {
      'idempotency-key': 'paused-batch',
      'content-type': encoded.headers.get('content-type') ?? '',
    }
    const body = new Uint8Array(await encoded.arrayBuffer())
    const { id } = (await bench.client.send('POST', '/api/v1/batches', body, headers)).body
    await bench.client.post(`/api/v1/batches/${id}/pause`, {})
    return id
  }

  async function schedule(effectiveFrom: string): Promise<void> {
    const path = `/api/v1/transformers/${made.transformer}/versions/1/publish`
    const key = { 'idempotency-key': `schedule-${effectiveFrom}` }
    const { status } = await bench.client.post(path, { effective_from: effectiveFrom }, key)
    expect(status).toBe(201)
  }

  test('this file opens every dialog of the console', async () => {
    const files = await Array.fromAsync(new Glob('**/*.tsx').scan(consoleSource))
    const having: string[] = []
    for (const file of files) {
      if (/<(?:dialog|Dialog|FormDialog)\b/.test(await Bun.file(join(consoleSource, file)).text())) having.push(file)
    }
    const opened = new Set([...otherFiles, ...dialogs.map(({ file }) => file)])
    expect(having.filter((file) => !opened.has(file))).toEqual([])
  })

  test.each(dialogs.map((row) => [row.name, row] as const))(
    '%s takes the focus, and gives it back to what opened it',
    async (_, { path, opener, key }) => {
      const opens = async (page: Page) => {
        await goOn(page, path(made))
        const from = opener(page)
        await from.focus()
        await eventually(() => hasFocus(from), true)
        await page.keyboard.press(key ?? 'Enter')
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        const isInside = () => page.evaluate(() => document.activeElement?.closest('dialog') !== null)
        await eventually(isInside, true)
        // What it asks for belongs to it: closed earlier, it would be called off.
        await page.waitForFunction(() => document.querySelector('dialog .preview-loading') === null)
        expect(await axeViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await eventually(() => hasFocus(from), true)
        // What the screen reads again afterwards leaves it there.
        await Bun.sleep(200)
        expect(await hasFocus(from)).toBe(true)
      }
      await bench.visit('administrator', opens, { goesOn: true })
    },
  )

  test('a dialog opened out of another one gives the focus back to what opened the first', async () => {
    await bench.visit('administrator', async (page) => {
      await open(page, at('/users'))
      const dialog = page.getByRole('dialog')
      const row = page.getByRole('button', { name: /^operator/ }).first()
      await row.focus()
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'End sessions…' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: /^End the sessions/ }).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await eventually(() => hasFocus(row), true)
    })
  })

  test('the keys, asked for in the palette, give the focus back to what opened the palette', async () => {
    await bench.visit('engineer', async (page) => {
      await open(page, at('/executions'))
      const from = page.getByLabel('Object or id')
      await from.focus()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or go to' }).fill('show all keys')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await eventually(() => hasFocus(from), true)
    })
  })

  test('a dialog that an address opens leaves the focus on the heading', async () => {
    await bench.visit('auditor', async (page) => {
      await open(page, at('/audit'))
      await page.locator('button.row-link').first().click()
      await page.getByRole('dialog').waitFor()
      await page.reload()
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await eventually(() => focused(page), 'h1: Audit')
    })
  })

  test('an opener that is gone afterwards leaves the focus on its row or, without one, on the heading', async () => {
    await schedule('2033-01-01T00:00:00Z')
    await bench.visit('engineer', async (page) => {
      const dialog = page.getByRole('dialog')
      await open(page, at('/activations'))
      const row = page.locator('.data-table tr', { hasText: /v1.*Coming/ }).first()
      await row.getByRole('button', { name: /^Take back/ }).focus()
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Take back' }).focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await eventually(async () => /^tr: .*Taken back/.test(await focused(page)), true)

      // Filtered, the row goes with its button.
      await open(page, at('/activations?status=scheduled'))
      await page.getByRole('button', { name: /^Take back/ }).focus()
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Take back' }).focus()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await eventually(() => focused(page), 'h1: In force')
    })
    await schedule('2034-01-01T00:00:00Z')
  })

  test('a button that goes away by being pressed leaves the focus beside it', async () => {
    await bench.visit('operator', async (page) => {
      await open(page, at('/executions'))
      await page.getByLabel('Object or id').fill('nothing is called this')
      const clear = page.getByRole('button', { name: 'Clear' })
      await clear.focus()
      await page.keyboard.press('Enter')
      await clear.waitFor({ state: 'detached' })
      await eventually(async () => /^search: /.test(await focused(page)), true)
    })
  })

  test('a refused form keeps the focus on its button, where the next press sends it again', async () => {
    await bench.visit(
      'administrator',
      async (page) => {
        await open(page, at('/contracts'))
        await page.getByRole('button', { name: 'New contract' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Name').fill('opened from everywhere')
        const create = dialog.getByRole('button', { name: 'Create' })
        await create.focus()
        await page.keyboard.press('Enter')
        await dialog.getByRole('alert').waitFor()
        await eventually(() => hasFocus(create), true)
      },
      { expects: /status of 409/ },
    )
  })

  test('the password that is asked for over a form gives the focus back to the form', async () => {
    await bench.visit(
      'administrator',
      async (page) => {
        // The server asks only ten minutes after the last time.
        await page.route('**/api/v1/admin/users', (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({
                status: 403,
                headers: { 'content-type': 'application/problem+json', 'x-correlation-id': 'asks-again' },
                body: JSON.stringify({
                  type: '/problems/forbidden',
                  title: 'Forbidden',
                  status: 403,
                  code: 'forbidden',
                  detail: 'Confirm your password first.',
                  correlation_id: 'asks-again',
                }),
              })
            : route.continue(),
        )
        await open(page, at('/users'))
        const opener = page.getByRole('button', { name: 'New user' })
        await opener.focus()
        await page.keyboard.press('Enter')
        const form = page.getByRole('dialog', { name: 'New user' })
        await form.getByLabel(/^Username/).fill('asked.again')
        await form.getByLabel(/^Name/).fill('Asked Again')
        await form.getByLabel(/^First password/).fill('told in person only')
        const create = form.locator('button[type=submit]')
        await create.focus()
        await page.keyboard.press('Enter')
        const asked = page.getByRole('dialog', { name: 'Your password, please' })
        await eventually(() => hasFocus(asked.getByLabel('Password')), true)
        expect(await axeViolations(page)).toEqual([])
        await page.keyboard.press('Escape')
        await asked.waitFor({ state: 'detached' })
        await form.getByRole('alert').waitFor()
        await eventually(() => hasFocus(create), true)
        await page.keyboard.press('Escape')
        await form.waitFor({ state: 'detached' })
        await eventually(() => hasFocus(opener), true)
      },
      { expects: /status of 403/ },
    )
  })

  test('signing in again over the page gives the focus back to the editor', async () => {
    await bench.visit(
      undefined,
      async (page) => {
        await bench.signIn(page, 'administrator')
        await open(page, at(`/contracts/${made.ownContract}`))
        const editor = page.getByRole('textbox', { name: 'Schema' })
        await editor.focus()
        await page.keyboard.press('Control+End')
        await page.keyboard.type('\n')
        await page.context().clearCookies()
        await page.keyboard.press('Control+s')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Password').fill(bench.quire.password)
        await page.keyboard.press('Enter')
        await dialog.waitFor({ state: 'detached' })
        await eventually(() => hasFocus(editor), true)
      },
      { expects: /status of 401/ },
    )
  })
})
