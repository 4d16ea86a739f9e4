import { createLog } from '../../src/core/log.ts'
import { Closing } from '../../src/http/closing.ts'
import { listen } from '../../src/http/server.ts'
import { startTestApp } from './harness.ts'

/**
 * The real listener in a process of its own, so that its memory is nobody else's. Says its port on the first line, and
 * answers every line it reads with what it holds now, in bytes; ends with its input.
 */
const { app } = await startTestApp()
const log = createLog({ level: 'error', readable: false, write: () => {} })
const server = listen(app, { address: { hostname: '127.0.0.1', port: 0 }, log, closing: new Closing() })
process.stdout.write(`${server.port}\n`)
for await (const _ of console) process.stdout.write(`${process.memoryUsage.rss()}\n`)
process.exit()
