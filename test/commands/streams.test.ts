import { expect, test } from 'bun:test'
import { closeSync, constants, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { type CommandAnswer, runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'
import { freePort } from '../support/postgres.ts'
import { smallDisk } from '../support/small-disk.ts'
import { until } from '../support/until.ts'

const folder = temporaryFolder()
const program = [process.execPath, join(import.meta.dir, '../../src/main.ts')]
const plain = { ...bareEnvironment, TMPDIR: folder }
const letter = wordPackage(p('Dear {{/name}}'))
writeFileSync(join(folder, 'letter.docx'), letter)
writeFileSync(join(folder, 'plain.docx'), wordPackage(p('Dear Ann')))
writeFileSync(join(folder, 'data.json'), '{"name": "Ann"}')

/** Runs a command with something on standard input; what it prints as bytes. */
async function piped(
  args: readonly string[],
  input: Uint8Array | string,
): Promise<[code: number, bytes: Uint8Array, stderr: string]> {
  const path = join(folder, 'input')
  writeFileSync(path, input)
  const child = Bun.spawn([...program, ...args], {
    cwd: folder,
    env: plain,
    stdin: Bun.file(path),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [bytes, stderr] = await Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).text()])
  return [await child.exited, bytes, stderr]
}

/** JSON that a command printed. */
function json({ stdout }: CommandAnswer) {
  return JSON.parse(stdout)
}

test('compose and render read standard input and write standard output, the same bytes as with files', async () => {
  await runCommand(folder, ['compose', 'letter.docx', 'data.json', '-o', 'out.docx'])
  const composed = new Uint8Array(readFileSync(join(folder, 'out.docx')))
  expect(await piped(['compose', 'letter.docx', '-', '-o', '-'], '{"name": "Ann"}')).toEqual([0, composed, ''])
  expect(await piped(['compose', '-', 'data.json', '-o', '-'], letter)).toEqual([0, composed, ''])
  await runCommand(folder, ['render', 'out.docx', '-o', 'out.pdf'])
  const [code, pdf, stderr] = await piped(['render', '-', '-o', '-', '--report'], composed)
  expect([code, pdf]).toEqual([0, new Uint8Array(readFileSync(join(folder, 'out.pdf')))])
  expect(stderr).toStartWith('-: font#')
})

test('only one input can be standard input, and nothing that --fix would write', async () => {
  for (const [args, words] of [
    [['compose', '-', '-', '-o', 'x'], 'only one input can be -, which is standard input'],
    [['check', '-', '--contract', '-'], 'only one input can be -, which is standard input'],
    [['check', '-', '--fix'], '--fix writes files, and - is none'],
  ] as const) {
    const [code, , stderr] = await piped(args, '')
    expect([code, stderr]).toEqual([2, `quire: ${words}\n`])
  }
})

test('check tells what is on standard input by its content', async () => {
  for (const [input, words] of [
    ['transform: declarative-v1\noutput: $nothing\n', '-:2:9 /output: '],
    ['{"transform": "declarative-v1", "output": "$nothing"}', '-:1:'],
    ['{"type": "objekt"}', '-:1:10 /type: '],
    [wordPackage(p('{{#each /a}}')), '-: word/document.xml#1:0'],
  ] as const) {
    const [code, bytes] = await piped(['check', '-'], input)
    expect([code, new TextDecoder().decode(bytes)]).toEqual([1, expect.stringContaining(words)])
  }
})

test('--json prints the findings of each file and their counts, and nothing else', async () => {
  writeFileSync(join(folder, 'bad.json'), '{"type": "objekt"}')
  const checked = await runCommand(folder, ['check', 'letter.docx', 'bad.json', '--json'])
  expect([checked.code, json(checked)]).toEqual([
    1,
    {
      files: [
        { path: 'letter.docx', findings: [] },
        { path: 'bad.json', findings: [expect.objectContaining({ severity: 'error', path: '/type' })] },
      ],
      errors: 1,
      warnings: 0,
    },
  ])
  const rendered = await runCommand(folder, ['render', 'plain.docx', '-o', 'plain.pdf', '--json'])
  expect(json(rendered)).toEqual({
    files: [{ path: 'plain.docx', findings: expect.any(Array) }],
    errors: 0,
    warnings: expect.any(Number),
  })
  writeFileSync(join(folder, 'none.json'), '{}')
  const composed = await runCommand(folder, ['compose', 'letter.docx', 'none.json', '-o', 'none.docx', '--json'])
  expect([composed.code, composed.stdout, JSON.parse(composed.stderr).errors]).toEqual([1, '', 1])
  expect(json(await runCommand(folder, ['version', '--json']))).toMatchObject({ product: expect.stringMatching(/^\d/) })
})

test('migrate, sweep and user list print JSON', async () => {
  const home = temporaryFolder()
  expect(json(await runCommand(home, ['migrate', '--check', '--json'])).missing).toContain('0000_initial')
  await runCommand(home, ['user', 'add', 'ann', '--role', 'administrator', '--name', 'Ann A'])
  expect(json(await runCommand(home, ['migrate', '--check', '--json']))).toEqual({
    missing: [],
    changed: [],
    later: [],
  })
  expect(json(await runCommand(home, ['user', 'list', '--json']))).toEqual({
    id: expect.any(String),
    username: 'ann',
    display_name: 'Ann A',
    roles: ['administrator'],
    disabled: false,
    is_service: false,
    must_change_password: true,
  })
  expect(json(await runCommand(home, ['sweep', '--json']))).toEqual({ orphans: [], deleted: 0 })
})

test('render --strict ends with 3 when something is not shown as written, and makes the PDF all the same', async () => {
  const lines =
    '<w:p><w:r><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/></w:rPr><w:t>Dear Ann</w:t></w:r></w:p>'
  writeFileSync(join(folder, 'twin.docx'), wordPackage(lines))
  expect((await runCommand(folder, ['render', 'twin.docx', '-o', 'twin.pdf', '--strict'])).code).toBe(0)
  writeFileSync(join(folder, 'other.docx'), wordPackage(lines.replaceAll('Calibri', 'Papyrus')))
  expect((await runCommand(folder, ['render', 'other.docx', '-o', 'other.pdf', '--strict'])).code).toBe(3)
  expect((await runCommand(folder, ['render', 'other.docx', '-o', 'other.pdf'])).code).toBe(0)
  expect(readFileSync(join(folder, 'other.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
})

test.if(process.platform !== 'win32')(
  'a command whose reader has gone ends silently, as other programs do',
  async () => {
    const pipe = join(folder, 'pipe')
    Bun.spawnSync(['mkfifo', pipe])
    for (const args of [['help'], ['zone', 'Europe/Berlin'], ['check', 'data.json']]) {
      const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
      const writer = openSync(pipe, constants.O_WRONLY)
      closeSync(reader)
      const child = Bun.spawn([...program, ...args], { cwd: folder, env: plain, stdout: writer, stderr: 'pipe' })
      closeSync(writer)
      expect([args, await child.exited, await new Response(child.stderr).text()]).toEqual([args, 141, ''])
    }
  },
)

test.if(existsSync('/dev/full'))('a command whose output finds no room says so in a line, and fails', async () => {
  for (const args of [['help'], ['zone', 'Europe/Berlin'], ['check', 'data.json', '--json']]) {
    const child = Bun.spawn([...program, ...args], {
      cwd: folder,
      env: plain,
      stdout: Bun.file('/dev/full'),
      stderr: 'pipe',
    })
    const told = 'quire: the output could not be written: no space is left\n'
    expect([args, await child.exited, await new Response(child.stderr).text()]).toEqual([args, 1, told])
  }
})

const disk = smallDisk(64 * 1024)
test.if(disk !== undefined)(
  'a server whose log finds no room serves on, and logs again once there is room',
  async () => {
    const [log, ballast] = [join(disk!, 'log'), join(disk!, 'ballast')]
    const port = await freePort()
    writeFileSync(ballast, new Uint8Array(60 * 1024))
    const writer = openSync(log, 'a')
    const child = Bun.spawn([...program, 'serve'], {
      cwd: temporaryFolder(),
      env: { ...plain, QUIRE_LISTEN: `127.0.0.1:${port}`, QUIRE_WORKERS: '1' },
      stdout: 'ignore',
      stderr: writer,
    })
    closeSync(writer)
    const origin = `http://127.0.0.1:${port}`
    const isRefused = async (id: string) => {
      const headers = { authorization: 'Bearer qr_none', 'x-correlation-id': id }
      const { status } = await fetch(`${origin}/api/v1/admin/operations`, { headers })
      expect(status).toBe(401)
    }
    try {
      const isReady = () =>
        fetch(`${origin}/health/ready`).then(
          ({ ok }) => ok,
          () => false,
        )
      await until('it is ready', isReady, 30_000)
      for (let asked = 0; asked < 40; asked++) await isRefused(`full-${asked}`)
      expect(statSync(log).size).toBe(4_096)
      rmSync(ballast)
      await isRefused('room-0')
      await isRefused('room-1')
      await until('it logs again', async () => readFileSync(log, 'utf8').includes('room-1'))
      child.kill()
      expect(await child.exited).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
  },
  60_000,
)

test('a command whose work can never end fails, and one that ends does not', async () => {
  const module = JSON.stringify(join(import.meta.dir, '../../src/commands/unsettled.ts'))
  for (const [work, expected] of [
    ['new Promise(() => {})', [1, expect.stringContaining('it ended before its work was done')]],
    ['Bun.sleep(10)', [0, '']],
    ['Promise.reject(new Error())', [0, '']],
  ] as const) {
    const script = `const work = ${work}; work.catch(() => {}); require(${module}).failIfUnsettled(work)`
    const child = Bun.spawn([process.execPath, '-e', script], { cwd: folder, env: plain, stderr: 'pipe' })
    expect([await child.exited, await new Response(child.stderr).text()]).toEqual([...expected])
  }
})

test('what is read or written by its name is never called -', async () => {
  const id = '0198c3d2-7a10-7c00-8000-000000000000'
  for (const args of [
    ['init', '-'],
    ['test', '-'],
    ['get', id, '-o', '-'],
    ['submit', 'm', 'data.json', '-o', '-'],
    ['backup', '-'],
    ['restore', '-'],
    ['verify', '-'],
  ]) {
    const { code, stderr } = await runCommand(folder, args)
    const words = /^quire: - is standard input or output, and this takes a folder.*; \.\/- is one that is called so\n$/
    expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(words)])
  }
})

test('a folder that cannot be made is named, with the reason in words', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'taken'), '')
  const made = async (path: string) => (await runCommand(folder, ['init', path])).stderr
  expect(await made('taken')).toBe('quire: taken: there is a file of that name (mkdir)\n')
  expect(await made('taken/letters')).toContain('a file is where a folder would be (mkdir)\n')
})
