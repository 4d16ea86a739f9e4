import { sqliteKit } from './kit.ts'
import { makeSchema } from './schema.ts'

/** For drizzle-kit, which looks for exported tables. */
export const sqliteTables = makeSchema(sqliteKit)
export const { users, sessions, factors, recoveryCodes, apiTokens, notices, throttles } = sqliteTables
export const { families, versions, filePieces, activations, releases } = sqliteTables
export const {
  submissions,
  executions,
  steps,
  artifacts,
  batches,
  batchRows,
  events,
  webhooks,
  webhookDeliveries,
  idempotency,
  leases,
  cases,
  projectFiles,
  suitePolicies,
  unsavedTexts,
  auditRecords,
  auditHeads,
  auditOutlets,
  erasures,
  erasedItems,
  holds,
  retention,
} = sqliteTables
