import type { SigningKey } from '../../src/core/signing-key.ts'
import { EmbeddedDatabase } from '../../src/db/embedded.ts'
import { verifyCoverage } from '../../src/modules/audit/audit.coverage.ts'
import { verifyChain } from '../../src/modules/audit/audit.service.ts'
import { embeddedClient, SimulatedDatabase } from './database.ts'
import type { MemoryDatabase } from './sqlite.ts'
import { Process, World } from './world.ts'

/** What `quire verify` says of the trail and of all that it covers. */
export function verified(memory: MemoryDatabase, key: SigningKey): string[] {
  const world = new World(1)
  const process = new Process('verify', 0)
  const open = () => embeddedClient(new SimulatedDatabase(world, memory), process)
  const database = new EmbeddedDatabase({
    ...{ writer: open(), reader: open(), open, unlock() {}, path: 'simulated', log: undefined },
    ...{ timers: world.timersOf(process), files: { problem: () => undefined } },
  })
  const problems: string[] = []
  const report = (problem: string) => void problems.push(problem)
  let isDone = false
  const work = async () => {
    const { broken } = await verifyChain(database.read, 1)
    if (broken !== undefined) report(`the chain is broken at ${broken.position}: ${broken.reason}`)
    await verifyCoverage({ connection: database.read, report, key })
    isDone = true
  }
  const { setImmediate } = globalThis
  // It gives others their turn, page after page, and here is nobody else.
  globalThis.setImmediate = ((action: () => void) => queueMicrotask(action)) as unknown as typeof setImmediate
  try {
    world.after(0, () => void work().catch((error) => report(`verify ended with ${error}`)), process)
    world.run(10)
  } finally {
    globalThis.setImmediate = setImmediate
  }
  if (!isDone && problems.length === 0) report('verify came to no end')
  return problems
}
