import { Type } from '@sinclair/typebox'
import { Fault } from '../../src/core/faults.ts'
import { parseInstant } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { addressIn } from '../../src/core/networks.ts'
import { parseTraceparent } from '../../src/core/traceparent.ts'
import { readBody, selectBody } from '../../src/http/body.ts'
import { createClientAddress } from '../../src/http/client-address.ts'
import { parseIfMatch } from '../../src/http/conditional.ts'
import { createSessionCookies } from '../../src/http/cookies.ts'
import { acceptsGzip } from '../../src/http/encoding.ts'
import { jsonBody, type MultipartBody } from '../../src/http/operation.ts'
import { openCursor } from '../../src/http/paging.ts'
import { PathTree } from '../../src/http/path.ts'
import { object, text } from '../../src/http/wire.ts'
import type { Target } from './target.ts'

const fields = object({ name: text(), note: Type.Optional(text()) })
const file: MultipartBody = { kind: 'multipart', fields, fileMediaTypes: ['application/zip'], maxBytes: 50_000 }
const choice = { kind: 'choice', of: [jsonBody(fields, 50_000), file] } as const
const keys = ['a secret of more than 32 characters'] as const
const silent = createLog({ level: 'error', readable: false, write: () => {} })
const addressOf = createClientAddress(['127.0.0.1', '10.0.0.0/8'], silent)
const cookies = createSessionCookies(keys)
const paths = new PathTree<true>()
paths.add('/api/v1/templates/{templateId}/versions/{number}', true)

const requestOf = (lines: readonly string[], body: string): Uint8Array =>
  new TextEncoder().encode([...lines, '', body].join('\r\n'))

/**
 * A request as Quire reads it once the runtime has taken it apart: its first line is the path, then come headers, and the
 * body after an empty line.
 */
export const httpTarget: Target = {
  name: 'http',
  shortRound: 400,
  words: [
    '\r\n',
    '--x',
    '--x--\r\n',
    'content-disposition: form-data; name="',
    'filename="',
    '%00',
    '%2f',
    '..',
    ';q=',
    'W/"1"',
    '__proto__',
    'boundary=x',
    '"',
    ',',
    '\0',
  ],
  maxBytes: 40_000,
  seeds: () => [
    requestOf(
      [
        '/api/v1/templates/0198c3d2-7a10-7c00-8000-000000000000/versions/1',
        'content-type: application/json',
        'if-match: "3"',
        'cookie: quire=a.b; quire=c',
        'accept-encoding: gzip;q=0.5, *;q=0',
        'x-forwarded-for: 10.1.2.3, 8.8.8.8',
        'traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      ],
      '{"name":"a","note":"b"}',
    ),
    requestOf(
      ['/api/v1/templates/a%20b/versions/2', 'content-type: multipart/form-data; boundary=x', 'if-match: W/"3", "4"'],
      '--x\r\ncontent-disposition: form-data; name="name"\r\n\r\na\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="f.zip"\r\ncontent-type: application/zip\r\n\r\nPK\r\n--x--\r\n',
    ),
  ],
  async run(bytes) {
    const source = Buffer.from(bytes)
    const end = source.indexOf('\r\n\r\n')
    const [first = '', ...lines] = source.toString('latin1', 0, end < 0 ? source.length : end).split('\r\n')
    const headers = new Headers()
    for (const line of lines) addHeader(headers, line)
    const [match] = paths.find(first)
    const read = [
      parseIfMatch(headers.get('if-match') ?? '')?.length,
      acceptsGzip(headers.get('accept-encoding')),
      cookies.read(headers.get('cookie'), ['quire']),
      addressOf(headers, '127.0.0.1') === '127.0.0.1',
      addressIn(first) === undefined,
      parseTraceparent(headers.get('traceparent')) === undefined,
      parseInstant(first) === undefined,
    ]
    const body = end < 0 ? new Uint8Array(0) : bytes.slice(end + 4)
    return `${match === undefined} ${read} ${await said(() => bodyOf(headers, body))} ${await said(() => openCursor([...keys], null, first).length)}`
  },
}

/** The runtime refuses a header with characters that none may have, before Quire sees the request. */
function addHeader(headers: Headers, line: string): void {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
  if (name !== '') headers.append(name, value)
}

async function bodyOf(headers: Headers, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = selectBody(choice, headers.get('content-type'))
  const { findings } = await readBody(form, new Request('http://quire.test/', { method: 'POST', headers, body: bytes }))
  return [...new Set(findings.map(({ code }) => code))].sort().join()
}

/** A refusal in Quire's own words is an outcome like any other. */
async function said(work: () => unknown): Promise<string> {
  try {
    return String(await work())
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}
