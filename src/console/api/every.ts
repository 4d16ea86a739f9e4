/** All rows of a list, page after page: for names that something is looked up in. */
import { call } from './client.ts'
import { useWork } from './work.ts'

const pageRows = 100
/** Beyond this a list is no longer something to look names up in. */
const maxPages = 50

/** Undefined until all are read. */
export function useEvery<Row>(path: string, member: string): readonly Row[] | undefined {
  return useWork<readonly Row[]>(path, (signal) => readEvery<Row>(path, member, signal)).value.value
}

/** @param member the list's name in the answer. Throws as `call` does. */
export async function readEvery<Row>(path: string, member: string, signal?: AbortSignal): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const query = new URLSearchParams({ limit: String(pageRows), ...(cursor === undefined ? {} : { cursor }) })
    const answer = await call<{ next_cursor?: string } & Record<string, Row[]>>(`${path}?${query}`, {
      ...(signal === undefined ? {} : { signal }),
    })
    rows.push(...(answer[member] ?? []))
    cursor = answer.next_cursor
    if (cursor === undefined) break
  }
  return rows
}

/** Resolves a reference in a source: the family of that name, else the one with that slug. */
export function named<F extends { name: string; slug: string }>(
  families: readonly F[] | undefined,
  reference: string | undefined,
): F | undefined {
  return families?.find(({ name }) => name === reference) ?? families?.find(({ slug }) => slug === reference)
}
