/**
 * Runs `quire serve` from source in this process. On SIGUSR2 it writes which modules were evaluated by then into `evaluated.json` of
 * its folder, as paths below the project's. `test/e2e/idle.test.ts` starts it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const main = join(root, 'src/main.ts')
process.on('SIGUSR2', () => {
  // In Bun it has all modules, not only those that somebody required.
  const paths = Object.keys(require.cache).filter((path) => path.startsWith(root))
  writeFileSync('evaluated.json', JSON.stringify(paths.map((path) => path.slice(root.length + 1))))
})
process.argv = [process.execPath, main, 'serve']
await import(main)
