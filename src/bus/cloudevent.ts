import { formatInstant, type Instant } from '../core/instant.ts'
import { formatTraceparent, parseTraceparent } from '../core/traceparent.ts'

/** A row of `events`, as far as a message needs it. */
export interface EventRow {
  id: string
  aggregate: string
  aggregateId: string
  sequence: number
  type: string
  data: Record<string, unknown>
  correlationId: string
  traceparent: string | null
  createdAt: Instant
}

export const cloudEventContentType = 'application/cloudevents+json'

/** `quire/v1/<aggregate>/<id>/<event>`: four levels below the product's own, each free of wildcards. */
export function eventTopic(event: Pick<EventRow, 'aggregate' | 'aggregateId' | 'type'>): string {
  return `quire/v1/${event.aggregate}/${event.aggregateId}/${event.type}`
}

/** The attribute `type`: `quire.execution.completed`. */
export function cloudEventType({ aggregate, type }: Pick<EventRow, 'aggregate' | 'type'>): string {
  return `quire.${aggregate}.${type}`
}

/**
 * The event as structured-mode CloudEvents 1.0 JSON. Every member comes from the row, so that each delivery of an event
 * has the same bytes. `sequence` and `sequencetype` are CloudEvents' own extension; `correlationid` is ours.
 */
export function cloudEvent(event: EventRow): string {
  return JSON.stringify({
    specversion: '1.0',
    id: event.id,
    source: `/quire/v1/${event.aggregate}`,
    type: cloudEventType(event),
    subject: event.aggregateId,
    time: formatInstant(event.createdAt),
    datacontenttype: 'application/json',
    sequence: String(event.sequence),
    sequencetype: 'Integer',
    correlationid: event.correlationId,
    ...traceContext(event),
    data: event.data,
  })
}

/**
 * CloudEvents' distributed tracing extension, when the request was a part of a trace: the event is a span of that trace.
 * Its span id is the end of the event's id, so that every delivery names the same one.
 */
function traceContext(event: EventRow): { traceparent?: string } {
  const caller = parseTraceparent(event.traceparent)
  if (caller === undefined) return {}
  return { traceparent: formatTraceparent({ ...caller, spanId: event.id.replaceAll('-', '').slice(-16) }) }
}
