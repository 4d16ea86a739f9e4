import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { confine } from '../../src/native/confine.ts'

/** Tries everything, confines itself, tries again, and prints what came of it as JSON. */
const folder = mkdtempSync(join(tmpdir(), 'quire-confined-'))
const file = join(folder, 'file')
const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })

const deeds: Record<string, () => unknown> = {
  read: () => readFileSync(file),
  thread: () => threadAnswers(),
  write: () => writeFileSync(join(folder, `new-${Math.random()}`), 'x'),
  append: () => appendFileSync(file, 'x'),
  remove: () => rmSync(join(folder, 'spare')),
  rename: () => renameSync(file, file),
  folder: () => mkdirSync(join(folder, `folder-${Math.random()}`)),
  mode: () => chmodSync(file, 0o600),
  program: () => Bun.spawnSync(['/bin/true']),
  signal: () => process.kill(process.ppid, 0),
  connect: async () => {
    const socket = await Bun.connect({ hostname: '127.0.0.1', port: listener.port, socket: { data() {} } })
    socket.end()
  },
  listen: () => Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }).stop(),
}

function threadAnswers(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const thread = new Worker('data:text/javascript,postMessage(1)')
  thread.onmessage = () => resolve()
  thread.onerror = (event) => reject(event.error)
  return promise
}

async function tryAll(): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {}
  for (const [name, deed] of Object.entries(deeds)) {
    try {
      await deed()
      outcomes[name] = 'done'
    } catch {
      outcomes[name] = 'denied'
    }
  }
  return outcomes
}

writeFileSync(file, 'x')
writeFileSync(join(folder, 'spare'), 'x')
const before = await tryAll()
// The next try needs it, and only the first was allowed to take it away.
writeFileSync(join(folder, 'spare'), 'x')
const unconfined = confine({ memoryBytes: 2 ** 30, niceBy: 1 })
const after = await tryAll()
process.stdout.write(JSON.stringify({ unconfined, before, after }), () => process.exit())
