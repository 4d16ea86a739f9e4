import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { helpOf, helpOfCommand } from '../src/commands/help.ts'
import { commandTable } from '../src/commands/table.ts'
import { runCommand } from './support/command.ts'
import { temporaryFolder } from './support/database.ts'

const folder = temporaryFolder()
const run = (...args: string[]) => runCommand(folder, args)
const verify = commandTable.find(({ name }) => name === 'verify')
if (verify === undefined) throw new Error('there is no verify')

describe.concurrent('the command line', () => {
  test('prints its help when it is asked for nothing, or for help in any form', async () => {
    for (const args of [[], ['-h'], ['help', '--help']]) {
      expect([args, await run(...args)]).toEqual([args, { code: 0, stdout: helpOf(commandTable), stderr: '' }])
    }
  })

  test('prints the help of one command in each form, and does not run it', async () => {
    for (const args of [
      ['help', 'verify'],
      ['verify', 'x', '-h'],
    ]) {
      expect([args, await run(...args)]).toEqual([args, { code: 0, stdout: helpOfCommand(verify), stderr: '' }])
    }
  })

  test('prints its version in each form', async () => {
    const { code, stdout } = await run('version')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^quire \d+\.\d+\.\d+ \(API .+\)\n$/)])
    for (const form of ['--version', '-V', '-v']) {
      expect([form, await run(form)]).toEqual([form, { code: 0, stdout, stderr: '' }])
    }
  })

  test('refuses what it does not know with exit code 2 and one line that says what is meant', async () => {
    for (const [args, meant] of [
      [['verfy'], 'did you mean "quire verify"?'],
      [['--verfy'], 'did you mean "quire verify"?'],
      [['help', 'verfy'], 'did you mean "quire verify"?'],
      [['help', '--all'], '--all'],
      [['verify', '--al'], '--al'],
    ] as const) {
      const { code, stdout, stderr } = await run(...args)
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect([args, stderr]).toEqual([args, expect.stringMatching(/^quire: .+\n$/)])
      expect([args, stderr]).toEqual([args, expect.stringContaining(meant)])
    }
  })

  test('refuses a wrong setting with exit code 2, and a command that fails with 1, each in one line', async () => {
    const wrong = await runCommand(folder, ['migrate'], { QUIRE_LOG: 'loud' })
    expect(wrong).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/^quire: QUIRE_LOG: .+\n$/) })
    const failed = await run('verify')
    expect(failed).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/^quire: .+\n$/) })
  })

  test('warns of a variable that is no setting', async () => {
    const own = temporaryFolder()
    const { code, stderr } = await runCommand(own, ['migrate'], { QUIRE_LISTN: '127.0.0.1:1' })
    expect([code, stderr]).toEqual([0, expect.stringContaining('QUIRE_LISTN')])
    // What it wrote is for its owner alone.
    expect(readdirSync(own)).toContain('quire-data')
  })
})
