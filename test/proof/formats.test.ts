import { afterAll, expect, test } from 'bun:test'
import { createLog } from '../../src/core/log.ts'
import { checkProof } from '../../src/proof/check.ts'
import { openPool } from '../../src/runner/pool.ts'
import { folderWith, invoices, orders } from '../project/fixture.ts'
import { ApiClient, untilEnded } from '../support/client.ts'
import { runCommand } from '../support/command.ts'
import { startQuire } from '../support/quire.ts'
import { proofOf } from './forging.ts'

const log = createLog({ level: 'error', readable: true, write: (line) => process.stderr.write(line) })
const pool = openPool({ size: 1, log })
afterAll(() => pool.close())

test('executions of inputs in CSV and XML are made again as their models read them, with the same hashes', async () => {
  const quire = await startQuire()
  const client = new ApiClient(quire.origin)
  await client.login(quire.username, quire.password)
  const server = { QUIRE_SERVER: quire.origin, QUIRE_USERNAME: quire.username, QUIRE_PASSWORD: quire.password }
  const applied = await runCommand(folderWith({ ...invoices, ...orders }), ['apply', '.'], server)
  expect([applied.code, applied.stderr]).toEqual([0, ''])
  const ids: string[] = []
  for (const [model, text] of [
    ['invoices', invoices['cases/invoices/march.csv']],
    ['orders', orders['cases/orders/first.xml']],
  ]) {
    const body = { ingestion_model: model, raw_input: text }
    const answer = await client.post('/api/v1/submissions', body, { 'idempotency-key': `proved-${model}` })
    expect([answer.status, answer.body.code]).toEqual([202, undefined])
    const { id } = answer.body.submission.executions[0]
    expect((await untilEnded(client, id)).status).toBe('completed')
    ids.push(id)
  }
  expect(await quire.stop()).toBe(0)
  for (const id of ids) {
    const proof = await proofOf(quire, id)
    const { problems, differences, facts } = await checkProof(proof, { run: (job) => pool.run(job), heads: [] })
    expect([problems, differences, facts?.notRemade]).toEqual([[], [], []])
    expect(facts?.remade).toBeGreaterThan(1)
  }
})
