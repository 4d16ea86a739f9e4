import { detailOf } from '../core/error-cause.ts'
import type { Log } from '../core/log.ts'
import { parseTraceparent } from '../core/traceparent.ts'
import { type CommittedEvent, onEventsCommitted } from './outbox.ts'

/**
 * Logs every event that this instance commits, with its correlation id and trace id, so that a submission can be
 * followed through its steps across instances. Failed steps are logged at `info`, everything else at `debug`.
 * @param told `failures` skips the lines that the log's level would hide
 * @returns stops it
 */
export function logEvents(log: Log, told: 'everything' | 'failures'): () => void {
  return onEventsCommitted((events) => {
    for (const event of events) {
      if (event.type === 'step.failed') log.info('a step has failed', fieldsOf(event))
      else if (told === 'everything') log.debug('an event was committed', fieldsOf(event))
    }
  })
}

function fieldsOf(event: CommittedEvent): Record<string, unknown> {
  const { step, attempt, duration_ms, code, failure } = event.data
  const trace = parseTraceparent(event.traceparent)
  return {
    event: `${event.aggregate}.${event.type}`,
    correlation_id: event.correlationId,
    ...(trace === undefined ? {} : { trace_id: trace.traceId }),
    [`${event.aggregate}_id`]: event.aggregateId,
    sequence: event.sequence,
    step,
    attempt,
    duration_ms,
    code: detailOf(failure) ?? code,
  }
}
