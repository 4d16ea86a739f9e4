/**
 * What a service holds while nobody asks anything of it. A start that loads more is slower, and holds it until the end.
 */
import { expect, onTestFinished, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../support/postgres.ts'
import { findBinary, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

/** Packages without which nothing can be asked. Think twice about one more: an `await import` where it is used costs an idle service nothing. */
const packages = [
  // HTTP, and the shapes of what is sent.
  ...['elysia', '@elysiajs/cookie', 'cookie', 'cookie-signature', 'exact-mirror', 'memoirist', '@sinclair/typebox'],
  'fast-decode-uri-component',
  // The database.
  ...['drizzle-orm', '@libsql/client', '@libsql/core', 'libsql', '@neon-rs/load', 'detect-libc', 'js-base64'],
  // Sessions.
  'oslo',
]

/** Parts of the source that an idle service has no use for, but for what is named here. */
const asleep = /^src\/(?:client|console|doctor|engines|oidc\/provider|proof|project|syslog|testing)\b/
const awake = new Set([
  'src/console/assets.ts',
  'src/engines/declarative/params.ts',
  // The table of commands completes its columns.
  'src/project/coverage/columns.ts',
])

/** Starts it, waits until it is ready, and asks it what a container platform asks all the time. */
async function startAlone(program: readonly string[], folder: string) {
  const output = join(folder, 'alone')
  const address = `127.0.0.1:${await freePort()}`
  const server = Bun.spawn([...program, 'serve'], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH ?? '', TMPDIR: folder },
      ...{ QUIRE_LISTEN: address, QUIRE_DEMO: 'false' },
    },
    stdio: ['ignore', Bun.file(output), 'ignore'],
  })
  onTestFinished(() => server.kill('SIGKILL'))
  await until('it is ready', () => existsSync(output) && readFileSync(output, 'utf8').includes('Console'))
  for (const path of ['/health/live', '/health/ready', '/health/ready']) {
    expect((await fetch(`http://${address}${path}`)).status).toBe(200)
  }
  return { server, folder }
}

test('evaluates no engine, and no package that only some requests need', async () => {
  // What the first start records is published, by the broker.
  const seeded = await startQuire()
  await seeded.stop()
  const program = [process.execPath, join(import.meta.dir, '../support/evaluated.ts')]
  const { server, folder } = await startAlone(program, seeded.folder)
  server.kill('SIGUSR2')
  const list = join(folder, 'evaluated.json')
  await until('it has listed its modules', () => existsSync(list) && readFileSync(list, 'utf8').endsWith(']'))
  const evaluated: string[] = JSON.parse(readFileSync(list, 'utf8'))
  expect(evaluated).toContain('src/start.ts')
  const packageOf = /^node_modules\/(?:.*\/node_modules\/)?((?:@[^/]+\/)?[^/]+)/
  const found = new Set(evaluated.flatMap((path) => packageOf.exec(path)?.[1] ?? []))
  // The machine's own build of the database.
  expect([...found].filter((name) => !packages.includes(name) && !name.startsWith('@libsql/'))).toEqual([])
  expect(evaluated.filter((path) => path.endsWith('.ts') && asleep.test(path) && !awake.has(path))).toEqual([])
})

test.skipIf(process.platform !== 'linux')('holds no more than 84 MB once it has started', async () => {
  const seeded = await startQuire()
  await seeded.stop()
  const { server } = await startAlone([findBinary()], seeded.folder)
  const residentBytes = () => {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1_024
  }
  // What only the start needed is given back as soon as there is nothing to do, which a busy machine may let it wait for.
  await until('memory was given back', () => residentBytes() < 84e6)
  await Bun.sleep(1_000)
  expect(residentBytes()).toBeLessThan(84e6)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
})
