import { expect } from 'bun:test'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import type { Browser, Cookie, Page, Request } from 'playwright-core'
import { startBrowser, type Watched, watch } from './browser.ts'
import { ApiClient, untilEnded } from './client.ts'
import { temporaryFolder } from './database.ts'
import { type RunningQuire, type StartOptions, startQuire } from './quire.ts'
import { patienceMs, until } from './until.ts'

export const roles = ['engineer', 'operator', 'auditor', 'business_viewer'] as const
export type VisitorRole = 'administrator' | (typeof roles)[number]

const firstPassword = 'the first password for tests'
const password = 'another password for tests'

/** A busy machine is slow; what never comes fails the same. Shorter than a test's own time, so that it says what it was. */
const waitMs = 30_000
/** For `setDefaultTimeout` of the test files. */
export const testMs = 150_000

interface VisitOptions {
  width?: number
  theme?: 'light' | 'dark'
  /** Messages in the browser's console that belong to the test: refused requests, which browsers report themselves. */
  expects?: RegExp
  /** In a tab that nobody has used before: one that others used collects their garbage, and tasks take longer for it. */
  isNewTab?: boolean
  /** In a browser as people have it, with its viewer of PDFs and its pace, and in a new tab of it. */
  needsWholeBrowser?: boolean
  /** On the screen where the visit before ended, when that was of this kind and role: for many that are alike, and load no page. */
  goesOn?: boolean
}

/** What tests listen to on a page. */
const watchedEvents = ['console', 'dialog', 'pageerror', 'request', 'response'] as const

export interface ConsoleBench {
  quire: RunningQuire
  browser: Browser
  /** The administrator, over the interface. */
  client: ApiClient
  /**
   * A tab as new, signed in as somebody with the role; without one, nobody is. Visits that follow each other share one,
   * because opening it takes the browser three processes and longer than most screens; from one to the next it keeps
   * what was downloaded and nothing else. Whatever it does, the page may ask nothing of another origin, and the browser
   * may have nothing to complain about.
   *
   * A test answers requests itself from before it opens the page: of one that is there already, and busy, the next may pass it by.
   */
  visit<T>(role: VisitorRole | undefined, work: (page: Page) => Promise<T>, options?: VisitOptions): Promise<T>
  /** Signs in over the form, as people do. */
  signIn(page: Page, role: VisitorRole): Promise<void>
  secretOf(role: VisitorRole): { username: string; password: string }
  stop(): Promise<void>
}

interface ConsoleOptions extends StartOptions {
  /** Whether the demo's scenarios have run already; `runDemo` then says what they made. */
  hasRunDemo?: true
  /** All visits are in a browser as people have it; elsewhere those are that say so, and pages are enough for the others. */
  needsWholeBrowser?: true
}

