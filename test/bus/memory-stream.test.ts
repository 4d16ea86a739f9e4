import { expect, test } from 'bun:test'
import { connectedStreams, readingEverything } from '../../src/bus/memory-stream.ts'
import { until } from '../support/until.ts'

function received(stream: NodeJS.ReadableStream): string[] {
  const chunks: string[] = []
  stream.on('data', (chunk: Uint8Array) => chunks.push(Buffer.from(chunk).toString()))
  return chunks
}

test('what is written to either end comes out of the other, in order, and the end of it too', async () => {
  const [one, other] = connectedStreams()
  const [atOne, atOther] = [received(one), received(other)]
  let hasEnded = false
  other.on('end', () => {
    hasEnded = true
  })
  for (const text of ['a', 'b', 'c']) one.write(text)
  other.write('back')
  await until('all has come', () => atOther.length === 3 && atOne.length === 1)
  expect([atOne, atOther]).toEqual([['back'], ['a', 'b', 'c']])
  one.end()
  await until('the end has come', () => hasEnded)
})

test('an end that is destroyed takes the other with it, and nothing is written to one that is gone', async () => {
  const [one, other] = connectedStreams()
  const atOther = received(other)
  let isClosed = false
  other.on('close', () => {
    isClosed = true
  })
  one.destroy()
  await until('the other is closed', () => isClosed)
  expect([one.destroyed, other.destroyed, atOther]).toEqual([true, true, []])
})

test('a read gives all that is buffered, and as much as was asked for', async () => {
  const [one, other] = connectedStreams()
  readingEverything(other)
  let isReadable = false
  other.once('readable', () => {
    isReadable = true
  })
  for (const text of ['abc', 'def', 'g']) one.write(text)
  await until('there is something to read', () => isReadable)
  expect(other.read(2)?.toString()).toBe('ab')
  expect(other.read()?.toString()).toBe('cdefg')
  expect(other.read()).toBeNull()
})

test('a read gives everything, from however many writes it comes', async () => {
  for (let writes = 1; writes <= 4; writes++) {
    const [one, other] = connectedStreams()
    readingEverything(other)
    let isReadable = false
    other.once('readable', () => {
      isReadable = true
    })
    for (let index = 0; index < writes; index++) one.write(String(index))
    await until('there is something to read', () => isReadable)
    expect(other.read()?.toString()).toBe('0123'.slice(0, writes))
  }
})
