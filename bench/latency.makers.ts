/**
 * Callers of latency.bench.ts that submit and follow documents, in a process of their own: in the reader's process, their answers
 * would delay its own. Messages tell them to begin and to end; they then report how many documents were made.
 */
import { ApiClient, untilEnded } from '../test/support/client.ts'

const CALLERS = 8

const [origin = '', username = '', password = ''] = process.argv.slice(2)
const client = new ApiClient(origin, false)
await client.login(username, password)
const { raw_input, metadata } = (await client.get('/api/v1/intake-test-lab/scenarios')).body.scenarios[0]
const body = { ingestion_model: 'clws-policy', raw_input, metadata }

async function make(): Promise<void> {
  const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': crypto.randomUUID() })
  await untilEnded(client, answer.body.submission.executions[0].id)
}

for (let warmUp = 0; warmUp < 30; warmUp++) await make()

let isMaking = false
let making: Promise<unknown> = Promise.resolve()
let documents = 0
process.on('message', async (message) => {
  isMaking = message === 'begin'
  if (isMaking) {
    documents = 0
    making = Promise.all(
      Array.from({ length: CALLERS }, async () => {
        while (isMaking) await make().then(() => documents++)
      }),
    )
  } else {
    await making
    process.send?.(documents)
  }
})
process.send?.('ready')
