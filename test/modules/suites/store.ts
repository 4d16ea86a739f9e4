import { expect } from 'bun:test'
import type { Dialect } from '../../../src/db/database.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { type Answered, Author } from '../../support/author.ts'
import { type Files, hello, zipOf } from '../projects/fixture.ts'

/** A store of one model with its contract, transformer and template, and whoever writes them. */
export interface SuiteStore {
  app: TestApp
  author: Author
  /** Ids of the families. */
  model: string
  contract: string
  transformer: string
  template: string
  /** Of the model's suite, and of a case in it. */
  path: string
  casePath: (name: string) => string
}

/** Plans a project and applies it; the answer is that of the plan if it isn't valid. */
export async function applyProject(author: Author, files: Files): Promise<Answered> {
  const archive = zipOf(files)
  const plan = await author.form('POST', '/project/plan', {}, archive, {}, 'application/zip')
  if (plan.body.valid !== true) return plan
  const hash = { plan_hash: plan.body.plan_hash }
  return author.form('POST', '/project/apply', hash, archive, {}, 'application/zip')
}

let authors = 0

export async function suiteStore(dialect: Dialect, files: Files = hello): Promise<SuiteStore> {
  const app = await startTestApp(dialect)
  const author = await Author.signIn(app, `suite-author-${++authors}`, ['engineer', 'administrator'])
  expect((await applyProject(author, files)).body).toMatchObject({ plan_hash: expect.any(String) })
  const firstOf = async (plural: string): Promise<string> => {
    const lists = Object.values((await author.get(`/${plural}`)).body as Record<string, { id: string }[]>)
    return lists.find(Array.isArray)?.[0]?.id ?? ''
  }
  const model = await firstOf('ingestion-models')
  const path = `/suites/${model}`
  return {
    ...{ app, author, model, path, casePath: (name: string) => `${path}/cases/${encodeURIComponent(name)}` },
    contract: await firstOf('contracts'),
    transformer: await firstOf('transformers'),
    template: await firstOf('templates'),
  }
}

/** Imports an input for the contract; gives the name that it has as a case. */
export async function importedCase({ author, contract }: SuiteStore, payload: string): Promise<string> {
  const [version] = (await author.get(`/contracts/${contract}`)).body.versions
  const made = await author.post('/cases/import', { contract_version_id: version.id, kind: 'valid', payload })
  return `valid-${made.body.content_hash.slice(0, 12)}`
}

/** Saves the transformer's draft; gives its revision. */
export async function saveTransformer({ author, transformer: id }: SuiteStore, source: string): Promise<number> {
  const draft = await author.get(`/transformers/${id}/draft`)
  const tag = { 'if-match': `"${draft.body.revision}"` }
  expect((await author.call('PUT', `/transformers/${id}/draft`, { source, format: 'yaml' }, tag)).status).toBe(200)
  return (await author.get(`/transformers/${id}/draft`)).body.revision as number
}
