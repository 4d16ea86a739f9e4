/**
 * The search over everything, for people who type. Families are found by name and content, the newest submissions and executions
 * by any part of their fields, and older ones by the beginning. Each statement is small, and other work runs between two of them.
 */
import { formatInstant, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { best, idPartChars, rankOf, type Searched } from '../../core/search.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection, Database } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import type { FoundThing, SearchAnswer } from './search.model.ts'
import {
  executionIdsOf,
  executionPage,
  executionsById,
  familiesWithText,
  familyPage,
  submissionPage,
  submissionsOfId,
  submissionsOfReference,
} from './search.store.ts'

export interface SearchService {
  /** @param text any part of a name, slug, description, reference, id or source; case doesn't matter */
  find(text: string, reads: Reads): Promise<SearchAnswer>
}

/** What the caller may read elsewhere. The answer doesn't reveal whether anything else contains the text. */
export interface Reads {
  configuration: boolean
  submissions: boolean
  executions: boolean
}

/** A result, with what ranks it. */
interface Found extends Searched {
  thing: FoundThing
}

/** Rows that were searched, newest first. */
interface Newest<Row> {
  matching: Row[]
  /** The time of the oldest searched row; undefined if there are no older ones. */
  until: Instant | undefined
}

/** Ranks below every result found by its name. */
const contentRank = 0.5

export function createSearchService(database: Database): SearchService {
  return {
    async find(typed, reads) {
      const text = typed.trim()
      if (text === '') return { found: [], looked_back_to: null }
      const families = reads.configuration ? await findFamilies(database.read, text) : []
      const submissions = reads.submissions ? await findSubmissions(database.read, text) : nothing
      const executions = reads.executions ? await findExecutions(database.read, text) : nothing
      const all = [...families, ...submissions.found, ...executions.found]
      const until = [submissions.until, executions.until].filter((one) => one !== undefined)
      const latest = until.sort().at(-1)
      return {
        found: best(text.toLowerCase(), all, limits.searchResults).map(({ thing }) => thing),
        looked_back_to: latest === undefined ? null : formatInstant(latest),
      }
    },
  }
}

const nothing = { found: [] as Found[], until: undefined }

type FamilyRow = Awaited<ReturnType<typeof familyPage>>[number]

async function findFamilies(connection: Connection, text: string): Promise<Found[]> {
  const wanted = text.toLowerCase()
  const found: Found[] = []
  const others: FamilyRow[] = []
  let before: string | undefined
  for (let read = 0; read < limits.searchedFamilies; read += limits.searchPageRows) {
    const page = await familyPage(connection, before, limits.searchPageRows)
    for (const family of page) {
      const named = foundFamily(family, wanted)
      if (rankOf(wanted, named) > 0) found.push(named)
      else others.push(family)
    }
    before = page.at(-1)?.id
    if (page.length < limits.searchPageRows) break
    await othersTurn()
  }
  const isCommon = text.length < limits.searchContentChars
  if (isCommon || found.length >= limits.searchResults) return found
  return [...found, ...(await familiesByContent(connection, others.slice(0, limits.searchedContents), text))]
}

function foundFamily({ id, kind, slug, name, description }: FamilyRow, wanted: string): Found {
  const found_in = partOf(wanted, name, `${slug} ${description}`, id)
  return { title: name, words: [slug, description], uuid: id, thing: { kind, id, title: name, words: slug, found_in } }
}

async function familiesByContent(connection: Connection, families: FamilyRow[], text: string): Promise<Found[]> {
  const found: Found[] = []
  for (let at = 0; at < families.length; at += limits.searchPageContents) {
    const some = families.slice(at, at + limits.searchPageContents)
    const ids = await familiesWithText(
      connection,
      some.map(({ id }) => id),
      text,
    )
    for (const { id, kind, slug, name } of some.filter((one) => ids.includes(one.id))) {
      const thing: FoundThing = { kind, id, title: name, words: slug, found_in: 'content' }
      found.push({ title: name, leastRank: contentRank, thing })
    }
    await othersTurn()
  }
  return found
}

async function findSubmissions(connection: Connection, text: string) {
  const wanted = text.toLowerCase()
  const newest = await lookThrough(
    (after) => submissionPage(connection, after, limits.searchPageRows),
    ({ id, objectReference, modelSlug }) =>
      objectReference.toLowerCase().includes(wanted) || modelSlug.includes(wanted) || isPartOfId(wanted, id),
  )
  const rows = new Map(newest.matching.map((row) => [row.id, row]))
  if (newest.until !== undefined) {
    const older = [
      ...(await submissionsOfReference(connection, text, limits.searchResults)),
      ...(text === text.toUpperCase()
        ? []
        : await submissionsOfReference(connection, text.toUpperCase(), limits.searchResults)),
      ...(beginsId(wanted) ? await submissionsOfId(connection, wanted, limits.searchResults) : []),
    ]
    for (const row of older) rows.set(row.id, row)
  }
  const found = [...rows.values()].map(
    ({ id, objectReference: title, modelSlug: words }): Found => ({
      ...{ title, words: [words], uuid: id, isOneOfMany: true },
      thing: { kind: 'submission', id, title, words, found_in: partOf(wanted, title, words, id) },
    }),
  )
  return { found, until: newest.until }
}

async function findExecutions(connection: Connection, text: string) {
  const wanted = text.toLowerCase()
  if (!/^[0-9a-f-]+$/.test(wanted) || wanted.length < idPartChars) return { found: [], until: undefined }
  const newest = await lookThrough(
    (after) => executionPage(connection, after, limits.searchPageRows),
    ({ id }) => isPartOfId(wanted, id),
  )
  const ids = new Set(newest.matching.map(({ id }) => id))
  if (newest.until !== undefined) {
    for (const id of await executionIdsOf(connection, wanted, limits.searchResults)) ids.add(id)
  }
  const rows = await executionsById(connection, [...ids].slice(0, limits.searchResults))
  const found = rows.map(
    ({ id, nodeLabel: title, status: words }): Found => ({
      ...{ title, uuid: id, isOneOfMany: true },
      thing: { kind: 'execution', id, title, words, found_in: 'id' },
    }),
  )
  return { found, until: newest.until }
}

async function lookThrough<Row extends PagePlace & { createdAt: Instant }>(
  readPage: (after: PagePlace | undefined) => Promise<Row[]>,
  matches: (row: Row) => boolean,
): Promise<Newest<Row>> {
  const matching: Row[] = []
  let last: Row | undefined
  for (let read = 0; read < limits.searchedRows; read += limits.searchPageRows) {
    const page = await readPage(last)
    matching.push(...page.filter(matches))
    last = page.at(-1) ?? last
    if (page.length < limits.searchPageRows) return { matching, until: undefined }
    if (matching.length >= limits.searchResults) break
    await othersTurn()
  }
  return { matching, until: last?.createdAt }
}

function isPartOfId(wanted: string, id: string): boolean {
  return wanted.length >= idPartChars && id.includes(wanted)
}

function beginsId(wanted: string): boolean {
  return wanted.length >= idPartChars && /^[0-9a-f-]+$/.test(wanted)
}

/** Where the text was found. `title` also if the title only has its letters in this order. */
function partOf(wanted: string, title: string, words: string, id: string): 'title' | 'words' | 'id' {
  if (title.toLowerCase().includes(wanted)) return 'title'
  if (words.toLowerCase().includes(wanted)) return 'words'
  return id.includes(wanted) ? 'id' : 'title'
}
