import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import {
  CommandFailure,
  isFull,
  readInput,
  reasonOf,
  refuseTwoStandardInputs,
  writeOutput,
} from '../../src/commands/files.ts'
import { findingsText } from '../../src/commands/findings.ts'
import { inWords, lineOf, withServer } from '../../src/commands/remote.ts'
import type { Finding } from '../../src/core/finding.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { smallDisk } from '../support/small-disk.ts'

describe('a file that a command writes', () => {
  test('takes its name when it is whole, in place of what was there, and leaves nothing beside it', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'out.txt')
    writeOutput(path, 'first')
    writeOutput(path, new TextEncoder().encode('second'))
    expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['second', ['out.txt']])
  })

  test('replaces what a link leads to, and leaves the link', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
    const target = join(elsewhere, 'real.txt')
    writeFileSync(target, 'old')
    symlinkSync(target, join(folder, 'link.txt'))
    writeOutput(join(folder, 'link.txt'), 'new')
    expect([readFileSync(target, 'utf8'), readlinkSync(join(folder, 'link.txt'))]).toEqual(['new', target])
    expect([readdirSync(folder), readdirSync(elsewhere)]).toEqual([['link.txt'], ['real.txt']])
  })

  test('may be a device, which keeps its name', () => {
    writeOutput('/dev/null', 'anything')
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('is refused with its name and the reason, and half of it stays nowhere', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    expect(() => writeOutput(join(folder, 'sub'), 'x')).toThrow(
      `${join(folder, 'sub')} cannot be written: it is a folder`,
    )
    expect(() => writeOutput(join(folder, 'none', 'x'), 'x')).toThrow(
      'cannot be written: there is no such file or folder',
    )
    expect(() => writeOutput(join(folder, 'none', 'x'), 'x')).toThrow(CommandFailure)
    expect(readdirSync(folder)).toEqual(['sub'])
  })
})

const disk = smallDisk(64 * 1024)
test.if(disk !== undefined)('a file that finds no place is refused by its own name, not by that of the draft', () => {
  const path = join(disk!, 'out.txt')
  expect(() => writeOutput(path, new Uint8Array(128 * 1024))).toThrow(`${path} cannot be written: no space is left`)
  expect(readdirSync(disk!)).toEqual([])
  expect(Bun.spawnSync(['mount', '-o', 'remount,ro', disk!]).success).toBe(true)
  expect(() => writeOutput(path, 'x')).toThrow(
    new CommandFailure(`${path} cannot be written: the file system is read-only`),
  )
})

describe('a file that a command reads', () => {
  test('is given as it is, or refused with its name and the reason', () => {
    const path = join(temporaryFolder(), 'in.bin')
    writeFileSync(path, Uint8Array.of(0, 255, 10))
    expect([...readInput(path)]).toEqual([0, 255, 10])
    chmodSync(path, 0o600)
    expect(() => readInput(`${path}.none`)).toThrow(`${path}.none cannot be read: there is no such file or folder`)
    expect(() => readInput(join(path, '..'))).toThrow('it is a folder')
    expect(() => readInput(`${path}.none`)).toThrow(CommandFailure)
  })

  test('may be standard input once', () => {
    expect(() => refuseTwoStandardInputs(['a', '-', 'b'])).not.toThrow()
    expect(() => refuseTwoStandardInputs(['-', 'a', '-'])).toThrow(UsageError)
  })
})

test('the reason of a failure is in words if there are some, else the system’s code or what it says', () => {
  const coded = (code: string) => reasonOf(Object.assign(new Error('raw'), { code }))
  expect(['ENOENT', 'EISDIR', 'EACCES', 'EROFS', 'ENOSPC', 'EEXIST', 'ENOTDIR', 'EDQUOT', 'EMFILE'].map(coded)).toEqual(
    [
      'there is no such file or folder',
      'it is a folder',
      'permission denied',
      'the file system is read-only',
      'no space is left',
      'there is a file of that name',
      'a file is where a folder would be',
      'no space is left to this user',
      'EMFILE',
    ],
  )
  expect([reasonOf(new Error('own words')), reasonOf('a text')]).toEqual(['own words', 'a text'])
})

