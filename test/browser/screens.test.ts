import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests, startBrowser, type Watched, watch } from '../support/browser.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'

setDefaultTimeout(60_000)

const roles = ['engineer', 'operator', 'auditor', 'business_viewer'] as const
const firstPassword = 'the first password for tests'
const password = 'another password for tests'

/** What each role finds in the navigation, and one address that it may not open. */
const seen: Record<(typeof roles)[number], { screens: string[]; closed: string }> = {
  engineer: {
    screens: [
      'Home',
      'Intake test lab',
      'Submissions',
      'Executions',
      'Storage',
      'Contracts',
      'Transformers',
      'Templates',
      'Ingestion models',
      'Activations',
    ],
    closed: '/users',
  },
  operator: {
    screens: [
      'Home',
      'Intake test lab',
      'Submissions',
      'Executions',
      'Storage',
      'Contracts',
      'Transformers',
      'Templates',
      'Ingestion models',
      'Activations',
    ],
    closed: '/audit',
  },
  auditor: {
    screens: [
      'Home',
      'Intake test lab',
      'Submissions',
      'Executions',
      'Storage',
      'Contracts',
      'Transformers',
      'Templates',
      'Ingestion models',
      'Activations',
      'Audit',
    ],
    closed: '/readiness',
  },
  business_viewer: { screens: ['Home', 'Submissions', 'Storage', 'Contracts'], closed: '/executions' },
}

