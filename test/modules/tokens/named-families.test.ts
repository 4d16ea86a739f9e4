import { beforeAll, expect, test } from 'bun:test'
import { tokenScopes } from '../../../src/http/access.ts'
import { reachableOperations } from '../../../src/http/reach.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { contractText, transformerText, validInput } from '../../runner/letter.ts'
import { type Answered, Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'

const early = '2026-01-01T00:00:00Z'
const secretSchema = JSON.stringify({
  type: 'object',
  required: ['hidden'],
  properties: { hidden: { type: 'integer' } },
})
const transformer = (head: string) => `transform: declarative-v1\n${head}output: { shown: /hidden }\n`
const model = (contract: string, node: string) =>
  `model: ingestion-model-v1\ncontract: { name: ${contract}, version: 1 }\nnodes: [{ key: a, label: A, ${node} }]\n`
const file = (...texts: string[]) => wordPackage(texts.map((text) => p(text)).join(''))

/** Operations that a token for some families reaches, and whose content can name others; below is an attempt by each. */
const naming = [
  ...['validateTransformDraft', 'validateCanonicalTransformer', 'testCanonicalTransformerDraft'],
  ...['publishTransformerVersion', 'validateCanonicalIngestionModel', 'publishIngestionModelVersion'],
  ...['validateCanonicalTemplate', 'testCanonicalTemplateDraft', 'createTemplateVersion', 'publishTemplateVersion'],
  ...['updateContractDraft', 'updateTransformDraft', 'updateCanonicalIngestionModelDraft'],
  ...['updateCanonicalTransformerDraft', 'updateCanonicalTemplateDraft', 'planSubmission', 'createSubmission'],
]
/** Those that are told of others without naming them. */
const told = ['getTemplate', 'validateContractDraft', 'getSuite', 'getSuiteCase']
/** The rest: what their path names is all that they look at. */
const alone = [
  ...['getContract', 'createContractVersion', 'getContractVersion', 'compareContractVersions'],
  ...['publishContractVersion', 'deprecateContractVersion'],
  ...['getTransform', 'createTransformVersion', 'publishTransformVersion'],
  ...['getIngestionModel', 'getCanonicalIngestionModelDraft', 'freezeIngestionModelVersion'],
  ...['listIngestionModelVersions', 'getIngestionModelVersion', 'resolveIngestionModelActivation'],
  ...['getTransformer', 'getCanonicalTransformerDraft', 'freezeTransformerVersion', 'listTransformerVersions'],
  ...['getTransformerVersion', 'resolveTransformerActivation'],
  ...['getCanonicalTemplateDraft', 'getCanonicalTemplateDraftContent', 'listTemplateVersions', 'getTemplateVersion'],
  ...['resolveTemplateActivation', 'getTemplateFonts'],
  ...['getSubmission', 'getExecution', 'getExecutionTrace', 'retryExecution', 'getExecutionProvenance'],
  ...['verifyExecution', 'downloadArtifact'],
  ...['createBatch', 'getBatch', 'listBatchRows', 'pauseBatch', 'resumeBatch', 'cancelBatch', 'listBatchFailures'],
  ...['getUnsavedDraft', 'putUnsavedDraft', 'getUnsavedState', 'settleUnsavedDraft', 'deleteUnsavedDraft'],
  ...['retryBatchRows', 'downloadBatchResults', 'putSuiteCase', 'deleteSuiteCase', 'setSuitePolicy'],
]

test('every operation that a token for some families reaches is known by what its content can name', () => {
  expect([...naming, ...told, ...alone].sort()).toEqual([...reachableOperations].sort())
})

describeOnBothDialects('what content names is for a token that reaches it', (dialect) => {
  let app: TestApp
  let author: Author
  let limited: Author
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author', ['administrator'])
    await author.contract('hidden-contract', secretSchema)
    await author.contract('contract', contractText)
    await author.contract('other-contract', contractText)
    for (const slug of ['hidden-data', 'data']) {
      const { id } = await author.frozen('transformers', slug, transformerText)
      expect((await author.publish('transformers', id, 1, early)).status).toBe(201)
    }
    const clause = await author.frozen('templates', 'hidden-clause', file('A hidden sentence.'))
    await author.publish('templates', clause.id, 1, early)
    for (const [slug, data] of [
      ['hidden-model', 'hidden-data'],
      ['model', 'data'],
    ] as const) {
      const { id } = await author.frozen('ingestion-models', slug, model('contract', `transformer: ${data}`))
      expect((await author.publish('ingestion-models', id, 1, early)).status).toBe(201)
    }
    const letter = await author.frozen('templates', 'letter', file('Dear,'))
    await author.publish('templates', letter.id, 1, early)
    const { families: table } = app.database.read.t
    for (const { id, slug } of await app.database.read.q.select().from(table)) ids[slug] = id
    limited = await tokenFor('contract', 'data', 'letter', 'model')
  })

  const tokenFor = async (...slugs: string[]) => {
    const account = { username: `robot-${slugs.join('-')}`, displayName: 'Robot', roles: ['administrator'] as const }
    const { id: userId } = await app.users.createServiceAccount(account, testAuthor)
    const families = slugs.map((slug) => ids[slug]!)
    const token = { name: 'some', userId, scopes: [...tokenScopes], families, days: 1 }
    return author.withToken((await app.tokens.create(token, testAuthor)).text)
  }

  /** Saves a draft as whoever it belongs to, at whichever revision it is; gives the revision. */
  const save = async (path: string, content: string | Uint8Array, as = limited): Promise<number> => {
    const { revision } = (await as.get(`${path}/draft`)).body as { revision: number }
    const headers = { 'if-match': `"${revision}"` }
    const saved =
      typeof content === 'string'
        ? await as.call('PUT', `${path}/draft`, { source: content, format: 'yaml' }, headers)
        : await as.put(`${path}/draft`, content, headers)
    expect(saved.status).toBe(200)
    return revision + 1
  }
  /** Freezes content, and puts it in force. */
  const enforce = async (plural: string, slug: string, content: string | Uint8Array, as = limited) => {
    const path = `/${plural}/${ids[slug]}`
    const revision = await save(path, content, as)
    // Freezing may be refused already where it looks at what is named: then somebody else has frozen it.
    const frozen = await author.freeze(plural, ids[slug]!, revision)
    expect(frozen.body.errors).toBeUndefined()
    const version = (await author.get(path)).body
    const { number } = (version.template ?? version).versions.at(-1)
    return as.publish(plural, ids[slug]!, number, '2099-01-01T00:00:00Z')
  }
  const refused = ({ status, body }: Answered) => [status, body.code, body.detail, body.errors?.length ?? 1]

  test('a name of another family is answered as one that nobody has, by every operation', async () => {
    const attempts: Record<string, (slug: string) => Promise<Answered>[]> = {
      validateTransformDraft: (to) =>
        [`contract: ${to}-contract@1\n`, `template: ${to}-clause@1\n`].map((head) =>
          limited.post(`/transforms/${ids.data}/validate`, { source: transformer(head), format: 'yaml' }),
        ),
      validateCanonicalTransformer: (to) =>
        [`contract: ${to}-contract@1\n`, `template: ${to}-clause@1\n`].map((head) =>
          limited.post(`/transformers/${ids.data}/validate`, { source: transformer(head), format: 'yaml' }),
        ),
      testCanonicalTransformerDraft: (to) => [
        save(`/transformers/${ids.data}`, transformer(`contract: ${to}-contract@1\n`)).then(() =>
          limited.post(`/transformers/${ids.data}/test`, { data: {} }),
        ),
      ],
      publishTransformerVersion: (to) => [enforce('transformers', 'data', transformer(`contract: ${to}-contract@1\n`))],
      validateCanonicalIngestionModel: (to) => [
        limited.post(`/ingestion-models/${ids.model}/validate`, {
          source: model(`${to}-contract`, 'transformer: data'),
          format: 'yaml',
        }),
      ],
      publishIngestionModelVersion: (to) => [
        enforce('ingestion-models', 'model', model('contract', `transformer: ${to}-data`)),
      ],
      validateCanonicalTemplate: (to) => [
        limited.form('POST', `/templates/${ids.letter}/validate`, {}, file(`{{> ${to}-clause}}`)),
      ],
      testCanonicalTemplateDraft: (to) => [
        save(`/templates/${ids.letter}`, file(`{{> ${to}-clause}}`)).then(() =>
          limited.post(`/templates/${ids.letter}/test`, { data: {} }),
        ),
        limited.form('POST', `/templates/${ids.letter}/test`, { data: '{}' }, file(`{{> ${to}-clause}}`)),
      ],
      createTemplateVersion: (to) => [
        limited.form('POST', `/templates/${ids.letter}/versions`, {}, file(`{{> ${to}-clause}}`)),
        save(`/templates/${ids.letter}`, file(`{{> ${to}-clause}}`)).then((revision) =>
          limited.freeze('templates', ids.letter!, revision),
        ),
      ],
      planSubmission: (to) => [
        limited.post('/submissions/plan', { ingestion_model: 'model', raw_input: validInput, corrects: ids[to] }),
      ],
      createSubmission: (to) => [
        limited.post('/submissions', { ingestion_model: 'model', raw_input: validInput, corrects: ids[to] }),
      ],
    }
    const other = await author.post('/submissions', { ingestion_model: 'hidden-model', raw_input: validInput })
    expect(other.status).toBe(202)
    ids.hidden = other.body.submission.id
    ids.nothing = '0198c3d2-7a10-7c00-8000-00000000dead'
    for (const [operation, attempt] of Object.entries(attempts)) {
      expect(naming).toContain(operation)
      for (const named of ['hidden', 'nothing']) {
        // A frozen template can't name what there isn't, and a published transformer can't either.
        for (const pending of attempt(named)) {
          const answered = await pending
          expect([operation, named, ...refused(answered)]).toEqual([
            ...[operation, named, 403, 'forbidden', expect.stringContaining('does not reach this'), 1],
          ])
          expect(JSON.stringify(answered.body)).not.toContain('sentence')
        }
      }
    }
  })

  test('what a covered template includes is asked for its own names as well', async () => {
    const outer = await author.frozen('templates', 'outer', file('Outer.'))
    const inner = await author.frozen('templates', 'inner', file('Inner.', '{{> hidden-clause}}'))
    expect((await author.publish('templates', inner.id, 1, early)).status).toBe(201)
    Object.assign(ids, { outer: outer.id, inner: inner.id })
    const both = await tokenFor('outer', 'inner')
    const path = `/templates/${outer.id}`
    await save(path, file('{{> inner}}'), both)
    expect(refused(await both.post(`${path}/test`, { data: {} }))[0]).toBe(403)
    expect((await enforce('templates', 'outer', file('Again.', '{{> inner}}'), both)).status).toBe(403)
    // And with all of them it is no different than for anybody.
    const all = await tokenFor('outer', 'inner', 'hidden-clause')
    expect((await all.post(`${path}/test`, { data: {} })).status).toBe(200)
    expect((await enforce('templates', 'outer', file('Third.', '{{> inner}}'), all)).status).toBe(201)
  })

  test('a version comes into force only with names that are covered, and is told of others nothing', async () => {
    const source = model('contract', 'transformer: data, template: letter, formats: [docx]')
    const letter = file('{{/greeting}}')
    expect((await enforce('templates', 'letter', letter)).status).toBe(201)
    const twoOfFour = await tokenFor('contract', 'model')
    expect((await enforce('ingestion-models', 'model', source, twoOfFour)).status).toBe(403)
    await author.call(
      'PUT',
      `/transformers/${ids.data}/draft`,
      { source: transformerText, format: 'yaml' },
      {
        'if-match': `"${(await author.get(`/transformers/${ids.data}/draft`)).body.revision}"`,
      },
    )
    expect((await enforce('ingestion-models', 'model', source)).status).toBe(201)
    // A transformer that a model of others needs as it is.
    const using = await author.frozen(
      'ingestion-models',
      'using',
      model('other-contract', 'transformer: data, template: letter, formats: [docx]'),
    )
    expect((await author.publish('ingestion-models', using.id, 1, '2099-02-01T00:00:00Z')).status).toBe(201)
    ids.using = using.id
    app.clock.advance(1)
    const unfit = 'transform: declarative-v1\noutput: { other: 1 }\n'
    const revision = await save(`/transformers/${ids.data}`, unfit)
    expect((await limited.freeze('transformers', ids.data!, revision)).status).toBe(201)
    const { number } = (await author.get(`/transformers/${ids.data}`)).body.versions.at(-1)
    const publish = (as: Author) => as.publish('transformers', ids.data!, number, '2099-03-01T00:00:00Z')
    expect(JSON.stringify((await publish(author)).body.errors)).toContain('using:a')
    expect(refused(await publish(limited))).toEqual([
      403,
      'forbidden',
      expect.stringContaining('does not reach this'),
      1,
    ])
    const all = await tokenFor('contract', 'other-contract', 'data', 'letter', 'model', 'using')
    expect(JSON.stringify((await publish(all)).body.errors)).toContain('using:a')
  })

  test('gives no family another name, by which others would name it', async () => {
    const draftOf = async (path: string) => (await author.get(path)).body
    const contract = await draftOf(`/contracts/${ids.contract}`)
    const named = { description: '', name: 'hidden-contract' }
    const changed = [
      await limited.call('PUT', `/contracts/${ids.contract}`, {
        ...{ ...named, schema: contract.schema, expected_revision: contract.draft_revision },
      }),
      await limited.call('PUT', `/contracts/${ids.contract}`, {
        ...{ ...named, name: 'free', schema: contract.schema, expected_revision: contract.draft_revision },
      }),
    ]
    const transform = await draftOf(`/transforms/${ids.data}`)
    const ofTransform = {
      ...named,
      source: transformerText,
      format: 'yaml',
      expected_revision: transform.draft_revision,
    }
    changed.push(await limited.call('PUT', `/transforms/${ids.data}`, ofTransform))
    for (const [path, source] of [
      [`/ingestion-models/${ids.model}/draft`, model('contract', 'transformer: data')],
      [`/transformers/${ids.data}/draft`, transformerText],
    ] as const) {
      const tag = `"${(await draftOf(path)).revision}"`
      changed.push(await limited.call('PUT', path, { source, format: 'yaml', name: 'free' }, { 'if-match': tag }))
    }
    const path = `/templates/${ids.letter}/draft`
    const tag = `"${(await draftOf(path)).revision}"`
    changed.push(await limited.form('PUT', path, { name: 'free' }, file('Dear,'), { 'if-match': tag }))
    expect(changed.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    // Under its own name a draft is saved as ever.
    const kept = { name: contract.name, description: '', schema: contract.schema }
    const body = { ...kept, expected_revision: contract.draft_revision }
    expect((await limited.call('PUT', `/contracts/${ids.contract}`, body)).status).toBe(200)
  })

  test('is told of no template that includes its own, and of no transformer that loops over its lists', async () => {
    const includes = await author.frozen('templates', 'includes-letter', file('{{> letter}}'))
    expect((await author.publish('templates', includes.id, 1, '2026-06-01T00:00:00Z')).status).toBe(201)
    const path = `/templates/${ids.letter}`
    const shownTo = async (as: Author) => JSON.stringify((await as.get(path)).body)
    expect(await shownTo(author)).toContain('includes-letter')
    expect(await shownTo(limited)).not.toContain('includes-letter')

    const id = await author.family('transformers', 'hidden-loop')
    const source = 'transform: declarative-v1\ncontract: contract@1\noutput: { $each: /list, as: line, do: $line }\n'
    const saved = await author.call(
      'PUT',
      `/transformers/${id}/draft`,
      { source, format: 'yaml' },
      { 'if-none-match': '*' },
    )
    expect(saved.status).toBe(200)
    const schema = JSON.stringify({ type: 'object', properties: { list: { type: 'array' } } })
    const warnings = async (as: Author) =>
      JSON.stringify((await as.post(`/contracts/${ids.contract}/validate`, { schema })).body.warnings)
    expect(await warnings(author)).toContain('schema.unbounded-loop')
    expect(await warnings(limited)).not.toContain('schema.unbounded-loop')
  })
})
