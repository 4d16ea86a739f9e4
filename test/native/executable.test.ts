import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileExecutable } from '../../scripts/build.ts'

let folder: string
let program: string
const mounts: string[] = []
const canMount = mayMount()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-executable-'))
  program = join(folder, 'built', 'program')
  const fixture = join(import.meta.dir, 'fixture')
  await compileExecutable({
    entrypoints: [join(fixture, 'main.ts'), join(fixture, 'nested/echo.worker.ts')],
    outfile: program,
  })
}, 300_000)

afterAll(async () => {
  for (const mount of mounts) Bun.spawnSync(['umount', mount])
  await rm(folder, { recursive: true, force: true })
})

async function emptyFolder(name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path)
  return path
}

function run(cwd: string, env: Record<string, string>, ...args: string[]) {
  const child = Bun.spawnSync([program, ...args], { cwd, env })
  return { code: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() }
}

function mayMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'quire-mount-'))
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', 'tmpfs', path], { stderr: 'ignore' }).success
  if (mounted) Bun.spawnSync(['umount', path])
  rmdirSync(path)
  return mounted
}

async function mountTmpfs(name: string, options: string): Promise<string> {
  const path = await emptyFolder(name)
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path])
  if (!mounted.success) throw new Error(mounted.stderr.toString())
  mounts.push(path)
  return path
}

describe('the compiled executable', () => {
  test('runs in an empty folder with its database driver, worker and files inside, and writes nothing but its database', async () => {
    const cwd = await emptyFolder('empty')
    const temporary = await emptyFolder('temporary')
    const { code, stdout, stderr } = run(cwd, { TMPDIR: temporary })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      note: 'embedded text',
      fontBytes: 593_908,
      database: 1,
      worker: 'ping answered',
      fromDotenv: null,
    })
    expect(code).toBe(0)
    expect((await readdir(cwd)).filter((name) => !name.startsWith('fixture.db'))).toEqual([])
    expect(await readdir(temporary)).toEqual([])
  })

  test('names the source file and line of a crash, with no source map beside it', () => {
    const { code, stderr } = run(folder, { TMPDIR: folder }, 'crash')
    expect(stderr).toContain('on purpose')
    expect(stderr).toMatch(/fixture\/nested\/work\.ts:\d+:\d+/)
    expect(code).toBe(1)
    expect(readdirSync(join(folder, 'built'))).toEqual(['program'])
  })

  test('takes neither settings nor code from a .env or bunfig.toml in the working directory', async () => {
    const cwd = await emptyFolder('foreign')
    await writeFile(join(cwd, '.env'), 'QUIRE_FIXTURE=foreign\n')
    await writeFile(join(cwd, 'bunfig.toml'), 'preload = ["./intruder.ts"]\n')
    await writeFile(join(cwd, 'intruder.ts'), 'console.log("intruder")\n')
    const { code, stdout } = run(cwd, { TMPDIR: folder })
    expect(code).toBe(0)
    expect(stdout).not.toContain('intruder')
    expect(JSON.parse(stdout).fromDotenv).toBeNull()
  })
})

describe('a temporary directory that the database driver cannot be unpacked to', () => {
  function expectOneClearLine(path: string, variable: string, cause: string): void {
    const { code, stdout, stderr } = run(folder, { [variable]: path })
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).toStartWith(`${variable}: `)
    expect(stderr).toContain(path)
    expect(stderr).toContain(cause)
    expect(stderr).toContain(`set ${variable} to`)
    expect(stderr).not.toContain('$bunfs')
    expect(stdout).toBe('')
    expect(code).toBe(2)
    if (existsSync(path)) expect(readdirSync(path)).toEqual([])
  }

  test('is named in one line when it does not exist', () => {
    expectOneClearLine(join(folder, 'nowhere'), 'TMPDIR', 'does not exist')
  })

  test('is named by the variable that chose it when BUN_TMPDIR overrides TMPDIR', () => {
    expectOneClearLine(join(folder, 'nowhere'), 'BUN_TMPDIR', 'does not exist')
  })

  // Mode bits do not stop root, and only root may mount: one of the two ways is always there.
  test('is named in one line when it is read-only', async () => {
    const path = canMount ? await mountTmpfs('read-only', 'ro') : await emptyFolder('read-only')
    if (!canMount) await chmod(path, 0o555)
    expectOneClearLine(path, 'TMPDIR', 'not writable')
  })

  test.skipIf(!canMount)('is named in one line when it is full', async () => {
    expectOneClearLine(await mountTmpfs('full', 'size=1m'), 'TMPDIR', 'no space left')
  })

  test.skipIf(!canMount)('is named in one line when it is mounted noexec', async () => {
    expectOneClearLine(await mountTmpfs('noexec', 'noexec'), 'TMPDIR', 'mounted noexec')
  })
})
