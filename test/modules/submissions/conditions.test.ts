/** Conditions of nodes that take long: the judge decides them, and the thread goes on. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { Fault } from '../../../src/core/faults.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { sliceClock } from '../../../src/core/turns.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import { Unjudged, withVerdicts } from '../../../src/modules/drafts/judge-known.service.ts'
import { answer, questions } from '../../../src/modules/drafts/questions.service.ts'
import { Conditions } from '../../../src/modules/submissions/submissions.conditions.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { cpuMsOf, leastCpuMsOf } from '../../support/cpu.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { past } from '../batches/fixture.ts'

const { nowMs } = sliceClock
afterEach(() => {
  sliceClock.nowMs = nowMs
})

/** Each look at the clock is a millisecond later. */
function tickingClock(): void {
  let ms = 0
  sliceClock.nowMs = () => ++ms
}

const slow = (more: string) =>
  `{ $is: [{ $count: { $each: /a, as: x, where: { $contains: /s, find: ab, anyCase: true } } }, "${more}", 100] }`
const modelOf = (whens: readonly string[]) => `model: ingestion-model-v1
contract: { name: slow, version: 1 }
nodes:
${whens.map((when, index) => `  - { key: n${index}, label: N, transformer: slow, when: ${when} }\n`).join('')}`

function nodesOf(...whens: string[]) {
  const compiled = compileIngestionModel(modelOf(whens), 'yaml')
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  return compiled.value.nodes
}

const input: JsonValue = { a: Array.from({ length: 200 }, () => 1), s: 'b'.repeat(100_000), kind: 'home' }

/** A judge that notes what it is asked. */
function notingJudge() {
  const asked: string[] = []
  const judge: Judge = {
    ask: async (name, given) => {
      asked.push(name)
      return answer(questions, name, structuredClone(given)) as never
    },
    start() {},
    close() {},
  }
  return { judge, asked }
}

test('conditions that take moments are decided at once, also in a model that has slow ones', async () => {
  // No moment is long, however busy the machine.
  sliceClock.nowMs = () => 0
  const nodes = nodesOf('{ $is: [/kind, "=", home] }', '{ $is: [/kind, "=", car] }', '/nothing', slow('<'))
  const conditions = new Conditions(nodes, input)
  const decided: unknown[] = []
  for (const { when } of nodes.slice(0, 3)) decided.push(await conditions.decide(when))
  expect(decided).toEqual([true, false, undefined])
  expect(await conditions.decide(undefined)).toBeUndefined()
})

test('one that takes long is a question to the judge, about all of the model and only once', async () => {
  const nodes = nodesOf('{ $is: [/kind, "=", home] }', slow('<'), slow('>'), '/nothing')
  const { judge, asked } = notingJudge()
  tickingClock()
  const decide = async () => {
    const conditions = new Conditions(nodes, input)
    const decided: unknown[] = []
    for (const { when } of nodes) decided.push(await conditions.decide(when))
    return decided
  }
  expect(await rejectionOf(decide())).toBeInstanceOf(Unjudged)
  expect(await withVerdicts(judge, decide)).toEqual([true, true, false, undefined])
  expect(asked).toEqual(['decided'])
})

test('a long condition is not compiled for the thread', async () => {
  const long = `{ $any: [${Array.from({ length: 300 }, (_, index) => `{ $is: [/kind, "=", k${index}] }`).join(', ')}] }`
  expect(long.length).toBeGreaterThan(limits.conditionChars)
  const nodes = nodesOf(long)
  const { judge, asked } = notingJudge()
  const [node] = nodes
  expect(await withVerdicts(judge, () => new Conditions(nodes, input).decide(node?.when))).toBe(false)
  expect(asked).toEqual(['decided'])
})

test('neither is one whose patterns take long to compile, however short it is', async () => {
  const nodes = nodesOf('{ $matches: /kind, pattern: "^(?:ho|(?:ab){990}|(?:cd){990}|(?:ef){990})me$" }')
  const { judge, asked } = notingJudge()
  const [node] = nodes
  expect(await withVerdicts(judge, () => new Conditions(nodes, input).decide(node?.when))).toBe(true)
  expect(asked).toEqual(['decided'])
})

test('a long condition is compiled once, though the judge gets a copy of it with each input', () => {
  const when = { $any: Array.from({ length: 2_000 }, (_, index) => ({ $is: ['/kind', '=', `once ${index}`] })) }
  const decide = () => {
    const conditions = structuredClone([when])
    expect(answer(questions, 'decided', { conditions, input: { kind: 'once 1' } })).toEqual([true])
  }
  const first = cpuMsOf(decide)
  // Garbage that other tests left may be collected in one of these.
  const later = leastCpuMsOf(() => {
    for (let time = 0; time < 20; time++) decide()
  })
  expect(later).toBeLessThan(first * 3)
})

describeOnBothDialects('a model with slow conditions', (dialect) => {
  let app: TestApp
  let author: Author
  let operator: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator'])
    const properties = { a: { type: 'array', items: { type: 'number' } }, s: { type: 'string' } }
    await author.contract('slow', JSON.stringify({ type: 'object', properties, required: ['a', 's'] }))
    const { id } = await author.frozen(
      'transformers',
      'slow',
      'transform: declarative-v1\ncontract: slow@1\noutput: { n: 1 }\n',
    )
    await author.publish('transformers', id, 1, past)
    const model = await author.frozen('ingestion-models', 'slow', modelOf([slow('<'), slow('>')]))
    const published = await author.publish('ingestion-models', model.id, 1, past)
    expect([published.status, published.body]).toEqual([201, published.body])
  })

  const inputOf = (character: string) =>
    JSON.stringify({ a: Array.from({ length: 200 }, () => 1), s: character.repeat(2_000) })
  const rawInput = inputOf('b')

  test('takes submissions, and says beforehand what they run', async () => {
    tickingClock()
    const { status, body } = await operator.post('/submissions', { ingestion_model: 'slow', raw_input: rawInput })
    expect([status, body.submission?.executions.map((one: { node_address: string }) => one.node_address)]).toEqual([
      202,
      ['slow:n0'],
    ])
    const plan = await operator.post('/submissions/plan', { ingestion_model: 'slow', raw_input: rawInput })
    expect(plan.body.nodes.map(({ reason }: { reason: string }) => reason)).toEqual([
      'condition_true',
      'condition_false',
    ])
  })

  test('refuses a submission, and a row of a batch alone, that the judge can not decide in time', async () => {
    tickingClock()
    const file = new TextEncoder().encode(`${rawInput}\n${inputOf('c')}\n`)
    const handed = await operator.form(
      'POST',
      '/batches',
      { ingestion_model: 'slow' },
      file,
      {},
      'application/x-ndjson',
    )
    expect(handed.status).toBe(202)
    const { judge } = notingJudge()
    const impatient: Judge = {
      ...judge,
      ask: async (name, given) => {
        const isSecond = JSON.stringify(given).includes('ccc')
        if (isSecond) throw new Fault('validation_failed', 'It could not be checked within 15 s.')
        return judge.ask(name, given)
      },
    }
    await app.openFeeder({ judge: impatient }).round()
    const { body } = await operator.get(`/batches/${handed.body.id}/rows`)
    expect(body.rows.map(({ state, message }: { state: string; message?: string }) => [state, message])).toEqual([
      ['submitted', undefined],
      ['refused', 'It could not be checked within 15 s.'],
    ])
  })
})
