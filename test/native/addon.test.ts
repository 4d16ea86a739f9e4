import { afterEach, describe, expect, test } from 'bun:test'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { libsqlAddonPlugin } from '../../src/native/libsql-addon.plugin.ts'
import { loadPackedAddon, temporaryDirectory } from '../../src/native/packed-addon.ts'
import { checkNativeAddon } from '../../src/native/preflight.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

const { BUN_TMPDIR, TMPDIR } = process.env

function setVariables(values: Record<string, string | undefined>): void {
  for (const name of ['BUN_TMPDIR', 'TMPDIR']) {
    const value = values[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

afterEach(() => setVariables({ BUN_TMPDIR, TMPDIR }))

interface Loader {
  filter: RegExp
  load: (argument: { path: string }) => Promise<{ contents: string | Uint8Array; loader: string }>
}

/** What the plugin does to files, by the order in which it says so. */
async function loadersOf(platform: string, arch: string): Promise<Loader[]> {
  const loaders: Loader[] = []
  const onLoad = ({ filter }: { filter: RegExp }, load: Loader['load']) => loaders.push({ filter, load })
  await libsqlAddonPlugin(platform, arch).setup({ onLoad, onResolve: () => {} } as never)
  return loaders
}

const libsqlFiles = ['libsql', 'libsql/promise'].map((name) => Bun.resolveSync(name, import.meta.dir))
const { optionalDependencies } = await Bun.file(join(import.meta.dir, '../../node_modules/libsql/package.json')).json()

describe('the addon that goes into the executable', () => {
  test.each([
    ['linux', 'x64', '@libsql/linux-x64-gnu'],
    ['linux', 'x64-musl', '@libsql/linux-x64-musl'],
    ['linux', 'arm64', '@libsql/linux-arm64-gnu'],
    ['linux', 'arm64-musl', '@libsql/linux-arm64-musl'],
    ['darwin', 'x64', '@libsql/darwin-x64'],
    ['darwin', 'arm64', '@libsql/darwin-arm64'],
    ['win32', 'x64', '@libsql/win32-x64-msvc'],
    ['windows', 'x64', '@libsql/win32-x64-msvc'],
  ])('of %s-%s is that of %s, which libSQL has', async (platform, arch, name) => {
    expect(Object.keys(optionalDependencies)).toContain(name)
    const [loader] = await loadersOf(platform, arch)
    for (const path of libsqlFiles) {
      expect(loader!.filter.test(path)).toBe(true)
      const { contents, loader: kind } = await loader!.load({ path })
      expect(kind).toBe('js')
      expect(contents).toContain(`loadPackedAddon(require("${name}/index.node"))`)
      // No path of this machine, so that the build is the same wherever it runs.
      expect(contents).toContain("require('quire:packed-addon')")
      expect(contents).not.toContain(join(import.meta.dir, '../..'))
      // Neither of the searches that a bundler can't follow is left.
      expect(contents).not.toMatch(/@neon-rs\/load|detect-libc|@libsql\/\$\{/)
    }
  })

  test('is missing for other machines, with those that have one', () => {
    for (const [platform, arch] of [
      ['win32', 'arm64'],
      ['linux', 'riscv64'],
      ['', ''],
    ] as const)
      expect(() => libsqlAddonPlugin(platform, arch)).toThrow('Build for one of: linux-x64, linux-x64-musl')
  })

  test('is refused where libSQL looks for it in another way', async () => {
    const [loader] = await loadersOf('linux', 'x64')
    const path = join(temporaryFolder(), 'index.js')
    writeFileSync(path, 'module.exports = {}\n')
    expect(await outcomeOf(loader!.load({ path }))).toThrow('no requireNative() any more')
  })

  test('is packed, and unpacks to itself', async () => {
    const [, loader] = await loadersOf('linux', 'x64')
    const path = join(temporaryFolder(), 'index.node')
    writeFileSync(path, 'bytes of an addon')
    expect(
      ['/x/@libsql/linux-x64-gnu/index.node', '/x/other/index.node'].map((name) => loader!.filter.test(name)),
    ).toEqual([...[true, false]])
    const { contents, loader: kind } = await loader!.load({ path })
    expect(kind).toBe('file')
    expect(new TextDecoder().decode(Bun.zstdDecompressSync(contents as Uint8Array))).toBe('bytes of an addon')
  })
})

describe('a packed addon', () => {
  test('is loaded from the temporary directory, where nothing of it stays', async () => {
    const addon = readdirSync(join(import.meta.dir, '../../node_modules/@libsql')).find(
      (name) => name === `${process.platform}-${process.arch}-gnu`,
    )
    const folder = temporaryFolder()
    const packed = join(temporaryFolder(), 'packed')
    const bytes = await Bun.file(join(import.meta.dir, '../../node_modules/@libsql', addon!, 'index.node')).bytes()
    writeFileSync(packed, Bun.zstdCompressSync(bytes, { level: 1 }))
    setVariables({ TMPDIR: folder })
    const loaded = loadPackedAddon(packed)
    expect(loaded).toHaveProperty('databaseOpen')
    expect(readdirSync(folder)).toEqual([])
    // Both forms of the driver load it.
    rmSync(packed)
    expect(loadPackedAddon(packed)).toBe(loaded)
  })

  test('leaves nothing behind when it cannot be unpacked or loaded either', () => {
    const folder = temporaryFolder()
    const packed = join(temporaryFolder(), 'packed')
    setVariables({ BUN_TMPDIR: folder, TMPDIR: '/nowhere' })
    const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
    const before = openFiles()
    for (const content of [new TextEncoder().encode('not compressed'), Bun.zstdCompressSync('no addon')]) {
      writeFileSync(packed, content)
      for (let time = 0; time < 5; time++) expect(() => loadPackedAddon(packed)).toThrow()
      expect(readdirSync(folder)).toEqual([])
    }
    // Ten that stay open would show, whatever else the process opens meanwhile.
    expect(openFiles()).toBeLessThan(before + 8)
  })

  test('goes where BUN_TMPDIR says, else TMPDIR, else to /tmp; an empty variable says nothing', () => {
    const [one, other] = [{ BUN_TMPDIR: '/one' }, { TMPDIR: '/other' }]
    for (const [variables, found] of [
      [
        { ...one, ...other },
        { variable: 'BUN_TMPDIR', path: '/one' },
      ],
      [other, { variable: 'TMPDIR', path: '/other' }],
      [
        { BUN_TMPDIR: '', ...other },
        { variable: 'TMPDIR', path: '/other' },
      ],
      [
        { BUN_TMPDIR: '', TMPDIR: '' },
        { variable: 'TMPDIR', path: '/tmp' },
      ],
      [{}, { variable: 'TMPDIR', path: '/tmp' }],
    ] as const) {
      setVariables(variables)
      expect(temporaryDirectory()).toEqual(found)
    }
  })
})

test('the driver that can be loaded is nothing to complain of', () => {
  expect(checkNativeAddon()).toBeUndefined()
})
