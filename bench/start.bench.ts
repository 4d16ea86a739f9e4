/**
 * Cold start to the first 200, memory when idle, and the executable's size.
 *
 * Method: dist/quire is started in an empty folder (embedded defaults, fsynced) with the demo already seeded, and
 * /health/live is asked every millisecond until it answers 200; RSS is read from /proc two seconds later.
 * Eleven starts, the first one thrown away; median and range. Run: bun run build && bun bench/start.bench.ts
 */
import { statSync } from 'node:fs'
import { cleanUp } from '../test/support/cleanup.ts'
import { freePort } from '../test/support/postgres.ts'
import { findBinary, startQuire } from '../test/support/quire.ts'
import { summary } from './figures.ts'

const STARTS = 11
const IDLE_MS = 2_000

async function measureStart(folder: string): Promise<{ firstAnswerMs: number; idleBytes: number }> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = Bun.spawn([findBinary(), 'serve'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', TMPDIR: folder, QUIRE_LISTEN: `127.0.0.1:${port}`, QUIRE_DEMO: 'true' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/health/live`).then(
      (response) => response.status === 200,
      () => false,
    )
    if (answered) break
    await Bun.sleep(1)
  }
  const firstAnswerMs = performance.now() - startedAt
  await Bun.sleep(IDLE_MS)
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(await Bun.file(`/proc/${child.pid}/status`).text())
  child.kill('SIGTERM')
  await child.exited
  return { firstAnswerMs, idleBytes: Number(resident?.[1]) * 1024 }
}

const seeded = await startQuire()
await seeded.stop()
const runs: { firstAnswerMs: number; idleBytes: number }[] = []
for (let index = 0; index < STARTS; index++) runs.push(await measureStart(seeded.folder))
runs.shift()
console.log(
  summary(
    'cold start to first 200, ms',
    runs.map((run) => run.firstAnswerMs),
    'reach 100',
  ),
)
console.log(
  summary(
    'RSS idle, MB',
    runs.map((run) => run.idleBytes / 1e6),
    'reach 80',
  ),
)
console.log(summary('executable, MB', [statSync(findBinary()).size / 1e6], 'reach 140'))
await cleanUp()
