import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page, type Response as Received } from 'playwright-core'
import { onTestsEnd } from './cleanup.ts'
import { undescribed } from './described.ts'

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The Chromium of this machine (CHROMIUM names another); undefined if there is none. */
export const chromiumPath = [process.env.CHROMIUM, ...candidates].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
)

/**
 * Whether browser tests are left out here: only where there is no Chromium, said out loud, and never in continuous
 * integration, where a missing browser has to fail.
 */
export function skipsBrowserTests(name: string): boolean {
  if (chromiumPath !== undefined || process.env.CI === 'true') return false
  process.stderr.write(`SKIPPED: ${name}. There is no Chromium here; install it, or name one with CHROMIUM.\n`)
  return true
}

/** The same Chromium without windows of its own, and without what belongs to them: the viewer of PDFs, for one. */
const windowless = '/usr/bin/chromium-headless-shell'

/** A screen is there for seconds: compilers that pay for themselves later take a seventh of what loading and checking it takes. */
const compileLess = '--js-flags=--no-opt --no-maglev'

/** @param needs `pages` where nothing but pages is looked at: what draws no windows takes the processor a third less. */
export async function startBrowser(needs: 'pages' | 'everything' = 'everything'): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium here; install it, or name one with CHROMIUM.')
  const isGiven = (process.env.CHROMIUM ?? '') !== ''
  const browser = await chromium.launch({
    executablePath: needs === 'pages' && !isGiven && existsSync(windowless) ? windowless : chromiumPath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      '--host-resolver-rules=MAP quire.lan 127.0.0.1',
      ...(needs === 'pages' ? [compileLess] : []),
    ],
  })
  onTestsEnd(() => browser.close())
  return browser
}

/** What a page did that it must not do: errors in its console, and requests that left its origin. */
export interface Watched {
  errors: string[]
  strayRequests: string[]
  /** How many requests went over the network at all, so that an empty list of strays says something. */
  requests: number
}

/** The browser's own PDF viewer loads its parts from inside the browser; only what goes over a network counts. */
const overNetwork = /^(?:https?|wss?|ftp):/

export function watch(page: Page, origin: string): Watched {
  const watched: Watched = { errors: [], strayRequests: [], requests: 0 }
  page.on('console', (message) => {
    if (message.type() === 'error') watched.errors.push(`${message.text()} (${message.location().url})`)
  })
  page.on('response', (response) => {
    undescribedIn(response, origin).then((fault) => {
      if (fault !== undefined) watched.errors.push(`not as /openapi.json says: ${fault}`)
    })
  })
  page.on('pageerror', (error) => watched.errors.push(String(error)))
  page.on('request', (request) => {
    if (!overNetwork.test(request.url())) return
    watched.requests++
    if (new URL(request.url()).origin !== origin) watched.strayRequests.push(request.url())
  })
  return watched
}

/** What of an answer that the console got isn't described; a page that has moved on has its answers no longer. */
async function undescribedIn(received: Received, origin: string): Promise<string | undefined> {
  const { origin: from, pathname } = new URL(received.url())
  const headers = received.headers()
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  if (from !== origin || !pathname.startsWith('/api/') || isStream) return undefined
  const bytes = await received.body().catch(() => undefined)
  // A browser shows its debugger nothing of what the page called off or took as a blob.
  if (bytes === undefined || (bytes.length === 0 && Number(headers['content-length']) > 0)) return undefined
  const body = [204, 304].includes(received.status()) ? null : new Uint8Array(bytes)
  const response = new Response(body, { status: received.status(), headers })
  return undescribed(origin, received.request().method(), pathname, response)
}
