import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeViolations } from '../support/axe.ts'
import { skipsBrowserTests } from '../support/browser.ts'
import {
  type ConsoleBench,
  type DemoRuns,
  eventually,
  goOn,
  open,
  roles,
  runDemo,
  settled,
  startConsole,
  testMs,
} from '../support/console.ts'

setDefaultTimeout(testMs)

const read4 = [
  'Home',
  'Intake test lab',
  'Submissions',
  'Batches',
  'Executions',
  'Storage',
  'Contracts',
  'Transformers',
  'Templates',
  'Ingestion models',
  'In force',
]

const submitting = read4.flatMap((name) => (name === 'Submissions' ? [name, 'New submission'] : [name]))

/** What each role finds in the navigation, and one address that it may not open. */
const seen: Record<(typeof roles)[number], { screens: string[]; closed: string }> = {
  engineer: { screens: [...submitting, 'Tokens'], closed: '/users' },
  operator: { screens: [...submitting, 'Tokens'], closed: '/audit' },
  auditor: { screens: [...read4, 'Audit', 'Tokens', 'Retention'], closed: '/readiness' },
  business_viewer: {
    screens: ['Home', 'Submissions', 'Batches', 'Storage', 'Contracts', 'Tokens'],
    closed: '/executions',
  },
}

