/** The minimum that accepts something durably, for accept.bench.ts: one row per request, group commits, one process. */
import { newId } from '../src/core/ids.ts'
import { instantFromEpochMs } from '../src/core/instant.ts'
import { openTestDatabase } from '../test/support/database.ts'

const database = await openTestDatabase('sqlite')
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { raw_input: rawInput } = (await request.json()) as { raw_input: string }
    const id = newId()
    const at = instantFromEpochMs(Date.now())
    await database.write((tx) =>
      tx.q.insert(tx.t.submissions).values({
        id,
        modelSlug: 'bare',
        objectReference: id,
        objectTime: at,
        rawInput,
        rawInputHash: '',
        metadata: null,
        submittedBy: '',
        correlationId: '',
        createdAt: at,
      }),
    )
    return Response.json({ id }, { status: 202 })
  },
})
process.stdout.write(`${JSON.stringify({ port: server.port, headers: { 'content-type': 'application/json' } })}\n`)
