import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, readlinkSync } from 'node:fs'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { EngineProcess, type EngineProcessOptions } from '../../src/runner/engine-process.ts'
import { WorkerCrashed, WorkerOutgrew, WorkerOverran } from '../../src/runner/faults.ts'
import type { StepJob } from '../../src/runner/job.ts'
import { type EnginePool, openPool } from '../../src/runner/pool.ts'
import { rejectionOf } from '../support/outcome.ts'
import { isGone, openFilesOf } from '../support/processes.ts'
import { until } from '../support/until.ts'
import { letterSources, validInput } from './letter.ts'

const lines: string[] = []
const log = createLog({ level: 'warn', readable: true, write: (line) => lines.push(line) })
const pools: EnginePool[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.close())))

/** A pool of one process at a time, and the processes that it has started. */
function poolOfProcesses({ deadlineMs, ...options }: Partial<EngineProcessOptions> & { deadlineMs?: number } = {}) {
  const started: EngineProcess[] = []
  const startWorker = () => {
    const worker = new EngineProcess({ role: 'engines', log, ...options })
    started.push(worker)
    return worker
  }
  const pool = openPool({ size: 1, log, startWorker, ...(deadlineMs === undefined ? {} : { deadlineMs }) })
  pools.push(pool)
  return { pool, started }
}

const sources = await letterSources()
const letter = (): StepJob => ({
  steps: ['validate', 'transform.declarative', 'compose', 'render'],
  sources,
  rawInput: validInput,
  input: validInput,
})
const bytesOf = async (pool: EnginePool) =>
  (await pool.run(letter())).map((result) => (result.ok ? result.file?.hash : result.failure))

const shared = poolOfProcesses()

