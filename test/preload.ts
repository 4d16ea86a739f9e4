import { afterAll, setDefaultTimeout } from 'bun:test'
import { ensureConsoleAssets } from '../scripts/build-console.ts'
import { cleanUp } from './support/cleanup.ts'

// Tests never depend on the machine's zone or locale.
process.env.TZ = 'UTC'

// Real servers and a browser take longer than bun's 5 s on a busy machine. It holds for the first file only: test.sh sets it for all.
setDefaultTimeout(30_000)

// The application imports the console's generated module, which a fresh clone doesn't have yet.
await ensureConsoleAssets()

afterAll(cleanUp)
