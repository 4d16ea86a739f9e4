import { expect, test } from 'bun:test'
import { join } from 'node:path'

const page = join(import.meta.dir, '../support/page.ts')

/** In a process of its own, in which nothing has loaded the client yet. */
const script = `
  const { openPage } = await import(${JSON.stringify(page)})
  openPage({ send: async () => new Response('{}', { status: 401 }), addUser: async () => {} }).catch(() => {})
  if (typeof document !== 'object') throw new Error('no page has been lent')
  const { connect } = await import('mqtt')
  const first = new Promise((resolve) => {
    const socket = { data: (_, bytes) => resolve(bytes) }
    const { port } = Bun.listen({ hostname: '127.0.0.1', port: 0, socket })
    connect({ protocol: 'mqtt', host: '127.0.0.1', port })
  })
  process.stdout.write(await first)
  process.exit(0)
`

// Loaded as in a browser it would ask for a WebSocket, and a broker cuts such a connection.
test('a client that is loaded while a test has a page speaks MQTT over TCP', async () => {
  const child = Bun.spawn([process.execPath, '-e', script], { cwd: import.meta.dir, stdout: 'pipe', stderr: 'pipe' })
  const [bytes, errors] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([new TextDecoder().decode(bytes.subarray(4, 8)), errors]).toEqual(['MQTT', ''])
})
