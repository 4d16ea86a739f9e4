import { postgresKit } from './kit.ts'
import { makeSchema } from './schema.ts'

/** For drizzle-kit, which looks for exported tables. */
export const postgresTables = makeSchema(postgresKit)
export const { users, sessions, factors, recoveryCodes, apiTokens, notices, throttles } = postgresTables
export const { families, versions, filePieces, activations, releases } = postgresTables
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
} = postgresTables
