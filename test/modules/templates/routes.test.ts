import { beforeEach, describe, expect, test } from 'bun:test'
import { instantOf } from '../../../src/core/instant.ts'
import { pagesMediaType } from '../../../src/modules/templates/templates.model.ts'
import { templateOperations } from '../../../src/modules/templates/templates.routes.ts'
import { handled, notingService, sessionAuthor } from '../../support/handled.ts'
import { rejectionOf } from '../../support/outcome.ts'

const at = instantOf('2026-11-30T00:00:00Z')
const draft = { revision: 7 }
const answers = {
  ...{ list: { templates: [] }, create: { made: 1 }, upload: { made: 2 }, read: { id: 'a' }, readDraft: draft },
  ...{ saveDraft: draft, readDraftContent: { bytes: 'stream', slug: 'letter', revision: 7 }, fonts: { fonts: [] } },
  ...{
    validate: { valid: true },
    uploadVersion: { version: 2 },
    freeze: { result: 3 },
    listVersions: { versions: [] },
  },
  ...{ readVersion: { version: 1 }, test: {} as object, preview: {} as object },
}
const { calls, service } = notingService(answers)
const operations = templateOperations(service, service, { clock: { now: () => at } as never })
const by = { ...sessionAuthor, at }
const params = { templateId: 'a', number: 4 }
const bytes = Uint8Array.of(80, 75)
const multipart = (fields: object = {}, file = bytes) => ({
  kind: 'multipart',
  value: { fields, file: { bytes: file } },
})
const ask = (id: string, more: object = {}) => handled(operations, id, { params, idempotency: 'key', ...more })

beforeEach(() => void calls.splice(0))

test('what is read is answered as it is, drafts with their revision as a tag and their file under a name', async () => {
  expect(await ask('listTemplates', { query: { limit: 2 } })).toEqual({ body: answers.list })
  expect(await ask('getTemplate', { isToken: true })).toEqual({ body: answers.read })
  expect(await ask('getCanonicalTemplateDraft')).toEqual({ body: draft, headers: { etag: '"7"' } })
  expect(await ask('getCanonicalTemplateDraftContent')).toEqual({
    headers: {
      'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'content-disposition': 'attachment; filename="letter-draft-7.docx"',
      etag: '"7"',
    },
    stream: 'stream',
  } as never)
  expect(await ask('getTemplateFonts', { query: { version: 3 } })).toEqual({ body: answers.fonts })
  expect(await ask('listTemplateVersions', { query: { limit: 2 } })).toEqual({ body: answers.listVersions })
  expect(await ask('getTemplateVersion')).toEqual({ body: answers.readVersion })
  expect(calls).toEqual([
    ...[
      ['list', { limit: 2 }],
      ['read', 'a', ['f']],
      ['readDraft', 'a'],
      ['readDraftContent', 'a'],
      ['fonts', 'a', 3],
    ],
    ...[
      ['listVersions', 'a', { limit: 2 }],
      ['readVersion', 'a', 4],
    ],
  ])
})

