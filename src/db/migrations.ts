import postgresInitial from '../../drizzle/postgres/0000_initial.sql' with { type: 'text' }
import postgresReading from '../../drizzle/postgres/0001_reading.sql' with { type: 'text' }
import postgresPasswordGivenAt from '../../drizzle/postgres/0002_password_given_at.sql' with { type: 'text' }
import postgresApiTokens from '../../drizzle/postgres/0003_api_tokens.sql' with { type: 'text' }
import postgresCoverage from '../../drizzle/postgres/0004_coverage.sql' with { type: 'text' }
import postgresCorrects from '../../drizzle/postgres/0005_corrects.sql' with { type: 'text' }
import postgresProjectFiles from '../../drizzle/postgres/0006_project_files.sql' with { type: 'text' }
import postgresErasures from '../../drizzle/postgres/0007_erasures.sql' with { type: 'text' }
import postgresOidc from '../../drizzle/postgres/0008_oidc.sql' with { type: 'text' }
import postgresHolds from '../../drizzle/postgres/0009_holds.sql' with { type: 'text' }
import postgresFactors from '../../drizzle/postgres/0010_factors.sql' with { type: 'text' }
import postgresFragments from '../../drizzle/postgres/0011_fragments.sql' with { type: 'text' }
import postgresSessions from '../../drizzle/postgres/0012_sessions.sql' with { type: 'text' }
import postgresRetention from '../../drizzle/postgres/0013_retention.sql' with { type: 'text' }
import postgresWebhooks from '../../drizzle/postgres/0014_webhooks.sql' with { type: 'text' }
import postgresNotices from '../../drizzle/postgres/0015_notices.sql' with { type: 'text' }
import postgresAuditOutlets from '../../drizzle/postgres/0016_audit_outlets.sql' with { type: 'text' }
import postgresActivationCalendar from '../../drizzle/postgres/0017_activation_calendar.sql' with { type: 'text' }
import postgresReading6 from '../../drizzle/postgres/0018_reading_6.sql' with { type: 'text' }
import postgresParts from '../../drizzle/postgres/0019_parts.sql' with { type: 'text' }
import postgresBatches from '../../drizzle/postgres/0020_batches.sql' with { type: 'text' }
import postgresSuites from '../../drizzle/postgres/0021_suites.sql' with { type: 'text' }
import postgresUnsaved from '../../drizzle/postgres/0022_unsaved.sql' with { type: 'text' }
import postgresWebhookNumbers from '../../drizzle/postgres/0023_webhook_numbers.sql' with { type: 'text' }
import postgresFilePieces from '../../drizzle/postgres/0024_file_pieces.sql' with { type: 'text' }
import sqliteInitial from '../../drizzle/sqlite/0000_initial.sql' with { type: 'text' }
import sqliteReading from '../../drizzle/sqlite/0001_reading.sql' with { type: 'text' }
import sqlitePasswordGivenAt from '../../drizzle/sqlite/0002_password_given_at.sql' with { type: 'text' }
import sqliteApiTokens from '../../drizzle/sqlite/0003_api_tokens.sql' with { type: 'text' }
import sqliteCoverage from '../../drizzle/sqlite/0004_coverage.sql' with { type: 'text' }
import sqliteCorrects from '../../drizzle/sqlite/0005_corrects.sql' with { type: 'text' }
import sqliteProjectFiles from '../../drizzle/sqlite/0006_project_files.sql' with { type: 'text' }
import sqliteErasures from '../../drizzle/sqlite/0007_erasures.sql' with { type: 'text' }
import sqliteOidc from '../../drizzle/sqlite/0008_oidc.sql' with { type: 'text' }
import sqliteHolds from '../../drizzle/sqlite/0009_holds.sql' with { type: 'text' }
import sqliteFactors from '../../drizzle/sqlite/0010_factors.sql' with { type: 'text' }
import sqliteFragments from '../../drizzle/sqlite/0011_fragments.sql' with { type: 'text' }
import sqliteSessions from '../../drizzle/sqlite/0012_sessions.sql' with { type: 'text' }
import sqliteRetention from '../../drizzle/sqlite/0013_retention.sql' with { type: 'text' }
import sqliteWebhooks from '../../drizzle/sqlite/0014_webhooks.sql' with { type: 'text' }
import sqliteNotices from '../../drizzle/sqlite/0015_notices.sql' with { type: 'text' }
import sqliteAuditOutlets from '../../drizzle/sqlite/0016_audit_outlets.sql' with { type: 'text' }
import sqliteActivationCalendar from '../../drizzle/sqlite/0017_activation_calendar.sql' with { type: 'text' }
import sqliteReading6 from '../../drizzle/sqlite/0018_reading_6.sql' with { type: 'text' }
import sqliteParts from '../../drizzle/sqlite/0019_parts.sql' with { type: 'text' }
import sqliteBatches from '../../drizzle/sqlite/0020_batches.sql' with { type: 'text' }
import sqliteSuites from '../../drizzle/sqlite/0021_suites.sql' with { type: 'text' }
import sqliteUnsaved from '../../drizzle/sqlite/0022_unsaved.sql' with { type: 'text' }
import sqliteWebhookNumbers from '../../drizzle/sqlite/0023_webhook_numbers.sql' with { type: 'text' }
import sqliteFilePieces from '../../drizzle/sqlite/0024_file_pieces.sql' with { type: 'text' }

