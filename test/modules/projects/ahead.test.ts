import { expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import type { Judge } from '../../../src/modules/drafts/judge.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createProjectService } from '../../../src/modules/projects/projects.service.ts'
import { TestClock } from '../../http/harness.ts'
import { openTestDatabase } from '../../support/database.ts'
import { type Files, hello, zipOf } from './fixture.ts'

/** Larger than what a transaction may judge by itself, so whatever it has to ask once more is seen. */
const padding = `# ${'x'.repeat(limits.judgedOnTheSpotChars)}\n`
const large: Files = {
  ...hello,
  'transformers/hello.yaml': `${hello['transformers/hello.yaml']}${padding}`,
  'models/hello.yaml': `${hello['models/hello.yaml']}${padding}`,
}

test('what the check of a project has to know is asked before its transaction, and each of it once', async () => {
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
  const projects = createProjectService({ database: counting, clock, judge })
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'ahead', at: clock.now() }
  const plan = await projects.plan(actor, zipOf(large), {})
  expect([plan.issues, plan.changes.length, transactions]).toEqual([[], 4, 1])
  for (const name of ['chain', 'conditions']) expect(asked.filter((each) => each.startsWith(name))).toHaveLength(1)
  // By itself, and with the contract and the template that it names.
  expect(asked.filter((each) => each.startsWith('transformer '))).toHaveLength(2)
  expect(asked.filter((each) => each.startsWith('model '))).toHaveLength(1)
})
