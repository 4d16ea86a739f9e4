import type { Role } from '../../src/http/access.ts'
import type { TestApp } from '../http/harness.ts'

export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
  body: any
}

const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
export const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'

let keys = 0
export function newKey(): string {
  return `test-key-${++keys}-${crypto.randomUUID()}`
}

/** Somebody who writes configuration through the API: every request under a new key unless it brings its own. */
export class Author {
  private constructor(
    readonly app: TestApp,
    readonly headers: Record<string, string>,
  ) {}

  static async signIn(app: TestApp, username: string, roles: readonly Role[] = ['engineer']): Promise<Author> {
    await app.addUser(username, roles)
    return new Author(app, await app.signIn(username))
  }

  /** Somebody who acts by a token, in place of the session. */
  withToken(secret: string): Author {
    return new Author(this.app, { authorization: `Bearer ${secret}`, 'content-type': 'application/json' })
  }

  /** `path` below /api/v1. A header given as undefined is left out. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answered> {
    this.app.clock.advance(1)
    const response = await this.app.send({
      method,
      path: `/api/v1${path}`,
      headers: { ...this.headers, 'idempotency-key': newKey(), ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const isJson = response.headers.get('content-type')?.includes('json') === true
    const content = isJson ? await response.json() : new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, body: content }
  }

  get(path: string): Promise<Answered> {
    return this.call('GET', path)
  }

  post(path: string, body: unknown, headers: Record<string, string | undefined> = {}): Promise<Answered> {
    return this.call('POST', path, body, headers)
  }

  /** The DOCX as the whole body. */
  put(path: string, bytes: Uint8Array, headers: Record<string, string | undefined> = {}): Promise<Answered> {
    return this.call('PUT', path, bytes, { 'content-type': docxType, ...headers })
  }

  /** multipart/form-data with a part `file`. */
  async form(
    method: string,
    path: string,
    fields: Record<string, string>,
    file: Uint8Array | undefined,
    headers: Record<string, string | undefined> = {},
    fileType = docxType,
  ): Promise<Answered> {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    // Bun derives a part's type from the file's name, so one without an extension is needed to send another type.
    if (file !== undefined) form.set('file', new File([file as BlobPart], 'file', { type: fileType }))
    const encoded = new Response(form)
    const type = encoded.headers.get('content-type')!
    return this.call(method, path, new Uint8Array(await encoded.arrayBuffer()), { 'content-type': type, ...headers })
  }

  /** A contract with one published version. */
  async contract(name: string, schema: string): Promise<{ id: string; versionId: string }> {
    const made = await this.post('/contracts', { name, description: '', schema })
    const id: string = made.body.contract.id
    const frozen = await this.post(`/contracts/${id}/versions`, { expected_revision: 1 })
    await this.post(`/contracts/${id}/versions/1/publish`, {})
    return { id, versionId: frozen.body.version.id }
  }

  /** A family of the canonical surface, without a draft. */
  async family(plural: 'ingestion-models' | 'transformers' | 'templates', slug: string): Promise<string> {
    const { status, body } = await this.post(`/${plural}`, { slug, name: slug, description: 'A test.' })
    if (status !== 201) throw new Error(`${plural} ${slug}: ${status} ${JSON.stringify(body)}`)
    return body.template?.id ?? body.resource_id
  }

  /** The same with a first draft that is frozen as version 1. */
  async frozen(
    plural: 'ingestion-models' | 'transformers' | 'templates',
    slug: string,
    content: string | Uint8Array,
  ): Promise<{ id: string; versionId: string }> {
    const id = await this.family(plural, slug)
    const path = `/${plural}/${id}/draft`
    const draft =
      typeof content === 'string'
        ? await this.call('PUT', path, { source: content, format: 'yaml' }, { 'if-none-match': '*' })
        : await this.put(path, content, { 'if-none-match': '*' })
    if (draft.status !== 200) throw new Error(`${path}: ${draft.status} ${JSON.stringify(draft.body)}`)
    const { status, body } = await this.freeze(plural, id, 1)
    if (status !== 201) throw new Error(`${plural} ${slug}: ${status} ${JSON.stringify(body)}`)
    return { id, versionId: body.resource_id }
  }

  freeze(plural: string, id: string, revision: number, headers: Record<string, string | undefined> = {}) {
    return this.post(`/${plural}/${id}/versions`, {}, { 'if-match': `"${revision}"`, ...headers })
  }

  publish(plural: string, id: string, number: number, effectiveFrom: string, headers = {}): Promise<Answered> {
    return this.post(`/${plural}/${id}/versions/${number}/publish`, { effective_from: effectiveFrom }, headers)
  }
}
