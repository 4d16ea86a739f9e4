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

  test('is not opened by subscribing, listening or closing', async () => {
    const { bus, opened } = counted()
    await bus.subscribe('quire/v1/#', () => {})
    bus.onConnected(() => {})
    await bus.close()
    expect(opened()).toBe(0)
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
    expect(await bus.publish('quire/v1/x', '', { deadlineMs: 100 }).catch((error: Error) => error.message)).toContain(
      'closed',
    )
    expect(opened()).toBe(0)
  })
})
