import { expect, test } from 'bun:test'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

/** With such a setting there is nothing else to look at, so that the answer is short. */
const examine = (...args: string[]) => runCommand(temporaryFolder(), ['doctor', ...args], { QUIRE_LOG: 'loud' })

test('doctor prints a line for each finding with its remedy below, a verdict, and ends with 1 where something is wrong', async () => {
  const { code, stdout } = await examine()
  expect(stdout).toMatch(/^WRONG {2}settings {6}\S[^\n]*\n {21}→ \S[^\n]*\n\n1 wrong\n$/)
  expect(stdout).toContain('QUIRE_LOG')
  expect(code).toBe(1)
})

test('doctor --json prints the same findings as one object and nothing else', async () => {
  const { code, stdout } = await examine('--json', '--strict')
  const answer = JSON.parse(stdout)
  expect(answer).toEqual({
    product: expect.any(String),
    ...{ wrong: 1, advice: 0 },
    findings: [
      { check: 'settings', verdict: 'wrong', found: expect.stringContaining('QUIRE_LOG'), remedy: expect.any(String) },
    ],
  })
  expect(code).toBe(1)
})
