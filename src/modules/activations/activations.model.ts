import { type Static, Type } from '@sinclair/typebox'
import { activationStatuses } from '../../core/kinds.ts'
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

/** Any RFC 3339 time, to the nanosecond. */
export const dateTime = text({ format: 'date-time' })
export const publishBody = object({ effective_from: dateTime })
/** Templates: without a time it is the older surface's publish, which activates nothing. */
export const publishTemplateBody = object({ effective_from: Type.Optional(dateTime) })
export const cancelBody = object({ cancellation_code: cancellationCode })
export const resolveQuery = object({ at: dateTime })
