/** What the pages show as JSON, YAML or plain text is what Quire takes or makes; what no test can hold is named. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import Ajv from 'ajv'
import { parse } from 'yaml'
import { describeEvents, eventDescriptions } from '../../src/bus/asyncapi.ts'
import { loadConfig } from '../../src/config.ts'
import { languages } from '../../src/modules/projects/projects.languages.ts'
import { retentionPlanBody } from '../../src/modules/retention/retention.model.ts'
import { newSubmission } from '../../src/modules/submissions/submissions.model.ts'
import { newWebhookBody } from '../../src/modules/webhooks/webhooks.model.ts'
import { temporaryFolder } from '../support/database.ts'
import { allBlocks, blocksOf, readPage, root } from './pages.ts'

/** The texts of a page's blocks in one language. */
async function textsOf(page: string, language: string): Promise<string[]> {
  return (await blocksOf(page)).filter((block) => block.language === language).map(({ text }) => text)
}

test('the event that the page shows is one of the description', async () => {
  const [shown = ''] = await textsOf('docs/events.md', 'json')
  const { components } = JSON.parse(JSON.stringify(describeEvents()))
  const { payload } = components.messages.execution_step_succeeded
  const check = new Ajv({ strict: false, validateFormats: false }).compile(payload)
  expect([check(JSON.parse(shown)), check.errors]).toEqual([true, null])
})

test('the table of the events of an execution has all of them, with what their data has', async () => {
  const page = await readPage('docs/events.md')
  const section = page.slice(
    page.indexOf('## Events of an execution'),
    page.indexOf('## What a subscriber may rely on'),
  )
  const wordsOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  const shown = [...section.matchAll(/^\| `([^`]+)` \| .* \| (.*) \|$/gm)].map(([, type = '', data = '']) => [
    type,
    wordsOf(data).sort(),
  ])
  const described = eventDescriptions
    .filter(({ aggregate }) => aggregate === 'execution')
    .map(({ type, data }) => [
      type,
      Object.keys(data)
        .filter((name) => name !== 'execution_id')
        .sort(),
    ])
  expect(shown.sort()).toEqual(described.sort())
})

test('the bodies of requests that the pages show are what their operations take', async () => {
  const [webhook = ''] = await textsOf('docs/webhooks.md', 'json')
  expect([...Value.Errors(newWebhookBody, JSON.parse(webhook))]).toEqual([])
  const [submission = ''] = await textsOf('docs/api-configuration.md', 'json')
  expect([...Value.Errors(newSubmission, JSON.parse(submission))]).toEqual([])
  const policies = (await textsOf('docs/operations.md', 'yaml')).filter((text) => /^policies:/m.test(text))
  expect(policies).toHaveLength(2)
  for (const text of policies) expect([text, [...Value.Errors(retentionPlanBody, parse(text))]]).toEqual([text, []])
})

test('the settings that the page of operations shows can be loaded', async () => {
  const [shown = ''] = (await textsOf('docs/operations.md', 'yaml')).filter((text) => text.includes('oidc_issuer:'))
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'secret'), 'a secret of the provider')
  const own = shown.replace('/run/secrets/quire-oidc', join(folder, 'secret'))
  expect(own).not.toBe(shown)
  writeFileSync(join(folder, 'quire.yaml'), own)
  const config = loadConfig({}, folder)
  expect(config.origins).toEqual(['https://quire.example.org'])
  expect(config.oidc?.roles).toHaveLength(3)
})

test("the editor's settings name the schemas that the command beside them writes", async () => {
  const [settings = ''] = await textsOf('docs/commands.md', 'json')
  const [commands = ''] = await textsOf('docs/commands.md', 'sh')
  const written = /for name in (.*?);/.exec(commands)?.[1]?.split(' ') ?? []
  expect(written.toSorted()).toEqual(Object.keys(languages).sort())
  const named = [...settings.matchAll(/\.schemas\/([\w-]+)\.json/g)].map(([, name = '']) => name)
  expect(named.sort()).toEqual(written.sort())
})

/** Of the blocks that are no commands: the test that holds them against what Quire does, or why none can, by page and language. */
const held: Readonly<Record<string, string>> = {
  'README.md text': 'test/docs/commands.test.ts',
  'docs/api-configuration.md json': 'test/docs/wire-examples.test.ts',
  'docs/architecture.md text': 'a drawing',
  'docs/ci.md yaml': 'test/scripts/ci.test.ts',
  'docs/client.md ts': 'test/packages/client.test.ts',
  'docs/commands.md json': 'test/docs/wire-examples.test.ts',
  'docs/cookbook.md yaml': 'test/engines/declarative/cookbook.test.ts',
  'docs/declarative-v1.md yaml': 'test/engines/declarative/reference.test.ts',
  'docs/erste-schritte.md text': 'test/docs/commands.test.ts',
  'docs/events.md json': 'test/docs/wire-examples.test.ts',
  'docs/events.md text': 'a call of mosquitto_sub, which is another program, to a server of somebody else',
  'docs/ingestion-models.md json': 'test/docs/ingestion-models.test.ts',
  'docs/ingestion-models.md text': 'test/docs/ingestion-models.test.ts',
  'docs/ingestion-models.md xml': 'test/docs/ingestion-models.test.ts',
  'docs/ingestion-models.md yaml': 'test/docs/ingestion-models.test.ts',
  'docs/layout.md text': 'a drawing',
  'docs/operations.md text':
    'settings of rsyslog, which test/syslog/rsyslog.ts starts with, of PostgreSQL, and findings of one machine',
  'docs/operations.md yaml': 'test/docs/wire-examples.test.ts',
  'docs/programs.md python': 'test/docs/commands.test.ts',
  'docs/templates.md text': 'test/docs/examples.test.ts',
  'docs/testing.md ts': 'test/packages/testing.test.ts',
  'docs/testing.md yaml': 'test/modules/projects/languages.test.ts',
  'docs/threat-model.md text': 'a drawing',
  'docs/webhooks.md json': 'test/docs/wire-examples.test.ts',
  'docs/webhooks.md python': 'test/docs/webhooks.test.ts',
  'docs/webhooks.md ts': 'test/docs/webhooks.test.ts',
  'src/client/README.md ts': 'test/packages/client.test.ts',
  'src/testing/README.md ts': 'test/packages/testing.test.ts',
}

test('every fenced block that isn’t a command is checked by a test, or has the reason why it can’t be', async () => {
  const others = (await allBlocks()).filter(({ language }) => language !== 'sh' && language !== 'console')
  const kinds = new Set(others.map(({ page, language }) => `${page} ${language}`))
  expect(Object.keys(held)).toEqual([...kinds].sort())
  for (const [kind, by] of Object.entries(held)) {
    if (!by.startsWith('test/')) continue
    const [page = ''] = kind.split(' ')
    const file = join(root, by)
    expect([kind, existsSync(file)]).toEqual([kind, true])
    // A test that takes all pages at once names none.
    const source = readFileSync(file, 'utf8')
    const names = source.includes(basename(page, '.md')) || source.includes('allBlocks()')
    expect([kind, by, names]).toEqual([kind, by, true])
  }
})
