import { beforeAll, describe, expect, test } from 'bun:test'
import type { Binding } from '../../../src/core/binding.ts'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { limits } from '../../../src/core/limits.ts'
import { pagesMediaType } from '../../../src/modules/templates/templates.model.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { brokenBodies, stateOf } from '../../support/refused.ts'

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const first = { 'if-none-match': '*' }

describeOnBothDialects('templates', (dialect) => {
  let app: TestApp
  let author: Author
  let letter: Uint8Array
  let other: Uint8Array
  let names = 0

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    letter = await templateBytes()
    // The same document in other bytes: a zip may have a comment, as long as its end record says how long.
    other = withComment(letter, 'b')
  })

  const name = () => `Letter ${++names}`
  const upload = async (bytes = letter) =>
    (await author.form('POST', '/templates', { name: name(), description: 'd' }, bytes)).body.template
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  describe('the older surface', () => {
    test('stores an uploaded file as version 1 at once, with its bindings by part and position', async () => {
      const title = name()
      const made = await author.form('POST', '/templates', { name: title, description: '' }, letter)
      expect(made.status).toBe(201)
      const { template } = made.body
      expect(template).toMatchObject({ name: title, slug: `letter-${names}`, draft_revision: 1 })
      expect(template.versions).toHaveLength(1)
      expect(template.versions[0]).toMatchObject({
        number: 1,
        status: 'versioned',
        byte_size: letter.byteLength,
        content_hash: sha256Hex(letter),
        bindings: [
          {
            pointer: '/greeting',
            shape: 'scalar',
            required: true,
            part: 'word/document.xml',
            paragraph: 1,
            position: 0,
          },
          { pointer: '/total', shape: 'scalar', required: true, part: 'word/document.xml', paragraph: 2, position: 8 },
        ],
      })
      expect((await author.get(`/templates/${template.id}`)).body).toEqual(template)
      expect((await author.get('/templates?limit=1')).body.templates).toEqual([template])
      const content = await author.get(`/templates/${template.id}/draft/content`)
      expect([content.headers.get('content-type'), content.headers.get('etag')]).toEqual([docxType, '"1"'])
      expect(sha256Hex(content.body)).toBe(sha256Hex(letter))
    })

    test('refuses the bytes of any version of the family, and numbers what is new', async () => {
      const { id } = await upload()
      const second = await author.form('POST', `/templates/${id}/versions`, {}, other)
      expect([second.status, second.body.version.number]).toEqual([201, 2])
      for (const [number, bytes] of [letter, other].entries()) {
        const refused = await changesNothing(() => author.form('POST', `/templates/${id}/versions`, {}, bytes))
        expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
        expect(refused.body.detail).toContain(`Version ${number + 1} `)
        expect(refused.body).not.toHaveProperty('errors')
      }
      expect((await author.get(`/templates/${id}/draft`)).body).toMatchObject({
        revision: 2,
        content_hash: sha256Hex(other),
      })
      // Another family may have them.
      expect((await upload()).versions[0].content_hash).toBe(sha256Hex(letter))
    })

    test('publishes without putting anything in force', async () => {
      const { id } = await upload()
      const published = await author.post(`/templates/${id}/versions/1/publish`, {}, { 'idempotency-key': undefined })
      expect([published.status, published.body.version.status]).toEqual([200, 'published'])
      expect((await author.get(`/activations?family_id=${id}`)).body.activations).toEqual([])
      expect((await author.get(`/templates/${id}/versions:resolve?at=2100-01-01T00:00:00Z`)).status).toBe(404)
      const again = await changesNothing(() =>
        author.post(`/templates/${id}/versions/1/publish`, {}, { 'idempotency-key': undefined }),
      )
      expect(again.body).toEqual(published.body)
      expect((await author.post(`/templates/${id}/versions/2/publish`, {})).status).toBe(404)
    })

    test.each<[string, (id: string) => Promise<Answered>, number]>([
      [
        'a file that is no DOCX',
        () => author.form('POST', '/templates', { name: name(), description: '' }, bytes('PK no')),
        422,
      ],
      [
        'an empty file',
        () => author.form('POST', '/templates', { name: name(), description: '' }, new Uint8Array(0)),
        422,
      ],
      ['no file', () => author.form('POST', '/templates', { name: name(), description: '' }, undefined), 422],
      ['no name', () => author.form('POST', '/templates', { description: '' }, letter), 422],
      ['no description', () => author.form('POST', '/templates', { name: name() }, letter), 422],
      [
        'an unknown field',
        () => author.form('POST', '/templates', { name: name(), description: '', slug: 'a' }, letter),
        422,
      ],
      [
        'a file of another type',
        () => author.form('POST', '/templates', { name: name(), description: '' }, letter, {}, 'application/pdf'),
        422,
      ],
      ['a version of an unknown template', () => author.form('POST', `/templates/${nobody}/versions`, {}, letter), 404],
      ['a version with a field', (id) => author.form('POST', `/templates/${id}/versions`, { name: 'x' }, other), 422],
      ['a version that is no DOCX', (id) => author.form('POST', `/templates/${id}/versions`, {}, bytes('text')), 422],
      [
        'a text body',
        (id) => author.call('POST', `/templates/${id}/versions`, 'text', { 'content-type': 'text/plain' }),
        415,
      ],
    ])('refuses %s and changes nothing', async (_name, work, status) => {
      const { id } = await upload()
      const refused = await changesNothing(() => work(id))
      expect(refused.status).toBe(status)
      if (status !== 415) expect(refused.body).not.toHaveProperty('errors')
    })

    test('refuses a name that is taken, in the variant of the surface that asks', async () => {
      const { name: taken } = await upload()
      const older = await changesNothing(() =>
        author.form('POST', '/templates', { name: taken, description: '' }, other),
      )
      expect([older.status, 'errors' in older.body]).toEqual([409, false])
      const canonical = await changesNothing(() =>
        author.post('/templates', { slug: 'free', name: taken, description: '' }),
      )
      expect([canonical.status, canonical.body.errors.length]).toEqual([409, 1])
    })

    test('takes a key, and replays under it', async () => {
      const key = { 'idempotency-key': newKey() }
      const fields = { name: name(), description: '' }
      const made = await author.form('POST', '/templates', fields, letter, key)
      const replayed = await changesNothing(() => author.form('POST', '/templates', fields, letter, key))
      expect([replayed.status, replayed.body]).toEqual([201, made.body])
      expect((await author.form('POST', '/templates', fields, other, key)).status).toBe(409)
    })
  })

  describe('the canonical surface', () => {
    test('makes an empty family, with or without a key', async () => {
      for (const key of [newKey(), undefined]) {
        const body = { slug: `canonical-${++names}`, name: name(), description: '' }
        const made = await author.post('/templates', body, { 'idempotency-key': key })
        expect([made.status, made.body.template]).toMatchObject([201, { ...body, draft_revision: 0, versions: [] }])
        expect((await author.get(`/templates/${made.body.template.id}/draft`)).status).toBe(404)
        expect((await author.get(`/templates/${made.body.template.id}/draft/content`)).status).toBe(404)
        expect((await author.post(`/templates/${made.body.template.id}/test`, { data: {} })).status).toBe(404)
        expect((await author.post(`/templates/${made.body.template.id}/validate`, {})).status).toBe(404)
      }
    })

    test('takes the draft as bytes or as a form, under its conditions, and freezes it', async () => {
      const id = await author.family('templates', `canonical-${++names}`)
      const path = `/templates/${id}/draft`
      expect((await changesNothing(() => author.put(path, letter))).status).toBe(428)
      const put = await author.put(path, letter, first)
      expect([put.status, put.headers.get('etag')]).toEqual([200, '"1"'])
      expect(put.body).toMatchObject({
        format: 'docx',
        byte_size: letter.byteLength,
        content_hash: sha256Hex(letter),
        revision: 1,
      })
      expect((await changesNothing(() => author.put(path, other, first))).status).toBe(412)
      expect((await changesNothing(() => author.put(path, other, { 'if-match': 'W/"1"' }))).status).toBe(412)
      const form = await author.form('PUT', path, { description: 'new' }, other, { 'if-match': '"1"' })
      expect([form.status, form.body.revision, form.body.description]).toEqual([200, 2, 'new'])
      expect((await author.get(path)).body).toEqual(form.body)

      const frozen = await author.freeze('templates', id, 2)
      expect([frozen.status, frozen.body.result]).toMatchObject([
        201,
        { kind: 'template', number: 1, source_revision: 2, reused: false },
      ])
      const reused = await author.freeze('templates', id, 2)
      expect([reused.status, reused.body.result.reused]).toEqual([200, true])
      expect((await author.get(`/templates/${id}/versions/1`)).body).toMatchObject({ content_hash: sha256Hex(other) })
      expect((await author.get(`/templates/${id}/versions`)).body.versions).toHaveLength(1)
      // The same bytes again through the older surface are a duplicate.
      expect((await author.form('POST', `/templates/${id}/versions`, {}, other)).status).toBe(409)
    })

    test('wants both headers of a freeze, and keeps a draft that no engine accepts from being one', async () => {
      const id = await author.family('templates', `canonical-${++names}`)
      await author.put(`/templates/${id}/draft`, bytes('no document at all'), first)
      const none = await changesNothing(() => author.freeze('templates', id, 1, { 'idempotency-key': undefined }))
      expect([none.status, none.body.errors.length]).toEqual([422, 1])
      expect((await changesNothing(() => author.freeze('templates', id, 1, { 'if-match': undefined }))).status).toBe(
        428,
      )
      const broken = await changesNothing(() => author.freeze('templates', id, 1))
      expect([broken.status, broken.body.errors[0].stage]).toEqual([422, 'freeze'])
    })

    test('validates a file or the draft, and writes nothing', async () => {
      const { id } = await upload()
      const good = { valid: true, errors: [], correlation_id: expect.any(String) }
      expect((await changesNothing(() => author.post(`/templates/${id}/validate`, {}))).body).toEqual(good)
      expect((await changesNothing(() => author.form('POST', `/templates/${id}/validate`, {}, other))).body).toEqual(
        good,
      )
      const bad = await author.form('POST', `/templates/${id}/validate`, {}, bytes('no'))
      expect([bad.status, bad.body.valid, bad.body.errors[0].resource_kind]).toEqual([200, false, 'template'])
      const wrong = wordPackage(p('Dear {{name}},'))
      const told = await author.form('POST', `/templates/${id}/validate`, {}, wrong)
      expect(told.body.errors[0]).toMatchObject({
        path: 'word/document.xml#1:5',
        context: { words: 'Dear {{name}},' },
      })
      expect((await author.post(`/templates/${nobody}/validate`, {})).status).toBe(404)
    })

    test('says which fonts draw its texts, of the draft and of a version, before any document is made', async () => {
      const run = (font: string, text: string) =>
        `<w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}"/></w:rPr><w:t>${text}</w:t></w:r>`
      const file = (font: string) =>
        wordPackage(`<w:p>${run('Calibri', 'Dear ')}${run(font, '{{/name}} \u2611')}</w:p>`)
      const { id } = await upload(file('Letters of Nobody'))
      const fonts = async (query = '') =>
        (await changesNothing(() => author.get(`/templates/${id}/fonts${query}`))).body.fonts
      const calibri = { family: 'Calibri', drawn_with: 'Carlito', match: 'twin' }
      const guessed = { family: 'Letters of Nobody', drawn_with: expect.any(String), match: 'guessed' }
      const signs = { family: 'Noto Sans Symbols 2', drawn_with: 'Noto Sans Symbols 2', match: 'borrowed' }
      expect(await fonts()).toEqual([calibri, guessed, signs])
      const drafted = await author.form('PUT', `/templates/${id}/draft`, {}, file('Cousine'), { 'if-match': '"1"' })
      expect(drafted.status).toBe(200)
      expect(await fonts()).toContainEqual({ family: 'Cousine', drawn_with: 'Cousine', match: 'itself' })
      expect(await fonts('?version=1')).toEqual([calibri, guessed, signs])
      expect((await author.get(`/templates/${id}/fonts?version=2`)).status).toBe(404)
      expect((await author.get(`/templates/${nobody}/fonts`)).status).toBe(404)
    })

    test('test fills a file that nobody has saved, says what it binds, and keeps nothing of it', async () => {
      const { id } = await upload()
      const path = `/templates/${id}/test`
      const other = wordPackage(p('Hello {{/name}}') + p('{{#each /lines}}') + p('{{./text}}') + p('{{#end}}'))
      const data = JSON.stringify({ name: 'Ada', lines: [{ text: 'one' }, { text: 'two' }] })
      const tried = await changesNothing(() => author.form('POST', path, { data }, other))
      expect([tried.status, tried.body.valid]).toEqual([200, true])
      expect(tried.body.result).toBeUndefined()
      const pointersOf = (bound: { pointer: string }[]) => bound.map(({ pointer }) => pointer)
      expect(pointersOf(tried.body.bindings)).toEqual(['/name', '/lines', '/lines/*/text'])
      const drawn = await author.form('POST', path, { data }, other, { accept: pagesMediaType })
      expect(drawn.headers.get('content-type')).toBe(pagesMediaType)
      // Each value with its own place in the data: in a loop, that of its turn.
      expect(pointersOf(drawn.body.pages[0].marks)).toEqual(['/name', '/lines/0/text', '/lines/1/text'])
      expect(drawn.body.bindings).toEqual(tried.body.bindings)
      const missing = await author.form('POST', path, { data: '{"lines":[]}' }, other, { accept: pagesMediaType })
      expect([missing.body.valid, missing.body.errors[0].message]).toEqual([false, expect.stringMatching(/^\/name is/)])
      expect(missing.body.bindings).toEqual(tried.body.bindings)
      const broken = await author.form('POST', path, { data }, wordPackage(p('Dear {{name}},')))
      expect([broken.body.valid, broken.body.bindings]).toEqual([false, undefined])
      expect((await author.form('POST', path, { data: '{' }, other)).status).toBe(422)
      expect((await author.form('POST', path, {}, other)).status).toBe(422)
      expect((await author.form('POST', `/templates/${nobody}/test`, { data }, other)).status).toBe(404)
      expect((await author.get(`/templates/${id}`)).body.draft_revision).toBe(1)
    })

    test('test makes both documents, proves it by their hashes, and keeps neither', async () => {
      const { id } = await upload()
      const data = { greeting: 'Dear Ada', total: '1,234.50' }
      const tried = await changesNothing(() => author.post(`/templates/${id}/test`, { data }))
      expect(tried.status).toBe(200)
      const { result } = structuredClone(tried.body)
      expect(tried.body).toMatchObject({ valid: true, errors: [] })
      expect(result).toMatchObject({
        template_id: id,
        draft_revision: 1,
        template_hash: sha256Hex(letter),
        input_hash: canonicalHash(data),
      })
      for (const proof of [result.docx, result.pdf]) {
        expect(proof.content_hash).toMatch(/^[0-9a-f]{64}$/)
        expect(proof.byte_size).toBeGreaterThan(500)
      }
      expect([result.docx.media_type, result.pdf.media_type]).toEqual([docxType, 'application/pdf'])
      expect((await author.post(`/templates/${id}/test`, { data })).body.result).toEqual(result)
      const pages = await author.post(
        `/templates/${id}/test`,
        { data },
        { accept: 'application/pdf, application/json' },
      )
      expect(pages.headers.get('content-type')).toBe('application/pdf')
      expect(sha256Hex(pages.body)).toBe(result.pdf.content_hash)
      const drawn = await changesNothing(() =>
        author.post(`/templates/${id}/test`, { data }, { accept: `${pagesMediaType}, application/json` }),
      )
      expect(drawn.headers.get('content-type')).toBe(pagesMediaType)
      const { bindings } = (await author.get(`/templates/${id}/draft`)).body
      const placeOf = ({ part, paragraph, position }: Binding) => `${part}#${paragraph}:${position}`
      expect(drawn.body).toMatchObject({ total_pages: 1, pages: [{ svg: expect.stringMatching(/^<svg /) }] })
      expect(new Set(drawn.body.pages[0].marks.map(placeOf))).toEqual(new Set(bindings.map(placeOf)))
      const pointers = drawn.body.pages[0].marks.map(({ pointer }: { pointer: string }) => pointer)
      expect(pointers).toEqual(['/greeting', '/total'])
      const undrawable = await author.post(`/templates/${id}/test`, { data: {} }, { accept: pagesMediaType })
      expect([undrawable.status, undrawable.body.valid]).toEqual([200, false])
      const changed = await author.post(`/templates/${id}/test`, { data: { ...data, total: '1' } })
      expect(changed.body.result.docx.content_hash).not.toBe(result.docx.content_hash)
      expect(changed.body.result.bindings_hash).toBe(result.bindings_hash)

      const missing = await author.post(`/templates/${id}/test`, { data: { greeting: 'Dear Ada' } })
      expect([missing.status, missing.body.valid, missing.body.result]).toEqual([200, false, undefined])
      expect(missing.body.errors[0]).toMatchObject({
        stage: 'compose',
        path: expect.stringContaining('word/document.xml'),
      })
    })

    test.each(brokenBodies({ data: 'text' }))('a test of %s is 422', async (_name, text) => {
      const { id } = await upload()
      const refused = await author.call('POST', `/templates/${id}/test`, text)
      expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
    })

    test('a test body is accepted at 525,312 bytes and refused one byte above', async () => {
      const { id } = await upload()
      const frame = '{"data":""}'.length
      const body = (size: number) => `{"data":"${'x'.repeat(size - frame)}"}`
      expect((await author.call('POST', `/templates/${id}/test`, body(limits.templateTestBodyBytes))).status).toBe(200)
      expect((await author.call('POST', `/templates/${id}/test`, body(limits.templateTestBodyBytes + 1))).status).toBe(
        422,
      )
    })

    test('a draft file over its limit is 422', async () => {
      const id = await author.family('templates', `canonical-${++names}`)
      const refused = await changesNothing(() =>
        author.put(`/templates/${id}/draft`, new Uint8Array(limits.artifactBytes + 1), first),
      )
      expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('26214400')])
    })
  })

  describe('a preview', () => {
    async function inputs(transformer = transformerText) {
      const contract = await author.contract(`contract-${++names}`, contractText)
      const imported = await author.post('/cases/import', {
        contract_version_id: contract.versionId,
        kind: 'valid',
        payload: '{"name":"Ada","total":1234.5}',
      })
      const transform = await author.frozen('transformers', `transform-${++names}`, transformer)
      return { transform_version_id: transform.versionId, case_id: imported.body.id }
    }

    test('resolves every binding with what the transform makes of the case', async () => {
      const { id } = await upload()
      const wanted = await inputs()
      const preview = await changesNothing(() => author.post(`/templates/${id}/versions/1/preview`, wanted))
      expect([preview.status, preview.body]).toMatchObject([
        200,
        {
          ...wanted,
          resolved: true,
          output: { greeting: 'Dear Ada', total: '1,234.50' },
          bindings: [
            { pointer: '/greeting', resolved: true, value: 'Dear Ada' },
            { pointer: '/total', resolved: true, value: '1,234.50' },
          ],
          docx: { media_type: docxType },
          pdf: { media_type: 'application/pdf' },
          errors: [],
        },
      ])
    })

    test('names the bindings that find nothing', async () => {
      const { id } = await upload()
      const wanted = await inputs('transform: declarative-v1\noutput: { greeting: /name }\n')
      const { body } = await author.post(`/templates/${id}/versions/1/preview`, wanted)
      expect(body.resolved).toBe(false)
      expect(body.bindings.map((one: { resolved: boolean }) => one.resolved)).toEqual([true, false])
      expect(body.errors.length).toBeGreaterThan(0)
      expect(body).not.toHaveProperty('pdf')
    })

    test('names what a tag can not do with the values it would be given', async () => {
      const bytes = wordPackage(p('{{#if /kind = "anual"}}x{{/greeting}}{{#end}}{{#if /gone}}y{{#end}}'))
      const { id } = await upload(bytes)
      const wanted = await inputs(
        'transform: declarative-v1\noutput: { greeting: /name, kind: { $if: { $is: [/total, ">", 0] }, then: annual, else: none } }\n',
      )
      const { body } = await author.post(`/templates/${id}/versions/1/preview`, wanted)
      expect(body.errors.map(({ message }: { message: string }) => message)).toEqual([
        'The template (word/document.xml, paragraph 1) compares with "anual"; /kind is written as one of annual, none.',
        'The template wants /gone (word/document.xml, paragraph 1); nothing writes it.',
      ])
      expect(body).toMatchObject({ docx: { media_type: docxType }, pdf: { media_type: 'application/pdf' } })
    })

    test('refuses what doesn’t exist, in the general variant', async () => {
      const { id } = await upload()
      const wanted = await inputs()
      const path = `/templates/${id}/versions/1/preview`
      for (const change of [{ transform_version_id: nobody }, { case_id: nobody }, { case_id: 'x' }, { more: 1 }]) {
        const refused = await author.post(path, { ...wanted, ...change })
        expect([refused.status, 'errors' in refused.body]).toEqual([422, false])
      }
      expect((await author.post(`/templates/${id}/versions/2/preview`, wanted)).status).toBe(404)
      expect((await author.post(`/templates/${nobody}/versions/1/preview`, wanted)).status).toBe(404)
      const failing = await inputs('transform: declarative-v1\noutput: { a: /nothing/here }\n')
      const { status, body } = await author.post(path, failing)
      expect([status, body.detail.length > 10]).toEqual([422, true])
    })
  })
})

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function withComment(zip: Uint8Array, comment: string): Uint8Array {
  const made = new Uint8Array(zip.byteLength + comment.length)
  made.set(zip)
  made.set(bytes(comment), zip.byteLength)
  new DataView(made.buffer).setUint16(zip.byteLength - 2, comment.length, true)
  return made
}
