/**
 * After how many histories each planted bug is found: `bun test/simulation/show-breaks.ts [name…]`, of at most 60 s each. Ends with 1
 * when one is not found.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plantedBugs } from './breaks.ts'

/** Of processor time: a minute of two cores. */
const SECONDS = 120
const SEED = process.env.SIMULATION_SEED ?? '1'
const root = join(import.meta.dir, '../..')

const wanted = new Set(process.argv.slice(2))
const folder = mkdtempSync(join(tmpdir(), 'quire-planted-'))
let isBlind = false
try {
  for (const part of ['src', 'drizzle', 'test/simulation', 'test/crash'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const { name, takesAway, edits } of plantedBugs) {
    if (wanted.size > 0 && !wanted.has(name)) continue
    const sources = new Map(edits.map(({ file }) => [file, readFileSync(join(root, file), 'utf8')]))
    const broken = new Map(sources)
    for (const { file, find, replace } of edits) {
      const source = broken.get(file) ?? ''
      if (source.split(find).length !== 2) throw new Error(`${file} does not hold this once: ${find}`)
      broken.set(
        file,
        source.replace(find, () => replace),
      )
    }
    for (const [file, source] of broken) writeFileSync(join(folder, file), source)
    const startedMs = performance.now()
    const said = await simulate()
    const tookSeconds = (performance.now() - startedMs) / 1_000
    for (const [file, source] of sources) writeFileSync(join(folder, file), source)
    const [, after, seed, problem] = /BROKEN in history (\d+), seed (\d+):\n\s+(.*)/.exec(said) ?? []
    isBlind ||= after === undefined
    const found =
      after === undefined
        ? `NOT FOUND: ${said.trim()}`
        : `history ${after}, seed ${seed}, after ${tookSeconds.toFixed(1)} s: ${problem}`
    process.stdout.write(`${name} (${takesAway}): ${found}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = isBlind ? 1 : 0

async function simulate(): Promise<string> {
  const program = join(folder, 'test/simulation/simulate.ts')
  const child = Bun.spawn(
    [process.execPath, program, '--histories', '1000000', '--seconds', String(SECONDS), '--seed', SEED],
    {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  return (await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])).join('\n')
}
