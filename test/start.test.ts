import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '../src/config.ts'
import { createLog } from '../src/core/log.ts'
import { type RunningQuire, start } from '../src/start.ts'
import { ApiClient } from './support/client.ts'
import { temporaryFolder } from './support/database.ts'
import { rejectionOf } from './support/outcome.ts'
import { freePort } from './support/postgres.ts'

const log = createLog({ level: 'error', readable: false, write: () => {} })

async function startIn(folder: string, settings: Record<string, string> = {}): Promise<RunningQuire> {
  const environment = { QUIRE_LISTEN: `127.0.0.1:${await freePort()}`, QUIRE_WORKERS: '1', ...settings }
  return start(loadConfig(environment, folder), log)
}

/** Why nobody answers there. */
function refusalOf(address: string): Promise<Error> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', resolve)
    socket.once('connect', () => reject(new Error(`${address} answers`)))
  })
}

describe('a start', () => {
  const folder = temporaryFolder()
  let quire: RunningQuire
  let metrics: string
  let address: string
  beforeAll(async () => {
    metrics = `127.0.0.1:${await freePort()}`
    address = `127.0.0.1:${await freePort()}`
    quire = await startIn(folder, { QUIRE_LISTEN: address, QUIRE_METRICS_LISTEN: metrics, QUIRE_DEMO: 'true' })
  })
  afterAll(() => quire?.stop())

  test('serves where it says, and is ready with all that it depends on', async () => {
    expect(quire.address).toBe(`http://${address}`)
    const answer = await fetch(`${quire.address}/health/ready`)
    expect([answer.status, await answer.json()]).toMatchObject([200, { status: 'ready' }])
  })

  test('makes a password that has to be changed, and seeds the demo configuration', async () => {
    expect(quire.generatedPassword).toMatch(/^\S{20,}$/)
    const client = new ApiClient(quire.address)
    const { body } = await client.login('admin', quire.generatedPassword ?? '')
    expect(body.must_change_password).toBe(true)
    const changed = { current_password: quire.generatedPassword, new_password: 'a phrase that follows another' }
    expect((await client.post('/api/v1/auth/password', changed)).status).toBe(204)
    await client.login('admin', changed.new_password)
    const { body: models } = await client.get('/api/v1/ingestion-models')
    expect(models.ingestion_models.map(({ slug }: { slug: string }) => slug)).toEqual(['clws-policy'])
  })

  test('shows what it counts on an address of its own', async () => {
    const shown = await (await fetch(`http://${metrics}/metrics`)).text()
    for (const gauge of ['quire_workers 1', 'quire_steps_in_hand 0', 'quire_outbox_backlog', 'quire_build_info']) {
      expect(shown).toContain(gauge)
    }
  })

  test('takes commands beside it, on a socket that is there while it serves', () => {
    expect(existsSync(join(folder, 'quire-data/quire.db.control'))).toBe(true)
  })

  test('is the only one over its database', async () => {
    const error = await rejectionOf(startIn(folder))
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).toContain('QUIRE_DATABASE_URL')
    // And the one that serves goes on.
    expect((await fetch(`${quire.address}/health/ready`)).status).toBe(200)
  })
})

describe('a start that fails', () => {
  test('names the setting, and gives back all that it had opened', async () => {
    const folder = temporaryFolder()
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
    const listen = `127.0.0.1:${await freePort()}`
    const settings = { QUIRE_LISTEN: listen, QUIRE_METRICS_LISTEN: `127.0.0.1:${taken.port}` }
    const error = await rejectionOf(startIn(folder, settings))
    taken.stop(true)
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).toContain(`QUIRE_METRICS_LISTEN: 127.0.0.1:${taken.port} is already in use`)
    expect(await refusalOf(`http://${listen}`)).toMatchObject({ code: 'ECONNREFUSED' })
    // Neither the address nor the database is held, and no password was made that nobody saw.
    const again = await startIn(folder, { QUIRE_LISTEN: listen })
    expect(again.generatedPassword).toBeDefined()
    await again.stop()
  })
})

describe('a stop', () => {
  test('closes the address, and leaves a store that serves again under the same password', async () => {
    const folder = temporaryFolder()
    const given = { QUIRE_ADMIN_PASSWORD: 'a password for tests only' }
    const first = await startIn(folder, given)
    expect(first.generatedPassword).toBeUndefined()
    await first.stop()
    expect(await refusalOf(first.address)).toMatchObject({ code: 'ECONNREFUSED' })
    expect(existsSync(join(folder, 'quire-data/quire.db.control'))).toBe(false)
    const second = await startIn(folder)
    expect(second.generatedPassword).toBeUndefined()
    const login = await new ApiClient(second.address).login('admin', given.QUIRE_ADMIN_PASSWORD)
    expect(login.status).toBe(200)
    await second.stop()
  })
})
