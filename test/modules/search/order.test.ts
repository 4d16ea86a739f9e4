/** How far the search looks, in which order it tells, and what it leaves out; from rows that are written for it. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '../../../src/core/ids.ts'
import { addMs, formatInstant, type Instant, instantOf } from '../../../src/core/instant.ts'
import type { FamilyKind } from '../../../src/core/kinds.ts'
import { limits } from '../../../src/core/limits.ts'
import { idPartChars } from '../../../src/core/search.ts'
import type { Database } from '../../../src/db/database.ts'
import { createSearchService } from '../../../src/modules/search/search.service.ts'
import {
  executionIdsOf,
  familiesWithText,
  familyPage,
  submissionPage,
  submissionsOfId,
  submissionsOfReference,
} from '../../../src/modules/search/search.store.ts'
import { openTestDatabase } from '../../support/database.ts'

const start = instantOf('2026-11-01T00:00:00Z')
const hash = 'f'.repeat(64)

let database: Database
let families = 0
beforeEach(async () => {
  database ??= await openTestDatabase('sqlite')
  await database.write(async ({ q, t }) => {
    for (const table of [t.families, t.versions, t.submissions, t.executions]) await q.delete(table)
  })
})
afterAll(() => database?.close())

const everything = { configuration: true, submissions: true, executions: true }
const found = async (text: string) => (await createSearchService(database).find(text, everything)).found
const titles = async (text: string) => (await found(text)).map(({ title }) => title)

async function family(name: string, draftSource: string | null = null, kind: FamilyKind = 'transformer') {
  const id = newId()
  await database.write(async ({ q, t }) => {
    await q.insert(t.families).values({
      ...{ id, kind, slug: `slug-${++families}`, name, description: '', draftRevision: 1, draftSource },
      ...{ draftFormat: 'yaml', latestNumber: 0, createdBy: 'u', createdAt: start, updatedAt: start },
    })
  })
  return id
}
async function submissions(references: readonly string[], at = (_index: number): Instant => start): Promise<string[]> {
  const rows = references.map((objectReference, index) => ({
    ...{ id: newId(), modelSlug: 'claims', objectReference, objectTime: start, rawInput: '', rawInputHash: hash },
    ...{ submittedBy: 'u', correlationId: 'c', createdAt: at(index) },
  }))
  for (let from = 0; from < rows.length; from += 500) {
    await database.write(async ({ q, t }) => {
      await q.insert(t.submissions).values(rows.slice(from, from + 500))
    })
  }
  return rows.map(({ id }) => id)
}
async function executions(count: number, createdAt = start): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    ...{ id: newId(), submissionId: newId(), nodeLabel: 'Letter', nodeAddress: 'claims:letter', releaseId: newId() },
    ...{ releaseHash: hash, processingKind: 'transformation' as const, status: 'failed' as const, inputHash: hash },
    ...{ rawInputHash: hash, submittedBy: 'u', correlationId: 'c', createdAt, updatedAt: createdAt },
  }))
  await database.write(async ({ q, t }) => {
    await q.insert(t.executions).values(rows)
  })
  return rows.map(({ id }) => id)
}

test('a text without characters finds nothing, and one is taken without the spaces around it', async () => {
  await family('Letter')
  const service = createSearchService(database)
  expect(await service.find('  ', everything)).toEqual({ found: [], looked_back_to: null })
  expect(await titles('  letter ')).toEqual(['Letter'])
})

test('what begins with the text comes before what has it, in a word and within, and content comes last', async () => {
  await family('Anything', 'output: { $text: "premium" }')
  await family('Unpremiumed')
  await family('The premium')
  await family('Premium letter')
  await submissions(['A-premium'])
  expect(await titles('premium')).toEqual(['Premium letter', 'The premium', 'Unpremiumed', 'A-premium', 'Anything'])
  // Letters in their order are enough for a name, and not for one thing of many.
  expect(await titles('prmltr')).toEqual(['Premium letter'])
  expect((await found('anything')).map((one) => one.found_in)).toEqual(['title'])
})

test('content is looked through for texts that are long enough, and only while few names have it', async () => {
  expect(limits.searchContentChars).toBe(3)
  await family('First', 'say zqy')
  expect(await titles('zq')).toEqual([])
  expect(await titles('zqy')).toEqual(['First'])
  for (let count = 0; count < limits.searchResults; count++) await family(`zqy ${count}`)
  expect(await titles('zqy')).not.toContain('First')
})

test('families are read page by page, the newest first, and content in pages of its own', async () => {
  const ids: string[] = []
  for (let count = 0; count < limits.searchPageContents + 2; count++)
    ids.unshift(await family(`Family ${count}`, 'xyzzy'))
  const page = async (before: string | undefined, rows: number) =>
    (await familyPage(database.read, before, rows)).map(({ id }) => id)
  expect(await page(undefined, 2)).toEqual(ids.slice(0, 2))
  expect(await page(ids[1], 2)).toEqual(ids.slice(2, 4))
  expect((await found('xyzzy')).map(({ id }) => id).sort()).toEqual(ids.toSorted())
  expect((await familiesWithText(database.read, ids.slice(0, 3), 'XYZZY')).sort()).toEqual(ids.slice(0, 3).sort())
  expect(await familiesWithText(database.read, ids, 'x%y')).toEqual([])
  expect(await familiesWithText(database.read, ids, 'xyz_y')).toEqual([])
})

test('parts of ids count from a length on', async () => {
  const [submission] = await submissions(['A-1'])
  const [execution] = await executions(1)
  const part = (id: string | undefined, chars: number) => id!.slice(-chars)
  const kinds = async (text: string) => (await found(text)).map(({ kind, found_in }) => [kind, found_in])
  expect(await kinds(part(submission, idPartChars + 4))).toEqual([['submission', 'id']])
  expect(await kinds(part(execution, idPartChars + 4).toUpperCase())).toEqual([['execution', 'id']])
  expect(await kinds(part(submission, idPartChars - 1))).toEqual([])
  expect(await kinds(part(execution, idPartChars - 1))).toEqual([])
  expect(await found(execution!)).toEqual([
    { kind: 'execution', id: execution!, title: 'Letter', words: 'failed', found_in: 'id' },
  ])
})

test('submissions are found by their model, too, and tell where they were', async () => {
  const [id] = await submissions(['A-1'])
  expect(await found('claim')).toEqual([
    { kind: 'submission', id: id!, title: 'A-1', words: 'claims', found_in: 'words' },
  ])
  expect((await found('a-1')).map(({ found_in }) => found_in)).toEqual(['title'])
})

test('older submissions are found by how their reference begins, in the case that was typed and in capitals', async () => {
  const [whole] = await submissions(['OLD-7'])
  const [longer, other] = await submissions(['OLD-71', 'old-7x'], () => addMs(start, -5))
  const newer = addMs(start, 60_000)
  await submissions(
    Array.from({ length: limits.searchedRows }, (_, index) => `NEW-${index}`),
    () => newer,
  )
  const service = createSearchService(database)
  const answer = await service.find('old-7', everything)
  expect(answer.found.map(({ id }) => id).sort()).toEqual([whole!, longer!, other!].sort())
  expect(answer.looked_back_to).toBe(formatInstant(newer))
  expect((await found('OLD-7')).map(({ id }) => id).sort()).toEqual([whole!, longer!].sort())
  expect((await found('ld-7')).length).toBe(0)
  expect((await found(whole!)).map(({ id }) => id)).toEqual([whole!])
  const of = async (text: string, rows: number) =>
    (await submissionsOfReference(database.read, text, rows)).map(({ id }) => id)
  expect(await of('OLD-7', 9)).toEqual([whole!, longer!])
  expect(await of('OLD-7', 1)).toEqual([whole!])
  expect(await of('OLD-', 9)).toEqual([whole!, longer!])
  expect(await of('OLD-72', 9)).toEqual([])
})

/** Eight digits that these ids have in common, or fewer where one was made when the eighth changed, as it does each minute. */
function beginningOf(ids: readonly string[]): string {
  let chars = 8
  while (new Set(ids.map((id) => id.slice(0, chars))).size > 1) chars--
  return ids[0]!.slice(0, chars)
}

test('pages and beginnings of ids are read in their order and up to a bound', async () => {
  const ids = await submissions(['B-1', 'B-2', 'B-3'], (index) => addMs(start, index === 2 ? 5 : 0))
  const page = async (after?: { createdAt: Instant; id: string }, rows = 9) =>
    (await submissionPage(database.read, after, rows)).map(({ id }) => id)
  expect(await page()).toEqual([ids[2]!, ids[1]!, ids[0]!])
  expect(await page(undefined, 1)).toEqual([ids[2]!])
  expect(await page({ createdAt: start, id: ids[1]! })).toEqual([ids[0]!])
  const all = ids.toSorted()
  const common = beginningOf(all)
  expect((await submissionsOfId(database.read, common, 2)).map(({ id }) => id)).toEqual(all.slice(0, 2))
  expect((await submissionsOfId(database.read, all[1]!, 9)).map(({ id }) => id)).toEqual([all[1]!])
  const made = (await executions(3)).toSorted()
  expect(await executionIdsOf(database.read, beginningOf(made), 2)).toEqual(made.slice(0, 2))
  expect(await executionIdsOf(database.read, made[1]!, 9)).toEqual([made[1]!])
})
