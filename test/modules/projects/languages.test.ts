/** The schemas of Quire's languages as editors get them. What each refuses is with the tests of its engine. */
import { expect, test } from 'bun:test'
import { parseInstant } from '../../../src/core/instant.ts'
import { demo } from '../../../src/demo/demo.ts'
import { readActivations, writeActivations } from '../../../src/modules/projects/projects.activations.ts'
import { languages } from '../../../src/modules/projects/projects.languages.ts'
import { readFamilyTexts } from '../../../src/modules/projects/projects.texts.ts'
import { allBlocks, placeOf } from '../../docs/pages.ts'
import { startTestApp } from '../../http/harness.ts'
import { greeting, invoices, orders } from '../../project/fixture.ts'
import { runCommand } from '../../support/command.ts'
import { temporaryFolder } from '../../support/database.ts'
import { judgeOf } from '../../support/judge.ts'

const judges = new Map(Object.entries(languages).map(([name, make]) => [name, judgeOf(make())]))

function found(language: string, text: string): string[] {
  const judge = judges.get(language)
  if (judge === undefined) throw new Error(`there is no ${language}`)
  return judge(text)
}

const blocks = (await allBlocks()).filter(({ language }) => language === 'yaml')

test('every transformer of the pages, the demo and the tests’ projects satisfies the schema', () => {
  const whole = [
    demo.transformer.source,
    ...[greeting, invoices, orders]
      .flatMap(Object.entries)
      .filter(([name]) => name.startsWith('transformers/'))
      .map(([, text]) => String(text)),
  ]
  const shown = blocks.flatMap((block) => {
    if (/^transform:/m.test(block.text)) return [block.text]
    return /^# input /.test(block.text) ? [`transform: declarative-v1\n${block.text}`] : []
  })
  expect(shown.length).toBeGreaterThan(100)
  for (const text of [...whole, ...shown]) expect([text, found('transformer', text)]).toEqual([text, []])
})

test('every ingestion model of them satisfies the schema', () => {
  const whole = [
    demo.ingestionModel.source,
    ...[greeting, invoices, orders]
      .flatMap(Object.entries)
      .filter(([name]) => name.startsWith('models/'))
      .map(([, text]) => String(text)),
  ]
  const shown = blocks.filter(({ text }) => /^model:/m.test(text))
  expect(shown.length).toBeGreaterThan(3)
  for (const text of whole) expect([text, found('ingestion-model', text)]).toEqual([text, []])
  for (const block of shown)
    expect([placeOf(block), found('ingestion-model', block.text)]).toEqual([placeOf(block), []])
})

test('activations.yaml and families.json are checked by the shapes that their readers have', () => {
  const at = parseInstant('2027-01-01T00:00:00Z')
  if (at === undefined) throw new Error('is an instant')
  const written = writeActivations(new Map([['scheduled/later/models/a.yaml', at]]))
  expect(found('activations', written)).toEqual([])
  const bytes = (text: string) => new TextEncoder().encode(text)
  for (const text of [
    'activations: 1\n',
    'activations: [{ effective_from: 2027-01-01T00:00:00Z, files: [] }]\n',
    'activation: []\n',
  ]) {
    expect([text, readActivations(bytes(text), new Set()).ok, found('activations', text).length > 0]).toEqual([
      text,
      false,
      true,
    ])
  }
  expect(found('families', '{ "models": { "a": { "name": "A", "description": "" } } }')).toEqual([])
  for (const text of [
    '{ "model": {} }',
    '{ "models": { "A": { "name": "A", "description": "" } } }',
    '{ "models": { "a": {} } }',
  ]) {
    expect([text, readFamilyTexts(bytes(text)).ok, found('families', text).length > 0]).toEqual([text, false, true])
  }
})

test('the executable prints the schemas, and a server has the same for everybody', async () => {
  const app = await startTestApp('sqlite')
  for (const [name, make] of Object.entries(languages)) {
    const served = await app.send({ path: `/schemas/${name}.json` })
    expect([served.status, served.headers.get('content-type'), await served.json()]).toEqual([
      200,
      'application/json',
      make() as object,
    ])
  }
  const { code, stdout } = await runCommand(temporaryFolder(), ['schema', 'ingestion-model'])
  expect([code, JSON.parse(stdout)]).toEqual([0, languages['ingestion-model']?.() as object])
  const refused = await runCommand(temporaryFolder(), ['schema', 'transfomer'])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('did you mean transformer?')])
})
