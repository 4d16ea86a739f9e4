/** Folders of projects that somebody else has written, as commands meet them; without a server that answers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { packProject } from '../../src/project/archive.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

let server: ReturnType<typeof Bun.serve>
let variables: Record<string, string>

beforeAll(() => {
  const { outcome } = packProject(folderWith(greeting))
  if (!outcome.ok) throw new Error('the project can be packed')
  const archive = outcome.value
  server = Bun.serve({
    port: 0,
    fetch: () => new Response(archive, { headers: { 'content-type': 'application/zip' } }),
  })
  variables = { QUIRE_SERVER: `http://127.0.0.1:${server.port}`, QUIRE_TOKEN: `quire_${'a'.repeat(43)}` }
})

afterAll(() => server.stop(true))

/** With a pipe, and a template that Git LFS has not fetched. */
function unusable(): string {
  const folder = folderWith({
    ...greeting,
    'templates/greeting.docx': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
  })
  rmSync(join(folder, 'transformers/notice.yaml'))
  Bun.spawnSync(['mkfifo', join(folder, 'transformers/notice.yaml')])
  return folder
}

test.each(['test', 'check', 'plan', 'apply'])(
  '%s names every file that can’t be used, and does not wait',
  async (command) => {
    const folder = unusable()
    const { code, stdout, stderr } = await runCommand(folder, [command], variables)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('templates/greeting.docx: The file is a pointer of Git LFS')
    expect(stdout + stderr).toContain('transformers/notice.yaml: It is a named pipe, not a file.')
  },
)

test('an export prints names of a server’s choice without what would move the cursor of a terminal', async () => {
  const data = new TextEncoder().encode('{}')
  const archive = new Uint8Array(writeZip([{ name: 'cases/greeting/a\u009b2Jb.json', data }]))
  const lying = Bun.serve({
    port: 0,
    fetch: () => new Response(archive, { headers: { 'content-type': 'application/zip' } }),
  })
  const { stdout } = await runCommand(temporaryFolder(), ['export'], { ...variables, QUIRE_SERVER: lying.url.origin })
  await lying.stop(true)
  expect(stdout).toBe('wrote cases/greeting/a 2Jb.json\n1 of 1 files written\n')
})

test('an export writes nothing where a link leads out of the folder, replacing or not', async () => {
  const elsewhere = temporaryFolder()
  const kept = join(elsewhere, 'kept.yaml')
  writeFileSync(kept, 'kept')
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'models'))
  symlinkSync(kept, join(folder, 'models/greeting.yaml'))
  symlinkSync(elsewhere, join(folder, 'transformers'))
  for (const options of [[], ['--replace']]) {
    const { code, stderr } = await runCommand(folder, ['export', ...options], variables)
    expect([code, stderr]).toEqual([1, expect.stringContaining("leads out of the project's folder")])
  }
  expect([readFileSync(kept, 'utf8'), existsSync(join(elsewhere, 'greeting.yaml'))]).toEqual(['kept', false])
})

test('an export leaves files as they were checked out, and replaces what a merge has left', async () => {
  const windows = Object.fromEntries(
    Object.entries(greeting).map(([path, content]) => [
      path,
      typeof content === 'string' ? content.replaceAll('\n', '\r\n') : content,
    ]),
  )
  const conflict = '<<<<<<< HEAD\n=======\n>>>>>>> theirs\n'
  const folder = folderWith({ ...windows, 'transformers/notice.yaml': conflict })
  const refused = await runCommand(folder, ['export'], variables)
  expect(refused.stderr).toContain('because transformers/notice.yaml would change')
  const { stdout } = await runCommand(folder, ['export', '--replace'], variables)
  expect(stdout).toBe('wrote transformers/notice.yaml\n1 of 9 files written\n')
  expect(readFileSync(join(folder, 'transformers/greeting.yaml'), 'utf8')).toContain('\r\n')
})
