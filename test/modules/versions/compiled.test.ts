import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestReading } from '../../../src/core/reading.ts'
import type { Database } from '../../../src/db/database.ts'
import { questions } from '../../../src/modules/drafts/questions.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { loadModel, modelOf } from '../../../src/modules/versions/compiled.service.ts'
import { readVersion } from '../../../src/modules/versions/versions.reads.ts'
import { insertVersion } from '../../../src/modules/versions/versions.store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const at = instantOf('2026-11-20T09:30:00Z')
const actor: Actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'compiled', at }
let database: Database
let familyId: string

beforeAll(async () => {
  database = await openTestDatabase('sqlite')
  const names = { kind: 'ingestion_model' as const, slug: 'orders', name: 'Orders', description: '' }
  familyId = (await database.write((tx) => createFamily(tx, actor, names))).id
})
afterAll(() => database.close())

let number = 0

/** A frozen model with a node whose condition fills it up to so many characters. */
async function frozen(chars: number, end = ''): Promise<string> {
  // Compiled models are kept by it for the whole process, other files' as well.
  const id = newId()
  number++
  const beginning = `model: ingestion-model-v1\ncontract: { name: orders, version: 3 }\nnodes:\n  - { key: n, label: N, transformer: t, when: { $is: [/kind, "=", `
  const source = `${beginning}${'a'.repeat(chars - beginning.length - 6)}] } }\n${end}`
  await database.write((tx) =>
    insertVersion(tx, {
      ...{ id, familyId, kind: 'ingestion_model', number, contentHash: id, sourceRevision: 1, status: 'published' },
      ...{ source, format: 'yaml', bytes: null, fileId: null, byteSize: chars, bindings: null, fragments: null },
      ...{ reading: newestReading, createdBy: SYSTEM_ACTOR_ID, createdAt: at, publishedAt: at, deprecatedAt: null },
    }),
  )
  return id
}

function noting() {
  const asked: unknown[] = []
  const compiles = (given: Parameters<typeof questions.frozenModel>[0]) => {
    asked.push(given)
    return questions.frozenModel(structuredClone(given))
  }
  return { asked, compiles }
}

test('a large model is compiled where the caller says, once, and is what the thread would make of it', async () => {
  const id = await frozen(limits.judgedOnTheSpotChars + 1)
  const { asked, compiles } = noting()
  const first = await loadModel(database.read, id, compiles)
  expect(await loadModel(database.read, id, compiles)).toBe(first)
  expect(await loadModel(database.read, id)).toBe(first)
  const version = await readVersion(database.read, id)
  expect(asked).toEqual([{ source: version.source, format: 'yaml', reading: newestReading }])
  expect(first).toEqual(await modelOf(version))
  expect(first.nodes).toHaveLength(1)
})

test('one that is no larger than a question for the thread is compiled there, and so is any other where nothing else is said', async () => {
  const { asked, compiles } = noting()
  expect((await loadModel(database.read, await frozen(limits.judgedOnTheSpotChars), compiles)).contract.version).toBe(3)
  expect((await loadModel(database.read, await frozen(limits.judgedOnTheSpotChars * 2))).contract.version).toBe(3)
  expect(asked).toEqual([])
})

test('one that was frozen with errors is named, whoever compiles it', async () => {
  const id = await frozen(limits.judgedOnTheSpotChars + 100, 'nodes: []\n')
  const named = new Error(`ingestion model version ${id} was frozen with errors`)
  expect(await rejectionOf(loadModel(database.read, id, noting().compiles))).toEqual(named)
  expect(await rejectionOf(loadModel(database.read, id))).toEqual(named)
})
