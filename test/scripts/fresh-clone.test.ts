import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildIn, copySources, sha256Of } from '../../scripts/reproduce.ts'
import { temporaryFolder } from '../support/database.ts'
import { freePort } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/** Deeper than the project and of another name, neither of which may be in what is built. */
const clone = join(temporaryFolder('quire-clone-'), 'elsewhere', 'and', 'deeper')
const revision = await revisionOf(process.env.TEST_COMMANDS)
let outcome: { status: number; code: number; output: string }

// One build serves both tests: it takes half a minute of a processor.
beforeAll(async () => {
  copySources(clone)
  outcome = await startIn(clone)
}, 600_000)

afterAll(() => rmSync(clone, { recursive: true, force: true }))

test('the first command of the README serves from a fresh clone, with the packages of a build only', async () => {
  expect(outcome).toMatchObject({ status: 200, code: 0 })
  const packages = (name: string) => Bun.file(join(clone, 'node_modules', name, 'package.json')).exists()
  expect([await packages('elysia'), await packages('playwright-core')]).toEqual([true, false])
})

test('two builds of the same sources in different folders have the same bytes', async () => {
  expect(outcome.status).toBe(200)
  // scripts/test.sh has just built in the project's own folder, with the packages of tests beside.
  const other = process.env.TEST_COMMANDS ?? (await builtElsewhere())
  const hashes = [await sha256Of(other), await sha256Of(join(clone, 'dist/quire'))]
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(hashes[1]).toBe(hashes[0])
}, 600_000)

/** Runs the README's first command until it serves, and stops it as Ctrl-C does; what it printed, and how it ended. */
async function startIn(folder: string): Promise<typeof outcome> {
  const listen = `127.0.0.1:${await freePort()}`
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('QUIRE_') && name !== 'NODE_ENV')
  const child = Bun.spawn(['sh', 'scripts/start.sh'], {
    cwd: folder,
    env: {
      ...Object.fromEntries(own),
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      QUIRE_LISTEN: listen,
      QUIRE_REVISION: revision,
    },
    stdin: 'ignore',
    stdout: Bun.file(join(folder, 'output')),
    stderr: Bun.file(join(folder, 'errors')),
  })
  const answered = async () => {
    if (child.exitCode !== null) return { status: 0 }
    const answer = await fetch(`http://${listen}/health/ready`).catch(() => undefined)
    return answer?.status === 200 ? { status: 200 } : undefined
  }
  const { status } = await until('the clone serves', answered, 540_000)
  child.kill('SIGINT')
  const code = await child.exited
  const files = ['output', 'errors'].map((name) => Bun.file(join(folder, name)).text())
  return { status, code, output: (await Promise.all(files)).join('\n') }
}

async function builtElsewhere(): Promise<string> {
  const folder = join(temporaryFolder('quire-build-'), 'a')
  buildIn(folder, revision)
  return join(folder, 'dist/quire')
}

/** The revision that is built into an executable; where there is none, any will do. */
async function revisionOf(executable: string | undefined): Promise<string> {
  if (executable === undefined) return 'f'.repeat(40)
  const { revision } = await Bun.$`${executable} version --json`.json()
  return revision
}