/**
 * The migrations of both dialects, embedded in the binary, in order. A test compares this list with the folders that drizzle-kit
 * writes.
 */
export interface Migration {
  name: string
  sql: string
}

export function statementsOf(migration: Migration): string[] {
  return migration.sql.split('--> statement-breakpoint')
}

/**
 * Whether versions that don't know the migration may run beside it: its text then begins with this line. Such a migration adds
 * tables, columns and indexes that older versions need not know about ([decision
 * 28](../../docs/decisions/0028-versions-that-run-side-by-side.md)).
 */
export function isExpanding({ sql }: Migration): boolean {
  return sql.startsWith('-- expands\n')
}

export function tablesMadeBy(migration: Migration): string[] {
  return [...migration.sql.matchAll(/^CREATE TABLE [`"](\w+)[`"]/gm)].map(([, name = '']) => name)
}

export const migrations: Record<'sqlite' | 'postgres', readonly Migration[]> = {
  sqlite: [
    { name: '0000_initial', sql: sqliteInitial },
    { name: '0001_reading', sql: sqliteReading },
    { name: '0002_password_given_at', sql: sqlitePasswordGivenAt },
    { name: '0003_api_tokens', sql: sqliteApiTokens },
    { name: '0004_coverage', sql: sqliteCoverage },
    { name: '0005_corrects', sql: sqliteCorrects },
    { name: '0006_project_files', sql: sqliteProjectFiles },
    { name: '0007_erasures', sql: sqliteErasures },
    { name: '0008_oidc', sql: sqliteOidc },
    { name: '0009_holds', sql: sqliteHolds },
    { name: '0010_factors', sql: sqliteFactors },
    { name: '0011_fragments', sql: sqliteFragments },
    { name: '0012_sessions', sql: sqliteSessions },
    { name: '0013_retention', sql: sqliteRetention },
    { name: '0014_webhooks', sql: sqliteWebhooks },
    { name: '0015_notices', sql: sqliteNotices },
    { name: '0016_audit_outlets', sql: sqliteAuditOutlets },
    { name: '0017_activation_calendar', sql: sqliteActivationCalendar },
    { name: '0018_reading_6', sql: sqliteReading6 },
    { name: '0019_parts', sql: sqliteParts },
    { name: '0020_batches', sql: sqliteBatches },
    { name: '0021_suites', sql: sqliteSuites },
    { name: '0022_unsaved', sql: sqliteUnsaved },
    { name: '0023_webhook_numbers', sql: sqliteWebhookNumbers },
    { name: '0024_file_pieces', sql: sqliteFilePieces },
  ],
  postgres: [
    { name: '0000_initial', sql: postgresInitial },
    { name: '0001_reading', sql: postgresReading },
    { name: '0002_password_given_at', sql: postgresPasswordGivenAt },
    { name: '0003_api_tokens', sql: postgresApiTokens },
    { name: '0004_coverage', sql: postgresCoverage },
    { name: '0005_corrects', sql: postgresCorrects },
    { name: '0006_project_files', sql: postgresProjectFiles },
    { name: '0007_erasures', sql: postgresErasures },
    { name: '0008_oidc', sql: postgresOidc },
    { name: '0009_holds', sql: postgresHolds },
    { name: '0010_factors', sql: postgresFactors },
    { name: '0011_fragments', sql: postgresFragments },
    { name: '0012_sessions', sql: postgresSessions },
    { name: '0013_retention', sql: postgresRetention },
    { name: '0014_webhooks', sql: postgresWebhooks },
    { name: '0015_notices', sql: postgresNotices },
    { name: '0016_audit_outlets', sql: postgresAuditOutlets },
    { name: '0017_activation_calendar', sql: postgresActivationCalendar },
    { name: '0018_reading_6', sql: postgresReading6 },
    { name: '0019_parts', sql: postgresParts },
    { name: '0020_batches', sql: postgresBatches },
    { name: '0021_suites', sql: postgresSuites },
    { name: '0022_unsaved', sql: postgresUnsaved },
    { name: '0023_webhook_numbers', sql: postgresWebhookNumbers },
    { name: '0024_file_pieces', sql: postgresFilePieces },
  ],
}