describe.skipIf(skipsBrowserTests('the screens in a browser'))('the screens in a browser', () => {
  let bench: ConsoleBench
  let made: DemoRuns
  const at = (path: string) => bench.quire.origin + path

  beforeAll(async () => {
    bench = await startConsole({ hasRunDemo: true })
    made = await runDemo(bench.client)
  }, testMs)

  afterAll(() => bench?.stop())

  /** Screens by the part of the console that they belong to. */
  const areas: Record<string, readonly (readonly [name: string, path: () => string])[]> = {
    work: [
      ['home', () => '/'],
      ['the lab', () => '/lab'],
      ['submissions', () => '/submissions'],
      ['a new submission', () => '/submissions/new'],
      ['a submission', () => `/submissions/${made.submission}`],
      ['executions', () => '/executions'],
      ['an execution', () => `/executions/${made.execution}`],
      ['a failed execution', () => `/executions/${made.failed}`],
      ['storage', () => '/storage'],
    ],
    contracts: [
      ['contracts', () => '/contracts'],
      ["a contract's draft", () => `/contracts/${made.contract}`],
      ["a contract's versions", () => `/contracts/${made.contract}?tab=versions`],
      ["a contract's comparison", () => `/contracts/${made.contract}?tab=compare`],
      ["a contract's cases", () => `/contracts/${made.contract}?tab=cases`],
    ],
    'transformers and templates': [
      ['transformers', () => '/transformers'],
      ['a transformer on the workbench', () => `/transformers/${made.transformer}`],
      ["a transformer's versions", () => `/transformers/${made.transformer}?tab=versions`],
      ['templates', () => '/templates'],
      ["a template's draft", () => `/templates/${made.template}`],
      ["a template's bindings", () => `/templates/${made.template}?tab=bindings`],
      ["a template's preview", () => `/templates/${made.template}?tab=preview&at=%2Ftotal`],
      ["a template's comparison", () => `/templates/${made.template}?tab=compare`],
    ],
    models: [
      ['ingestion models', () => '/ingestion-models'],
      ['an ingestion model', () => `/ingestion-models/${made.model}`],
      ["a model's workspace", () => `/ingestion-models/${made.model}/workspace`],
      ["a workspace's transformer", () => `/ingestion-models/${made.model}/workspace?tab=transformer`],
      ["a workspace's template", () => `/ingestion-models/${made.model}/workspace?tab=template`],
      ["a model's review", () => `/ingestion-models/${made.model}/review`],
      ['activations', () => '/activations'],
      ['the calendar', () => '/activations?tab=month&month=2026-01'],
    ],
    administration: [
      ['audit', () => '/audit'],
      ['users', () => '/users'],
      ['tokens', () => '/tokens'],
      ['retention', () => '/retention'],
      ['webhooks', () => '/webhooks'],
      ['batches', () => '/batches'],
      ['operations', () => '/operations'],
      ['readiness', () => '/readiness'],
    ],
    'pages about the product, and others': [
      ['the changelog', () => '/changelog'],
      ['the API reference', () => '/docs'],
      ['change password', () => '/password'],
      ['an address that is none', () => '/nowhere'],
    ],
  }
  const addresses = Object.values(areas).flat()

  async function checkLook(page: Page, name: string): Promise<void> {
    await eventually(async () => ({ name, headings: await page.locator('h1').count() }), { name, headings: 1 })
    expect({ name, notes: await page.locator('.note-danger').count() }).toEqual({ name, notes: 0 })
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen
      }, theme)
      const violations = await axeViolations(page, theme === 'light' ? 'all' : 'colours')
      expect({ name, theme, violations }).toEqual({ name, theme, violations: [] })
    }
  }

  // Every address is loaded anew further below; here the console goes from one to the next, and axe is loaded once for all of them.
  test.each(Object.entries(areas))(
    'of %s, no screen has anything against it in accessibility, in both themes, wide and narrow',
    async (_, screens) => {
      const look = async (page: Page) => {
        for (const [name, path] of screens) {
          await page.setViewportSize({ width: 1440, height: 900 })
          await goOn(page, path())
          await checkLook(page, name)
          await page.setViewportSize({ width: 390, height: 844 })
          expect({ name, violations: await axeViolations(page) }).toEqual({ name, violations: [] })
          const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          await eventually(async () => ({ name, fits: (await overhang()) <= 0 }), { name, fits: true })
        }
      }
      await bench.visit('administrator', look, { goesOn: true })
    },
  )

  test('zoomed to 200 %, every screen fits its window, and navigation and buttons are reached', async () => {
    await bench.visit(
      'administrator',
      async (page) => {
        const zoom = { width: 720, height: 450, deviceScaleFactor: 2, mobile: false }
        await (await page.context().newCDPSession(page)).send('Emulation.setDeviceMetricsOverride', zoom)
        for (const [name, path] of addresses) {
          await open(page, at(path()))
          await settled(page)
          const outside = await page.evaluate(outOfReach)
          expect({ name, outside }).toEqual({ name, outside: [] })
        }
        await page.getByRole('button', { name: 'Navigation' }).click()
        await page.getByRole('navigation').getByRole('link', { name: 'Readiness', exact: true }).click()
        await page.getByRole('heading', { name: 'Readiness', level: 1 }).waitFor()
        expect(await page.evaluate(() => [window.innerWidth, window.devicePixelRatio])).toEqual([720, 2])
      },
      { isNewTab: true },
    )
  })

  test('on a laptop no column of a list and no part of the side bar lies out of sight', async () => {
    const name = 'A contract for the yearly adjustment letters of the household contents portfolio'
    const description = 'What the letters of the household contents and natural hazards portfolio begin from'
    await bench.client.post('/api/v1/contracts', { name, description, schema: '{}' })
    await bench.visit('administrator', async (page) => {
      for (const path of ['/users', '/audit', '/contracts']) {
        await open(page, at(path))
        await page.locator('.data-table tbody tr').first().waitFor()
        const beyond = await page.evaluate(() => {
          const list = document.querySelector('.table-panel')
          const foot = document.querySelector('.side-foot')?.getBoundingClientRect().bottom ?? 0
          return [(list?.scrollWidth ?? 0) - (list?.clientWidth ?? 0), Math.max(0, foot - window.innerHeight)]
        })
        expect([path, ...beyond]).toEqual([path, 0, 0])
      }
      // Filters of one row, which on a telephone stand beside each other without covering one another.
      await page.setViewportSize({ width: 390, height: 844 })
      await open(page, at('/audit'))
      const covered = await page
        .locator('.filter')
        .evaluateAll((filters) =>
          filters.filter((filter) => filter.scrollWidth > filter.clientWidth).map((filter) => filter.textContent),
        )
      expect(covered).toEqual([])
    })
  })

  test('long names push no button and no field out of sight, at a desk and on a telephone', async () => {
    const name = 'Yearly adjustment letters of the household contents portfolio, with a copy for the broker'
    const keyed = () => ({ 'idempotency-key': crypto.randomUUID() })
    const model = { slug: 'yearly-adjustment-letters-of-household-contents', name, description: '' }
    await bench.client.post('/api/v1/ingestion-models', model, keyed())
    await bench.client.post('/api/v1/admin/users', {
      username: 'bernadette.vanderbilt-featherstonehaugh',
      display_name: 'Bernadette Vanderbilt-Featherstonehaugh',
      roles: [...roles],
      password: 'a first password',
    })
    const publish = `/api/v1/transformers/${made.transformer}/versions/1/publish`
    const { status } = await bench.client.post(publish, { effective_from: '2034-01-01T00:00:00Z' }, keyed())
    expect(status).toBe(201)
    const states: readonly (readonly [path: string, opener?: string | RegExp])[] = [
      ['/submissions/new?model=clws-policy'],
      ['/batches', 'New batch'],
      ['/users'],
      ['/activations'],
      [`/transformers/${made.transformer}?tab=versions`],
      ['/audit', /^session/],
    ]
    await bench.visit('administrator', async (page) => {
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 844 })
        for (const [path, opener] of states) {
          await open(page, at(path))
          if (opener !== undefined) {
            await page.locator('main').getByRole('button', { name: opener }).first().click()
            await page.getByRole('dialog').waitFor()
          }
          await eventually(async () => [width, path, await page.evaluate(cutOff)], [width, path, []])
        }
      }
    })
  })

  test('the sign-in page and the first password have nothing against them either, in both themes', async () => {
    const user = {
      username: 'first.password',
      display_name: 'First',
      roles: ['operator'],
      password: 'a first password',
    }
    await bench.client.post('/api/v1/admin/users', user)
    await bench.visit(undefined, async (page) => {
      await page.goto(at('/login'))
      await page.getByLabel('Password').waitFor()
      await checkLook(page, 'the sign-in page')
      await page.getByLabel('Username').fill(user.username)
      await page.getByLabel('Password').fill(user.password)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Choose your password' }).waitFor()
      await checkLook(page, 'the first password')
    })
  })

  test.each(roles)('%s sees exactly what the role may do, and a refusal elsewhere', async (role) => {
    await bench.visit(role, async (page) => {
      await open(page, at('/'))
      const titles = async () => (await page.locator('.nav-link').allTextContents()).map((text) => text.trim())
      await eventually(titles, seen[role].screens)
      for (const title of seen[role].screens) {
        await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click()
        await page.locator('.nav-link[aria-current=page]', { hasText: title }).waitFor()
        await settled(page)
        expect(await page.locator('.note-danger').count()).toBe(0)
      }
      await page.goto(at(seen[role].closed))
      await page.locator('main h1', { hasText: 'is not open to you' }).waitFor()
      await open(page, at('/contracts'))
      await page.locator('.data-table').waitFor()
      const offered = role === 'engineer' ? 1 : 0
      await eventually(() => page.getByRole('button', { name: 'New contract' }).count(), offered)
      if (role === 'business_viewer') return
      await open(page, at(`/contracts/${made.contract}?tab=versions`))
      await page.getByRole('button', { name: 'v1', exact: true }).waitFor()
      await eventually(() => page.getByRole('button', { name: /^Deprecate/ }).count(), offered)
      await open(page, at(`/templates/${made.template}`))
      await eventually(() => page.getByRole('link', { name: 'Preview' }).count(), offered)
    })
  })

  test('changelog and API reference are open without signing in', async () => {
    await bench.visit(undefined, async (page) => {
      await page.goto(at('/changelog'))
      await page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'API reference' }).click()
      await page.getByText('/api/v1/submissions').first().waitFor()
      expect(await axeViolations(page)).toEqual([])
    })
  })

  test('the API reference sends what is filled in, and shows the sample for it and the answer', async () => {
    await bench.visit(
      'engineer',
      async (page) => {
        await open(page, at('/docs'))
        await page.getByText('/api/v1/contracts', { exact: true }).first().click()
        const operation = page.locator('details[open]')
        await operation.getByLabel(/^limit/).fill('1')
        await operation.getByRole('region', { name: 'Sample in curl' }).getByText('/api/v1/contracts?limit=1').waitFor()
        await operation.getByRole('radio', { name: 'Python' }).check()
        await operation.getByRole('region', { name: 'Sample in Python' }).getByText('from urllib.request').waitFor()
        await operation.getByRole('button', { name: 'Send' }).click()
        await operation
          .getByRole('region', { name: 'Answer' })
          .getByText('next_cursor')
          .or(operation.getByText('"contracts"'))
          .first()
          .waitFor()
        expect(await operation.locator('.try-status strong').textContent()).toBe('200')
        expect(await axeViolations(page)).toEqual([])
        await operation.locator('summary').first().click()
        // A refusal is an answer as well, and the language stays.
        await page
          .getByText(/^Create a contract/)
          .or(page.locator('summary', { hasText: 'POST' }).filter({ hasText: /contracts$/ }))
          .first()
          .click()
        await operation.getByRole('region', { name: 'Sample in Python' }).waitFor()
        await operation.getByLabel('Body').fill('{"name":1}')
        await operation.getByRole('button', { name: 'Send' }).click()
        await operation.getByRole('region', { name: 'Answer' }).getByText('"validation_failed"').waitFor()
        expect(await operation.locator('.try-status strong').textContent()).toBe('422')
      },
      { expects: /422/ },
    )
  })

  test('what a page needs comes in a handful of requests, all to this origin, under a policy that allows no other', async () => {
    await bench.visit('administrator', async (page) => {
      const answer = await page.goto(at('/'))
      const policy = (await answer?.headerValue('content-security-policy')) ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toContain('unsafe')
      await settled(page)
      const loaded = await page.evaluate(() =>
        (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
          .filter(({ name }) => name.includes('/assets/'))
          .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
      )
      expect(loaded.length).toBeWithin(2, 20)
      const code = loaded.filter(({ name }) => name.endsWith('.js'))
      for (const { encodedBodySize, decodedBodySize } of code) expect(encodedBodySize).toBeLessThan(decodedBodySize)
    })
  })
})

