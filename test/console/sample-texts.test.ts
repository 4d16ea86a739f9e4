import { describe, expect, test } from 'bun:test'
import type { Operation, Parameter } from '../../src/console/views/api-reference/description.ts'
import { requestOf, type SampleRequest } from '../../src/console/views/api-reference/request.ts'
import { sampleOf } from '../../src/console/views/api-reference/samples.ts'

const origin = 'https://quire.test'
const request = (more: Partial<SampleRequest> = {}): SampleRequest => ({
  ...{ operation: 'listThings', method: 'GET', origin, caller: 'token', path: '/things', params: [], query: [] },
  ...{ headers: [], sent: undefined, answers: 'application/json', mayBeEmpty: false },
  ...more,
})
const removal = request({ operation: 'removeThing', method: 'DELETE', caller: 'person', answers: undefined })
const made = request({
  ...{ operation: 'makeThing', method: 'POST', caller: 'nobody' },
  headers: [
    { name: 'Idempotency-Key', value: "it's", isText: true },
    { name: 'X-Other', value: '7', isText: false },
  ],
  sent: { kind: 'json', text: '{\n  "good": true,\n  "a-b": [null, "true"]\n}' },
})
const upload = request({
  ...{ operation: 'fillThing', method: 'POST' },
  query: [{ name: 'draft', value: 'true', isText: false }],
  sent: { kind: 'form', fields: [['name', 'One']], file: 'file', mediaType: 'text/csv' },
  ...{ answers: 'application/pdf', mayBeEmpty: true },
})
const events = request({ operation: 'watchThing', answers: 'text/event-stream' })
const bytes = request({
  ...{ operation: 'putThing', method: 'PUT', answers: 'application/octet-stream' },
  sent: { kind: 'file', mediaType: 'application/zip' },
})
const inShell = (one: SampleRequest) => sampleOf('curl', one).split(' \\\n  ')

describe('a sample for curl', () => {
  test('reads with the caller’s token, cookie or nothing', () => {
    expect(inShell(request())).toEqual([
      "curl --fail-with-body 'https://quire.test/things'",
      '-H "Authorization: Bearer $QUIRE_TOKEN"',
    ])
    expect(inShell(request({ caller: 'person' })).slice(1)).toEqual(['-b cookies.txt'])
    expect(inShell(request({ caller: 'nobody' })).slice(1)).toEqual([])
  })

  test('changes with what the server wants of each caller, and says that it sends JSON even without a body', () => {
    expect(inShell(removal).slice(1)).toEqual([
      '-X DELETE',
      '-b cookies.txt',
      "-H 'Origin: https://quire.test'",
      '-H "X-CSRF-Token: $CSRF_TOKEN"',
      "-H 'Content-Type: application/json'",
    ])
    expect(inShell(made).slice(1)).toEqual([
      '-X POST',
      "-H 'Origin: https://quire.test'",
      "-H 'Idempotency-Key: it'\\''s'",
      "-H 'X-Other: 7'",
      "-H 'Content-Type: application/json'",
      '-d \'{\n  "good": true,\n  "a-b": [null, "true"]\n}\'',
    ])
  })

  test('sends files as forms or as they are, and saves an answer that is no text', () => {
    expect(inShell(upload).slice(3)).toEqual(["-F 'name=One'", "-F 'file=@file.txt;type=text/csv'", '-o answer.pdf'])
    expect(inShell(bytes).slice(3)).toEqual([
      "-H 'Content-Type: application/zip'",
      '--data-binary @file.zip',
      '-o answer.bin',
    ])
  })

  test('shows events as they come', () => {
    expect(inShell(events).slice(2)).toEqual(['--no-buffer'])
  })
})

