import { expect, test } from 'bun:test'
import { tell } from '../../src/commands/doctor.ts'
import { PRODUCT_VERSION } from '../../src/core/version.ts'
import type { Finding } from '../../src/doctor/finding.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { catchPrinted } from '../support/printed.ts'

const printed = catchPrinted()

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

const fine: Finding = { check: 'clock', verdict: 'fine', found: 'it is right' }
const unchecked: Finding = { check: 'broker', verdict: 'unchecked', found: 'nobody asked' }
const advice: Finding = { check: 'disk', verdict: 'advice', found: 'little room', remedy: 'make some' }
const wrong: Finding = { check: 'database', verdict: 'wrong', found: 'it is cut off', remedy: 'restore it' }
const lines = new Map([
  [fine, 'ok     clock         it is right\n'],
  [unchecked, '–      broker        nobody asked\n'],
  [advice, `look   disk          little room\n${' '.repeat(21)}→ make some\n`],
  [wrong, `WRONG  database      it is cut off\n${' '.repeat(21)}→ restore it\n`],
])

test.each<[Finding[], verdict: string, code: number, strict: number]>([
  [[fine, unchecked], 'nothing wrong', 0, 0],
  [[fine, advice, unchecked], 'nothing wrong, 1 to look at', 0, 3],
  [[wrong, wrong], '2 wrong', 1, 1],
  [[advice, wrong, advice], '1 wrong, 2 to look at', 1, 1],
])('doctor tells %j as %p, with codes of their own', async (findings, verdict, code, strict) => {
  const found = async function* () {
    yield* findings
  }
  expect(await tell(found(), {})).toBe(code as 0)
  expect(printed.stdout).toBe(`${findings.map((finding) => lines.get(finding)).join('')}\n${verdict}\n`)
  expect(await tell(found(), { strict: true })).toBe(strict as 0)
  printed.stdout = ''
  expect(await tell(found(), { json: true })).toBe(code as 0)
  const count = (one: string) => findings.filter((finding) => finding.verdict === one).length
  const counts = { wrong: count('wrong'), advice: count('advice') }
  expect(JSON.parse(printed.stdout)).toEqual({ product: PRODUCT_VERSION, ...counts, findings })
})