describe('engines in a process', () => {
  test('make the same bytes as engines on a thread', async () => {
    const threads = openPool({ size: 1, log })
    pools.push(threads)
    const [inProcess, onThread] = [await bytesOf(shared.pool), await bytesOf(threads)]
    expect(inProcess).toEqual(onThread)
    expect(inProcess.filter((hash) => typeof hash === 'string')).toHaveLength(2)
    expect(lines).toEqual([])
  })

  test.if(process.platform === 'linux')('inherit nothing from the process that started them', async () => {
    const marked = process.env
    marked.QUIRE_MARK = 'of the parent'
    await shared.pool.run(letter())
    delete marked.QUIRE_MARK
    const place = `/proc/${shared.started[0]!.pid}`
    // The runtime names its channel in the environment, and nothing else is there.
    const names = readFileSync(`${place}/environ`, 'utf8').split('\0').filter(Boolean)
    expect(names.filter((name) => !/^(?:NODE_CHANNEL_|BUN_)/.test(name))).toEqual([])
    expect(readlinkSync(`${place}/cwd`)).toBe('/')
    const open = openFilesOf(shared.started[0]!.pid)
    // Its runtime looks at its own memory now and then.
    const ownFiles = [process.execPath, `${place}/stat`, `${place}/statm`]
    const isOwn = (target: string) =>
      /^(?:\/dev\/null|\/dev\/urandom|anon_inode:|pipe:|socket:)/.test(target) || ownFiles.includes(target)
    expect(open.filter((target) => !isOwn(target))).toEqual([])
    expect(open.filter((target) => target.startsWith('socket:')).length).toBeLessThanOrEqual(1)
    const status = readFileSync(`${place}/status`, 'utf8')
    expect([/^NoNewPrivs:\s+(\d)/m.exec(status)?.[1], /^Seccomp:\s+(\d)/m.exec(status)?.[1]]).toEqual(['1', '2'])
    const bounds = readFileSync(`${place}/limits`, 'utf8')
    expect(bounds).toMatch(/^Max file size\s+0\s+0/m)
    expect(bounds).toMatch(/^Max core file size\s+0\s+0/m)
    expect(bounds).toMatch(/^Max address space\s+\d+\s+\d+/m)
  })

  test('fail the one job that they were killed over, and are replaced', async () => {
    const { pool, started } = shared
    const killed = pool.run(letter(), () => process.kill(started.at(-1)!.pid, 'SIGKILL'))
    expect(await rejectionOf(killed)).toBeInstanceOf(WorkerCrashed)
    expect(await pool.run(letter())).toHaveLength(4)
    expect(started).toHaveLength(2)
    // Nor is one asked again that ended while it had nothing to do.
    const ended = new Promise<void>((resolve) => started[1]!.addEventListener('close', resolve))
    process.kill(started[1]!.pid, 'SIGKILL')
    await ended
    expect(await pool.run(letter())).toHaveLength(4)
    expect(started).toHaveLength(3)
  })

  test('are killed at their deadline, even when they have been stopped', async () => {
    const { pool, started } = poolOfProcesses({ deadlineMs: 1 })
    const stopped = pool.run({ ...letter(), steps: ['validate'] })
    process.kill(started[0]!.pid, 'SIGSTOP')
    expect(await rejectionOf(stopped)).toBeInstanceOf(WorkerOverran)
    await until('it is gone', () => isGone(started[0]!.pid))
  })

  test.if(process.platform === 'linux')('are ended when they hold more memory than they may', async () => {
    // What the engines alone take is more.
    const { pool, started } = poolOfProcesses({ memoryBytes: 2 ** 20 })
    expect(await rejectionOf(pool.run(letter()))).toBeInstanceOf(WorkerOutgrew)
    await until('it is gone', () => isGone(started[0]!.pid))
  })

  test('count as outgrown when they end by a signal of their own', async () => {
    const worker = new EngineProcess({ role: 'engines', log })
    const ended = new Promise<void>((resolve) => worker.addEventListener('close', resolve))
    await new Promise<void>((resolve) => worker.addEventListener('open', resolve))
    // As the runtime does when it finds no memory.
    process.kill(worker.pid, 'SIGABRT')
    await ended
    expect(worker.end).toBeInstanceOf(WorkerOutgrew)
  })

  const ownSignals = ['SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP'] as const
  test.each([...ownSignals, 'SIGTERM'] as const)('are told apart by what ended them: %s', async (signal) => {
    const worker = new EngineProcess({ role: 'judge', log })
    const ended = new Promise<void>((resolve) => worker.addEventListener('close', resolve))
    // At once, before the runtime has a handler of its own.
    process.kill(worker.pid, signal)
    await ended
    expect(worker.end).toBeInstanceOf(signal === 'SIGTERM' ? WorkerCrashed : WorkerOutgrew)
    expect(String(worker.end)).toContain(signal)
  })

  test.if(process.platform === 'linux')(
    'are told what they serve and how much memory they may hold, and a judge is spared the last compiler',
    async () => {
      for (const [options, memoryBytes, variables] of [
        [{ role: 'judge' }, limits.engineMemoryBytes, ['BUN_JSC_useFTLJIT=0']],
        [{ role: 'joins', memoryBytes: 123_456_789 }, 123_456_789, []],
      ] as const) {
        const worker = new EngineProcess({ log, ...options })
        const read = (name: string) => readFileSync(`/proc/${worker.pid}/${name}`, 'utf8').split('\0').slice(0, -1)
        // Between its beginning and its program it has none of its own.
        await until('it is the program', () => read('cmdline').includes('engine-process'))
        expect(read('cmdline').slice(-3)).toEqual(['engine-process', options.role, `${memoryBytes}`])
        expect(read('environ').filter((variable) => variable.startsWith('BUN_JSC'))).toEqual([...variables])
        const ended = new Promise<void>((resolve) => worker.addEventListener('close', resolve))
        worker.terminate()
        await ended
      }
    },
  )

  test.if(process.platform === 'linux')(
    'do not outlive a process that is killed, also in the middle of a job',
    async () => {
      const parent = Bun.spawn([process.execPath, `${import.meta.dir}/engine-parent.ts`], {
        stdout: 'pipe',
        stderr: 'inherit',
      })
      const reader = parent.stdout.getReader()
      const pid = Number(new TextDecoder().decode((await reader.read()).value))
      expect(isGone(pid)).toBe(false)
      parent.kill('SIGKILL')
      await until('its engine is gone', () => isGone(pid))
    },
  )
})
