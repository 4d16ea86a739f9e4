import { expect, test } from 'bun:test'
import { appendEvents, type NewEvent } from '../../../src/bus/outbox.ts'
import { newId } from '../../../src/core/ids.ts'
import { parseInstant } from '../../../src/core/instant.ts'
import { listEvents } from '../../../src/modules/executions/executions.store.ts'
import { openTestDatabase } from '../../support/database.ts'

test('the events of an execution are its own alone, after the sequence that is asked for, in order', async () => {
  const database = await openTestDatabase('sqlite')
  const [one, other] = [newId(), newId()]
  const event = (aggregateId: string, type: string, aggregate: NewEvent['aggregate'] = 'execution'): NewEvent => ({
    ...{ aggregate, aggregateId, type, data: {}, correlationId: 'c' },
  })
  const at = parseInstant('2026-11-20T09:30:00Z')!
  await database.write((tx) =>
    appendEvents(tx, at, [
      ...[event(one, 'queued'), event(other, 'foreign'), event(one, 'step.started'), event(one, 'completed')],
      // Ids are of one kind of thing each; should two ever share one, they still have nothing in common.
      ...[event(one, 'created', 'submission'), event(one, 'closed', 'submission')],
    ]),
  )
  const types = async (after: number, limit = 9) =>
    (await listEvents(database.read, one, after, limit)).map(({ sequence, type }) => `${sequence} ${type}`)
  expect(await types(0)).toEqual(['1 queued', '2 step.started', '3 completed'])
  expect(await types(1)).toEqual(['2 step.started', '3 completed'])
  expect(await types(0, 2)).toEqual(['1 queued', '2 step.started'])
  expect(await types(3)).toEqual([])
})
