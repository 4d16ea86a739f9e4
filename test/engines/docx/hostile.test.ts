import { describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '../../../src/core/limits.ts'
import { bomb, kindsOfBombs } from './bombs.ts'

/** All 200 bombs, each in a process of its own, take some minutes: QUIRE_HOSTILE_FULL=1 bun test test/engines/docx/hostile.test.ts */
const isFull = process.env.QUIRE_HOSTILE_FULL !== undefined
const mutants = 2_000
const bombs = isFull ? 200 : kindsOfBombs

// On a busy machine only the order of magnitude is safe to ask for; the full run holds the true bound.
const maxMs = isFull ? 1_000 : 5_000
const maxBytes = 256 * 1_048_576

interface Report {
  tally: Record<string, number>
  slowest: { name: string; ms: number }
  problems: string[]
  peakBytes: number
}

async function run(...args: string[]): Promise<Report> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'hostile-run.ts'), ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  const code = await child.exited
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr.slice(0, 2_000)}`)
  return JSON.parse(stdout) as Report
}

describe('hostile templates', () => {
  test(`${mutants} templates mutated inside their XML give a document that opens again, or located findings`, async () => {
    const report = await run('mutants', String(mutants), '7')
    expect(report.problems).toEqual([])
    expect(report.slowest.ms).toBeLessThan(maxMs)
    // A mutation that always breaks the XML itself would show nothing about the engine.
    expect(report.tally.composed ?? 0).toBeGreaterThan(mutants / 5)
  }, 300_000)

  test(`${bombs} bombs end within a second and within 256 MiB, composed or with findings`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-bombs-'))
    const over: string[] = []
    try {
      for (let index = 0; index < bombs; index++) {
        const { name, bytes, data, fragments } = bomb(index)
        if (bytes.length > limits.artifactBytes) continue
        const [docx, json] = [join(folder, 'bomb.docx'), join(folder, 'bomb.json')]
        writeFileSync(docx, bytes)
        writeFileSync(json, JSON.stringify(data))
        const included = Object.entries(fragments)
        const beside = join(folder, `included-${index}`)
        if (included.length > 0) mkdirSync(beside)
        for (const [slug, fragment] of included) writeFileSync(join(beside, `${slug}.docx`), fragment)
        const report = await run('file', docx, json, ...(included.length > 0 ? [beside] : []))
        const figures = `${name}: ${Object.keys(report.tally)} ${report.slowest.ms.toFixed(0)} ms, ${(report.peakBytes / 1_048_576).toFixed(0)} MiB`
        if (report.problems.length > 0) over.push(`${figures} ${report.problems}`)
        else if (report.slowest.ms > maxMs || !(report.peakBytes <= maxBytes)) over.push(figures)
        else if (isFull) process.stderr.write(`${figures}\n`)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    expect(over).toEqual([])
  }, 900_000)
})
