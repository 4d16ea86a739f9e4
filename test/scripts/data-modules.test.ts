import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataModulesPlugin } from '../../scripts/data-modules.plugin.ts'
import { temporaryFolder } from '../support/database.ts'

const root = join(import.meta.dir, '../..')

test('Modules and texts that are carried compressed are read as they were, and are in no code', async () => {
  const folder = temporaryFolder('quire-data-modules-')
  const entry = join(folder, 'entry.ts')
  const from = (path: string) => JSON.stringify(join(root, path))
  writeFileSync(
    entry,
    [
      `import { migrations } from ${from('src/db/migrations.ts')}`,
      `import { scripts } from ${from('src/engines/pdf/font/script-table.ts')}`,
      `import { htmlDecodeTree } from ${from('node_modules/entities/dist/generated/decode-data-html.js')}`,
      'console.log(JSON.stringify({ migrations, scripts, tree: [...htmlDecodeTree] }))',
    ].join('\n'),
  )
  const outdir = join(folder, 'built')
  const built = await Bun.build({ entrypoints: [entry], outdir, target: 'bun', plugins: [dataModulesPlugin] })
  expect(built.logs).toEqual([])
  const run = (path: string) => {
    const { stdout, stderr } = Bun.spawnSync([process.execPath, path], { cwd: dirname(path) })
    return stdout.toString() || stderr.toString()
  }
  expect(run(join(outdir, 'entry.js'))).toBe(run(entry))
  const code = await Bun.file(join(outdir, 'entry.js')).text()
  expect([run(entry), code].map((text) => text.includes('CREATE TABLE `activations`'))).toEqual([true, false])
  expect(code.length).toBeLessThan(40_000)
  expect(JSON.parse(run(entry)).tree.length).toBeGreaterThan(5_000)
})
