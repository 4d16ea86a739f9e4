import { type Static, Type } from '@sinclair/typebox'
import { caseKinds } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { caseFilters } from '../../core/list-filters.ts'
import { filterSchemas } from '../../http/list-query.ts'
import { pageById, pageOf } from '../../http/paging.ts'
import { correlationId, hash, object, oneOf, positiveInteger, text, timestamp, uuid } from '../../http/wire.ts'

/** Wire shapes of cases: the interface's "Case", field by field. */
const kind = oneOf(caseKinds)
const seed = Type.Integer({ minimum: 0, maximum: limits.caseSeedMax })
const payload = text({ minLength: 1, maxBytes: limits.payloadBytes })

export const caseId = object({ caseId: uuid })

const fields = {
  id: uuid,
  contract_id: uuid,
  contract_version_id: uuid,
  created_by: uuid,
  contract_version_number: positiveInteger,
  contract_hash: hash,
  content_hash: hash,
  kind,
  seed,
  provider: oneOf(['external-generator', 'svc fixture']),
  provider_version: oneOf(['40.28.1', '1']),
  locale: oneOf(['en_US', 'synthetic']),
  generator_version: oneOf(['svc-json-schema-v1', 'svc-fixture-import-v1']),
  invalid_path: Type.Optional(text()),
  invalid_keyword: Type.Optional(text()),
  correlation_id: correlationId,
  created_at: timestamp,
}

export const caseItem = object(fields, { $id: 'CaseItem' })
export type CaseItem = Static<typeof caseItem>
export const testCase = object({ ...fields, payload }, { $id: 'Case' })
export type Case = Static<typeof testCase>
export const caseList = pageOf('cases', caseItem)

export const caseQuery = object({ ...pageById, ...filterSchemas(caseFilters) })
export type CaseQuery = Static<typeof caseQuery>

export const caseWanted = object({ contract_version_id: uuid, kind, seed })
export type CaseWanted = Static<typeof caseWanted>

/** Only payloads that satisfy their contract are fixtures. */
export const caseImport = object({ contract_version_id: uuid, kind: oneOf(['valid', 'boundary']), payload })
export type CaseImport = Static<typeof caseImport>
