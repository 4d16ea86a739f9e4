/** A request as a program makes it: for curl, TypeScript and Python. Pure. */
import { fileFormats } from '../../../core/formats.ts'
import type { Given, SampleRequest, Sent } from './request.ts'

export const languages = ['curl', 'TypeScript', 'Python'] as const
export type Language = (typeof languages)[number]

export function sampleOf(language: Language, request: SampleRequest): string {
  if (language === 'curl') return curlOf(request)
  return language === 'Python' ? pythonOf(request) : typescriptOf(request)
}

const extensions: Readonly<Record<string, string>> = {
  'application/zip': 'zip',
  // The first of formats that share a media type.
  ...Object.fromEntries(
    Object.values(fileFormats)
      .toReversed()
      .map(({ mediaType, extension }) => [mediaType, extension]),
  ),
}

const isText = (mediaType: string) => /json|^text\//.test(mediaType)

/** What a file of this type is called in a sample. */
function fileOf(name: string, mediaType: string): string {
  return `${name}.${extensions[mediaType] ?? (isText(mediaType) ? 'txt' : 'bin')}`
}

// curl

const shellText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curlOf({ method, origin, path, caller, headers, sent, answers }: SampleRequest): string {
  const all = [
    ...curlCaller(caller, origin, method),
    ...headers.map(({ name, value }) => ['-H', shellText(`${name}: ${value}`)]),
  ]
  const options = [
    ...(method === 'GET' && sent === undefined ? [] : [['-X', method]]),
    ...all,
    ...curlBody(sent, method),
    ...(answers === 'text/event-stream' ? [['--no-buffer']] : []),
    ...(answers !== undefined && !isText(answers) ? [['-o', fileOf('answer', answers)]] : []),
  ]
  return [
    `curl --fail-with-body ${shellText(origin + path)}`,
    ...options.map((option) => `  ${option.join(' ')}`),
  ].join(' \\\n')
}

function curlCaller(caller: SampleRequest['caller'], origin: string, method: string): string[][] {
  if (caller === 'token') return [['-H', '"Authorization: Bearer $QUIRE_TOKEN"']]
  if (caller === 'nobody') return method === 'GET' ? [] : [['-H', shellText(`Origin: ${origin}`)]]
  const cookie = ['-b', 'cookies.txt']
  return method === 'GET'
    ? [cookie]
    : [cookie, ['-H', shellText(`Origin: ${origin}`)], ['-H', '"X-CSRF-Token: $CSRF_TOKEN"']]
}

function curlBody(sent: Sent | undefined, method: string): string[][] {
  switch (sent?.kind) {
    case 'json':
      return [
        ['-H', shellText('Content-Type: application/json')],
        ['-d', shellText(sent.text)],
      ]
    case 'form':
      return [
        ...sent.fields.map(([name, value]) => ['-F', shellText(`${name}=${value}`)]),
        ['-F', shellText(`${sent.file}=@${fileOf('file', sent.mediaType)};type=${sent.mediaType}`)],
      ]
    case 'file':
      return [
        ['-H', shellText(`Content-Type: ${sent.mediaType}`)],
        ['--data-binary', `@${fileOf('file', sent.mediaType)}`],
      ]
    default:
      // Also a mutation without a body says what it doesn't send.
      return method === 'GET' ? [] : [['-H', shellText('Content-Type: application/json')]]
  }
}