test('a sample in TypeScript names what its caller needs, quotes only names that need it, and indents a body', () => {
  const client = "import { QuireClient } from '@quire/client'\n\n"
  const withToken = "const quire = new QuireClient({ origin: 'https://quire.test', token: process.env.QUIRE_TOKEN })\n"
  const without = "const quire = new QuireClient({ origin: 'https://quire.test' })\n"
  const read = "import { readFile } from 'node:fs/promises'\n"
  const both = "import { readFile, writeFile } from 'node:fs/promises'\n"
  const login = "await quire.login({ body: { username: 'me', password: process.env.QUIRE_PASSWORD ?? '' } })\n"
  const printed = '\nconsole.log(body)'
  const sample = (one: SampleRequest) => sampleOf('TypeScript', one)
  expect(sample(request())).toBe(`${client}${withToken}const { body } = await quire.listThings()${printed}`)
  expect(sample(removal)).toBe(`${client}${without}${login}await quire.removeThing()`)
  expect(sample(made)).toBe(
    `${client}${without}const { body } = await quire.makeThing({
  idempotencyKey: 'it\\'s',
  headers: { 'X-Other': 7 },
  body: {
    good: true,
    "a-b": [
      null,
      "true"
    ]
  },
})${printed}`,
  )
  expect(sample(upload)).toBe(
    `${both}${client}${withToken}const { body } = await quire.fillThing({
  query: { draft: true },
  form: { name: 'One', file: await readFile('file.txt') },
})
if (body !== undefined) await writeFile('answer.pdf', body)`,
  )
  expect(sample(events)).toEndWith(
    'for await (const part of body.pipeThrough(new TextDecoderStream())) console.log(part)',
  )
  const bodiless = { ...bytes, answers: undefined }
  expect(sample(bodiless)).toBe(
    `${read}${client}${withToken}await quire.putThing({\n  bytes: await readFile('file.zip'),\n})`,
  )
  expect(sample(bytes)).toEndWith("\nawait writeFile('answer.bin', body)")
  // What is typed may be no JSON yet.
  expect(sample({ ...made, headers: [], sent: { kind: 'json', text: '{\n"a": ' } })).toContain('body: {\n  "a": ,')
})

test('a sample in Python sends what its caller needs, and reads an answer by its type', () => {
  const begin = (modules: string) =>
    `${modules}from urllib.request import Request, urlopen\n\nrequest = Request(\n    "https://quire.test/things",\n`
  const sample = (one: SampleRequest) => sampleOf('Python', one)
  expect(sample(request())).toBe(
    `${begin('import json, os\n')}    headers={
        "Authorization": "Bearer " + os.environ["QUIRE_TOKEN"],
    },
)
with urlopen(request) as answer:
    print(json.load(answer))`,
  )
  expect(sample(request({ caller: 'nobody', answers: undefined }))).toBe(
    `${begin('')})\nwith urlopen(request) as answer:\n    print(answer.status)`,
  )
  expect(sample(removal)).toBe(
    `${begin('import os\n')}    method="DELETE",
    headers={
        "Cookie": os.environ["QUIRE_COOKIE"],
        "Origin": "https://quire.test",
        "X-CSRF-Token": os.environ["CSRF_TOKEN"],
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(answer.status)`,
  )
  expect(sample(made)).toBe(
    `${begin('import json\n')}    headers={
        "Origin": "https://quire.test",
        "Idempotency-Key": "it's",
        "X-Other": "7",
        "Content-Type": "application/json",
    },
    data=json.dumps({
      "good": True,
      "a-b": [None, "true"]
    }).encode(),
)
with urlopen(request) as answer:
    print(json.load(answer))`,
  )
  expect(sample(events)).toEndWith('    for line in answer:\n        print(line.decode(), end="")')
  expect(sample(bytes)).toContain(
    '    method="PUT",\n    headers={\n        "Authorization": "Bearer " + os.environ["QUIRE_TOKEN"],\n        "Content-Type": "application/zip",\n    },\n    data=open("file.zip", "rb").read(),',
  )
  expect(sample(bytes)).toEndWith('    open("answer.bin", "wb").write(answer.read())')
  expect(sample(upload)).toStartWith('import os, uuid\n')
  expect(sample(upload)).not.toContain('method=')
})

