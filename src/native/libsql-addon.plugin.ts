import { join } from 'node:path'
import type { BunPlugin } from 'bun'

/**
 * The addon package of each machine that Quire is built for, by `platform-arch` as Bun names its compile targets.
 * Linux means glibc; a static musl build takes the `-musl` package and the target of that name.
 */
const ADDON_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@libsql/linux-x64-gnu',
  'linux-x64-musl': '@libsql/linux-x64-musl',
  'linux-arm64': '@libsql/linux-arm64-gnu',
  'linux-arm64-musl': '@libsql/linux-arm64-musl',
  'darwin-x64': '@libsql/darwin-x64',
  'darwin-arm64': '@libsql/darwin-arm64',
  'windows-x64': '@libsql/win32-x64-msvc',
}

/**
 * The addon's package for a machine.
 *
 * @throws if there is none
 */
export function addonPackageOf(platform: string, arch: string): string {
  const machine = `${platform === 'win32' ? 'windows' : platform}-${arch}`
  const addonPackage = ADDON_PACKAGES[machine]
  if (addonPackage === undefined) {
    throw new Error(
      `libSQL has no native addon for ${machine}. Build for one of: ${Object.keys(ADDON_PACKAGES).join(', ')}.`,
    )
  }
  return addonPackage
}

/**
 * Puts libSQL's native addon into the executable, compressed: 9.7 MB become 3.2 MB.
 *
 * `libsql/index.js` and `libsql/promise.js`, the driver's two forms, compute the addon's package name at run time
 * (``require(`@libsql/${target}`)``), which a bundler can't follow: the compiled program would look for `@libsql/linux-x64-gnu`
 * in a `node_modules` beside it, and find none. Here the name is fixed, the file is embedded, and `packed-addon.ts` unpacks it
 * when the driver is first required. Rewriting this one function at build time leaves the program's own source, and every run
 * from source, unchanged. It also saves the original's search for the machine's C library at the start.
 *
 * @param platform as in `process.platform`, with `windows` for `win32`
 * @param arch as in `process.arch`
 * @throws if there is no addon for the machine, or libsql's loader is no longer the one that this file knows
 */
export function libsqlAddonPlugin(platform: string, arch: string): BunPlugin {
  const addonPackage = addonPackageOf(platform, arch)
  return {
    name: 'libsql-addon',
    setup(build) {
      // By a name instead of its path, so that the text in the source map is the same wherever the build runs.
      build.onResolve({ filter: /^quire:packed-addon$/ }, () => ({ path: join(import.meta.dir, 'packed-addon.ts') }))
      build.onLoad({ filter: /[\\/]node_modules[\\/]libsql[\\/](?:index|promise)\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text()
        return { contents: withPackedAddon(source, addonPackage), loader: 'js' }
      })
      build.onLoad({ filter: /[\\/]@libsql[\\/].*\.node$/ }, async ({ path }) => ({
        contents: Bun.zstdCompressSync(await Bun.file(path).bytes(), { level: 19 }),
        loader: 'file',
      }))
    },
  }
}

/** libsql's loader with its computed `require` replaced by one that a bundler can follow. */
function withPackedAddon(source: string, addonPackage: string): string {
  const loader = /^function requireNative\(\) \{\n[\s\S]*?\n\}\n/m
  const imports = /^const \{[^}]*\} = require\("(?:@neon-rs\/load|detect-libc)"\);\n/gm
  if (!loader.test(source)) {
    throw new Error('the driver has no requireNative() any more: see how it finds its addon now, and adapt.')
  }
  const file = JSON.stringify(`${addonPackage}/index.node`)
  return source
    .replace(imports, '')
    .replace(
      loader,
      `function requireNative() { return require('quire:packed-addon').loadPackedAddon(require(${file})) }\n`,
    )
}