/** The compiled program with its demo, a user for each role, and a browser. A folder that is given has these users already. */
export async function startConsole({
  hasRunDemo,
  needsWholeBrowser,
  ...options
}: ConsoleOptions = {}): Promise<ConsoleBench> {
  const folder = options.folder ?? (hasRunDemo ? unpacked(await storeAfterDemo()) : await folderWithUsers())
  const quire = await startQuire({ ...options, folder })
  const client = await signedIn(quire)
  const secretOf = (role: VisitorRole) =>
    role === 'administrator'
      ? { username: quire.username, password: quire.password }
      : { username: usernameOf(role), password }
  const browser = await startBrowser(needsWholeBrowser ? 'everything' : 'pages')
  let wholeBrowser: Promise<Browser> | undefined = needsWholeBrowser ? Promise.resolve(browser) : undefined
  const sessions = new Map<VisitorRole, Cookie[]>()
  const idle: Page[] = []
  /** The tab of a visit that the next one may go on from. */
  let left: { role: VisitorRole; page: Page } | undefined
  /** Where a tab waits for its next visit: of the console's origin, and without a script. */
  const atRest = `${quire.origin}/health/live`

  function startWhole(): Promise<Browser> {
    wholeBrowser ??= startBrowser('everything')
    return wholeBrowser
  }

  async function newTab(of: Browser): Promise<Page> {
    const context = await of.newContext()
    context.setDefaultTimeout(waitMs)
    const page = await context.newPage()
    followRequests(page)
    await page.goto(atRest)
    return page
  }

  /** Makes the tab somebody's with the role: as the form does, but without loading its page and the one behind it. */
  async function become(page: Page, role: VisitorRole): Promise<void> {
    const cookies = sessions.get(role)
    if (cookies !== undefined) await page.context().addCookies(cookies)
    else {
      const address = `${quire.origin}/api/v1/auth/login`
      const answer = await page.request.post(address, { data: secretOf(role), headers: { origin: quire.origin } })
      if (!answer.ok()) throw new Error(await answer.text())
      sessions.set(role, await page.context().cookies())
    }
    await page.evaluate(() => localStorage.setItem('quire.signed-in', 'yes'))
  }

  async function signIn(page: Page, role: VisitorRole): Promise<void> {
    const secret = secretOf(role)
    await page.goto(`${quire.origin}/login`)
    await page.getByLabel('Username').fill(secret.username)
    await page.getByLabel('Password').fill(secret.password)
    await page.keyboard.press('Enter')
    await page.locator('.frame').waitFor()
  }

  /** Takes away what a test listens to and answers itself. */
  async function release(page: Page): Promise<void> {
    // A request that a test answers itself may still be on its way, and its answer would find no page.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    for (const event of watchedEvents) page.removeAllListeners(event)
  }

  /** Leaves the tab as a new one, but for the browser's cache. */
  async function putBack(page: Page): Promise<void> {
    const context = page.context()
    await release(page)
    for (const other of context.pages()) if (other !== page) await other.close()
    await page.goto(atRest)
    await page.evaluate(() => {
      localStorage.clear()
      sessionStorage.clear()
    })
    await context.clearCookies()
    await context.clearPermissions()
    idle.push(page)
  }

  /** The tab that was left by this role; one that was left by another is put back. */
  async function takeLeft(role: VisitorRole | undefined): Promise<Page | undefined> {
    const found = left
    left = undefined
    if (found === undefined) return undefined
    if (role !== undefined && found.role === role) {
      await release(found.page)
      return found.page
    }
    await putBack(found.page)
    return undefined
  }

  return {
    quire,
    browser,
    client,
    signIn,
    secretOf,
    async visit<T>(
      role: VisitorRole | undefined,
      work: (page: Page) => Promise<T>,
      options: VisitOptions = {},
    ): Promise<T> {
      const { width = 1440, theme = 'light', expects, isNewTab = false, goesOn = false } = options
      const before = await takeLeft(goesOn ? role : undefined)
      const owner = options.needsWholeBrowser ? await startWhole() : browser
      const isOwnTab = isNewTab || owner !== browser
      const page = before ?? (isOwnTab ? undefined : idle.pop()) ?? (await newTab(owner))
      let result: T
      let watched: Watched | undefined
      try {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
        // What a page before this one asked for may have gone with it, and nobody told.
        if (before === undefined) underWay.get(page)?.clear()
        if (role !== undefined && before === undefined) await become(page, role)
        if (goesOn && before === undefined) await open(page, `${quire.origin}/`)
        watched = watch(page, quire.origin)
        result = await work(page)
        expect(watched.strayRequests).toEqual([])
        expect(watched.errors.filter((error) => expects?.test(error) !== true)).toEqual([])
      } catch (error) {
        if (error instanceof Error) error.message += `\n${await seenOn(page, watched?.errors ?? [])}`
        await page.context().close()
        throw error
      }
      if (isOwnTab) await page.context().close()
      else if (goesOn && role !== undefined) left = { role, page }
      // A server that the visit has stopped leaves nothing to go on from.
      else await putBack(page).catch(() => page.context().close())
      return result
    },
    async stop() {
      for (const one of new Set([browser, await wholeBrowser])) await one?.close()
      await quire.stop()
    },
  }
}

function usernameOf(role: VisitorRole): string {
  return role.replace('_', '.')
}

async function signedIn({ origin, username, password }: RunningQuire): Promise<ApiClient> {
  const client = new ApiClient(origin)
  await client.login(username, password)
  return client
}

/** The files below a program's folder. */
type Packed = readonly { name: string; mode: number; bytes: Uint8Array }[]

let withUsers: Promise<Packed> | undefined
let afterDemo: Promise<Packed> | undefined

/**
 * What a program leaves that has made the users. Kept in this process, because it takes the processor longer to make it than to start
 * from it: the users' passwords 1.3 s, and what the demo runs another 4 s.
 */
function storeWithUsers(): Promise<Packed> {
  withUsers ??= packedAfter(temporaryFolder('quire-users-'), async (client, origin) => {
    for (const role of roles) {
      const username = usernameOf(role)
      const user = { username, display_name: role, roles: [role], password: firstPassword }
      await client.post('/api/v1/admin/users', user)
      const own = new ApiClient(origin)
      await own.login(username, firstPassword)
      await own.post('/api/v1/auth/password', { current_password: firstPassword, new_password: password })
    }
  })
  return withUsers
}

/** A folder for a program to start in, with these users. */
export async function folderWithUsers(): Promise<string> {
  return unpacked(await storeWithUsers())
}

function storeAfterDemo(): Promise<Packed> {
  afterDemo ??= storeWithUsers().then((packed) => packedAfter(unpacked(packed), (client) => runDemo(client)))
  return afterDemo
}

/** Runs the program in a folder while somebody works with it; what the folder then has. */
async function packedAfter(
  folder: string,
  work: (client: ApiClient, origin: string) => Promise<unknown>,
): Promise<Packed> {
  const quire = await startQuire({ folder })
  await work(await signedIn(quire), quire.origin)
  await quire.stop()
  const names = [...new Glob('**').scanSync({ cwd: folder, dot: true })]
  return names.map((name) => {
    const path = join(folder, name)
    return { name, mode: statSync(path).mode, bytes: readFileSync(path) }
  })
}