describe.skipIf(skipsBrowserTests('the screens in a browser'))('the screens in a browser', () => {
  let quire: RunningQuire
  let browser: Browser
  let page: Page
  let watched: Watched
  /** Addresses of the resources that the demo and one run of its scenarios made. */
  const made: Record<
    'execution' | 'failed' | 'submission' | 'contract' | 'transformer' | 'template' | 'model',
    string
  > = {
    execution: '',
    failed: '',
    submission: '',
    contract: '',
    transformer: '',
    template: '',
    model: '',
  }

  async function signIn(on: Page, username: string, secret: string): Promise<void> {
    await on.goto(`${quire.origin}/login`)
    await on.getByLabel('Username').fill(username)
    await on.getByLabel('Password').fill(secret)
    await on.keyboard.press('Enter')
    await on.locator('.frame').waitFor()
  }

  async function open(path: string): Promise<void> {
    await page.goto(`${quire.origin}${path}`)
    await page.locator('main h1').waitFor()
    await page.locator('.panel-loading').waitFor({ state: 'detached' })
  }

  beforeAll(async () => {
    quire = await startQuire()
    const client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    const { body: catalog } = await client.get('/api/v1/intake-test-lab/scenarios')
    for (const scenario of catalog.scenarios) {
      const { body } = await client.post(
        '/api/v1/submissions',
        { ingestion_model: 'clws-policy', raw_input: scenario.raw_input, metadata: scenario.metadata },
        { 'idempotency-key': `screens-${scenario.id}` },
      )
      const execution = await untilEnded(client, body.submission.executions[0].id)
      made[execution.status === 'completed' ? 'execution' : 'failed'] = execution.id
      made.submission = body.submission.id
    }
    const { body: contracts } = await client.get('/api/v1/contracts')
    made.contract = contracts.contracts[0].id
    const versionId = contracts.contracts[0].versions[0].id
    await client.post('/api/v1/cases/generate', { contract_version_id: versionId, kind: 'valid', seed: 7 })
    made.transformer = (await client.get('/api/v1/transformers')).body.transformers[0].id
    made.template = (await client.get('/api/v1/templates')).body.templates[0].id
    made.model = (await client.get('/api/v1/ingestion-models')).body.ingestion_models[0].id
    for (const role of roles) {
      const user = { username: role.replace('_', '.'), display_name: role, roles: [role], password: firstPassword }
      await client.post('/api/v1/admin/users', user)
      const own = new ApiClient(quire.origin)
      await own.login(user.username, firstPassword)
      await own.post('/api/v1/auth/password', { current_password: firstPassword, new_password: password })
    }
    browser = await startBrowser()
    page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    page.setDefaultTimeout(10_000)
    watched = watch(page, quire.origin)
    await signIn(page, quire.username, quire.password)
  }, 90_000)

  afterAll(async () => {
    await browser?.close()
    await quire?.stop()
  })

  const addresses: readonly (readonly [name: string, path: () => string])[] = [
    ['home', () => '/'],
    ['the lab', () => '/lab'],
    ['submissions', () => '/submissions'],
    ['a submission', () => `/submissions/${made.submission}`],
    ['executions', () => '/executions'],
    ['an execution', () => `/executions/${made.execution}`],
    ['a failed execution', () => `/executions/${made.failed}`],
    ['storage', () => '/storage'],
    ['contracts', () => '/contracts'],
    ["a contract's draft", () => `/contracts/${made.contract}`],
    ["a contract's versions", () => `/contracts/${made.contract}?tab=versions`],
    ["a contract's comparison", () => `/contracts/${made.contract}?tab=compare`],
    ["a contract's cases", () => `/contracts/${made.contract}?tab=cases`],
    ['transformers', () => '/transformers'],
    ['a transformer on the workbench', () => `/transformers/${made.transformer}`],
    ["a transformer's versions", () => `/transformers/${made.transformer}?tab=versions`],
    ['templates', () => '/templates'],
    ["a template's draft", () => `/templates/${made.template}`],
    ["a template's bindings", () => `/templates/${made.template}?tab=bindings`],
    ["a template's preview", () => `/templates/${made.template}?tab=preview`],
    ['ingestion models', () => '/ingestion-models'],
    ['an ingestion model', () => `/ingestion-models/${made.model}`],
    ['activations', () => '/activations'],
    ['audit', () => '/audit'],
    ['users', () => '/users'],
    ['readiness', () => '/readiness'],
    ['the changelog', () => '/changelog'],
    ['the API reference', () => '/docs'],
    ['change password', () => '/password'],
  ]

  test.each(addresses)(
    '%s has nothing against it in accessibility, in both themes, wide and narrow',
    async (_, path) => {
      await page.setViewportSize({ width: 1440, height: 900 })
      await open(path())
      expect(await page.locator('h1').count()).toBe(1)
      expect(await page.locator('.note-danger').count()).toBe(0)
      for (const theme of ['light', 'dark'] as const) {
        await page.evaluate((chosen) => {
          document.documentElement.dataset.theme = chosen
        }, theme)
        expect(await axeViolations(page)).toEqual([])
      }
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await axeViolations(page)).toEqual([])
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overhang).toBeLessThanOrEqual(0)
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  test.each(roles)('%s finds exactly what the role may do, and is told so elsewhere', async (role) => {
    const context = await browser.newContext()
    const own = await context.newPage()
    own.setDefaultTimeout(10_000)
    await signIn(own, role.replace('_', '.'), password)
    await own.locator('main h1').waitFor()
    const titles = (await own.locator('.nav-link').allTextContents()).map((text) => text.trim())
    expect(titles).toEqual(seen[role].screens)
    for (const title of titles) {
      await own.getByRole('link', { name: title, exact: true }).click()
      await own.locator('.panel-loading').waitFor({ state: 'detached' })
      expect(await own.locator('.note-danger').count()).toBe(0)
    }
    await own.goto(`${quire.origin}${seen[role].closed}`)
    expect(await own.locator('main h1').textContent()).toContain('is not open to you')
    if (role !== 'engineer') {
      await own.goto(`${quire.origin}/contracts`)
      await own.locator('.data-table').waitFor()
      expect(await own.getByRole('button', { name: 'New contract' }).count()).toBe(0)
    }
    await context.close()
  })

  test('an execution is made again, and is identical; a failed one shows its issues in its input', async () => {
    await open(`/executions/${made.execution}`)
    await page.getByRole('button', { name: 'Make it again' }).click()
    await page.locator('[data-identical=true]').waitFor()
    expect(await page.locator('[data-identical=true]').textContent()).not.toContain('different')
    await open(`/executions/${made.failed}`)
    const place = page.locator('.issue').getByRole('button').first()
    const [, line] = /line (\d+)/.exec((await place.textContent()) ?? '') ?? []
    await place.click()
    const lit = page.locator('.source-line[data-lit]')
    expect(await lit.count()).toBeGreaterThan(0)
    expect(
      await page
        .locator('.source-line')
        .nth(Number(line) - 1)
        .getAttribute('data-lit'),
    ).toBe('')
  })

  test('the main job by keyboard alone: a contract is made, mended, saved, frozen and published', async () => {
    await page.goto(`${quire.origin}/`)
    await page.locator('main h1').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type('contracts')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'New contract' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('claim')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/contracts\/[0-9a-f-]{36}/)
    const editor = page.getByRole('textbox', { name: 'Schema' })
    await editor.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{ "type": "object", "required": "number" }')
    await page.getByRole('list', { name: 'Findings' }).waitFor()
    expect(await page.getByRole('button', { name: 'Freeze a version' }).isDisabled()).toBe(true)
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{ "type": "object", "required": ["number"] }')
    await page.getByText('A valid JSON Schema').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Revision 2, saved').waitFor()
    await page.getByRole('button', { name: 'Freeze a version' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Version 1 is frozen').waitFor()
    await page.getByRole('link', { name: /^Versions/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Publish/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Published').waitFor()
  })

  test('what was typed and not saved outlives a reload', async () => {
    await open(`/contracts/${made.contract}`)
    const editor = page.getByRole('textbox', { name: 'Schema' })
    await editor.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n')
    await page.getByText('with unsaved changes').waitFor()
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('what you had typed and not saved').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('Revision 1, saved').waitFor()
  })

  test('the workbench runs as one types, tells the mistake with its line, and lights up where a value comes from', async () => {
    await open(`/transformers/${made.transformer}`)
    await page.locator('[data-pointer="/reference"]').click()
    await page.locator('.origin code', { hasText: '/policy/number' }).waitFor()
    const source = page.getByRole('textbox', { name: 'Source' })
    expect(await page.locator('.cm-lit').count()).toBeGreaterThan(1)
    await source.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('  slip: /policy/nmber')
    const finding = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first()
    await finding.waitFor()
    expect(await finding.textContent()).toContain('nmber')
    expect(await page.locator('[data-pointer]').count()).toBe(0)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.locator('[data-pointer="/reference"]').waitFor()
  })

  test('a version is scheduled with its consequence told before, and cancelled again', async () => {
    await open(`/transformers/${made.transformer}?tab=versions`)
    await page.getByRole('button', { name: /^Put in force/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('In force from').fill('2031-01-01T00:00:00')
    await dialog.getByText(/takes over from v1/).waitFor()
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'detached' })
    await open('/activations?status=scheduled')
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await dialog.getByText('stays in force').waitFor()
    await dialog.getByRole('button', { name: 'Cancel it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Nothing was put in force').waitFor()
  })

  test('the slider says what is in force at another time, and the address keeps it', async () => {
    await open('/activations')
    const slider = page.getByLabel('In force at')
    await slider.focus()
    await page.keyboard.press('Home')
    await page.locator('.lane-at', { hasText: 'nothing' }).first().waitFor()
    expect(new URL(page.url()).searchParams.get('at')).not.toBeNull()
    await page.reload()
    await page.locator('.lane-at', { hasText: 'nothing' }).first().waitFor()
  })

  test('the chain of the audit trail is checked from its first record on', async () => {
    await open('/audit')
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText(/The chain holds: \d+ records checked/).waitFor()
    await page.getByLabel('Action').fill('session.opened')
    await page.waitForURL(/action=session\.opened/)
    await page.locator('.data-table tbody tr').first().waitFor()
    const actions = await page.locator('.data-table .row-link').allTextContents()
    expect(new Set(actions)).toEqual(new Set(['session.opened']))
  })

  test('a document in storage is found by its object and looked at', async () => {
    await open('/storage?format=pdf')
    const first = page.locator('.data-table .row-link').first()
    const object = (await first.textContent()) ?? ''
    await page.getByLabel('Object').fill(object)
    await page.waitForURL(/object_reference=/)
    await first.click()
    await page.getByRole('dialog').locator('iframe').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('changelog and API reference are open to who is not signed in', async () => {
    const context = await browser.newContext()
    const guest = await context.newPage()
    guest.setDefaultTimeout(10_000)
    await guest.goto(`${quire.origin}/changelog`)
    await guest.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor()
    await guest.getByRole('link', { name: 'API reference' }).click()
    await guest.getByText('/api/v1/submissions').first().waitFor()
    expect(await axeViolations(guest)).toEqual([])
    await context.close()
  })

  test('ten thousand executions are a list of a few drawn rows, wherever one scrolls', async () => {
    const total = 10_000
    const row = (index: number) => ({
      id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      release_id: made.execution,
      release_hash: 'a'.repeat(64),
      processing_kind: 'document_generation',
      input_hash: 'a'.repeat(64),
      raw_input_hash: 'a'.repeat(64),
      status: 'completed',
      submitted_by: made.execution,
      correlation_id: 'c',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:01Z',
      completed_at: '2026-01-01T00:00:01Z',
      steps: [],
      artifacts: [],
    })
    // Ten thousand real ones would take minutes; how the page draws them doesn't depend on where they come from.
    await page.route('**/api/v1/executions?*', (route) => {
      const query = new URL(route.request().url()).searchParams
      const from = Number(query.get('cursor') ?? 0)
      const executions = Array.from({ length: 100 }, (_, index) => row(from + index))
      const next = from + 100
      return route.fulfill({ json: next < total ? { executions, next_cursor: String(next) } : { executions } })
    })
    await page.goto(`${quire.origin}/executions`)
    for (;;) {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      if ((await page.locator('.list-count').textContent()) === `${total}, that is all`) break
      await page.waitForTimeout(10)
    }
    const drawn = () => page.locator('.data-table tbody tr:not(.spacer)').count()
    expect(await drawn()).toBeLessThan(200)
    await page.evaluate(() => window.scrollTo(0, 45 * 5_000))
    await page.locator('[aria-rowindex="5010"]').waitFor()
    expect(await drawn()).toBeLessThan(200)
    await page.getByLabel('Object or id').fill('000000009999')
    await page.locator('[aria-rowindex="2"]').waitFor()
    await page.getByText('One, that is all').waitFor()
    await page.unroute('**/api/v1/executions?*')
  })

  // Last, when everything has happened.
  test('all of this left the origin never, and the browser had nothing to complain about', () => {
    expect(watched.requests).toBeGreaterThan(200)
    expect(watched.strayRequests).toEqual([])
    expect(watched.errors).toEqual([])
  })
})
