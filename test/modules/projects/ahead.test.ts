import { expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { succeed } from '../../../src/core/finding.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import { judgeContent } from '../../../src/modules/drafts/compile.service.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { askAhead } from '../../../src/modules/drafts/judge-known.service.ts'
import { createProjectService } from '../../../src/modules/projects/projects.service.ts'
import { TestClock } from '../../http/harness.ts'
import { openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { type Files, hello, zipOf } from './fixture.ts'

/** Larger than what a transaction may judge by itself, so whatever it has to ask once more is seen. */
const padding = `# ${'x'.repeat(limits.judgedOnTheSpotChars)}\n`
const large: Files = {
  ...hello,
  'transformers/hello.yaml': `${hello['transformers/hello.yaml']}${padding}`,
  'models/hello.yaml': `${hello['models/hello.yaml']}${padding}`,
}

test('verdicts for the check of a project are asked for before its transaction, each once', async () => {
  const database = await openTestDatabase('sqlite')
  const clock = new TestClock()
  const asked: string[] = []
  const judge: Judge = {
    ask: (name, given) => {
      asked.push(`${name} ${JSON.stringify(given)}`)
      return judgeHere.ask(name, given)
    },
    start() {},
    close() {},
  }
  let transactions = 0
  const counting: Database = Object.create(database, {
    write: {
      value: <T>(work: (tx: Transaction) => Promise<T>) => {
        transactions++
        return database.write(work)
      },
    },
  })
  const projects = createProjectService({ database: counting, clock, judge, suites: noSuites(judge) })
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'ahead', at: clock.now() }
  const plan = await projects.plan(actor, zipOf(large), {})
  expect([plan.issues, plan.changes.length, transactions]).toEqual([[], 4, 1])
  for (const name of ['chain', 'conditions']) expect(asked.filter((each) => each.startsWith(name))).toHaveLength(1)
  // By itself, and with the contract and the template that it names.
  expect(asked.filter((each) => each.startsWith('transformer '))).toHaveLength(2)
  expect(asked.filter((each) => each.startsWith('model '))).toHaveLength(1)
})

/** Makes this process forget all verdicts, as a server's that has just been started. */
async function forgetVerdicts(): Promise<void> {
  const judge: Judge = { ask: async () => succeed({}) as never, start() {}, close() {} }
  for (let each = 0; each < limits.judgedContents; each++) {
    await judgeContent(judge, { kind: 'contract', content: { source: `forget ${each}`, format: 'json' } })
  }
  for (let each = 0; each < limits.judgedQuestions; each++) {
    await askAhead(judge, 'reviewText', { name: `forget ${each}`, bytes: new Uint8Array() })
  }
}

test('what the store has frozen is not judged again by a server that has just been started, and what changes is', async () => {
  const database = await openTestDatabase('sqlite')
  const clock = new TestClock()
  const asked: string[] = []
  const judge: Judge = {
    ask: (name, given) => {
      const text = JSON.stringify(given)
      const of = name === 'content' ? ` ${(given as { kind: string }).kind}` : ''
      // By itself a transformer only tells what it names.
      asked.push(name === 'transformer' && text.includes('"bindings"') ? 'transformer with others' : `${name}${of}`)
      return judgeHere.ask(name, given)
    },
    start() {},
    close() {},
  }
  const projects = createProjectService({ database, clock, judge, suites: noSuites(judge) })
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'known', at: clock.now() }
  const files: Files = { ...large, 'cases/hello/ann.json': '{"name":"Ann"}' }
  const { plan_hash } = await projects.plan(actor, zipOf(files), {})
  const request = { actorId: SYSTEM_ACTOR_ID, key: 'known', requestHash: '0'.repeat(64) }
  await projects.apply(actor, request, zipOf(files), { plan_hash })
  const planned = async (changed: Files) => {
    await forgetVerdicts()
    asked.length = 0
    clock.advance(1000)
    const plan = await projects.plan({ ...actor, at: clock.now() }, zipOf({ ...files, ...changed }), {})
    return { issues: plan.issues, changes: plan.changes.map(({ path }) => path), asked: asked.toSorted() }
  }
  expect(await planned({})).toEqual({ issues: [], changes: [], asked: ['model', 'transformer'] })
  const source = String(files['transformers/hello.yaml']).replace('Hello', 'Good day')
  expect(await planned({ 'transformers/hello.yaml': source })).toEqual({
    issues: [],
    changes: ['transformers/hello.yaml'],
    asked: [
      'caseRuns',
      'chain',
      'content transformer',
      'difference',
      'model',
      'transformer',
      'transformer with others',
    ],
  })
  // What is frozen and not in force is not compiled again, and what it is put in force with is asked ahead.
  const { plan_hash: frozen } = await projects.plan(
    { ...actor, at: clock.now() },
    zipOf({ ...files, 'transformers/hello.yaml': source }),
    { freeze_only: 'true' },
  )
  const freezing = { actorId: SYSTEM_ACTOR_ID, key: 'frozen', requestHash: '1'.repeat(64) }
  await projects.apply(
    { ...actor, at: clock.now() },
    freezing,
    zipOf({ ...files, 'transformers/hello.yaml': source }),
    { plan_hash: frozen, freeze_only: 'true' },
  )
  expect(await planned({ 'transformers/hello.yaml': source })).toEqual({
    issues: [],
    changes: ['transformers/hello.yaml'],
    asked: ['caseRuns', 'chain', 'difference', 'model', 'transformer', 'transformer with others'],
  })
  // What changes is checked with what is known, all the same.
  const other = source.replace('line:', 'other:')
  const { issues } = await planned({ 'transformers/hello.yaml': other })
  expect(issues.map(({ path }) => path)).toEqual(['transformers/hello.yaml#/output'])
})
