import { createLog } from '../../src/core/log.ts'
import { EngineProcess } from '../../src/runner/engine-process.ts'

/** Starts an engine process, says its id when it has loaded, and waits to be killed. */
const log = createLog({ level: 'error', readable: true, write: () => {} })
const engine = new EngineProcess({ role: 'judge', log })
engine.addEventListener('open', () => process.stdout.write(`${engine.pid}\n`))
setInterval(() => {}, 60_000)
