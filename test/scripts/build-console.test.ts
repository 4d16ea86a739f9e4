import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsole } from '../../scripts/build-console.ts'
import { outcomeOf } from '../support/outcome.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-console-'))
  await Bun.write(join(folder, 'main.ts'), `document.title = 'Ready'`)
  await Bun.write(join(folder, 'style.css'), 'body { margin: 0 }')
  await Bun.write(join(folder, 'public/robots.txt'), 'User-agent: *\n')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function build(html: string) {
  await Bun.write(join(folder, 'index.html'), html)
  return buildConsole(folder)
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const page = '<!doctype html><link rel="stylesheet" href="./style.css"><script type="module" src="./main.ts"></script>'

describe('the console’s build', () => {
  test('names the page /, the files that it loads with a hash, and public files as they are', async () => {
    const files = await build(page)
    const named = Object.fromEntries(files.map((file) => [file.path.replace(/-[a-z0-9]{8}\./, '-HASH.'), file]))
    expect(Object.keys(named).sort()).toEqual(['/', '/assets/index-HASH.css', '/assets/index-HASH.js', '/robots.txt'])
    expect(files.filter((file) => file.immutable).map((file) => file.path)).toEqual(
      files.filter((file) => file.path.startsWith('/assets/')).map((file) => file.path),
    )
    const html = text(named['/']?.bytes)
    for (const file of files) if (file.immutable) expect(html).toContain(`"${file.path}"`)
    expect(html).not.toContain('main.ts')
  })

  test('gives changed content another name and unchanged content the same', async () => {
    const before = await build(page)
    await Bun.write(join(folder, 'main.ts'), `document.title = 'Changed'`)
    const after = await build(page)
    const nameOf = (files: typeof before, extension: string) =>
      files.find((file) => file.path.endsWith(extension))?.path
    expect(nameOf(after, '.js')).not.toBe(nameOf(before, '.js'))
    expect(nameOf(after, '.css')).toBe(nameOf(before, '.css'))
  })

  for (const inline of [
    '<script>alert(1)</script>',
    '<style>a{}</style>',
    '<p style="color: red">',
    '<p onclick="x()">',
  ]) {
    test(`refuses ${inline}, which the Content-Security-Policy would block`, async () => {
      expect(await outcomeOf(build(page + inline))).toThrow('Content-Security-Policy')
    })
  }
})
