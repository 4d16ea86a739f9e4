/**
 * Cold start to the first 200, memory when idle, and the executable's size.
 *
 * Method: dist/quire starts in an empty folder (embedded defaults, fsynced) with the demo already seeded, and /health/live is
 * polled every millisecond until it answers 200. RSS is read from /proc four seconds after starts without any request: memory
 * that only the start needed has been freed by then. Eleven starts of each, without the first; median and range. Run: bun run
 * build && bun bench/start.bench.ts
 */
import { statSync } from 'node:fs'
import { cleanUp } from '../test/support/cleanup.ts'
import { freePort } from '../test/support/postgres.ts'
import { findBinary, startQuire } from '../test/support/quire.ts'
import { summary } from './figures.ts'

const STARTS = 11
const IDLE_MS = 4_000

async function spawnServe(folder: string) {
  const port = await freePort()
  const startedAt = performance.now()
  const child = Bun.spawn([findBinary(), 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', QUIRE_LISTEN: `127.0.0.1:${port}`, QUIRE_DEMO: 'true' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const end = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  return { port, startedAt, pid: child.pid, end }
}

async function firstAnswerMs(folder: string): Promise<number> {
  const { port, startedAt, end } = await spawnServe(folder)
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`).then(
      (response) => response.status === 200,
      () => false,
    )
    if (answered) break
    await Bun.sleep(1)
  }
  const elapsedMs = performance.now() - startedAt
  await end()
  return elapsedMs
}

async function idleBytes(folder: string): Promise<number> {
  const { pid, end } = await spawnServe(folder)
  await Bun.sleep(IDLE_MS)
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(await Bun.file(`/proc/${pid}/status`).text())
  await end()
  return Number(resident?.[1]) * 1024
}

async function repeated(measure: (folder: string) => Promise<number>, folder: string): Promise<number[]> {
  const values: number[] = []
  for (let index = 0; index < STARTS; index++) values.push(await measure(folder))
  return values.slice(1)
}

const seeded = await startQuire()
await seeded.stop()
console.log(summary('cold start to first 200, ms', await repeated(firstAnswerMs, seeded.folder), 'reach 80'))
const idle = await repeated(idleBytes, seeded.folder)
console.log(
  summary(
    'RSS idle, MB',
    idle.map((bytes) => bytes / 1e6),
    'reach 80',
  ),
)
console.log(
  summary(
    'executable over Bun, MB',
    [(statSync(findBinary()).size - statSync(process.execPath).size) / 1e6],
    'reach 40',
  ),
)
await cleanUp()
