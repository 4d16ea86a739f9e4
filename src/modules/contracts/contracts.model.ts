import { type Static, Type } from '@sinclair/typebox'
import { limits } from '../../core/limits.ts'
import { pageOf } from '../../http/paging.ts'
import { configurationIssue, correlationId, object, positiveInteger, text, uuid } from '../../http/wire.ts'
import { draftRevision, familyFields, versionFields, versionNumber } from '../by-revision/by-revision.model.ts'
import { familyDescription, familyName } from '../families/families.model.ts'
import { changeEffect, schemaChange } from '../versions/versions.model.ts'

/** Wire shapes of contracts, named by the interface and completed by docs/api-authoring.md. */
const schemaText = text({ minLength: 1, maxBytes: limits.contractSchemaBytes })

export const contractId = object({ contractId: uuid })
export const contractVersionPath = object({ contractId: uuid, number: versionNumber })

export const contractDiffPath = object({ contractId: uuid, older: versionNumber, newer: versionNumber })

export const newContract = object({ name: familyName, description: familyDescription, schema: schemaText })
export type NewContract = Static<typeof newContract>

export const contractChange = object({
  name: familyName,
  description: familyDescription,
  schema: schemaText,
  expected_revision: draftRevision,
})
export type ContractChange = Static<typeof contractChange>

export const contractToValidate = object({ schema: Type.Optional(schemaText) })

const issues = Type.Array(configurationIssue, { maxItems: limits.configurationIssues })
/** The configuration validation result, with warnings for the author of a valid schema. */
export const contractValidationResult = object(
  { valid: Type.Boolean(), errors: issues, warnings: issues, correlation_id: correlationId },
  { $id: 'ContractValidationResult' },
)
export type ContractValidationResult = Static<typeof contractValidationResult>

export const contractVersionItem = object(versionFields, { $id: 'ContractVersionItem' })
export const contractVersion = object({ ...versionFields, schema: schemaText }, { $id: 'ContractVersion' })
export type ContractVersion = Static<typeof contractVersion>

export const contractDiff = object(
  {
    older: positiveInteger,
    newer: positiveInteger,
    /** The worst of the changes; compatible if there are none. */
    effect: changeEffect,
    changes: Type.Array(
      schemaChange,
      // The last item says that there are more.
      { maxItems: limits.schemaChanges + 1 },
    ),
  },
  { $id: 'ContractDiff' },
)
export type ContractDiff = Static<typeof contractDiff>

const versions = Type.Array(contractVersionItem, { maxItems: limits.versionsShown })
export const contractItem = object({ ...familyFields, versions }, { $id: 'ContractItem' })
export type ContractItem = Static<typeof contractItem>
export const contract = object({ ...familyFields, schema: schemaText, versions }, { $id: 'Contract' })
export type Contract = Static<typeof contract>
export const contractList = pageOf('contracts', contractItem)