// TypeScript

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A JSON value as a literal; as it was typed where it is no JSON. */
function literal(text: string, indent: string): string {
  try {
    return indented(JSON.stringify(JSON.parse(text), null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:'), indent)
  } catch {
    return indented(text, indent)
  }
}

function indented(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`)
}

function members(given: readonly Given[]): string {
  const texts = given.map(({ name, value, isText }) => `${property(name)}: ${isText ? quoted(value) : value}`)
  return `{ ${texts.join(', ')} }`
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

function typescriptOf({
  operation,
  origin,
  caller,
  params,
  query,
  headers,
  sent,
  answers,
  mayBeEmpty,
}: SampleRequest): string {
  const own: Readonly<Record<string, string>> = {
    'Idempotency-Key': 'idempotencyKey',
    'If-Match': 'ifMatch',
    'If-None-Match': 'ifNoneMatch',
  }
  const named = headers.flatMap(({ name, value }) =>
    own[name] === undefined ? [] : [`${own[name]}: ${quoted(value)}`],
  )
  const others = headers.filter(({ name }) => own[name] === undefined)
  const isFile = sent?.kind === 'form' || sent?.kind === 'file'
  const keeps = answers !== undefined && !isText(answers)
  const parts = [
    ...(params.length === 0 ? [] : [`params: ${members(params)}`]),
    ...(query.length === 0 ? [] : [`query: ${members(query)}`]),
    ...named,
    ...(others.length === 0 ? [] : [`headers: ${members(others)}`]),
    ...typescriptBody(sent),
  ]
  const files = [...(isFile ? ['readFile'] : []), ...(keeps ? ['writeFile'] : [])]
  const input = parts.length === 0 ? '' : `{\n  ${parts.join(',\n  ')},\n}`
  return [
    ...(files.length === 0 ? [] : [`import { ${files.join(', ')} } from 'node:fs/promises'`]),
    `import { QuireClient } from '@quire/client'`,
    '',
    caller === 'token'
      ? `const quire = new QuireClient({ origin: ${quoted(origin)}, token: process.env.QUIRE_TOKEN })`
      : `const quire = new QuireClient({ origin: ${quoted(origin)} })`,
    ...(caller === 'person'
      ? ["await quire.login({ body: { username: 'me', password: process.env.QUIRE_PASSWORD ?? '' } })"]
      : []),
    answers === undefined
      ? `await quire.${operation}(${input})`
      : `const { body } = await quire.${operation}(${input})`,
    ...typescriptEnd(answers, mayBeEmpty),
  ].join('\n')
}

function typescriptEnd(answers: string | undefined, mayBeEmpty: boolean): string[] {
  if (answers === undefined) return []
  if (/json/.test(answers)) return ['console.log(body)']
  if (!isText(answers))
    return [
      `${mayBeEmpty ? 'if (body !== undefined) ' : ''}await writeFile(${quoted(fileOf('answer', answers))}, body)`,
    ]
  return ['for await (const part of body.pipeThrough(new TextDecoderStream())) console.log(part)']
}

function typescriptBody(sent: Sent | undefined): string[] {
  if (sent === undefined) return []
  if (sent.kind === 'json') return [`body: ${literal(sent.text, '  ')}`]
  const file = `await readFile(${quoted(fileOf('file', sent.mediaType))})`
  if (sent.kind === 'file') return [`bytes: ${file}`]
  const fields = sent.fields.map(([name, value]) => `${property(name)}: ${quoted(value)}`)
  return [`form: { ${[...fields, `${sent.file}: ${file}`].join(', ')} }`]
}

// Python, with nothing but its standard library

const pythonText = (text: string) => JSON.stringify(text)

function pythonOf({ method, origin, path, caller, headers, sent, answers }: SampleRequest): string {
  const isForm = sent?.kind === 'form'
  const isMutation = method !== 'GET'
  const own: [string, string][] = [
    ...(caller === 'token' ? [['Authorization', '"Bearer " + os.environ["QUIRE_TOKEN"]'] as [string, string]] : []),
    ...(caller === 'person' ? [['Cookie', 'os.environ["QUIRE_COOKIE"]'] as [string, string]] : []),
    ...(caller !== 'token' && isMutation ? [['Origin', pythonText(origin)] as [string, string]] : []),
    ...(caller === 'person' && isMutation ? [['X-CSRF-Token', 'os.environ["CSRF_TOKEN"]'] as [string, string]] : []),
    ...headers.map(({ name, value }): [string, string] => [name, pythonText(value)]),
    ...(isMutation ? [['Content-Type', pythonMediaType(sent)] as [string, string]] : []),
  ]
  const modules = [
    ...(sent?.kind === 'json' || (answers !== undefined && /json/.test(answers)) ? ['json'] : []),
    ...(caller === 'nobody' ? [] : ['os']),
    ...(isForm ? ['uuid'] : []),
  ]
  return [
    ...(modules.length === 0 ? [] : [`import ${modules.join(', ')}`]),
    'from urllib.request import Request, urlopen',
    '',
    ...(isForm ? pythonForm(sent) : []),
    'request = Request(',
    `    ${pythonText(origin + path)},`,
    ...(method === 'GET' || (method === 'POST' && sent !== undefined) ? [] : [`    method=${pythonText(method)},`]),
    ...(own.length === 0
      ? []
      : ['    headers={', ...own.map(([name, value]) => `        ${pythonText(name)}: ${value},`), '    },']),
    ...pythonBody(sent),
    ')',
    'with urlopen(request) as answer:',
    ...pythonEnd(answers),
  ].join('\n')
}

function pythonMediaType(sent: Sent | undefined): string {
  if (sent?.kind === 'form') return '"multipart/form-data; boundary=" + boundary'
  return pythonText(sent?.kind === 'file' ? sent.mediaType : 'application/json')
}

function pythonForm({ fields, file, mediaType }: Extract<Sent, { kind: 'form' }>): string[] {
  const name = fileOf('file', mediaType)
  return [
    'boundary = uuid.uuid4().hex',
    'parts = [',
    ...fields.map(
      ([field, value]) =>
        `    f'--{boundary}\\r\\nContent-Disposition: form-data; name="${field}"\\r\\n\\r\\n'.encode() + ${pythonText(value)}.encode(),`,
    ),
    `    f'--{boundary}\\r\\nContent-Disposition: form-data; name="${file}"; filename="${name}"\\r\\n'.encode()`,
    `    + b"Content-Type: ${mediaType}\\r\\n\\r\\n"`,
    `    + open(${pythonText(name)}, "rb").read(),`,
    '    f"--{boundary}--\\r\\n".encode(),',
    ']',
  ]
}

function pythonBody(sent: Sent | undefined): string[] {
  switch (sent?.kind) {
    case 'json':
      return [`    data=json.dumps(${pythonLiteral(sent.text)}).encode(),`]
    case 'form':
      return ['    data=b"\\r\\n".join(parts),']
    case 'file':
      return [`    data=open(${pythonText(fileOf('file', sent.mediaType))}, "rb").read(),`]
    default:
      return []
  }
}

/** JSON is Python except for three words, which may also be in texts. */
function pythonLiteral(text: string): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
  const python = text.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => words[token] ?? token)
  return indented(python, '    ')
}

function pythonEnd(answers: string | undefined): string[] {
  if (answers === undefined) return ['    print(answer.status)']
  if (/json/.test(answers)) return ['    print(json.load(answer))']
  if (!isText(answers)) return [`    open(${pythonText(fileOf('answer', answers))}, "wb").write(answer.read())`]
  return ['    for line in answer:', '        print(line.decode(), end="")']
}
