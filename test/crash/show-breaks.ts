/**
 * Runs fault tests against deliberately broken builds, and says what each one said: `bun test/crash/show-breaks.ts [name…]`.
 * Each build is a copy of the project with one protection taken away. Ends with 1 when a test passed all the same.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Break, breaks } from './breaks.ts'

const root = join(import.meta.dir, '../..')

function copyProject(folder: string): void {
  const listed = Bun.spawnSync(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const name of listed.stdout.toString().split('\0')) {
    if (name === '') continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    cpSync(join(root, name), join(folder, name))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

function edit(folder: string, { edits }: Break): void {
  for (const { file, find, replace } of edits) {
    const source = readFileSync(join(folder, file), 'utf8')
    if (source.split(find).length !== 2) throw new Error(`${file} does not hold this once: ${find}`)
    writeFileSync(
      join(folder, file),
      source.replace(find, () => replace),
    )
  }
}

/** The test's own words about what broke; undefined when it passed. */
async function failureOf(folder: string, { test, only, isFull }: Break): Promise<string | undefined> {
  // From source, so that no build is needed for each.
  const program = join(folder, 'broken-quire')
  writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${join(folder, 'src/main.ts')} "$@"\n`)
  chmodSync(program, 0o700)
  const child = Bun.spawn(
    [process.execPath, 'test', `test/crash/${test}.test.ts`, ...(only === undefined ? [] : ['-t', only])],
    {
      cwd: folder,
      env: { ...process.env, QUIRE_BINARY: program, CI: 'true', CRASH_TESTS: isFull === true ? 'full' : '' },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  const said = (await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])).join('\n')
  if ((await child.exited) === 0) return undefined
  const words = said
    .split('\n')
    .filter((line) => /^(error|Expected|Received|\(fail\)|\d+ \|.*(expect|until)\()/.test(line.trim()))
  return words.length === 0 ? said.slice(-2_000) : words.map((line) => `    ${line.trim()}`).join('\n')
}

const wanted = new Set(process.argv.slice(2))
let isBlind = false
for (const one of breaks) {
  if (wanted.size > 0 && !wanted.has(one.name)) continue
  const folder = mkdtempSync(join(tmpdir(), 'quire-broken-'))
  copyProject(folder)
  edit(folder, one)
  const startedAt = performance.now()
  const failure = await failureOf(folder, one)
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  rmSync(folder, { recursive: true, force: true })
  isBlind ||= failure === undefined
  const verdict = failure === undefined ? 'PASSED ALL THE SAME' : 'seen failing'
  process.stdout.write(`${one.name} (${one.test}, ${seconds} s): ${verdict}\n${failure ?? ''}\n`)
}
process.exit(isBlind ? 1 : 0)
