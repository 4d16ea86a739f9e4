/** The three servers of reads.bench.ts over one database, in one process; they are asked one after the other. */
import { eq, sql } from 'drizzle-orm'
import { newId } from '../src/core/ids.ts'
import { createLog } from '../src/core/log.ts'
import { Closing } from '../src/http/closing.ts'
import { listen } from '../src/http/server.ts'
import { goodPassword, origin, startTestApp } from '../test/http/harness.ts'

const started = await startTestApp('sqlite', { checkAnswers: false })
await started.addUser('reader', ['auditor'])
const headers = await started.signIn('reader', goodPassword)
const { database, clock } = started
const ids = Array.from({ length: 10_000 }, newId)
for (let from = 0; from < ids.length; from += 500) {
  await database.write((tx) =>
    tx.q.insert(tx.t.releases).values(
      ids.slice(from, from + 500).map((id) => ({
        id,
        name: `Release ${id}`,
        releaseHash: 'a'.repeat(64),
        processingKind: 'transformation' as const,
        contractVersionId: id,
        transformVersionId: id,
        contractChecked: true,
        createdBy: id,
        createdAt: clock.now(),
      })),
    ),
  )
}
const { releases, users } = database.read.t
const byId = database.read.q
  .select()
  .from(releases)
  .where(eq(releases.id, sql.placeholder('id')))
  .prepare()
const caller = database.read.q
  .select()
  .from(users)
  .where(eq(users.username, sql.placeholder('name')))
  .prepare()
const log = createLog({ level: 'error', readable: false, write: () => {} })
const quire = listen(started.app, {
  address: { hostname: '127.0.0.1', port: 0 },
  ...{ log, closing: new Closing() },
})

const idOf = (request: Request) => request.url.slice(request.url.lastIndexOf('/') + 1)
const bare = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => Response.json((await byId.execute({ id: idOf(request) }))[0]),
})
const likePocketBase = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const [user] = await caller.execute({ name: request.headers.get('authorization') })
    if (user === undefined) return new Response(null, { status: 401 })
    return Response.json((await byId.execute({ id: idOf(request) }))[0])
  },
})
const at = (port: number | undefined, path: string) => `http://127.0.0.1:${port}${path}`
const targets = {
  'bare Bun.serve': { url: at(bare.port, '/'), headers: {}, ids: ids.slice(0, 200) },
  'PocketBase-like': {
    url: at(likePocketBase.port, '/'),
    headers: { authorization: 'reader' },
    ids: ids.slice(0, 200),
  },
  Quire: {
    url: at(quire.port, '/api/v1/releases/'),
    headers: { ...headers, host: new URL(origin).host },
    ids: ids.slice(0, 200),
  },
}
process.stdout.write(`${JSON.stringify(targets)}\n`)
