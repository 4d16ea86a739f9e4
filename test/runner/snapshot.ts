import { asc, eq } from 'drizzle-orm'
import type { Database } from '../../src/db/database.ts'
import { askedLessOften, patienceMs, until } from '../support/until.ts'

/** Everything the database says of one execution. */
export async function readExecution(database: Database, id: string) {
  const { q, t } = database.read
  const [execution] = await q.select().from(t.executions).where(eq(t.executions.id, id))
  const steps = await q.select().from(t.steps).where(eq(t.steps.executionId, id)).orderBy(asc(t.steps.position))
  const artifacts = await q
    .select()
    .from(t.artifacts)
    .where(eq(t.artifacts.executionId, id))
    .orderBy(asc(t.artifacts.kind))
  const events = await q.select().from(t.events).where(eq(t.events.aggregateId, id)).orderBy(asc(t.events.sequence))
  return { execution: execution!, steps, artifacts, events }
}

export function untilEnded(database: Database, id: string) {
  const ended = async () => {
    const found = await readExecution(database, id)
    return ['completed', 'failed'].includes(found.execution.status) ? found : undefined
  }
  return until('the execution ends', ended, patienceMs(), askedLessOften)
}
