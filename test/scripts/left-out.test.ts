import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type LeftOut, leftOut, leftOutPlugin } from '../../scripts/left-out.plugin.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { findBinary } from '../support/quire.ts'

const list: readonly LeftOut[] = [
  { package: 'heavy', namedBy: /\/light\//, names: ['lift', 'Crane'], why: 'nothing is lifted here' },
]

async function build(files: Readonly<Record<string, string>>, isComplete = false) {
  const folder = temporaryFolder('quire-left-out-')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const built = await Bun.build({
    entrypoints: [join(folder, 'main.js')],
    target: 'bun',
    outdir: join(folder, 'out'),
    plugins: [leftOutPlugin({ isComplete, list })],
  })
  return (await import(built.outputs[0]?.path ?? '')) as { result: string }
}

describe('A package that the executable leaves out', () => {
  const light = "const { lift, Crane } = require('heavy')\nmodule.exports = { lift, crane: () => new Crane() }"

  test('says what is missing, and why, when the program gets to it', async () => {
    const tried = (call: string) => `
      import light from './node_modules/light/index.js'
      export let result = 'nothing'
      try { ${call} } catch (error) { result = error.message }`
    const said = 'heavy is not part of this executable: nothing is lifted here.'
    for (const call of ['light.lift(1)', 'light.crane()']) {
      const { result } = await build({ 'main.js': tried(call), 'node_modules/light/index.js': light })
      expect([call, result]).toEqual([call, said])
    }
  })

  test('breaks the build when somebody else needs it, or another part of it', async () => {
    for (const [name, text] of [
      ['other', "module.exports = require('heavy')"],
      ['light', "module.exports = require('heavy/wheels')"],
    ] as const) {
      const main = `import it from './node_modules/${name}/index.js'\nexport const result = typeof it`
      const said = Bun.inspect(await rejectionOf(build({ 'main.js': main, [`node_modules/${name}/index.js`]: text })))
      expect(said).toContain('which the executable leaves out. Take it from the list in scripts/left-out.plugin.ts')
      expect(said).toContain(`/${name}/index.js needs heavy`)
    }
  })

  test('breaks the build of the whole program when nothing names it any longer', async () => {
    const main = { 'main.js': "export const result = 'fine'" }
    expect((await build(main)).result).toBe('fine')
    expect(Bun.inspect(await rejectionOf(build(main, true)))).toContain('Nothing names heavy any longer')
  })

  test('is listed with a reason', () => {
    for (const { package: name, why, names } of leftOut)
      expect([name, why.length > 20, names.length > 0]).toEqual([name, true, true])
  })
})

test('The executable is at most 40 MB larger than the runtime in it', () => {
  const [program, runtime] = [findBinary(), process.execPath].map((path) => Bun.file(path).size)
  expect(((program ?? 0) - (runtime ?? 0)) / 1e6).toBeLessThanOrEqual(40)
})
