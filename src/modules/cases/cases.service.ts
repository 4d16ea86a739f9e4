import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { describeFindings, type Finding } from '../../core/finding.ts'
import { sha256Hex } from '../../core/hash.ts'
import { newId } from '../../core/ids.ts'
import { formatInstant } from '../../core/instant.ts'
import type { CaseKind } from '../../core/kinds.ts'
import { caseFilters } from '../../core/list-filters.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import type { CaseProvider } from '../../db/schema.ts'
import { filterValues } from '../../http/list-query.ts'
import { readPage } from '../../http/paging.ts'
import { recordAudit } from '../audit/audit.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { findVersion, type VersionRow } from '../versions/versions.reads.ts'
import { sourceOf } from '../versions/versions.service.ts'
import type { Case, CaseImport, CaseItem, CaseQuery, CaseWanted } from './cases.model.ts'
import {
  type CaseHead,
  type CaseRow,
  findCase,
  findGeneratedCase,
  findImportedCase,
  insertCaseOnce,
  listCases,
} from './cases.store.ts'

/** The identities on the wire, which the interface fixes together with the provider. */
const identities = {
  'external-generator': {
    provider_version: '40.28.1',
    locale: 'en_US',
    generator_version: 'svc-json-schema-v1',
  },
  'svc fixture': { provider_version: '1', locale: 'synthetic', generator_version: 'svc-fixture-import-v1' },
} as const satisfies Record<CaseProvider, object>

/** The seed of imported cases, which have none. */
const noSeed = 0

export interface MadeCase {
  case: Case
  /** False if the same case already existed. */
  isNew: boolean
}

export type CaseService = ReturnType<typeof createCaseService>

/**
 * Test payloads of frozen contract versions. A case never changes: generating it again from the same kind and seed, or importing
 * the same bytes as the same kind, returns the stored one.
 */
export function createCaseService({ database, judge }: { database: Database; judge: Judge }) {
  async function store(actor: Actor, row: CaseRow, find: (tx: Transaction) => Promise<CaseRow | undefined>) {
    return database.write(async (tx): Promise<MadeCase> => {
      if (!(await insertCaseOnce(tx, row))) {
        const winner = await find(tx)
        if (winner === undefined) throw new Error('a case conflicted with one that is not there')
        return { case: caseToWire(winner), isNew: false }
      }
      await recordCase(tx, actor, row)
      return { case: caseToWire(row), isNew: true }
    })
  }

  return {
    /** A page, newest first, without payloads. @throws Fault validation_failed for a cursor of no case */
    async list(query: CaseQuery): Promise<{ cases: CaseItem[]; next_cursor?: string }> {
      const filter = filterValues(caseFilters, query)
      const page = await readPage(query, {
        find: (id) => findCase(database.read, id),
        rowsAfter: (after, limit) => listCases(database.read, filter, after, limit),
      })
      const cases = page.rows.map(itemToWire)
      return page.last === undefined ? { cases } : { cases, next_cursor: page.last.id }
    },

    /** @throws Fault not_found */
    async read(id: string): Promise<Case> {
      const row = await findCase(database.read, id)
      if (row === undefined) throw new Fault('not_found', 'There is no such case.')
      return caseToWire(row)
    },

    /** The stored row, for what runs on a case's payload. */
    find: (id: string): Promise<CaseRow | undefined> => findCase(database.read, id),

    /** @throws Fault validation_failed for an unknown version, or with the reason if no payload can be found */
    async generate(actor: Actor, { contract_version_id, kind, seed }: CaseWanted): Promise<MadeCase> {
      const version = await mustFindVersion(database.read, contract_version_id)
      const find = (connection: Connection) => findGeneratedCase(connection, version.id, kind, seed)
      const stored = await find(database.read)
      if (stored !== undefined) return { case: caseToWire(stored), isNew: false }
      const made = await judge.ask('generatedCase', { contract: sourceOf(version).source, kind, seed })
      if (!made.ok) throw noPayload(kind, made.findings)
      const { text, path = null, keyword = null } = made.value
      const isBroken = kind === 'invalid'
      const broken = { invalidPath: isBroken ? path : null, invalidKeyword: isBroken ? keyword : null }
      const row = caseRow(actor, version, { kind, seed, provider: 'external-generator', text, ...broken })
      return store(actor, row, find)
    },

    /** @throws Fault validation_failed for an unknown version, or a payload that is not JSON or breaks the contract */
    async import(actor: Actor, { contract_version_id, kind, payload }: CaseImport): Promise<MadeCase> {
      const version = await mustFindVersion(database.read, contract_version_id)
      const find = (connection: Connection) => findImportedCase(connection, version.id, kind, sha256Hex(payload))
      const stored = await find(database.read)
      if (stored !== undefined) return { case: caseToWire(stored), isNew: false }
      const { isJson, findings } = await judge.ask('payload', { contract: sourceOf(version).source, payload })
      if (!isJson) throw refusedPayload('is not acceptable JSON at', findings)
      if (findings.length > 0)
        throw refusedPayload(`does not satisfy version ${version.number} of its contract:`, findings)
      return store(actor, importedRow(actor, version, kind, payload), find)
    },
  }
}