/** A folder of these files, which goes with the tests. */
function unpacked(packed: Packed): string {
  const folder = temporaryFolder('quire-running-')
  for (const { name, mode, bytes } of packed) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes, { mode })
  }
  return folder
}

/** What a failed test was looking at. */
async function seenOn(page: Page, errors: readonly string[]): Promise<string> {
  const shown = page.locator('dialog[open], main, .gate').last()
  const text = await shown.ariaSnapshot({ timeout: 2_000 }).catch(() => '(nothing)')
  return `at ${page.url()}, where stood: ${text.slice(0, 2_500)}\nthe browser said: ${errors.join(' | ') || 'nothing'}`
}

/** Goes to an address and waits until the screen has what it asked for. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await settled(page)
}

/** What the scripts of a tab have asked for and is not answered yet; streams, which have no end, are none of it. */
const underWay = new WeakMap<Page, Set<Request>>()

function followRequests(page: Page): void {
  const open = new Set<Request>()
  underWay.set(page, open)
  // Of the context: those of the page are taken away after a visit.
  const context = page.context()
  context.on('request', (request) => {
    if (request.resourceType() === 'fetch') open.add(request)
  })
  const answered = (request: Request) => void open.delete(request)
  context.on('requestfinished', answered)
  context.on('requestfailed', answered)
}

/**
 * Goes on to another address of the console by a link that is gone afterwards, and waits until the screen has drawn all that it asked
 * for. The page isn't loaded anew, which takes the processor three times as long as its screen.
 */
export async function goOn(page: Page, path: string): Promise<void> {
  await page.evaluate(follow, path)
  await settled(page)
  await until(`${path} has its answers`, () => underWay.get(page)?.size === 0)
  await page.evaluate(drawn)
  await settled(page)
}

/** Runs in the page. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

/** Runs in the page, and ends once it has drawn. */
function follow(path: string): Promise<void> {
  const link = document.createElement('a')
  link.href = path
  document.querySelector('main')?.append(link)
  link.click()
  link.remove()
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

/** Until the screen is ready: with its heading, and nothing in it still loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.waitForFunction(
    () => document.querySelector('main .panel-loading, main [aria-busy=true], .preview-loading') === null,
  )
}

/** Waits until what is read is what is expected, and fails with both when it never is. */
export async function eventually<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  const deadline = performance.now() + patienceMs()
  for (;;) {
    const seen = await read()
    if (Bun.deepEquals(seen, expected)) return
    if (performance.now() > deadline) return expect<unknown>(seen).toEqual(expected)
    await Bun.sleep(50)
  }
}

/** Addresses of what the demo and one run of each of its scenarios made. */
export interface DemoRuns {
  execution: string
  failed: string
  submission: string
  contract: string
  contractVersion: string
  transformer: string
  template: string
  model: string
}

export async function runDemo(client: ApiClient): Promise<DemoRuns> {
  const made: Partial<DemoRuns> = {}
  const { body: catalog } = await client.get('/api/v1/intake-test-lab/scenarios')
  for (const scenario of catalog.scenarios) {
    const { body } = await client.post(
      '/api/v1/submissions',
      { ingestion_model: 'clws-policy', raw_input: scenario.raw_input, metadata: scenario.metadata },
      { 'idempotency-key': `demo-${scenario.id}` },
    )
    const execution = await untilEnded(client, body.submission.executions[0].id)
    made[execution.status === 'completed' ? 'execution' : 'failed'] = execution.id
    made.submission = body.submission.id
  }
  const [contract] = (await client.get('/api/v1/contracts')).body.contracts
  made.contract = contract.id
  made.contractVersion = contract.versions[0].id
  made.transformer = (await client.get('/api/v1/transformers')).body.transformers[0].id
  made.template = (await client.get('/api/v1/templates')).body.templates[0].id
  made.model = (await client.get('/api/v1/ingestion-models')).body.ingestion_models[0].id
  return made as DemoRuns
}

/** Submits the first scenario of the lab, or an input of one's own with its metadata; the execution, once it has ended. */
export async function runOnce(client: ApiClient, key: string, rawInput?: string) {
  const [scenario] = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios
  const { raw_input, metadata } = scenario
  const body = { ingestion_model: 'clws-policy', raw_input: rawInput ?? raw_input, metadata }
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': `run-once-${key}` })
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body))
  return untilEnded(client, answer.body.submission.executions[0].id)
}

/** A contract of its own for a test: drafted, and frozen as often as there are schemas. */
export async function makeContract(client: ApiClient, name: string, ...schemas: object[]): Promise<string> {
  const [first, ...others] = schemas.map((schema) => JSON.stringify(schema, undefined, 2))
  const made = await client.post('/api/v1/contracts', { name, description: '', schema: first })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const { id } = made.body.contract
  const path = `/api/v1/contracts/${id}`
  await client.post(`${path}/versions`, { expected_revision: 1 })
  for (const [index, schema] of others.entries()) {
    const body = { name, description: '', schema, expected_revision: index + 1 }
    await client.send('PUT', path, body)
    await client.post(`${path}/versions`, { expected_revision: index + 2 })
  }
  return id
}
