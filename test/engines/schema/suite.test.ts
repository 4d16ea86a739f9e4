/**
 * The official JSON Schema test suite, which is not part of this repository. The Debian package
 * libtest-json-schema-acceptance-perl brings one release of it, which is what CI runs; QUIRE_JSON_SCHEMA_SUITE names a
 * newer checkout.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { JsonValue } from '../../../src/core/json.ts'
import { convertSchemaValue } from '../../../src/engines/schema/convert/convert.ts'
import type { Draft } from '../../../src/engines/schema/convert/dialects.ts'
import { compileSchemaValue, validatePayload } from '../../../src/engines/schema/schema.ts'

interface SuiteGroup {
  description: string
  schema: JsonValue
  tests: { description: string; data: JsonValue; valid: boolean }[]
}

const packaged = '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance'
const folder = process.env.QUIRE_JSON_SCHEMA_SUITE ?? packaged
const isHere = existsSync(join(folder, 'tests', 'draft2020-12'))
if (!isHere && process.env.CI === 'true') throw new Error(`CI must have the official JSON Schema suite in ${folder}`)
if (!isHere) {
  process.stderr.write(
    'SKIPPED: the official JSON Schema suite. Install libtest-json-schema-acceptance-perl, or name a checkout with QUIRE_JSON_SCHEMA_SUITE.\n',
  )
}

/** Optional files that do not apply, each with its reason. */
const notApplicable: Record<string, string> = {
  'cross-draft.json': 'only 2020-12 is a dialect here',
}

function jsonFilesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(directory, name))
}

/** The documents of 2020-12, or of an older draft, which are then converted like the schemas that refer to them. */
function remoteDocuments(older?: { name: string; draft: Draft }): Map<string, JsonValue> {
  const documents = new Map<string, JsonValue>()
  const root = join(folder, 'remotes')
  const visit = (directory: string) => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name)
      if (statSync(path).isDirectory()) visit(path)
      else if (isFor(relative(root, path), older?.name)) {
        const document: JsonValue = JSON.parse(readFileSync(path, 'utf8'))
        const converted = older === undefined ? document : convertSchemaValue(document, older.draft)
        documents.set(`http://localhost:1234/${relative(root, path)}`, converted)
      }
    }
  }
  visit(root)
  return documents
}

/** Documents of no draft's folder are for all of them. */
function isFor(path: string, draft: string | undefined): boolean {
  const [, own] = /^(draft[^/]*|v1)\//.exec(path) ?? []
  if (draft !== undefined) return own === undefined || own === draft
  return !/^(?:draft[3467]|draft2019-09|v1)$/.test(own ?? '')
}

/** Runs every case of the files; answers how many there are and which went wrong. */
function run(
  files: string[],
  assertFormats: boolean,
  older?: { name: string; draft: Draft },
): { total: number; wrong: string[] } {
  const documents = remoteDocuments(older)
  let total = 0
  const wrong: string[] = []
  for (const file of files) {
    for (const group of JSON.parse(readFileSync(file, 'utf8')) as SuiteGroup[]) {
      const schema = older === undefined ? group.schema : convertSchemaValue(group.schema, older.draft)
      const compiled = compileSchemaValue(schema, { documents, assertFormats })
      for (const { description, data, valid } of group.tests) {
        total++
        const name = `${relative(folder, file)}: ${group.description}: ${description}`
        if (!compiled.ok) wrong.push(`${name}: ${compiled.findings[0]?.message}`)
        else if ((validatePayload(compiled.value, data).length === 0) !== valid) wrong.push(name)
      }
    }
  }
  process.stderr.write(`  ${total - wrong.length} of ${total} right\n`)
  return { total, wrong }
}

describe.if(isHere)('the official suite for 2020-12', () => {
  const directory = join(folder, 'tests', 'draft2020-12')

  test('every required test is answered as the suite says', () => {
    const { total, wrong } = run(jsonFilesIn(directory), false)
    expect(wrong).toEqual([])
    expect(total).toBeGreaterThan(1_100)
  })

  test('every optional test that applies is answered as the suite says', () => {
    const files = jsonFilesIn(join(directory, 'optional'))
    const { wrong } = run(
      files.filter((file) => notApplicable[file.slice(file.lastIndexOf('/') + 1)] === undefined),
      true,
    )
    expect(wrong).toEqual([])
  })

  test('every format test is answered as the suite says', () => {
    const { wrong } = run(jsonFilesIn(join(directory, 'optional', 'format')), true)
    expect(wrong).toEqual([])
  })
})

/** Groups whose schemas can't be converted alone, or that ask for what no draft requires; each with its reason. */
const beyondConversion: [pattern: RegExp, reason: string][] = [
  [
    /against metaschema|remote ref, containing refs itself|f-component: is invalid/,
    'refers to the metaschema of its draft',
  ],
  [/Invalid use of fragments|Valid use of empty fragments|Unnormalized \$ids|invalid anchors/, 'refers to it as well'],
  [/root ref in remote ref|Location-independent identifier in remote ref/, 'another document refers into definitions'],
  [/vocabulary\.json/, 'a metaschema that leaves vocabularies of 2019-09 out'],
  [/cross-draft\.json/, 'a document of another draft, outside of the schema'],
  [/do not distinguish between different types/, 'a number with a zero fraction is an integer from draft 6 on'],
  [/content\.json/, 'contents of strings are not checked'],
]

describe.if(isHere)('the official suites of older drafts, converted to 2020-12', () => {
  test.each([
    ['draft4', 4, [569, 96, 146]],
    ['draft6', 6, [768, 96, 207]],
    ['draft7', 7, [852, 102, 414]],
    ['draft2019-09', 2019, [1_153, 139, 460]],
  ] as [string, Draft, number[]][])('%s keeps its meaning', (name, draft, least) => {
    for (const [index, part] of ['', 'optional', 'optional/format'].entries()) {
      const { total, wrong } = run(jsonFilesIn(join(folder, 'tests', name, part)), part !== '', { name, draft })
      expect(wrong.filter((told) => !beyondConversion.some(([pattern]) => pattern.test(told)))).toEqual([])
      expect(total - wrong.length).toBeGreaterThanOrEqual(least[index] ?? 0)
    }
  })
})
