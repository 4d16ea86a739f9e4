import { Fault } from '../../core/faults.ts'
import { type Instant, instantOf } from '../../core/instant.ts'
import type { IntakeMetadata } from '../executions/executions.model.ts'
import type { NewSubmission } from './submissions.model.ts'
import type { Received } from './submissions.plan.ts'

/** What a request says about its object: intake metadata, or the object's own reference and time. */
export interface AboutObject {
  metadata: IntakeMetadata | undefined
  objectReference: string | undefined
  officialTime: Instant | undefined
}

/** @throws Fault validation_failed if it has both metadata and the fields that replace it */
export function aboutObject(body: Pick<NewSubmission, 'metadata' | 'object_reference' | 'official_time'>): AboutObject {
  const { metadata, object_reference: objectReference, official_time: officialTime } = body
  if (metadata !== undefined) {
    for (const [field, value, own] of [
      ['object_reference', objectReference, 'source_object'],
      ['official_time', officialTime, 'source_timestamp'],
    ]) {
      if (value === undefined) continue
      throw new Fault(
        'validation_failed',
        `Body field ${field} and metadata.${own} say the same. Leave one of them out.`,
      )
    }
  }
  return { metadata, objectReference, officialTime: officialTime === undefined ? undefined : instantOf(officialTime) }
}

/** @param at when the submission was received, by the database's clock */
export function received({ objectReference, officialTime }: AboutObject, id: string, at: Instant): Received {
  return { objectReference, officialTime, id, at }
}
