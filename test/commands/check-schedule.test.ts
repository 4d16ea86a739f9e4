import { expect, test } from 'bun:test'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand } from '../support/command.ts'

const later = (files: string[], at = '2099-01-01T00:00:00Z') =>
  `  - effective_from: ${at}\n    files:\n${files.map((file) => `      - ${file}\n`).join('')}`
const scheduled = (files: Record<string, string | Uint8Array>, folder = 'scheduled/spring') =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))

/** A project with files that come into force in the spring. */
function withSpring(files: Record<string, string | Uint8Array>, rest: Record<string, string> = {}): string {
  const spring = scheduled(files)
  return folderWith({
    ...greeting,
    ...spring,
    'activations.yaml': `activations:\n${later(Object.keys(spring))}`,
    ...rest,
  })
}

const person = (properties: object) =>
  JSON.stringify({ type: 'object', required: Object.keys(properties), properties, additionalProperties: false })
const greetingLater = String(greeting['transformers/greeting.yaml'])

/** What comes into force later, the file that has to be named, and what is said of it. */
const broken: [what: string, files: Record<string, string | Uint8Array>, file: string, words: string][] = [
  [
    'a contract that is no schema',
    { 'contracts/person.schema.json': '{"type":"objekt"}' },
    'contracts/person.schema.json',
    'objekt',
  ],
  [
    'a transformer that is none',
    { 'transformers/greeting.yaml': 'transform: v9\n' },
    'transformers/greeting.yaml',
    'declarative-v1',
  ],
  [
    'a model that is none',
    { 'models/greeting.yaml': 'model: ingestion-model-v1\n' },
    'models/greeting.yaml',
    'contract',
  ],
  [
    'a template with an open tag',
    { 'templates/greeting.docx': wordPackage(p('{{#if /name}}')) },
    'templates/greeting.docx',
    'never closed',
  ],
  [
    'a transformer that reads what its new contract has not',
    {
      'contracts/person.schema.json': person({ name: { type: 'string' }, due: { type: 'integer' } }),
      'transformers/greeting.yaml': greetingLater,
    },
    'transformers/greeting.yaml',
    '/owes',
  ],
  [
    'a template that wants what the transformer in force does not write',
    { 'templates/greeting.docx': wordPackage(p('{{/surname}}')) },
    '../../transformers/greeting.yaml',
    'With what begins at 2099-01-01T00:00:00Z',
  ],
]

test.each(broken)('check and test refuse %s', async (_what, files, file, words) => {
  const folder = withSpring(files)
  const path = file.startsWith('../../') ? file.slice(6) : `scheduled/spring/${file}`
  for (const command of ['check', 'test']) {
    const { code, stdout, stderr } = await runCommand(folder, [command])
    expect([command, code]).toEqual([command, 1])
    expect(
      (stdout + stderr)
        .split('\n')
        .filter((line) => line.startsWith(`${path}:`))
        .join('\n'),
    ).toContain(words)
  }
})

test('what is fit for its instant is fine, though what it replaces is not, and later stages build on earlier ones', async () => {
  const spring = scheduled({
    'contracts/person.schema.json': person({ name: { type: 'string' }, due: { type: 'integer' } }),
    'transformers/greeting.yaml': greetingLater.replace('/owes', '/due').replace('person@1', 'person@2'),
    'transformers/notice.yaml': 'transform: declarative-v1\noutput: { amount: /owes }\n',
    'models/greeting.yaml': String(greeting['models/greeting.yaml'])
      .replace('version: 1', 'version: 2')
      .replace('/owes', '/due'),
  })
  const summer = scheduled(
    { 'templates/greeting.docx': wordPackage(p('{{/name}} {{/owes}} {{/place}}')) },
    'scheduled/summer',
  )
  const folder = folderWith({
    ...greeting,
    ...summer,
    ...spring,
    'activations.yaml': `activations:\n${later(Object.keys(summer), '2099-07-01T00:00:00Z')}${later(Object.keys(spring))}`,
  })
  const checked = await runCommand(folder, ['check'])
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('10 files are fine\n')])
  expect(checked.stdout).not.toContain('begins at')
  // The cases are refused by the contract to come, which is what is expected from then on.
  expect((await runCommand(folder, ['test', '--update'])).code).toBe(0)
  const tested = await runCommand(folder, ['test'])
  expect([tested.code, tested.stderr]).toEqual([0, ''])
}, 60_000)

test('activations.yaml and families.json are checked, with files that have no instant', async () => {
  const folder = withSpring(
    { 'transformers/greeting.yaml': greetingLater },
    {
      'families.json': '{"model":{}}',
      'activations.yaml':
        'activations:\n  - effective_from: soon\n    files: [scheduled/spring/transformers/none.yaml]\n',
    },
  )
  const { code, stdout } = await runCommand(folder, ['check'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('families.json: /model: ')])
  expect(stdout).toContain('activations.yaml: /activations/0/effective_from: "soon" is no instant.')
  const unlisted = withSpring(
    { 'transformers/greeting.yaml': greetingLater },
    { 'activations.yaml': 'activations: []\n' },
  )
  for (const command of ['check', 'test']) {
    const { code: refused, stdout: out, stderr } = await runCommand(unlisted, [command])
    expect([refused, out + stderr]).toEqual([
      1,
      expect.stringContaining('scheduled/spring/transformers/greeting.yaml: activations.yaml does not say when'),
    ])
  }
})
