import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { temporaryFolder } from '../../support/database.ts'
import { statusOf } from '../../support/processes.ts'
import { pngFile } from './png-file.ts'
import { p, picture, wordDocument } from './word.ts'

const root = join(import.meta.dir, '../../..')

/** Renders a document with the command line, in a process of its own. */
async function render(docx: Uint8Array): Promise<{ pdf: string; peakMb: number; said: string }> {
  const folder = temporaryFolder('quire-huge-')
  await Bun.write(join(folder, 'in.docx'), docx)
  const command = [process.execPath, join(root, 'src/main.ts'), 'render', 'in.docx', '-o', 'out.pdf', '--report']
  const child = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  // What the system says after its end would count the memory of this process, from which it was started.
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid))
  }, 10)
  const said = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  clearInterval(watch)
  expect([await child.exited, said]).toEqual([0, said])
  const pdf = Buffer.from(await Bun.file(join(folder, 'out.pdf')).bytes()).toString('latin1')
  return { pdf, peakMb, said }
}

/** The most memory that a process has had, in MB; 0 once it has ended, and where the system doesn't say. */
function peakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(statusOf(pid)) ?? []
  return Number(kilobytes ?? 0) / 1_024
}

const inlined = (...names: string[]) => names.map((name) => `<w:p><w:r>${picture(name, 300, 300)}</w:r></w:p>`).join('')

test('two pictures of 8,000 by 8,000 pixels with 16 bits take little memory, and no more of the PDF than 300 dpi need', async () => {
  const side = 8_000
  const rows = deflateSync(Buffer.alloc((side * 6 + 1) * side), { level: 1 })
  const media = Object.fromEntries(
    ['a', 'b'].map((name) => [`${name}.png`, pngFile({ width: side, height: side, depth: 16, color: 2, rows, name })]),
  )
  const { pdf, peakMb } = await render(wordDocument(inlined('a', 'b'), { media }))
  expect(pdf.match(/\/Subtype\/Image\/Width 1250\/Height 1250\/BitsPerComponent 8/g)).toHaveLength(2)
  expect(peakMb).toBeLessThan(400)
  if (process.platform === 'linux') expect(peakMb).toBeGreaterThan(10)
}, 60_000)

test('pictures beyond what one document may decode are gray boxes, and the others are drawn', async () => {
  const side = 8_000
  const rows = deflateSync(Buffer.alloc((side * 6 + 1) * side), { level: 1 })
  const names = ['a', 'b', 'c']
  const media = Object.fromEntries(
    names.map((name) => [`${name}.png`, pngFile({ width: side, height: side, depth: 16, color: 2, rows, name })]),
  )
  const { pdf, said } = await render(wordDocument(inlined(...names) + p('end'), { media }))
  expect(pdf.match(/\/Subtype\/Image\/Width/g)).toHaveLength(2)
  expect(said).toContain('word/media/c.png is beyond the 1024 MB')
}, 60_000)
