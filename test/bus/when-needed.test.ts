import { describe, expect, test } from 'bun:test'
import { openBus } from '../../src/bus/bus.ts'
import { openWhenNeeded } from '../../src/bus/when-needed.ts'
import { until } from '../support/until.ts'

describe('a bus that is opened by its first use', () => {
  function counted() {
    let opened = 0
    const bus = openWhenNeeded(async () => {
      opened++
      return openBus('embedded')
    })
    return { bus, opened: () => opened }
  }

  test('is not opened by subscribing, listening, closing or the question whether it can be reached', async () => {
    const { bus, opened } = counted()
    await bus.subscribe('quire/v1/#', () => {})
    bus.onConnected(() => {})
    await bus.probe()
    await bus.close()
    expect(opened()).toBe(0)
  })

  test('is asked itself whether it can be reached once it was used', async () => {
    const bus = openWhenNeeded(() => Promise.reject(new Error('it does not load')))
    await bus.probe()
    const refused = async (work: Promise<void>) => work.catch((error: Error) => error.message)
    expect(await refused(bus.publish('quire/v1/x', '', { deadlineMs: 100 }))).toBe('it does not load')
    expect(await refused(bus.probe())).toBe('it does not load')
  })

  test('is opened once, and what was subscribed before gets its first message', async () => {
    const { bus, opened } = counted()
    const got: string[] = []
    let connections = 0
    await bus.subscribe('quire/v1/+', (topic, payload) => got.push(`${topic} ${new TextDecoder().decode(payload)}`))
    bus.onConnected(() => connections++)
    await Promise.all([
      bus.publish('quire/v1/one', '1', { deadlineMs: 5_000 }),
      bus.publish('quire/v1/two', '2', { deadlineMs: 5_000 }),
      bus.probe(),
    ])
    await until('both messages came', () => got.length === 2)
    expect(got.sort()).toEqual(['quire/v1/one 1', 'quire/v1/two 2'])
    expect(opened()).toBe(1)
    await until('the connection was told of', () => connections > 0)
    await bus.subscribe('quire/v1/late/+', (topic) => got.push(topic))
    await bus.publish('quire/v1/late/three', '3', { deadlineMs: 5_000 })
    await until('the late message came', () => got.includes('quire/v1/late/three'))
    await bus.close()
  })

  test('refuses to be used after it was closed', async () => {
    const { bus, opened } = counted()
    await bus.close()
    for (const use of [() => bus.publish('quire/v1/x', '', { deadlineMs: 100 }), () => bus.probe()]) {
      expect(await use().catch((error: Error) => error.message)).toContain('closed')
    }
    expect(opened()).toBe(0)
  })
})
