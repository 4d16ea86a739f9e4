import { describe, expect, test } from 'bun:test'
import { denials } from '../../src/native/system-calls.ts'

describe.if(process.platform === 'linux')('a confined process', () => {
  test('reads files and starts threads, and can do nothing else to the system', async () => {
    const child = Bun.spawn([process.execPath, `${import.meta.dir}/confined.ts`], { stdout: 'pipe', stderr: 'pipe' })
    const said = await new Response(child.stdout).json()
    expect(said).toEqual({
      unconfined: [],
      before: { read: 'done', thread: 'done', ...all('done') },
      after: { read: 'done', thread: 'done', ...all('denied') },
    })
  })
})

test.if(process.platform === 'linux')(
  'a confined process ends when it wants more memory than it was given',
  async () => {
    const child = Bun.spawn([process.execPath, `${import.meta.dir}/greedy.ts`], { stdout: 'ignore', stderr: 'ignore' })
    await child.exited
    // Not by its own word, which would be 7: the system refused it.
    expect([child.exitCode, child.signalCode]).not.toEqual([7, null])
    expect(child.exitCode).not.toBe(0)
    expect(child.resourceUsage()!.maxRSS).toBeLessThan(2 * 2 ** 30)
  },
)

const deeds = ['write', 'append', 'remove', 'rename', 'folder', 'mode', 'program', 'signal', 'connect', 'listen']
const all = (outcome: string) => Object.fromEntries(deeds.map((deed) => [deed, outcome]))

test('the kernel is given a program for both machines, and none for others', () => {
  for (const arch of ['x64', 'arm64'] as const) {
    const { program } = denials(arch)
    const view = new DataView(program.buffer)
    const count = program.length / 8
    const codes = Array.from({ length: count }, (_, at) => view.getUint16(at * 8, true))
    // Every jump leads to an instruction, and the last one decides.
    for (const [at, code] of codes.entries()) {
      if ((code & 7) !== 5) continue
      for (const jump of [view.getUint8(at * 8 + 2), view.getUint8(at * 8 + 3)])
        expect(at + 1 + jump).toBeLessThan(count)
    }
    expect([codes.at(-1), view.getUint32((count - 1) * 8 + 4, true)]).toEqual([6, 0x7fff_0000])
  }
  expect(() => denials('ia32')).toThrow('the calls of ia32 are not known')
})
