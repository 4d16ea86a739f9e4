/** The intake alone, for accept.bench.ts: HTTP, session, database with real commits; no runner, relay or sealer. */
import { createLog } from '../src/core/log.ts'
import { Closing } from '../src/http/closing.ts'
import { listen } from '../src/http/server.ts'
import { seedDemo } from '../src/modules/intake-lab/intake-lab.service.ts'
import { goodPassword, origin, startTestApp } from '../test/http/harness.ts'

const started = await startTestApp('sqlite', { checkAnswers: false })
await seedDemo(started.database, started.clock)
await started.addUser('caller', ['operator'])
const headers = await started.signIn('caller', goodPassword)
const log = createLog({ level: 'error', readable: false, write: () => {} })
const server = listen(started.app, {
  address: { hostname: '127.0.0.1', port: 0 },
  ...{ log, closing: new Closing() },
})
process.stdout.write(`${JSON.stringify({ port: server.port, headers: { ...headers, host: new URL(origin).host } })}\n`)
process.on('SIGTERM', () => process.exit())
