import { afterAll, beforeAll, expect, test } from 'bun:test'
import { desc, eq, inArray, sql } from 'drizzle-orm'
import { openBus } from '../../src/bus/bus.ts'
import { systemClock } from '../../src/core/clock.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { newId } from '../../src/core/ids.ts'
import { createLog } from '../../src/core/log.ts'
import { stepNames } from '../../src/core/steps.ts'
import type { Database } from '../../src/db/database.ts'
import { openObjectStore } from '../../src/objects/objects.ts'
import { loadFileHash, loadInputs, loadPins, loadSource, loadSteps } from '../../src/runner/executions.store.ts'
import { WorkerCrashed } from '../../src/runner/faults.ts'
import { startRunner } from '../../src/runner/runner.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'
import { scriptedPool } from './scripted-pool.ts'
import { seedExecution } from './seed.ts'
import { untilEnded } from './snapshot.ts'

describeOnBothDialects('what a step is made from', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  afterAll(() => database.close())

  test('is its submission’s input and params, and the versions that its release pins', async () => {
    const { executions, submissions, releases } = database.read.t
    const id = await seedExecution(database, { rawInput: '{"own":1}', sources: { contract: '{"c":1}' } })
    await seedExecution(database, { rawInput: '{"another":1}' })
    const [execution] = await database.read.q.select().from(executions).where(eq(executions.id, id))
    const [release] = await database.read.q.select().from(releases).where(eq(releases.id, execution!.releaseId))
    const pinned = {
      contractVersionId: release!.contractVersionId,
      transformVersionId: release!.transformVersionId,
      templateVersionId: release!.templateVersionId!,
      fragments: [],
    }
    const [submissionId, nodes] = [execution!.submissionId, { nodeLabel: 'Letter', nodeAddress: 'model:letter' }]
    const projection = { submissionId, objectReference: 'policy-1', modelSlug: 'model', ...nodes }
    const plain = { rawInput: '{"own":1}', input: '{"own":1}', readsParent: false, ...pinned, projection }
    expect(await loadInputs(database.read, id)).toEqual({ ...plain, params: undefined, output: undefined })
    await database.write(async (tx) => {
      await tx.q.update(submissions).set({ params: '{"tone":"warm"}' }).where(eq(submissions.id, submissionId))
      await tx.q.update(executions).set({ output: '{"made":1}' }).where(eq(executions.id, id))
    })
    expect(await loadInputs(database.read, id)).toEqual({ ...plain, params: '{"tone":"warm"}', output: '{"made":1}' })
    expect(await loadSource(database.read, release!.contractVersionId)).toMatchObject({
      ...{ hash: sha256Hex('{"c":1}'), format: 'json', content: '{"c":1}' },
    })
    expect((await loadSource(database.read, release!.templateVersionId!)).content).toEqual(new Uint8Array([1]))
    expect(await loadFileHash(database.read, id, 'docx')).toBeUndefined()
  })

  test('is read in the form that its frozen model says, by JSON or YAML, and as JSON where that says nothing', async () => {
    const { executions, submissions, versions } = database.read.t
    const head = { contract: { name: 'c', version: 1 }, object: { reference: '/a' }, nodes: [] }
    const node = { key: 'n', label: 'N', transformer: 't' }
    const inputOf = async (source: string, format: 'json' | 'yaml') => {
      const id = await seedExecution(database, { rawInput: 'a\n1' })
      await database.write(async (tx) => {
        const [one] = await tx.q.select().from(executions).where(eq(executions.id, id))
        const [known] = await tx.q.select().from(versions).limit(1)
        if (one === undefined || known === undefined) throw new Error('the execution is there')
        const model = { ...known, id: newId(), familyId: newId(), kind: 'ingestion_model' as const }
        await tx.q.insert(versions).values({ ...model, source, format, bytes: null })
        await tx.q.update(submissions).set({ modelVersionId: model.id }).where(eq(submissions.id, one.submissionId))
      })
      return (await loadInputs(database.read, id)).inputFormat
    }
    const model = { model: 'ingestion-model-v1', ...head, nodes: [node] }
    const csv = { ...model, input: { format: 'csv', delimiter: ';' } }
    expect(await inputOf(JSON.stringify(csv), 'json')).toMatchObject({ format: 'csv', delimiter: ';' })
    expect(await inputOf(Bun.YAML.stringify(csv), 'yaml')).toMatchObject({ format: 'csv', delimiter: ';' })
    expect(await inputOf(JSON.stringify(model), 'json')).toBeUndefined()
    expect(await inputOf('input: [', 'yaml')).toBeUndefined()
  })

  test('is its parent’s output for a child, which waits until there is one', async () => {
    const parentId = await seedExecution(database, { rawInput: '{"parent":1}', stepCount: 2 })
    const id = await seedExecution(database, { rawInput: '{"raw":1}', parentId, stepCount: 2 })
    expect(await outcomeOf(loadInputs(database.read, id))).toThrow('before its parent had an output')
    const { executions } = database.read.t
    await database.write((tx) =>
      tx.q.update(executions).set({ output: '{"from":"parent"}' }).where(eq(executions.id, parentId)),
    )
    expect(await loadInputs(database.read, id)).toMatchObject({
      ...{ rawInput: '{"raw":1}', input: '{"from":"parent"}', readsParent: true, templateVersionId: undefined },
    })
  })

  test('is read of each by itself where what another has stored is damaged', async () => {
    const { executions, releases } = database.read.t
    const [whole, damaged] = [await seedExecution(database), await seedExecution(database)]
    await database.write(async (tx) => {
      const release = tx.q.select({ id: executions.releaseId }).from(executions).where(eq(executions.id, damaged))
      await tx.q.update(releases).set({ fragments: sql`'[{'` }).where(inArray(releases.id, release))
    })
    const [fine, broken] = await Promise.allSettled([whole, damaged].map((id) => loadInputs(database.read, id)))
    expect([fine?.status, broken?.status]).toEqual(['fulfilled', 'rejected'])
  })

  test('is what the release of an execution pins, for whoever asks for that alone', async () => {
    const { executions, releases } = database.read.t
    const [id, bare] = [await seedExecution(database), await seedExecution(database, { stepCount: 2 })]
    const [row] = await database.read.q.select().from(executions).where(eq(executions.id, id))
    const fragments = [{ slug: 'clause', versionId: 'v', contentHash: 'h' }]
    await database.write((tx) =>
      tx.q
        .update(releases)
        .set({ fragments })
        .where(eq(releases.id, row?.releaseId ?? '')),
    )
    const { contractVersionId, transformVersionId, templateVersionId, ...inputs } = await loadInputs(database.read, id)
    expect(inputs.fragments).toEqual(fragments)
    const pins = { contractVersionId, transformVersionId, templateVersionId, fragments }
    expect(await loadPins(database.read, id)).toEqual(pins)
    expect(templateVersionId).toBeString()
    expect(await loadPins(database.read, bare)).toMatchObject({ templateVersionId: undefined, fragments: [] })
    const none = crypto.randomUUID()
    expect(await outcomeOf(loadPins(database.read, none))).toThrow(`execution ${none} lacks its release`)
  })

  test('is a version with the rules it was frozen under, and one without content is a fault', async () => {
    const id = await seedExecution(database)
    const { contractVersionId } = await loadInputs(database.read, id)
    const { versions } = database.read.t
    const set = (change: { reading?: 2; source?: null }) =>
      database.write((tx) => tx.q.update(versions).set(change).where(eq(versions.id, contractVersionId)))
    await set({ reading: 2 })
    expect((await loadSource(database.read, contractVersionId)).reading).toBe(2)
    await set({ source: null })
    expect(await outcomeOf(loadSource(database.read, contractVersionId))).toThrow(
      `version ${contractVersionId} has no content`,
    )
  })

  test('are its steps in their order, and its own files alone', async () => {
    const { artifacts, steps } = database.read.t
    const [id, other] = [await seedExecution(database), await seedExecution(database, { stepCount: 2 })]
    await database.write(async (tx) => {
      const own = await tx.q.select().from(steps).where(eq(steps.executionId, id)).orderBy(desc(steps.position))
      await tx.q.delete(steps).where(eq(steps.executionId, id))
      await tx.q.insert(steps).values(own.map((step) => ({ ...step, attempt: step.position })))
      const file = (executionId: string, kind: 'docx' | 'pdf') => ({
        ...{
          id: newId(),
          executionId,
          submissionId: 's1',
          kind,
          byteSize: 1,
          contentHash: `${kind} of ${executionId}`,
        },
        ...{ objectReference: 'o', modelSlug: 'm', nodeLabel: 'n', nodeAddress: 'n', createdAt: systemClock.now() },
      })
      await tx.q.insert(artifacts).values([file(other, 'docx'), file(id, 'pdf'), file(id, 'docx')])
    })
    const both = await Promise.all([loadSteps(database.read, id), loadSteps(database.read, other)])
    expect(both.map((each) => each.map(({ name, attempt }) => [name, attempt]))).toEqual([
      stepNames.map((name, index) => [name, index + 1]),
      stepNames.slice(0, 2).map((name) => [name, 0]),
    ])
    expect(await loadFileHash(database.read, id, 'docx')).toBe(`docx of ${id}`)
    expect(await loadFileHash(database.read, id, 'pdf')).toBe(`pdf of ${id}`)
    expect(await loadFileHash(database.read, other, 'pdf')).toBeUndefined()
  })

  test('is missed with its name where a row of it is gone', async () => {
    const none = crypto.randomUUID()
    expect(await outcomeOf(loadInputs(database.read, none))).toThrow(`execution ${none} lacks`)
    expect(await outcomeOf(loadSource(database.read, none))).toThrow(`version ${none}`)
  })
})

test('a line of the log about a step names its execution, its request and its trace', async () => {
  const database = await openTestDatabase('sqlite')
  const bus = await openBus('embedded')
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'warn', readable: false, write: (line) => void lines.push(JSON.parse(line)) })
  const id = await seedExecution(database, { stepCount: 2 })
  const { executions } = database.read.t
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  await database.write((tx) => tx.q.update(executions).set({ traceparent }).where(eq(executions.id, id)))
  let isDown = true
  const pool = scriptedPool(() => {
    if (!isDown) return undefined
    isDown = false
    throw new WorkerCrashed('for the test')
  })
  const runner = startRunner({
    ...{ database, pool, bus, log, clock: systemClock, owner: 'runner' },
    objects: await openObjectStore(`file:${temporaryFolder()}`),
    timing: { pollMs: 20, backoffFirstMs: 5, backoffMaxMs: 10 },
  })
  await untilEnded(database, id)
  await until('the fault is told', () => lines.length > 0)
  expect(lines[0]).toMatchObject({
    execution_id: id,
    correlation_id: `c-${id}`,
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  })
  await runner.drain(1_000)
  await bus.close()
  await database.close()
})
