import { afterAll } from 'bun:test'
import { ensureConsoleAssets } from '../scripts/build-console.ts'
import { cleanUp } from './support/cleanup.ts'

// Tests never depend on the machine's zone or locale.
process.env.TZ = 'UTC'

// Real servers and a browser take longer than bun's 5 s on a busy machine, and the longest tests without a time of their own take 20 s
// there, or more. A default that is set here would hold for the first file only, so every test file begins by setting it, on its own
// first line: `bun test` alone does as test.sh does. And each file cleans up at its end, after hooks of its own: what is registered here
// runs once, at the end of all files, unless several workers share them. Servers of a thousand files would be at work by then.
const timeoutMs = 180_000
const cleaning = '__cleanUpAfterFile'
const prefix = `import{setDefaultTimeout as setTimeoutOfFile}from'bun:test';setTimeoutOfFile(${timeoutMs});`
const suffix = `\nimport{afterAll as afterFile}from'bun:test';afterFile(globalThis.${cleaning},${2 * timeoutMs});`
Object.assign(globalThis, { [cleaning]: cleanUp })
Bun.plugin({
  name: 'default timeout of tests, and their end',
  setup(build) {
    build.onLoad({ filter: /[\\/]test[\\/].*\.test\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: prefix + (await Bun.file(path).text()) + suffix,
    }))
  },
})

// The application imports the console's generated module, which a fresh clone doesn't have yet.
await ensureConsoleAssets()

// For what the hooks of files left. Stopping servers takes long on a busy machine, and hooks of this file have bun's own default.
afterAll(cleanUp, 2 * timeoutMs)
