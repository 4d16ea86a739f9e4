import { expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createProjectService } from '../../../src/modules/projects/projects.service.ts'
import { TestClock } from '../../http/harness.ts'
import { beforeStatement } from '../../support/between-statements.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { type Files, filesOf, hello, model, transformer, zipOf } from './fixture.ts'

describeOnBothDialects('an export', (dialect) => {
  test('is one state of the configuration, whenever another is put in force', async () => {
    await using closing = new AsyncDisposableStack()
    const database = await openTestDatabase(dialect)
    closing.defer(() => database.close())
    const clock = new TestClock()
    const ports = { clock, judge: judgeHere, suites: noSuites(judgeHere) }
    const projects = createProjectService({ ...ports, database })
    const actorNow = () => ({ userId: SYSTEM_ACTOR_ID, correlationId: 'export', at: clock.now() })
    let keys = 0
    async function putInForce(text: string): Promise<void> {
      const files: Files = {
        ...hello,
        'transformers/hello.yaml': transformer(text),
        'models/hello.yaml': model().replace('label: Letter', `label: ${text}`),
      }
      const actor = actorNow()
      const { plan_hash } = await projects.plan(actor, zipOf(files), {})
      const request = { actorId: SYSTEM_ACTOR_ID, key: `key ${++keys}`, requestHash: 'x' }
      await projects.apply(actor, request, zipOf(files), { plan_hash })
    }
    await putInForce('State0')
    let statements = 0
    for (let number = 1; ; number++) {
      const { database: changing, hasHappened } = beforeStatement(database, number, () => putInForce(`State${number}`))
      clock.advance(1)
      const exporting = createProjectService({ ...ports, database: changing })
      const files = filesOf(await exporting.export(actorNow(), undefined))
      if (!hasHappened()) break
      statements++
      const states = ['transformers/hello.yaml', 'models/hello.yaml'].map(
        (path) => /State\d+/.exec(`${files[path]}`)?.[0],
      )
      expect([number, states[0]]).toEqual([number, states[1]])
    }
    expect(statements).toBeGreaterThan(5)
  })
})
