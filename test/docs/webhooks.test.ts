import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { newWebhookSecret, signaturesOf } from '../../src/modules/webhooks/webhooks.secrets.ts'
import { temporaryFolder } from '../support/database.ts'
import { blocksOf } from './pages.ts'

const body = '{"specversion":"1.0","data":{"name":"Zoë"}}'
const [secret, previous, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()]

/** Requests, each with whether a receiver with the secret may believe it. */
function requests() {
  const timestamp = Math.floor(Date.now() / 1000)
  const message = { id: '01a1f8cd-74ff-7715-85c8-bb251f7d35f8', timestamp, body }
  const made = (secrets: string[], changed: { id?: string; timestamp?: number; body?: string } = {}) => ({
    headers: {
      'webhook-id': changed.id ?? message.id,
      'webhook-timestamp': String(changed.timestamp ?? timestamp),
      'webhook-signature': signaturesOf(secrets, message),
    },
    body: changed.body ?? body,
  })
  const old = { ...message, timestamp: timestamp - 301 }
  const late = { 'webhook-id': old.id, 'webhook-timestamp': String(old.timestamp) }
  return [
    { ...made([secret]), isGood: true },
    { ...made([secret, previous]), isGood: true },
    { ...made([foreign, secret]), isGood: true },
    { ...made([foreign]), isGood: false },
    { ...made([secret], { body: body.replace('1.0', '1.1') }), isGood: false },
    { ...made([secret], { id: 'another' }), isGood: false },
    { ...made([secret], { timestamp: timestamp - 1 }), isGood: false },
    { headers: { ...late, 'webhook-signature': signaturesOf([secret], old) }, body, isGood: false },
    { headers: { ...made([secret]).headers, 'webhook-signature': '' }, body, isGood: false },
    { headers: { ...made([secret]).headers, 'webhook-timestamp': 'now' }, body, isGood: false },
  ]
}

async function codeIn(language: string): Promise<string> {
  const found = (await blocksOf('docs/webhooks.md')).filter((block) => block.language === language)
  expect(found).toHaveLength(1)
  return found[0]!.text
}

test('the code in TypeScript on docs/webhooks.md tells what Quire signed from everything else', async () => {
  const path = join(temporaryFolder(), 'receiver.ts')
  await Bun.write(path, await codeIn('ts'))
  const { isFromQuire } = (await import(path)) as {
    isFromQuire(secret: string, headers: Headers, body: string): boolean
  }
  for (const { headers, body, isGood } of requests()) {
    expect([headers, isFromQuire(secret, new Headers(headers), body)]).toEqual([headers, isGood])
  }
})

test.if(Bun.which('python3') !== null)('the code in Python does so, too', async () => {
  const path = join(temporaryFolder(), 'receiver.py')
  const asking = `
import json
import sys

given = json.load(sys.stdin)
print(json.dumps([is_from_quire(given["secret"], r["headers"], r["body"].encode()) for r in given["requests"]]))
`
  await Bun.write(path, (await codeIn('python')) + asking)
  const all = requests()
  const input = new TextEncoder().encode(JSON.stringify({ secret, requests: all }))
  const run = Bun.spawnSync(['python3', path], { stdin: input })
  expect(run.stderr.toString()).toBe('')
  expect(JSON.parse(run.stdout.toString())).toEqual(all.map(({ isGood }) => isGood))
})

test('a signature is that of the example in the specification of Standard Webhooks', () => {
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const message = { id, timestamp: 1614265330, body: '{"test": 2432232314}' }
  expect(signaturesOf(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], message)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})
