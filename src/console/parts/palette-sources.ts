/** What the palette reads to search in: all configuration, the newest submissions and executions, and objects by reference. */
import { objectReferenceRule } from '../../core/list-filters.ts'
import { call } from '../api/client.ts'
import type { Execution, Family, Submission } from '../api/types.ts'
import { routes } from '../navigation.ts'
import type { Searched } from '../search.ts'
import { maySee } from '../session.ts'
import type { IconName } from './icon.tsx'

export interface Source extends Searched {
  id: string
  hint: string
  icon: IconName
  /** Its address. */
  path: string
}

const familyLists = [
  { path: '/contracts', member: 'contracts', hint: 'Contract', icon: 'contract' },
  { path: '/transformers', member: 'transformers', hint: 'Transformer', icon: 'transform' },
  { path: '/templates', member: 'templates', hint: 'Template', icon: 'document' },
  { path: '/ingestion-models', member: 'ingestion_models', hint: 'Ingestion model', icon: 'tree' },
] as const

const pageRows = 100
/** Of each kind; more are narrowed on the screen of the kind. */
const maxPages = 10
const fewest = 3

/** What the person may read; a list that can't be read is simply not searched. */
export async function readFamilies(): Promise<Source[]> {
  const read = familyLists.map(async ({ path, member, hint, icon }) => {
    if (!mayOpen(`${path}/:id`)) return []
    const families = await readAll<Family>(path, member)
    return families.map(
      ({ id, name, slug, description }): Source => ({
        id,
        uuid: id,
        title: name,
        words: [slug, description],
        hint,
        icon,
        path: `${path}/${id}`,
      }),
    )
  })
  return (await Promise.all(read)).flat()
}

async function readAll<Row>(path: string, member: string): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages && (page === 0 || cursor !== undefined); page++) {
    const from = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const answer = await read<Row>(`${path}?limit=${pageRows}${from}`)
    rows.push(...((answer?.[member] as Row[] | undefined) ?? []))
    cursor = answer?.next_cursor
  }
  return rows
}

type Answer<Row> = { next_cursor?: string } & Record<string, Row[] | string | undefined>

function read<Row>(path: string, signal?: AbortSignal): Promise<Answer<Row> | undefined> {
  return call<Answer<Row>>(`/api/v1${path}`, signal === undefined ? {} : { signal }).catch(() => undefined)
}

/** The newest submissions, by any part of what they are about, and executions, by any part of their id. */
export async function readNewest(): Promise<Source[]> {
  const [submissions, executions] = await Promise.all([
    mayOpen('/submissions/:id') ? read<Submission>(`/submissions?limit=${pageRows}`) : undefined,
    mayOpen('/executions/:id') ? read<Execution>(`/executions?limit=${pageRows}`) : undefined,
  ])
  return [
    ...((submissions?.submissions as Submission[] | undefined) ?? []).map(sourceOfSubmission),
    ...((executions?.executions as Execution[] | undefined) ?? []).map(
      ({ id }): Source => ({
        id,
        uuid: id,
        title: `Execution ${id}`,
        isOneOfMany: true,
        hint: 'Execution',
        icon: 'list',
        path: `/executions/${id}`,
      }),
    ),
  ]
}

/** The submissions of an object, however old. */
export async function findObject(reference: string, signal: AbortSignal): Promise<Source[]> {
  const isReference = reference.length >= fewest && new RegExp(objectReferenceRule.pattern).test(reference)
  if (!isReference || !mayOpen('/submissions/:id')) return []
  const path = `/submissions?limit=5&object_reference=${encodeURIComponent(reference)}`
  const answer = await read<Submission>(path, signal)
  return ((answer?.submissions as Submission[] | undefined) ?? []).map(sourceOfSubmission)
}

function sourceOfSubmission({ id, object_reference, model_slug }: Submission): Source {
  return {
    id,
    uuid: id,
    title: object_reference,
    words: [model_slug],
    isOneOfMany: true,
    hint: 'Submission',
    icon: 'inbox',
    path: `/submissions/${id}`,
  }
}

function mayOpen(pattern: string): boolean {
  const route = routes.find((one) => one.pattern === pattern)
  return route !== undefined && maySee(route)
}
