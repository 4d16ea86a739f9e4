import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { describeEvents, eventDescriptions } from '../../src/bus/asyncapi.ts'
import { startTestApp } from '../http/harness.ts'
import { expectGoldenLines, withoutProse } from '../support/golden.ts'

type Json = Record<string, unknown>

/** Follows a local reference. */
function resolve(document: Json, reference: string): unknown {
  let at: unknown = document
  for (const token of reference.slice(2).split('/')) at = (at as Json)[token]
  return at
}

test('the description of events is AsyncAPI 3 with every reference resolved and every event once', () => {
  const document = describeEvents()
  expect(document.asyncapi).toBe('3.0.0')
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!)
  expect(references.length).toBe(eventDescriptions.length * 3)
  for (const reference of references)
    expect([reference, typeof resolve(document, reference)]).toEqual([reference, 'object'])
  const addresses = Object.values(document.channels as Json).map((channel) => (channel as Json).address)
  expect(new Set(addresses).size).toBe(eventDescriptions.length)
  expect(addresses).toContain('quire/v1/execution/{id}/step.succeeded')
})

test('every channel, message and schema of the events is as it was published, except for its prose', () => {
  const { info, ...rest } = withoutProse(describeEvents()) as Json
  const lines = Object.entries(rest).flatMap(([section, content]) =>
    content !== null && typeof content === 'object'
      ? Object.entries(content).flatMap(([name, part]) =>
          section === 'components'
            ? Object.entries(part as Json).map(([each, one]) => `${name} ${each} ${JSON.stringify(one)}`)
            : [`${section} ${name} ${JSON.stringify(part)}`],
        )
      : [`${section} ${content}`],
  )
  expect(lines.length).toBeGreaterThan(2 * eventDescriptions.length)
  expectGoldenLines(join(import.meta.dir, 'asyncapi.golden.txt'), lines)
})

test('every event names data that it requires or calls optional, and never both', () => {
  for (const { aggregate, type, data, optional = [] } of eventDescriptions) {
    for (const name of optional) expect([aggregate, type, name in data]).toEqual([aggregate, type, true])
  }
})

test('it is served beside the description of operations, with a validator', async () => {
  const { send } = await startTestApp()
  const response = await send({ path: '/asyncapi.json' })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(await response.json()).toEqual(describeEvents())
  const again = await send({ path: '/asyncapi.json', headers: { 'if-none-match': response.headers.get('etag')! } })
  expect(again.status).toBe(304)
  expect((await send({ method: 'POST', path: '/asyncapi.json' })).status).toBe(404)
})
