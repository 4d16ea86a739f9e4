import { describe, expect, test } from 'bun:test'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { type Files, hello, model, transformer, zipOf } from './fixture.ts'

const letter = (...tags: string[]) => wordPackage(p('1: {{/line}}') + tags.map((tag) => p(tag)).join(''))

const contract = 'contracts/person.schema.json'
/** Its sources name the contract by its slug, which no mistake in the file takes away. */
const bySlug: Files = {
  ...hello,
  'models/hello.yaml': model().replace('name: Person', 'name: person'),
  'transformers/hello.yaml': transformer('Hello').replace('Person@', 'person@'),
  'cases/hello/ann.json': '{"name":"Ann"}',
}

/** Its transformer names no version of the template, so that changing the template asks for no new number. */
const unnumbered: Files = {
  ...bySlug,
  'transformers/hello.yaml': String(bySlug['transformers/hello.yaml']).replace('template: hello@1\n', ''),
}

/** What is wrong with one file, and the place that has to be told. */
const broken: [what: string, files: Files, place: string][] = [
  ['an empty contract', { [contract]: '' }, contract],
  ['a contract cut off', { [contract]: '{"type":' }, `${contract}#/type`],
  ['a contract that is no schema', { [contract]: '[]' }, contract],
  ['a contract with an unknown type', { [contract]: '{"type":"strin"}' }, `${contract}#/type`],
  [
    'a pattern that is none',
    { [contract]: '{"properties":{"a":{"pattern":"("}}}' },
    `${contract}#/properties/a/pattern`,
  ],
  ['a reference to nothing', { [contract]: '{"$ref":"#/nowhere"}' }, `${contract}#/$ref`],
  ['a schema that applies itself', { [contract]: '{"$ref":"#"}' }, contract],
  ['another draft', { [contract]: '{"$schema":"http://json-schema.org/draft-04/schema#"}' }, `${contract}#/$schema`],
  ['a byte order mark', { [contract]: '\uFEFF{}' }, contract],
  ['an empty transformer', { 'transformers/hello.yaml': '' }, 'transformers/hello.yaml'],
  ['a transformer cut off', { 'transformers/hello.yaml': 'transform: declarative-v1\n' }, 'transformers/hello.yaml'],
  ['an empty model', { 'models/hello.yaml': '' }, 'models/hello.yaml'],
  ['an empty template', { 'templates/hello.docx': '' }, 'templates/hello.docx'],
  ['an open tag', { 'templates/hello.docx': letter('{{#if /line}}') }, 'templates/hello.docx#word/document.xml#2:0'],
  [
    'a broken fragment',
    { 'templates/hello.docx': letter('{{> closing}}'), 'templates/closing.docx': letter('{{#if /line}}') },
    'templates/closing.docx#word/document.xml#2:0',
  ],
  [
    'an empty fragment',
    { 'templates/hello.docx': letter('{{> closing}}'), 'templates/closing.docx': '' },
    'templates/closing.docx',
  ],
  [
    'a fragment that is nowhere',
    { 'templates/hello.docx': letter('{{> nowhere}}') },
    'templates/hello.docx#word/document.xml#2:0',
  ],
  [
    'a circle of fragments',
    { 'templates/hello.docx': letter('{{> closing}}'), 'templates/closing.docx': letter('{{> hello}}') },
    'templates/closing.docx#word/document.xml#2:0',
  ],
  [
    'a transformer that is nowhere',
    { 'models/hello.yaml': model().replace('transformer: hello', 'transformer: nowhere') },
    'models/hello.yaml#/nodes/0/transformer',
  ],
]

const encodings: [what: string, bytes: Uint8Array][] = [
  ['UTF-16', new Uint8Array(Buffer.from('\uFEFFtransform: declarative-v1', 'utf16le'))],
  ['Latin-1', new Uint8Array(Buffer.from('transform: declarative-v1 # é', 'latin1'))],
]

/** The same files, scheduled for later. */
function later(files: Files): Files {
  const own = Object.keys(files).filter((path) => /^(contracts|transformers|models|templates)\//.test(path))
  const moved = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [own.includes(path) ? `scheduled/later/${path}` : path, content]),
  )
  const listed = own.map((path) => `      - scheduled/later/${path}\n`).join('')
  return {
    ...moved,
    'activations.yaml': `activations:\n  - effective_from: 2099-01-01T00:00:00Z\n    files:\n${listed}`,
  }
}

describe('a plan of a project in which a file is broken', () => {
  let authors = 0
  const store = async (): Promise<{ app: TestApp; author: Author }> => {
    const app = await startTestApp('sqlite')
    return { app, author: await Author.signIn(app, `broken-${++authors}`) }
  }
  const plan = (author: Author, files: Files, fields: Record<string, string> = {}) =>
    author.form('POST', '/project/plan', fields, zipOf(files), {}, 'application/zip')
  const placesOf = (issues: readonly { path: string }[]) => issues.map(({ path }) => path)

  test('names the file and the place in it, on an empty store and where the project is in force', async () => {
    for (const whole of [bySlug, unnumbered]) {
      const { author } = await store()
      if (whole === unnumbered) {
        const { body } = await plan(author, whole)
        const fields = { plan_hash: body.plan_hash }
        const applied = await author.form('POST', '/project/apply', fields, zipOf(whole), {}, 'application/zip')
        expect(applied.status).toBe(200)
      }
      for (const [what, files, place] of broken) {
        for (const fields of [{}, { freeze_only: 'true' }, { effective_from: '2098-01-01T00:00:00Z' }]) {
          const { status, body } = await plan(author, { ...whole, ...files }, fields)
          expect([what, status, body.valid]).toEqual([what, 200, false])
          expect(placesOf(body.issues), what).toContain(place)
        }
      }
    }
  })

  test('names it among what comes into force later, too', async () => {
    const { author } = await store()
    for (const [what, files, place] of broken) {
      const { status, body } = await plan(author, later({ ...bySlug, ...files }))
      expect([what, status, body.valid]).toEqual([what, 200, false])
      expect(placesOf(body.issues), what).toContain(`scheduled/later/${place}`)
    }
  })

  test('refuses other encodings than UTF-8, naming the file', async () => {
    const { author } = await store()
    for (const [what, bytes] of encodings) {
      for (const path of [contract, 'transformers/hello.yaml', 'models/hello.yaml', 'families.json']) {
        const { status, body } = await plan(author, { ...bySlug, [path]: bytes })
        expect([what, status, placesOf(body.errors)]).toEqual([what, 422, [path]])
      }
    }
  })

  test('tells where in the text the file is wrong', async () => {
    const { author } = await store()
    const { body } = await plan(author, { ...bySlug, [contract]: '{\n  "type": x\n}' })
    expect(body.issues).toEqual([
      expect.objectContaining({ path: `${contract}#/type`, context: { line: '2', column: '11' } }),
    ])
  })

  test('lets no case with invalid params pass', async () => {
    const { author } = await store()
    for (const [params, words] of [
      ['{', '1:2 The params: Expected a key'],
      ['[]', 'The params are not a JSON object.'],
    ] as const) {
      const { body } = await plan(author, { ...bySlug, 'cases/hello/ann.params.json': params })
      expect(body.broken_cases).toEqual([
        expect.objectContaining({ path: 'cases/hello/ann.json', message: expect.stringContaining(words) }),
      ])
    }
  })
})
