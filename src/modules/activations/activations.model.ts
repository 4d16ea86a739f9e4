import { type Static, Type } from '@sinclair/typebox'
import { activationStatuses, familyKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { activationFilters } from '../../core/list-filters.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, positiveInteger, slug, text, timestamp, uuid } from '../../http/wire.ts'
import { cancellationCode } from '../configuration/configuration.model.ts'
import { configurationKind } from '../families/families.model.ts'

/** Wire shapes of activations: the interface's "Configuration activation". */
const activationStatus = oneOf(activationStatuses)

export const activation = object(
  {
    id: uuid,
    kind: configurationKind,
    family_id: uuid,
    family_slug: slug,
    version_id: uuid,
    version: positiveInteger,
    content_hash: hash,
    effective_from: timestamp,
    scheduled_by: uuid,
    correlation_id: correlationId,
    scheduled_at: timestamp,
    status: activationStatus,
    cancelled_at: Type.Optional(timestamp),
    cancellation_code: Type.Optional(cancellationCode),
  },
  { $id: 'ConfigurationActivation' },
)
export type Activation = Static<typeof activation>

export const activationList = pageOf('activations', activation)

export const activationQuery = object({ ...pageById, ...filterSchemas(activationFilters) })
export type ActivationQuery = Static<typeof activationQuery>

const { kind: calendarKind, family_id: calendarFamily } = filterSchemas(activationFilters)

export const calendarQuery = object({
  from: text({ format: 'date-time', description: 'The first instant of the range.' }),
  before: text({
    format: 'date-time',
    description: `The instant at which the range ends, which is outside of it: at most ${limits.calendarDays} days after \`from\`.`,
  }),
  kind: calendarKind,
  family_id: calendarFamily,
})
export type CalendarQuery = Static<typeof calendarQuery>

/** An activation that isn't cancelled, with what is in force before and after it. */
export const calendarActivation = object(
  {
    ...activation.properties,
    from_version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The version that is in force until then; left out if none is.' }),
    ),
    until: Type.Optional(text({ format: 'date-time', description: 'When the next activation of the family begins.' })),
    contract: Type.Optional(
      object(
        { family_id: uuid, slug, version: positiveInteger },
        { description: 'Of an ingestion model: the contract that comes into force with it.' },
      ),
    ),
  },
  { $id: 'CalendarActivation' },
)
export type CalendarActivation = Static<typeof calendarActivation>

export const calendar = object(
  {
    activations: Type.Array(calendarActivation, {
      maxItems: limits.calendarActivations,
      description:
        'Those that begin in the range, the earliest first. What one request put in force from one instant on stands together and has one `correlation_id`.',
    }),
    total: Type.Integer({ minimum: 0, description: 'How many begin in the range, those left out included.' }),
    previous_at: Type.Optional(text({ format: 'date-time', description: 'The last that begins before the range.' })),
    next_at: Type.Optional(text({ format: 'date-time', description: 'The first that begins after the range.' })),
  },
  { $id: 'ActivationCalendar' },
)
export type Calendar = Static<typeof calendar>

export const approvalQuery = object({ kind: oneOf(familyKinds), family_id: uuid, version: positiveInteger })
export type ApprovalQuery = Static<typeof approvalQuery>

export const approval = object(
  {
    four_eyes: Type.Boolean({ description: 'Whether nobody may put their own work in force.' }),
    allowed: Type.Boolean({
      description: 'Whether the policy lets the caller put the version in force, or publish it.',
    }),
    reason: Type.Optional(text({ minLength: 1, description: 'Why it does not, and who may.' })),
  },
  { $id: 'VersionApproval' },
)
export type Approval = Static<typeof approval>

/** Any RFC 3339 time, to the nanosecond. */
export const dateTime = text({ format: 'date-time' })
export const publishBody = object({ effective_from: dateTime })
/** Templates: without a time it is the older surface's publish, which activates nothing. */
export const publishTemplateBody = object({ effective_from: Type.Optional(dateTime) })
export const cancelBody = object({ cancellation_code: cancellationCode })
export const resolveQuery = object({ at: dateTime })