/** Inserts an imported case unchecked, for a caller that creates the contract's version in the same transaction. */
export async function insertImportedCase(
  tx: Transaction,
  actor: Actor,
  version: VersionRow,
  kind: 'valid' | 'boundary',
  payload: string,
): Promise<void> {
  const row = importedRow(actor, version, kind, payload)
  await insertCaseOnce(tx, row)
  await recordCase(tx, actor, row)
}

function importedRow(actor: Actor, version: VersionRow, kind: CaseKind, text: string): CaseRow {
  const broken = { invalidPath: null, invalidKeyword: null }
  return caseRow(actor, version, { kind, seed: noSeed, provider: 'svc fixture', text, ...broken })
}

async function recordCase(tx: Transaction, actor: Actor, row: CaseRow): Promise<void> {
  await recordAudit(tx, actor, {
    action: row.provider === 'svc fixture' ? 'case.imported' : 'case.generated',
    resourceKind: 'case',
    resourceId: row.id,
    detail: { contract_version_id: row.contractVersionId, kind: row.kind, content_hash: row.contentHash },
  })
}

type Made = Pick<CaseRow, 'kind' | 'seed' | 'provider' | 'invalidPath' | 'invalidKeyword'> & { text: string }

function caseRow(actor: Actor, version: VersionRow, { text, ...made }: Made): CaseRow {
  return {
    id: newId(),
    contractId: version.familyId,
    contractVersionId: version.id,
    contractVersionNumber: version.number,
    contractHash: version.contentHash,
    ...made,
    payload: text,
    contentHash: sha256Hex(text),
    correlationId: actor.correlationId,
    createdBy: actor.userId,
    createdAt: actor.at,
  }
}

async function mustFindVersion(connection: Connection, id: string): Promise<VersionRow> {
  const version = await findVersion(connection, id.toLowerCase())
  if (version?.kind === 'contract') return version
  throw new Fault('validation_failed', `Body field contract_version_id: there is no contract version ${id}.`)
}

function noPayload(kind: CaseKind, findings: readonly Finding[]): Fault {
  const reasons = describeFindings(findings, 3)
  return new Fault('validation_failed', `No ${kind} case could be generated for this contract version. ${reasons}`, {
    findings,
  })
}

function refusedPayload(what: string, findings: readonly Finding[]): Fault {
  return new Fault('validation_failed', `Body field payload ${what} ${describeFindings(findings, 5)}`, { findings })
}

function itemToWire(row: CaseHead): CaseItem {
  return {
    id: row.id,
    contract_id: row.contractId,
    contract_version_id: row.contractVersionId,
    created_by: row.createdBy,
    contract_version_number: row.contractVersionNumber,
    contract_hash: row.contractHash,
    content_hash: row.contentHash,
    kind: row.kind,
    seed: row.seed,
    provider: row.provider,
    ...identities[row.provider],
    ...(row.invalidPath === null ? {} : { invalid_path: row.invalidPath }),
    ...(row.invalidKeyword === null ? {} : { invalid_keyword: row.invalidKeyword }),
    correlation_id: row.correlationId,
    created_at: formatInstant(row.createdAt),
  }
}

export function caseToWire(row: CaseRow): Case {
  return { ...itemToWire(row), payload: row.payload }
}
