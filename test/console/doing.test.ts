import { afterAll, beforeAll, describe, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { expectGoldenLines } from '../support/golden.ts'
import { withoutChance } from '../support/outline.ts'
import type { Page } from '../support/page.ts'
import { type DemoPage, openDemoPage } from './demo-page.ts'
import { changes, choose, fill, press, type Walk, write } from './walks.ts'

// Dozens of screens one after the other; on a busy machine they take that long.
const longestMs = 180_000
setDefaultTimeout(longestMs)

const contractText = JSON.stringify({
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1 },
    sum: { type: 'number', minimum: 0 },
    paid: { type: 'boolean' },
    kind: { enum: ['a', 'b'] },
    parts: { type: 'array', items: { type: 'object', properties: { code: { type: 'integer' } } } },
    note: { type: ['string', 'null'] },
    who: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  },
})

/** A draft keeps itself when typing pauses: whether that has come by then depends on the machine. test/console/autosave.test.ts has it. */
const keptByItself = /^ *span data-state=/

/** In this order, each on what the ones before it have made. */
const walks = ({ made }: DemoPage): Readonly<Record<string, Walk>> => ({
  'a token': {
    path: '/tokens',
    acts: [
      press('New token'),
      fill('Name', 'nightly'),
      press('Make token'),
      press('submission_read'),
      fill('Days', '7'),
      press('Make token'),
      press('Done'),
      press(/^nightly/),
      press(/^Revoke/),
      press('Revoke'),
    ],
  },
  'a user': {
    path: '/users',
    acts: [
      press('New user'),
      fill('Username', 'grace'),
      fill('Name', 'Grace'),
      press('engineer'),
      fill('First password', 'short'),
      press('Create'),
      fill('First password', 'a-long-and-odd-phrase'),
      press('Create'),
    ],
  },
  'a user, changed': {
    path: '/users',
    acts: [
      press(/^Grace/),
      fill('Name', 'Grace H.'),
      press('operator'),
      press('Save'),
      press(/^Disable ?grace/),
      press('Disable'),
      press(/^Enable ?grace/),
      press('Enable'),
      press(/^End sessions ?of grace/),
      press('End all'),
      press(/^New password ?for grace/),
      fill('First password', 'another-long-and-odd-phrase'),
      press('Set password'),
    ],
  },
  'a service account': {
    path: '/users',
    acts: [
      press('New service account'),
      fill('Username', 'robot'),
      fill('Name', 'Robot'),
      press('operator'),
      press('Create'),
    ],
  },
  'a receiver of events': {
    path: '/webhooks',
    acts: [
      press('New receiver'),
      fill('Name', 'ours'),
      fill('Address', 'https://hooks.invalid/quire'),
      press('quire.execution.failed'),
      press('Register'),
      press('Done'),
      press(/^ours/),
      press('Remove…'),
      press('Cancel'),
      press(/^Pause|^Stop/),
    ],
  },
  'a contract': {
    path: '/contracts',
    acts: [
      press('New contract'),
      fill('Name', 'Small'),
      press('Create'),
      write('Schema', '{"type": "objekt"}'),
      press(/^Save/),
      write('Schema', contractText),
      press(/^Save/),
      press('Freeze a version'),
      write('Schema', '{"type": "object", "required": ["name", "sum"]}'),
      press('Name and description'),
      fill('Name', 'Taken back'),
      press('Cancel'),
      press('Name and description'),
      fill('Description', 'small things'),
      press('Save'),
      press('Compare'),
    ],
  },
  'a transformer': {
    path: '/transformers',
    acts: [
      press('New transformer'),
      fill('Name', 'Small'),
      press('Create'),
      write('Source', 'transform: declarative-v1\noutput: { a: $b }'),
      press(/^Save/),
    ],
  },
  'an ingestion model': {
    path: '/ingestion-models',
    acts: [
      press('New ingestion model'),
      fill('Name', 'Small model'),
      press('Create'),
      write('Source', 'model: ingestion-model-v1\ncontract: { name: Nobody, version: 1 }'),
      press(/^Save/),
    ],
  },
  'a template': {
    path: '/templates',
    acts: [press('New template'), fill('Name', 'Small'), press('Create'), choose('small.docx', 'no document')],
  },
  'a case': {
    path: `/contracts/${made.contracts}?tab=cases`,
    acts: [
      press('Generate'),
      fill('Seed', '7'),
      press('Generate'),
      press('Close'),
      press('Import'),
      press('Cancel'),
      press(/^Valid, imported/),
      press('Close'),
      fill('Kind', 'boundary'),
    ],
  },
  'versions of a contract': {
    path: `/contracts/${made.contracts}?tab=versions`,
    acts: [press('v1'), press(/^Deprecate/), press('Cancel')],
  },
  'what is in force': {
    path: '/activations',
    acts: [fill('Kind', 'template'), press('Clear'), press(/^Put in force ?Template/), press('Put in force')],
  },
  'all that a model names': {
    path: `/ingestion-models/${made['ingestion-models']}`,
    acts: [press(/^Put all in force/)],
  },
  'a hold': {
    path: '/retention',
    acts: [
      press('New hold'),
      fill('Object', 'policy:CLW-24-18265'),
      fill('Why', 'a lawsuit'),
      press('Place hold'),
      press(/^Release/),
      fill('Why', 'it is over'),
      press('Release'),
    ],
  },
  policies: {
    path: '/retention',
    acts: [
      press('Change policies'),
      fill('Policies', 'clws-policy'),
      press('Count'),
      fill('Policies', 'clws-policy 90 raw_input=30'),
      press('Count'),
    ],
  },
  'a chain': { path: '/audit', acts: [press('Check the chain'), fill('Kind', 'contract'), press(/^contract.created/)] },
  'a stored document': {
    path: '/storage?format=pdf',
    acts: [press(/^policy:/), press('Close'), fill('Format', 'docx')],
  },
  'made again': { path: `/executions/${made.completed}`, acts: [press('Make it again')] },
  'the executions that failed': { path: '/executions', acts: [fill('Status', 'failed'), press('Retry failed')] },
  'a submission': {
    path: '/submissions/new',
    acts: [
      fill('Submit to', 'model:clws-policy'),
      fill('Begin with', made.case),
      fill('Object reference', 'policy:1'),
      write('Raw input', '{"policy": {"number": 1}}'),
      press('Submit'),
    ],
  },
  sessions: {
    path: '/account',
    acts: [press('End all others'), press('Cancel'), press('Add an app'), press('Cancel')],
  },
  'another password': {
    path: '/password',
    acts: [fill('Present password', 'wrong'), press('Change password')],
  },
})

describe('doing without a browser', () => {
  let demo: DemoPage
  let page: Page
  beforeAll(async () => {
    demo = await openDemoPage()
    page = demo.page
    await page.signIn('root', 'administrator', 'operator')
  }, longestMs)
  afterAll(() => page?.close())

  test('every step sends what it says, and shows what came of it', async () => {
    const lines: string[] = []
    const shown = () => page.shown().filter((line) => !keptByItself.test(line))
    for (const [name, { path, acts }] of Object.entries(walks(demo))) {
      await page.open(path)
      lines.push(`# ${name}`, ...page.sent())
      let before = shown()
      for (const [what, act] of acts) {
        await act(page).catch((error: Error) => {
          throw new Error(`${name}, ${what}: ${error.message}`, { cause: error })
        })
        const after = shown()
        lines.push(`## ${withoutChance(what)}`, ...page.sent(), ...changes(before, after))
        before = after
      }
    }
    expectGoldenLines(join(import.meta.dir, 'golden', 'doing.txt'), lines)
  })
})