test('JSON makes a family or freezes the draft, and a file is uploaded, drafted or checked', async () => {
  const family = { slug: 'letter' }
  expect(await ask('createTemplate', { body: { kind: 'json', value: family } })).toEqual({ made: 1 } as never)
  expect(await ask('createTemplate', { body: multipart(family) })).toEqual({ made: 2 } as never)
  const conditions = { ifMatch: '"7"', ifNoneMatch: undefined }
  const saved = { body: draft, headers: { etag: '"7"' } }
  expect(await ask('updateCanonicalTemplateDraft', { ...conditions, body: { kind: 'bytes', value: bytes } })).toEqual(
    saved,
  )
  await ask('updateCanonicalTemplateDraft', { ...conditions, body: multipart({ filename: 'a.docx' }) })
  expect(await ask('validateCanonicalTemplate', { body: { kind: 'json', value: {} } })).toEqual({
    body: answers.validate,
  })
  await ask('validateCanonicalTemplate', { body: multipart() })
  expect(await ask('createTemplateVersion', { body: multipart() })).toEqual({ version: 2 } as never)
  const json = { body: { kind: 'json', value: {} }, ifMatch: '"7"' }
  expect(await ask('createTemplateVersion', json)).toEqual({ result: 3 } as never)
  expect(calls).toEqual([
    ...[
      ['create', by, 'key', family],
      ['upload', by, 'key', family, bytes],
    ],
    ['saveDraft', 'a', by, 'key', conditions, { bytes }],
    ['saveDraft', 'a', by, 'key', conditions, { bytes, filename: 'a.docx' }],
    ...[
      ['validate', 'a', undefined, sessionAuthor],
      ['validate', 'a', bytes, sessionAuthor],
    ],
    ...[
      ['uploadVersion', 'a', by, 'key', bytes],
      ['freeze', { kind: 'template', id: 'a' }, by, 'key', '"7"'],
    ],
  ])
  const keyless = rejectionOf(ask('createTemplateVersion', { ...json, idempotency: undefined }))
  expect(String(await keyless)).toContain('Header Idempotency-Key is missing.')
})

test('a file without content is refused wherever one is taken', async () => {
  const empty = { body: multipart({ data: '{}' }, new Uint8Array()) }
  for (const id of [
    'createTemplate',
    'updateCanonicalTemplateDraft',
    'validateCanonicalTemplate',
    'createTemplateVersion',
  ])
    expect([id, await rejectionOf(ask(id, empty))]).toMatchObject([
      id,
      { code: 'validation_failed', message: expect.stringContaining('Body part file is empty.') },
    ])
  expect(calls).toEqual([])
})

describe('a trial', () => {
  const accepting = (accept?: string) => ({
    request: new Request('http://a', accept === undefined ? {} : { headers: { accept } }),
  })
  const json = { body: { kind: 'json', value: { data: { a: 1 } } } }

  test('is of the data that is sent, with a file or the draft', async () => {
    answers.test = { result: { ok: true } }
    expect(await ask('testCanonicalTemplateDraft', { ...json, ...accepting() })).toEqual({ body: { ok: true } })
    await ask('testCanonicalTemplateDraft', {
      body: multipart({ data: '{"a":2}' }),
      ...accepting('a/b, application/pdf'),
    })
    answers.preview = { result: { ok: false } }
    const body = { case_id: 'c' }
    expect(await ask('previewTemplateVersion', { body, ...accepting() })).toEqual({ body: { ok: false } })
    expect(calls).toEqual([
      ['test', 'a', { data: { a: 1 } }, sessionAuthor, 'documents'],
      ['test', 'a', { data: { a: 2 }, file: bytes }, sessionAuthor, 'documents'],
      ['preview', 'a', 4, body, sessionAuthor, 'documents'],
    ])
    const broken = ask('testCanonicalTemplateDraft', { body: multipart({ data: '{' }), ...accepting() })
    expect(await rejectionOf(broken)).toMatchObject({ code: 'validation_failed' })
  })

  test('is answered as a PDF where the client takes one, and else as the report', async () => {
    answers.test = { result: { ok: true }, pages: 'pdf' }
    const pdf = { headers: { 'cache-control': 'no-store', 'content-type': 'application/pdf' }, stream: 'pdf' }
    expect(await ask('testCanonicalTemplateDraft', { ...json, ...accepting('application/pdf;q=1') })).toEqual(
      pdf as never,
    )
    expect(await ask('testCanonicalTemplateDraft', { ...json, ...accepting('application/pdfx') })).toEqual({
      body: { ok: true },
    })
  })

  test('is drawn where the client takes that', async () => {
    answers.test = { drawn: { pages: [] } }
    expect(await ask('testCanonicalTemplateDraft', { ...json, ...accepting(pagesMediaType) })).toEqual({
      headers: { 'cache-control': 'no-store', 'content-type': pagesMediaType },
      body: { pages: [] },
    })
    expect(calls.at(-1)?.at(-1)).toBe('pictures')
  })
})