test('a full disk is known by each code that there is for it, also behind the error of what met it', () => {
  const coded = (code: string) => Object.assign(new Error('raw'), { code })
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']) {
    expect([code, isFull(coded(code)), isFull(new Error('outer', { cause: coded(code) }))]).toEqual([code, true, true])
  }
  expect([isFull(coded('EROFS')), isFull(new Error('ENOSPC')), isFull('ENOSPC')]).toEqual([false, false, false])
})

test('findings for programs are listed once for each file, with how many are errors and warnings', () => {
  const error: Finding = { code: 'a', severity: 'error', message: 'm' }
  const warning: Finding = { ...error, severity: 'warning' }
  const files = [
    ['x', [error, warning]],
    ['y', []],
    ['x', [warning]],
  ] as const
  expect(JSON.parse(findingsText(files, { json: true }))).toEqual({
    files: [
      { path: 'x', findings: [error, warning, warning] },
      { path: 'y', findings: [] },
    ],
    errors: 1,
    warnings: 2,
  })
  expect(findingsText(files, { json: true })).toEndWith('}\n')
  expect(findingsText(files, {})).toBe('x: m\nx: warning: m\nx: warning: m\n')
})

describe('a server’s refusal', () => {
  test('names what was given on the command line in place of the fields of the request', () => {
    const words = { effective_from: '--at', slug: 'the slug' }
    expect(inWords('Body field effective_from is missing.', words)).toBe('--at is missing.')
    expect(inWords('Query field slug and Path field slug; Body field other.', words)).toBe(
      'the slug and the slug; Body field other.',
    )
    expect(inWords('Body field effective_from.limit is none.', words)).toBe('--at limit is none.')
    expect(inWords('  /effective_from: must be later', words)).toBe('  --at: must be later')
    expect(inWords('see /effective_from: here', words)).toBe('see /effective_from: here')
    expect(inWords('/effective_fromm: x', words)).toBe('/effective_fromm: x')
  })

  test('has a line for each issue, with its place where there is one', () => {
    expect([
      lineOf({ path: '/a', message: 'm' }),
      lineOf({ path: '', message: 'm' }),
      lineOf({ message: 'm' }),
    ]).toEqual(['  /a: m', '  m', '  m'])
  })
})

describe('work on a server', () => {
  const never = async () => expect.unreachable()
  const refused = (server: string | undefined, variables: Record<string, string>) =>
    rejectionOf(withServer({ server }, never, variables))

  test('wants an address, and somebody to act for', async () => {
    expect(await refused('no address', { QUIRE_TOKEN: 't' })).toMatchObject({
      message: '"no address" is no address, such as https://quire.example.com',
    })
    for (const variables of [{}, { QUIRE_USERNAME: 'ada' }, { QUIRE_PASSWORD: 'x' }])
      expect(await refused(undefined, variables as Record<string, string>)).toMatchObject({
        message:
          'set QUIRE_TOKEN to a token, which the console makes (Tokens) or, beside the server, quire token add; or set QUIRE_USERNAME and QUIRE_PASSWORD to sign in',
      })
    expect(await refused(undefined, { QUIRE_SERVER: 'wrong', QUIRE_TOKEN: 't' })).toBeInstanceOf(UsageError)
  })

  test('is done with the token, and says so where nothing answers', async () => {
    expect(await withServer({ server: undefined }, async () => 'done', { QUIRE_TOKEN: 'qr_x' })).toBe('done')
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
    const address = `http://127.0.0.1:${server.port}`
    await server.stop(true)
    const away = await rejectionOf(
      withServer({ server: address }, async () => 'done', { QUIRE_USERNAME: 'ada', QUIRE_PASSWORD: 'x' }),
    )
    expect(away).toBeInstanceOf(CommandFailure)
    expect(String(away)).toMatch(
      /: http:\S+ does not answer: \w+; start Quire there with quire serve, or name its address with --server or QUIRE_SERVER$/,
    )
    expect(String(away)).toContain(`${address} does`)
    const own = new Error('of the work itself')
    expect(await rejectionOf(withServer({ server: address }, () => Promise.reject(own), { QUIRE_TOKEN: 'qr_x' }))).toBe(
      own,
    )
  })
})
