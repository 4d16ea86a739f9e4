import { expect, test } from 'bun:test'
import { startReceiver } from '../modules/webhooks/receiver.ts'
import { untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'
import { scenarioBody, signIn, submit } from './load.ts'

test('a webhook that was taken while Quire was killed comes again under its id, and no other is lost or out of order', async () => {
  // A proxy that nobody listens on: requests to receivers use none.
  const environment = {
    QUIRE_WEBHOOK_NETWORKS: '127.0.0.1',
    HTTP_PROXY: 'http://127.0.0.1:9',
    http_proxy: 'http://127.0.0.1:9',
  }
  let quire: RunningQuire = await startQuire({ environment })
  const killed = Promise.withResolvers<void>()
  let killing: string | undefined
  const receiver = startReceiver(async ({ id, type }) => {
    // It has the event now, and Quire dies before it can record that.
    if (killing === undefined && type === 'quire.execution.step.succeeded') {
      killing = id
      await quire.kill()
      killed.resolve()
    }
    return new Response()
  })
  const client = await signIn(quire)
  const made = await client.post('/api/v1/webhooks', { name: 'Billing', url: receiver.url })
  expect(made.status).toBe(201)
  const execution = await submit(client, await scenarioBody(client), 'webhook-kill')
  await killed.promise
  quire = await startQuire({ environment, folder: quire.folder })
  const again = await signIn(quire)
  await untilEnded(again, execution!, 60_000)
  const path = `/api/v1/webhooks/${made.body.webhook.id}`
  await until('nothing waits', async () => {
    const isOver = receiver.received.some(({ type }) => type === 'quire.execution.completed')
    return isOver && (await again.get(path)).body.webhook.pending === 0
  })
  expect(receiver.received.filter(({ id }) => id === killing).length).toBe(2)
  const own = receiver.received.filter(({ subject }) => subject === execution)
  const first = own.filter((one, index) => own.findIndex(({ id }) => id === one.id) === index)
  expect(first.map(({ sequence }) => sequence)).toEqual(first.map((_one, index) => index + 1))
  expect(first.at(-1)!.type).toBe('quire.execution.completed')
  const list = (await again.get(`${path}/deliveries?status=delivered`)).body.deliveries
  expect(new Set(list.map((row: { event_id: string }) => row.event_id))).toEqual(
    new Set(receiver.received.map(({ id }) => id)),
  )
  expect(await quire.stop()).toBe(0)
  expect(await runCommand(quire.folder, ['verify'])).toMatchObject({ code: 0, stderr: '' })
  await receiver.stop()
}, 120_000)
