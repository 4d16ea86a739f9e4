/**
 * The official JSON Schema test suite, which is not part of this repository. The Debian package
 * libtest-json-schema-acceptance-perl brings one release of it, which is what CI runs; QUIRE_JSON_SCHEMA_SUITE names a
 * newer checkout.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { JsonValue } from '../../../src/core/json.ts'
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

function remoteDocuments(): Map<string, JsonValue> {
  const documents = new Map<string, JsonValue>()
  const root = join(folder, 'remotes')
  const visit = (directory: string) => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name)
      if (statSync(path).isDirectory()) visit(path)
      else if (!/(^|\/)(draft[3467]|draft2019-09|v1)\//.test(relative(root, path))) {
        documents.set(`http://localhost:1234/${relative(root, path)}`, JSON.parse(readFileSync(path, 'utf8')))
      }
    }
  }
  visit(root)
  return documents
}

/** Runs every case of the files; answers how many there are and which went wrong. */
function run(files: string[], assertFormats: boolean): { total: number; wrong: string[] } {
  const documents = remoteDocuments()
  let total = 0
  const wrong: string[] = []
  for (const file of files) {
    for (const group of JSON.parse(readFileSync(file, 'utf8')) as SuiteGroup[]) {
      const compiled = compileSchemaValue(group.schema, { documents, assertFormats })
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
