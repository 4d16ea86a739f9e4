import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import type { Catalogue } from '../../src/console/catalogue.ts'
import { languages } from '../../src/console/language.ts'
import { cardNames } from '../../src/console/views/operations/attention.ts'
import { dependencyNames, faultKinds } from '../../src/core/faults.ts'
import * as lists from '../../src/core/list-filters.ts'
import { partTitles } from '../../src/core/retained-parts.ts'
import { executionStatuses, stepKinds } from '../../src/core/steps.ts'
import { ALL, tokenScopes } from '../../src/http/access.ts'
import { consoleModules, keysIn } from '../support/console-texts.ts'

const root = join(import.meta.dir, '../..')

/** Texts of tables outside of the console, which shows them by `translated` and `wordOf`. */
async function textsOfTables(): Promise<Set<string>> {
  const labels = Object.entries(lists)
    .filter(([name]) => name.endsWith('Filters'))
    .flatMap(([, filters]) => Object.values(filters as lists.Filters))
    .flatMap(({ field }) => (field === undefined ? [] : [field.label]))
  const names = [
    ...ALL,
    ...tokenScopes,
    ...dependencyNames,
    ...executionStatuses,
    ...cardNames,
    ...(await auditedKinds()),
  ]
  return new Set([
    ...Object.values(faultKinds).map(({ title }) => title),
    ...Object.values(stepKinds).flatMap(({ title, does }) => [title, does]),
    ...Object.values(partTitles),
    ...labels,
    ...names.map((name) => name.replaceAll(/[_-]/g, ' ')),
  ])
}

/** What the audit trail may name as the kind of a resource. */
async function auditedKinds(): Promise<string[]> {
  const kinds = new Set<string>()
  for await (const file of new Glob('src/modules/**/*.ts').scan(root)) {
    for (const [, kind = ''] of (await Bun.file(join(root, file)).text()).matchAll(/resourceKind: '([a-z_]+)'/g))
      kinds.add(kind)
  }
  expect(kinds.size).toBeGreaterThan(10)
  return [...kinds]
}

async function textsOfModules(): Promise<Set<string>> {
  return new Set([...(await consoleModules()).values()].flatMap(keysIn))
}

const placesIn = (text: string) => (text.match(/\{\d+\}/g) ?? []).toSorted()

const others: [tag: string, read: () => Promise<Catalogue>][] = Object.entries(languages)
  .filter(([tag]) => tag !== 'en')
  .map(([tag, { read }]) => [tag, read])

describe.each(others)('the catalogue %s', (_, read) => {
  test('has every text of the console and of the tables that it shows, and no other', async () => {
    const wanted = new Set([...(await textsOfModules()), ...(await textsOfTables())])
    const texts = await read()
    expect([...wanted].filter((key) => !Object.hasOwn(texts, key))).toEqual([])
    expect(Object.keys(texts).filter((key) => !wanted.has(key))).toEqual([])
    expect(wanted.size).toBeGreaterThan(1_000)
  })

  test('leaves no text empty', async () => {
    const empty = Object.entries(await read()).filter(([, text]) => text.trim() === '')
    expect(empty.map(([key]) => key)).toEqual([])
  })

  test('puts the same values into each text', async () => {
    const differing = Object.entries(await read()).filter(
      ([key, text]) => !Bun.deepEquals(placesIn(key), placesIn(text)),
    )
    expect(differing).toEqual([])
  })

  test('begins and ends its texts with a space where the English does, so that joined texts stay apart', async () => {
    const edges = (text: string) => [text.startsWith(' '), text.endsWith(' ')]
    const joined = Object.entries(await read()).filter(([key]) => /^ | $/.test(key))
    expect(joined.filter(([key, text]) => !Bun.deepEquals(edges(key), edges(text)))).toEqual([])
  })
})

test('every catalogue is a language that can be chosen', async () => {
  const files = await Array.fromAsync(new Glob('*.ts').scan(join(root, 'src/console/texts')))
  expect(files.map((file) => file.replace('.ts', '')).toSorted()).toEqual(others.map(([tag]) => tag))
})
