import { afterAll } from 'bun:test'
import { ensureConsoleAssets } from '../scripts/build-console.ts'
import { cleanUp } from './support/cleanup.ts'

// Tests never depend on the machine's zone or locale.
process.env.TZ = 'UTC'

// Real servers and a browser take longer than bun's 5 s on a busy machine, and the longest tests without a time of their own take 20 s
// there, or more. A default that is set here would hold for the
// first file only, so every test file begins by setting it, on its own first line: `bun test` alone does as test.sh does.
const timeoutMs = 180_000
const prefix = `import{setDefaultTimeout as setTimeoutOfFile}from'bun:test';setTimeoutOfFile(${timeoutMs});`
Bun.plugin({
  name: 'default timeout of tests',
  setup(build) {
    build.onLoad({ filter: /[\\/]test[\\/].*\.test\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: prefix + (await Bun.file(path).text()),
    }))
  },
})

// The application imports the console's generated module, which a fresh clone doesn't have yet.
await ensureConsoleAssets()

// Stopping servers takes long on a busy machine, and hooks of this file have bun's own default.
afterAll(cleanUp, 2 * timeoutMs)
