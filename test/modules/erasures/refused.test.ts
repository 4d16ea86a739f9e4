import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { limits } from '../../../src/core/limits.ts'
import { reconcile } from '../../../src/modules/erasures/erasures.reconcile.service.ts'
import { lookAtRefused } from '../../../src/modules/erasures/erasures.service.ts'
import { heldInFile, type LookedFiles } from '../../../src/modules/holds/holds.files.service.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects, temporaryFolder } from '../../support/database.ts'
import { plannedIn } from '../../support/planned-work.ts'
import { handIn, startInvoices } from '../batches/fixture.ts'

function readsInputs(statement: string): boolean {
  const [selected = ''] = statement.split(' from ')
  return selected.startsWith('select') && selected.includes('"raw_input"')
}

describeOnBothDialects('what refused rows and files name', (dialect) => {
  let app: TestApp
  let operator: Author
  let root: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    ;({ operator } = await startInvoices(app))
    root = await Author.signIn(app, 'root', ['administrator'])
  })

  const hold = async (reference: string) =>
    (await root.post('/holds', { object_reference: reference, reason: 'case 12' })).body.id as string
  const release = (id: string) => root.post(`/holds/${id}/release`, { reason: 'over' })
  const erase = (reference: string) => root.post('/erasures', { object_reference: reference, reason: 'they asked' })
  const rowsOf = (batchId: string) => {
    const { batchRows } = app.database.read.t
    return app.database.read.q.select().from(batchRows).where(eq(batchRows.batchId, batchId))
  }

  /** A batch with these inputs, all of which the intake refused. */
  async function refused(inputs: readonly string[]): Promise<string> {
    const { body } = await handIn(operator, 'number,amount\n=X-0,1\n')
    await app.openFeeder().round()
    const [row] = await rowsOf(body.id)
    if (row === undefined) throw new Error('the feeder has refused no row')
    const rows = inputs.map((rawInput, index) => ({ ...row, rawInput, number: index + 2, message: null, place: null }))
    for (let from = 0; from < rows.length; from += 50) {
      await app.database.write(async (tx) => {
        await tx.q.insert(tx.t.batchRows).values(rows.slice(from, from + 50))
      })
    }
    return body.id
  }

  /** The numbers of parameters of all statements outside of transactions that read inputs. */
  async function readsDuring(work: () => Promise<unknown>): Promise<number[]> {
    const { session } = app.database.read.q as unknown as { session: { logger: unknown } }
    const { logger } = session
    const reads: number[] = []
    session.logger = {
      logQuery(statement: string, parameters: unknown[]) {
        if (readsInputs(statement)) reads.push(parameters.length)
      },
    }
    try {
      await work()
    } finally {
      session.logger = logger
    }
    return reads
  }

  test('is found beside a long photo, and where the JSON is broken', async () => {
    const photo = `{"photo":"${'A'.repeat(2_000_000)}"}\n`
    const id = await refused([
      `${photo}{"number":"L\\u002d1"}`,
      '{"note":"5" pipe","number":"L\\u002d1"}',
      '{"number":"\\q L\\u002d1"}',
      '{"number":"L\\u002d11"}',
    ])
    const held = await hold('L-1')
    expect((await operator.post(`/batches/${id}/cancel`, {})).status).toBe(409)
    await release(held)
    expect((await erase('L-1')).status).toBe(201)
    const states = (await rowsOf(id)).sort((one, other) => one.number - other.number).map(({ state }) => state)
    expect(states).toEqual(['refused', 'erased', 'erased', 'erased', 'refused'])
  })

  test('takes few inputs at a time into memory, and none in the transaction', async () => {
    await refused(Array.from({ length: 2 * limits.tablePageRows + 50 }, (_, index) => `"\\u004d-${index}"`))
    const find = await lookAtRefused(app.database.read, { objectReference: 'M-3' })
    const planned = await plannedIn(app.database, find)
    expect(planned.length).toBeGreaterThanOrEqual(3)
    expect(planned.filter(({ statement }) => readsInputs(statement))).toEqual([])
    for (const work of [() => root.post('/erasures/plan', { object_reference: 'M-3' }), () => erase('M-3')]) {
      const reads = await readsDuring(work)
      expect(reads.length).toBeGreaterThanOrEqual(3)
      expect(Math.max(...reads)).toBeLessThanOrEqual(2 * limits.tablePageRows)
    }
    expect((await erase('M-3')).status).toBe(404)
  })

  test('is read once for all erasures that a restore repeats', async () => {
    const batchId = await refused(['N-1', 'N-2 and N-1', 'N-3', 'N-4'])
    const before = await rowsOf(batchId)
    const ids: string[] = []
    for (const name of ['N-1', 'N-2', 'N-3']) {
      const { status, body } = await erase(name)
      if (status === 201) ids.push(body.erasure.id)
    }
    // One row was about the first two, and is gone with the first.
    expect(ids.length).toBe(2)
    const ports = {
      ...{ database: app.database, clock: app.clock },
      ledger: openLedger({ dataFolder: temporaryFolder(), erasureLedger: undefined }, app.objects),
    }
    await reconcile(ports)
    await app.database.write(async (tx) => {
      await tx.q.delete(tx.t.batchRows).where(eq(tx.t.batchRows.batchId, batchId))
      await tx.q.insert(tx.t.batchRows).values(before)
      for (const id of ids) await tx.q.delete(tx.t.erasures).where(eq(tx.t.erasures.id, id))
      for (const id of ids) await tx.q.delete(tx.t.erasedItems).where(eq(tx.t.erasedItems.erasureId, id))
    })
    const all = await app.database.read.q.select().from(app.database.read.t.batchRows)
    const kept = all.filter(
      ({ rawInput, cause, submissionId }) => rawInput ?? (cause !== null && submissionId === null),
    )
    const reads = await readsDuring(async () => {
      expect((await reconcile(ports)).repeated.sort()).toEqual(ids.sort())
    })
    expect(reads.length).toBe(Math.ceil(kept.length / limits.tablePageRows))
    const left = (await rowsOf(batchId)).map(({ rawInput }) => rawInput).filter((input) => input?.startsWith('N'))
    expect(left).toEqual(['N-4'])
  })

  test('is looked at once more where a row or a hold came meanwhile, and only there', async () => {
    const { database } = app
    const batchId = await refused(['O-1', 'O-2', 'O-3 of P-1'])
    const numbers = async (find: Awaited<ReturnType<typeof lookAtRefused>>) => {
      const { rows, held } = await database.write((tx) => find(tx))
      const heldNumbers = [...held.keys()].map(({ number }) => number)
      return [rows.map(({ number }) => number).sort(), heldNumbers]
    }
    const own = await hold('O-2')
    const ofBatch = await lookAtRefused(database.read, { batchId })
    const ofObject = await lookAtRefused(database.read, { objectReference: 'O-3' })
    expect(await numbers(ofBatch)).toEqual([[1, 2, 3, 4], [3]])
    expect(await numbers(ofObject)).toEqual([[4], []])
    const later = await hold('P-1')
    const [, second] = await rowsOf(batchId)
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.batchRows).values({ ...second!, number: 5, rawInput: 'O\\u002d3' })
      // Somebody has opened it again, and it names another now.
      const which = eq(tx.t.batchRows.rawInput, 'O-1')
      await tx.q.update(tx.t.batchRows).set({ rawInput: 'O-2', reopened: 1 }).where(which)
    })
    expect(await numbers(ofBatch)).toEqual([[1, 2, 3, 4, 5], expect.arrayContaining([2, 3, 4])])
    expect(await numbers(ofObject)).toEqual([[4, 5], [4]])
    for (const id of [own, later]) await release(id)
    expect(await numbers(ofBatch)).toEqual([[1, 2, 3, 4, 5], []])
  })

  test('is found by one look at a file for all holds, and remembered for who asks again', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Q-${index}`)
    const words = Array.from({ length: 60_000 }, (_, index) => `w${index}`).join(' ')
    const file = new TextEncoder().encode(`${words} ${names.join(' ')}`)
    let reads = 0
    const objects = {
      async get() {
        reads++
        return file
      },
    }
    const looked: LookedFiles = new Map()
    const hash = sha256Hex(newId())
    const look = async () => {
      const before = process.cpuUsage().user
      const find = await heldInFile({ connection: app.database.read, objects, looked }, hash)
      const tookMs = (process.cpuUsage().user - before) / 1_000
      return { tookMs, held: await app.database.write((tx) => find(tx)), find }
    }
    const first = await hold(names[0]!)
    const one = await look()
    expect([one.held?.id, reads]).toEqual([first, 1])
    const holds = [first]
    for (const name of names.slice(1)) holds.push(await hold(name))
    const many = await look()
    expect(holds).toContain(many.held?.id ?? '')
    // One look after the other, with a scan for each, took fourteen times as long.
    expect(many.tookMs).toBeLessThan(5 * one.tookMs + 500)
    expect(reads).toBe(2)
    // Fewer holds are among those that were looked for.
    for (const id of holds.slice(0, 39)) await release(id)
    expect([(await look()).held?.id, reads]).toEqual([holds[39], 2])
    await release(holds[39]!)
    const none = await look()
    expect([none.held, reads]).toEqual([undefined, 2])
    // And one that came after the look is told of all the same.
    const [late, last] = [await hold('Q-7'), await hold('unnamed')]
    expect((await app.database.write((tx) => none.find(tx)))?.id).toBe(late)
    await release(late)
    expect([(await look()).held, reads]).toEqual([undefined, 3])
    await release(last)
  })
})
