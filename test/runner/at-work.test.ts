import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAtWork } from '../../src/runner/at-work.ts'
import { temporaryFolder } from '../support/database.ts'

test('what a process was at work on is known after kill -9, and nothing is known where there was none', async () => {
  const path = join(temporaryFolder(), 'at-work')
  const ids = Array.from({ length: 3 }, () => crypto.randomUUID())
  const module = join(import.meta.dir, '../../src/runner/at-work.ts')
  const code = `
    import { openAtWork } from ${JSON.stringify(module)}
    const atWork = openAtWork(${JSON.stringify(path)}, 8)
    if (atWork.left !== undefined) process.exit(1)
    for (const id of ${JSON.stringify(ids)}) atWork.begin(id)
    atWork.end(${JSON.stringify(ids[1])})
    process.kill(process.pid, 'SIGKILL')
  `
  const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'ignore', stderr: 'ignore' })
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  const next = openAtWork(path, 8)
  expect(next.left?.toSorted()).toEqual([ids[0]!, ids[2]!].toSorted())
  next.close()
  // It stays noted until it is forgotten: the next process may be killed before it has given those steps back.
  const again = openAtWork(path, 8)
  expect(again.left).toEqual(next.left)
  again.forget()
  again.close()
  const last = openAtWork(path, 8)
  expect(last.left).toEqual([])
  last.close()
})

test('notes as many steps as there is room for, each once, and gives the room of those that ended to others', () => {
  const path = join(temporaryFolder(), 'at-work')
  const [a, b, c, d] = Array.from({ length: 4 }, () => crypto.randomUUID()) as [string, string, string, string]
  const noted = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .sort()
  const atWork = openAtWork(path, 2)
  expect(atWork.left).toBeUndefined()
  for (const id of [a, a]) atWork.begin(id)
  expect(noted()).toEqual([a])
  for (const id of [b, c]) atWork.begin(id)
  expect(noted()).toEqual([a, b].sort())
  atWork.end(c)
  atWork.end(a)
  expect(noted()).toEqual([b])
  atWork.begin(d)
  expect(noted()).toEqual([b, d].sort())
  atWork.close()
  // More than there is room for now were noted by a run with more room: all of them are forgotten.
  const smaller = openAtWork(path, 1)
  expect(smaller.left?.toSorted()).toEqual([b, d].sort())
  smaller.forget()
  expect(noted()).toEqual([])
  smaller.close()
})

test('a disk that takes no write costs a note, and nothing else', () => {
  const atWork = openAtWork(join(temporaryFolder(), 'at-work'), 2)
  // The system then refuses every write, as it does on a disk that has gone.
  atWork.close()
  const id = crypto.randomUUID()
  atWork.begin(id)
  atWork.end(id)
  atWork.forget()
})