describe('the request that a sample makes', () => {
  const parameter = (place: Parameter['in'], name: string, more: object = {}): Parameter =>
    ({ in: place, name, ...more }) as Parameter
  const answer = (status: string, ...mediaTypes: string[]) => ({
    ...{ status, description: '', contents: mediaTypes.map((mediaType) => ({ mediaType, schema: {} })) },
  })
  const operation = (parameters: Parameter[], more: object = {}) =>
    ({
      ...{ id: 'readThing', method: 'get', path: '/things/{thingId}/{kind}', caller: 'token', parameters },
      ...{ answers: [], body: [], ...more },
    }) as unknown as Operation
  const all = [
    parameter('path', 'thingId', { required: true, schema: { type: 'string' } }),
    parameter('path', 'kind', { required: true, schema: { enum: ['big', 'small'] } }),
    parameter('query', 'limit', { schema: { type: ['integer', 'null'] } }),
    parameter('query', 'wholly', { schema: { type: 'boolean' } }),
    parameter('header', 'X-Wanted', { required: true, schema: { type: 'integer' } }),
    parameter('header', 'Origin', { required: true }),
    parameter('cookie', 'session', { required: true }),
  ]
  const made = (typed: Record<string, string>, mediaType?: string, body = '', more = {}) =>
    requestOf(operation(all, more), { typed, mediaType, body }, origin)

  test('has placeholders for what is required and open, and nothing that the browser adds itself', () => {
    const { path, params, query, headers, method, sent } = made({})
    expect({ path, query, method, sent }).toEqual({
      ...{ path: '/things/THING_ID/big', query: [], method: 'GET', sent: undefined },
    })
    expect(params).toEqual([
      { name: 'thingId', value: 'THING_ID', isText: true },
      { name: 'kind', value: 'big', isText: true },
    ])
    expect(headers).toEqual([{ name: 'X-Wanted', value: '1', isText: false }])
  })

  test('has what was typed, encoded in its address, and in quotes unless it is a number or a boolean', () => {
    const typed = { 'path thingId': 'a/b', 'query limit': '7', 'query wholly': 'false', 'header X-Wanted': 'x' }
    const { path, query, headers } = made(typed)
    expect(path).toBe('/things/a%2Fb/big?limit=7&wholly=false')
    expect([...query, ...headers].map(({ isText }) => isText)).toEqual([false, false, true])
    expect(made({ 'query limit': '7a', 'query wholly': 'no' }).query.map(({ isText }) => isText)).toEqual([true, true])
  })

  test('sends JSON, a file, or the fields of a form with its file', () => {
    expect(made({}, 'application/json', '{"a": 1}').sent).toEqual({ kind: 'json', text: '{"a": 1}' })
    expect(made({}, 'text/csv', 'ignored').sent).toEqual({ kind: 'file', mediaType: 'text/csv' })
    const form = { kind: 'form', file: 'file', mediaType: 'application/octet-stream' } as const
    expect(made({}, 'multipart/form-data', '{"a": 1}').sent).toEqual({ ...form, fields: [['a', '1']] })
    for (const unfinished of ['{"a": ', 'null', '7'])
      expect(made({}, 'multipart/form-data', unfinished).sent).toEqual({ ...form, fields: [] })
    const ofWord = made({}, 'multipart/form-data', '{}', { fileMediaType: 'text/csv' }).sent
    expect(ofWord).toMatchObject({ mediaType: 'text/csv' })
  })

  test('knows the type of its successful answer, and whether one comes without a body', () => {
    const answers = (...all: object[]) => made({}, undefined, '', { answers: all })
    expect(answers(answer('400', 'text/html'), answer('200', 'application/pdf'))).toMatchObject({
      ...{ answers: 'application/pdf', mayBeEmpty: false },
    })
    expect(answers(answer('200', 'application/pdf'), answer('304'))).toMatchObject({ mayBeEmpty: true })
    expect(answers(answer('200', 'application/pdf'), answer('404'))).toMatchObject({ mayBeEmpty: false })
    expect(answers(answer('204')).answers).toBeUndefined()
  })
})
