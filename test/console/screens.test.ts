import { afterAll, beforeAll, describe, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Role } from '../../src/http/access.ts'
import { expectGoldenLines } from '../support/golden.ts'
import type { Page } from '../support/page.ts'
import { type DemoPage, openDemoPage } from './demo-page.ts'

// Dozens of screens one after the other; on a busy machine they take that long.
const longestMs = 180_000
setDefaultTimeout(longestMs)

const golden = (name: string) => join(import.meta.dir, 'golden', `${name}.txt`)

/** Every screen, and every tab of it. */
const addresses = ({ made }: DemoPage): Readonly<Record<string, string>> => ({
  home: '/',
  lab: '/lab',
  'a scenario that fails': '/lab?scenario=invalid',
  submissions: '/submissions',
  'a submission': `/submissions/${made.submission}`,
  executions: '/executions',
  'executions that failed': '/executions?status=failed',
  'an execution': `/executions/${made.completed}`,
  'a failed execution': `/executions/${made.failed}`,
  storage: '/storage',
  contracts: '/contracts',
  'a draft': `/contracts/${made.contracts}`,
  'versions of a contract': `/contracts/${made.contracts}?tab=versions`,
  'comparison of a contract': `/contracts/${made.contracts}?tab=compare`,
  'cases of a contract': `/contracts/${made.contracts}?tab=cases`,
  transformers: '/transformers',
  'a transformer': `/transformers/${made.transformers}`,
  'versions of a transformer': `/transformers/${made.transformers}?tab=versions`,
  templates: '/templates',
  'a template': `/templates/${made.templates}`,
  'bindings of a template': `/templates/${made.templates}?tab=bindings`,
  'a template filled': `/templates/${made.templates}?tab=preview`,
  'versions of a template': `/templates/${made.templates}?tab=versions`,
  'ingestion models': '/ingestion-models',
  'an ingestion model': `/ingestion-models/${made['ingestion-models']}`,
  'comparison of a transformer': `/transformers/${made.transformers}?tab=compare`,
  'a workspace': `/ingestion-models/${made['ingestion-models']}/workspace`,
  'a review': `/ingestion-models/${made['ingestion-models']}/review`,
  'versions of an ingestion model': `/ingestion-models/${made['ingestion-models']}?tab=versions`,
  'a new submission': '/submissions/new',
  'a corrected submission': `/submissions/new?model=clws-policy&corrects=${made.submission}&execution=${made.failed}`,
  tokens: '/tokens',
  operations: '/operations',
  readiness: '/readiness',
  users: '/users',
  webhooks: '/webhooks',
  batches: '/batches',
  'in force': '/activations',
  'a month of the calendar': '/activations?tab=month&month=2026-01',
  'a year of the calendar': '/activations?tab=list&month=2026-01&kind=template',
  'audit of contracts': '/audit?resource_kind=contract',
  retention: '/retention',
  'the own account': '/account',
  'another password': '/password',
  'no screen': '/nowhere',
})

/** Nothing relays events here: how many wait, and for how long, would depend on the machine. */
function publishAll({ app }: DemoPage): Promise<unknown> {
  return app.database.write((tx) => tx.q.update(tx.t.events).set({ publishedAt: tx.clock }))
}

/** Where roles differ. */
const ofRoles = [
  'home',
  'a submission',
  'a failed execution',
  'storage',
  'a draft',
  'a template',
  'in force',
  'a new submission',
  'tokens',
  'users',
]

describe('the screens without a browser', () => {
  let demo: DemoPage
  let page: Page
  beforeAll(async () => {
    demo = await openDemoPage()
    page = demo.page
  }, longestMs)
  afterAll(() => page?.close())

  test('show an administrator what there is, and what can be done with it', async () => {
    await page.signIn('root', 'administrator')
    const lines: string[] = []
    for (const [name, path] of Object.entries(addresses(demo))) {
      if (name === 'operations') await publishAll(demo)
      await page.open(path)
      lines.push(`# ${name}`, ...page.sent(), ...page.shown())
    }
    expectGoldenLines(golden('screens'), lines)
  })

  test.each(['engineer', 'operator', 'auditor', 'business_viewer'] satisfies Role[])(
    'show the role %s only what it may see and do',
    async (role) => {
      await page.signIn(role, role)
      // Signed in, one is where the one before signed out.
      await page.open('/')
      const lines = page.navigation()
      const all = addresses(demo)
      for (const name of ofRoles) {
        await page.open(all[name]!)
        const acts = page.shown().filter((line) => /^ *(h1|h2|button|a\.button|input|select|p)\b/.test(line))
        lines.push(`# ${name}`, ...page.sent(), ...acts)
      }
      expectGoldenLines(golden(`screens-${role}`), lines)
    },
  )

  // Last, because the lab remembers what has run.
  test('show a scenario that runs', async () => {
    await page.signIn('runner', 'administrator', 'operator')
    await page.open('/lab?scenario=invalid')
    await page.press('Run')
    expectGoldenLines(golden('lab'), [...page.sent(), ...page.shown()])
  })
})
