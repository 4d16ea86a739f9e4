import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Kind, type TSchema } from '@sinclair/typebox'
import { READ4 } from '../../src/http/access.ts'
import type { Operation } from '../../src/http/operation.ts'
import { listInForceOf } from '../../src/modules/activations/activations.service.ts'
import { describeOnBothDialects } from '../support/database.ts'
import { fill, filledId, versionedFamilies } from '../support/filled.ts'
import { plannedBy, wastedBy } from '../support/plan.ts'
import { jsonOf, startTestApp, type TestApp } from './harness.ts'

/**
 * Every list, under every combination of its filters, first page and later page: read from the index that leaves the
 * fewest rows, never sorted and never from end to end. Which lists and filters there are is read from the operations.
 */
const paging = ['limit', 'cursor', 'from', 'to', 'from_position']

/** What to ask for: one value that is there for each filter that isn't an enumeration. */
const values: Record<string, string> = {
  family_id: filledId('families', 3),
  release_id: filledId('releases', 3),
  submission_id: filledId('submissions', 3),
  contract_version_id: filledId('versions', 3),
  object_reference: 'POL-3',
  corrects: filledId('submissions', 4),
  model_slug: 'model-3',
  producing_node_address: 'model-3:node',
  actor_id: filledId('users', 3),
  action: 'submission.created',
  resource_kind: 'submission',
  resource_id: filledId('submissions', 3),
  user_id: filledId('users', 3),
  cause: '0000000000000003',
}

/** What lists of something's own rows are asked of. */
const parents = { ...versionedFamilies, webhook: filledId('webhooks', 3), batch: filledId('batches', 3) } as const

/** The index of the page's own table, by the filters in force; SQLite must take it, having no statistics to judge by. */
const indexes: Record<string, (filters: Record<string, string>) => string> = {
  listUsers: () => 'sqlite_autoindex_users_1',
  listTokens: () => 'api_tokens_user',
  listErasures: () => 'erasures_page',
  listHolds: () => 'holds_page',
  listWebhookDeliveries: ({ status }) => `webhook_deliveries${status === undefined ? '' : '_status'}_page`,
  listAllTokens: ({ user_id }) => (user_id === undefined ? 'sqlite_autoindex_api_tokens_1' : 'api_tokens_user'),
  listContracts: () => 'families_page',
  listTransforms: () => 'families_page',
  listTemplates: () => 'families_page',
  listIngestionModels: () => 'families_page',
  listTransformers: () => 'families_page',
  listIngestionModelVersions: () => 'versions_number',
  listTransformerVersions: () => 'versions_number',
  listTemplateVersions: () => 'versions_number',
  listActivations: ({ family_id, kind, status }) => {
    const of = family_id !== undefined ? '_family' : kind !== undefined ? '_kind' : ''
    return `activations${of}${status === undefined ? '' : '_status'}_page`
  },
  listReleases: () => 'releases_page',
  listSubmissions: ({ object_reference, corrects }) => {
    if (corrects !== undefined) return 'submissions_corrects_page'
    return object_reference === undefined ? 'submissions_page' : 'submissions_object_page'
  },
  listBatches: ({ model_slug, status }) =>
    `batches${model_slug !== undefined ? '_model' : status !== undefined ? '_status' : ''}_page`,
  listBatchRows: ({ state, cause }) => {
    if (cause !== undefined) return 'batch_rows_cause'
    return state === undefined || state === 'completed' ? 'sqlite_autoindex_batch_rows_1' : 'batch_rows_state'
  },
  listExecutions: ({ submission_id, release_id, status }) => {
    if (submission_id !== undefined) return 'executions_submission'
    if (release_id === undefined) return status === undefined ? 'executions_page' : 'executions_status_page'
    if (status === undefined || status === 'completed') return 'executions_release'
    return status === 'failed' ? 'executions_release_failed' : 'executions_status_page'
  },
  listStorage: ({ object_reference, producing_node_address, model_slug }) => {
    if (object_reference !== undefined) return 'artifacts_reference_page'
    if (producing_node_address !== undefined) return 'artifacts_node_page'
    return model_slug === undefined ? 'artifacts_page' : 'artifacts_model_page'
  },
  listCases: ({ contract_version_id, kind }) =>
    `cases${contract_version_id === undefined ? '' : '_version'}${kind === undefined ? '' : '_kind'}_page`,
  listAudit: ({ resource_id, actor_id, action, resource_kind }) => {
    if (resource_id !== undefined) return 'audit_resource_page'
    if (actor_id !== undefined) return 'audit_actor_page'
    if (action !== undefined) return 'audit_action_page'
    return resource_kind === undefined ? 'audit_page' : 'audit_kind_page'
  },
}

/** Every value of an enumeration, else the one above. */
function valuesOf(name: string, schema: TSchema): string[] {
  if (schema[Kind] === 'Union') return (schema.anyOf as { const: string }[]).map((one) => one.const)
  const value = values[name]
  if (value === undefined) throw new Error(`give the filter ${name} a value that the filled tables have`)
  return [value]
}