/** Runs in the page: what lies beside the window or under something else, though it was scrolled to. */
function outOfReach(): string[] {
  const found = document.documentElement.scrollWidth > window.innerWidth ? ['the page'] : []
  for (const element of document.querySelectorAll<HTMLElement>('h1, header button, main .button')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const { left, right, top, width, height } = element.getBoundingClientRect()
    if (width === 0) continue
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    const isReached = hit !== null && (element.contains(hit) || element.matches(':disabled'))
    if (left < 0 || right > window.innerWidth || !isReached) found.push(element.outerHTML.slice(0, 120))
  }
  return found
}

/** Runs in the page: buttons and fields that end beyond the list, the dialog or the window they are in. */
function cutOff(): string[] {
  const inside = document.querySelector('dialog[open]') ?? document.querySelector('main')
  const controls = [...(inside?.querySelectorAll<HTMLElement>('button, input, select, a.button') ?? [])].filter(
    (control) => control.checkVisibility({ visibilityProperty: true }) && control.closest('.cm-editor, .tabs') === null,
  )
  return controls
    .filter((control) => {
      const { right } = control.getBoundingClientRect()
      const around = control.closest('.table-panel, dialog, .field, .compose-bar')?.getBoundingClientRect().right
      return right > Math.min(window.innerWidth, around ?? window.innerWidth) + 1
    })
    .map((control) => control.outerHTML.slice(0, 120))
}
