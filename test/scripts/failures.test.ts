import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'

const script = join(import.meta.dir, '../../scripts/failures.ts')

/** What is said of a run of these tests. */
function said(files: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const run = (...command: string[]) => Bun.spawnSync([process.execPath, ...command], { cwd: folder })
  const { stdout, stderr } = run('test', '--parallel=2', '--reporter=junit', '--reporter-outfile=report.xml')
  writeFileSync(join(folder, 'log'), `${stdout}${stderr}`)
  return run(script, 'log', 'report.xml').stdout.toString()
}

test('the end of a run names each failed test with its place and error, and what broke outside of tests', () => {
  const lines = said({
    'shop.test.ts': `import { describe, expect, test } from 'bun:test'
describe('a shop', () => {
  test('opens', () => {})
  test('sells "bread" & <milk>', () => expect('a < b').toBe('b'))
})`,
    'gone.test.ts': `import './nowhere.ts'`,
    'crash.test.ts': `import { test } from 'bun:test'
test('ends the process', () => process.kill(process.pid, 'SIGKILL'))`,
  })
  expect(lines).toStartWith('\nWhat failed:\n')
  expect(lines).toContain(
    'shop.test.ts:4  a shop > sells "bread" & <milk>\nAssertionError: expect(received).toBe(expected)',
  )
  expect(lines).toContain('Received: "a < b"')
  expect(lines).toContain("outside of a test\nerror: Cannot find module './nowhere.ts'")
  expect(lines).toContain('crash.test.ts  (worker crashed)\nworker process crashed')
  expect(lines).not.toContain('opens')
})

test('the end of a run in which nothing failed names nothing', () => {
  expect(said({ 'shop.test.ts': `import { test } from 'bun:test'\ntest('opens', () => {})` })).toBe('')
})