/** Each combination of filters, none included. */
function combinationsOf(operation: Operation): Record<string, string>[] {
  const filters = Object.entries(operation.query?.properties ?? {}).filter(([name]) => !paging.includes(name))
  let all: Record<string, string>[] = [{}]
  for (const [name, schema] of filters) {
    all = all.concat(valuesOf(name, schema).flatMap((value) => all.map((one) => ({ ...one, [name]: value }))))
  }
  return all
}

/** Thousands of rows, and a plan for each way to ask for them. */
const manyRowsMs = 240_000
setDefaultTimeout(manyRowsMs)

describeOnBothDialects('every list', (dialect) => {
  let app: TestApp
  let headers: Record<string, string>
  let lists: Operation[]

  beforeAll(async () => {
    // The rows are for their number; what they would show is tested elsewhere.
    app = await startTestApp(dialect, { checkAnswers: false })
    await app.addUser('reader', ['administrator', ...READ4])
    headers = await app.signIn('reader')
    await fill(app.database, dialect === 'postgres' ? 20_000 : 1_000)
    lists = app.app.operations.filter(({ query }) => query?.properties.cursor !== undefined)
  }, manyRowsMs)

  test('is one of those whose index is named here', () => {
    expect(lists.map(({ id }) => id).sort()).toEqual(Object.keys(indexes).sort())
    const paged = app.app.operations.filter(({ success }) => success[0]?.schema?.properties?.next_cursor !== undefined)
    expect(paged.map(({ id }) => id).sort()).toEqual(lists.map(({ id }) => id).sort())
  })

  test('is read from its index alone, whatever the filters and the page', async () => {
    let tried = 0
    for (const operation of lists) {
      const kind = operation.resourceKind as keyof typeof parents
      const path = operation.path.replace(/\{\w+\}/g, parents[kind])
      for (const filters of combinationsOf(operation)) {
        const asked = async (cursor: Record<string, string>) => {
          const query = new URLSearchParams({ ...filters, ...cursor, limit: '2' })
          const response = await app.send({ path: `${path}?${query}`, headers })
          expect([operation.id, filters, response.status]).toEqual([operation.id, filters, 200])
          return jsonOf(response)
        }
        const { next_cursor: cursor } = await asked({})
        for (const place of [{}, ...(typeof cursor === 'string' ? [{ cursor }] : [])]) {
          const planned = await plannedBy(app.database, () => asked(place))
          const pages = planned.filter(({ statement }) => / order by .* limit /.test(statement))
          expect([operation.id, pages.length > 0]).toEqual([operation.id, true])
          for (const { statement, plan } of planned) {
            // What belongs to the page's own rows may be sorted: they are as many as they are.
            const sorts = / limit /.test(statement) ? /USE TEMP B-TREE.*|\bSort\b.*/gm : /^$/gm
            const scans = /Seq Scan.*|^SCAN (?!CONSTANT|.* USING).*/gm
            const faults = [...plan.matchAll(sorts), ...plan.matchAll(scans)].map(([fault]) => fault)
            expect([operation.id, filters, statement, faults]).toEqual([operation.id, filters, statement, []])
          }
          if (dialect === 'sqlite') {
            const index = indexes[operation.id]!(filters)
            const used = pages.some(({ plan }) => new RegExp(`USING (?:COVERING )?INDEX ${index}\\b`).test(plan))
            expect([operation.id, filters, place, index, used || pages]).toEqual([
              operation.id,
              filters,
              place,
              index,
              true,
            ])
          }
          if (dialect === 'postgres') {
            for (const { rows, plan } of await wastedBy(app.database, () => asked(place))) {
              expect([operation.id, filters, place, rows > 200 ? plan : '']).toEqual([operation.id, filters, place, ''])
            }
          }
          tried++
        }
      }
    }
    expect(tried).toBeGreaterThan(150)
  })

  test('and the status of the operations look into no large table without an index', async () => {
    const asked = () => app.send({ path: '/api/v1/admin/operations', headers })
    const planned = await plannedBy(app.database, asked)
    expect(planned.length).toBeGreaterThan(15)
    for (const { statement, plan } of planned) {
      const scan =
        /(?:Seq Scan on|^SCAN) (?:steps|executions|artifacts|events|audit_records|webhook_deliveries)(?!.* USING).*/m
      expect([statement, scan.exec(plan)?.[0]]).toEqual([statement, undefined])
    }
  })

  test('of what is in force in some families asks each family’s index once', async () => {
    const ids = [filledId('families', 2), filledId('families', 3)]
    const planned = await plannedBy(app.database, () => listInForceOf(app.database.read, ids, app.clock.now()))
    expect(planned).toHaveLength(1)
    expect(planned[0]!.plan).toContain('activations_instant')
    expect(planned[0]!.plan).not.toMatch(/USE TEMP B-TREE|\bSort\b|Seq Scan|^SCAN/m)
  })
})
