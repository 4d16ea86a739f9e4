import { refusal } from '../support/canned.ts'
import { type Act, answering, type CannedWalk, choose, describeWalks, fill, leave, press } from './walks.ts'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const session = [{ session: [] }]
const token = [{ session: [] }, { token: [] }]
const thing = { $ref: '#/components/schemas/Thing' }
const api = {
  openapi: '3.1.0',
  info: { title: 'Quire', version: '9.9' },
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'Lists things',
        tags: ['Things of all', 'more'],
        security: token,
        'x-roles': ['administrator', 'business_viewer'],
        'x-permission': 'audit_read',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
          { name: 'kind', in: 'query', required: true, schema: { enum: ['big', 'small'] } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
          { name: 'Origin', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'The things',
            ...json({
              type: 'object',
              properties: { things: { type: 'array', maxItems: 9, items: thing } },
              required: ['things'],
            }),
          },
          400: { description: 'Refused', ...json({ type: 'object', properties: { hidden: {} } }) },
        },
      },
      post: {
        operationId: 'makeThing',
        tags: ['Things of all'],
        security: token,
        parameters: [
          { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', minLength: 8, maxLength: 200 } },
        ],
        requestBody: {
          content: {
            'application/json': { schema: thing },
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } },
              },
              encoding: { file: { contentType: 'text/csv' } },
            },
            'text/csv': { schema: { type: 'string' } },
          },
        },
        responses: { 201: { description: 'Made', ...json(thing) }, 204: { description: 'Nothing to make' } },
      },
    },
    '/things/{thingId}': {
      delete: {
        tags: ['Removal'],
        security: session,
        parameters: [
          {
            name: 'thingId',
            in: 'path',
            required: true,
            schema: { type: ['string', 'null'], format: 'uuid', description: 'which one' },
          },
        ],
        responses: { 204: { description: 'Gone' } },
      },
    },
    '/health': {
      get: {
        operationId: 'health',
        responses: { 200: { description: 'Well', content: { 'text/plain': { schema: { const: 'ok' } } } } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', pattern: '^[a-z]+$' },
          parts: { type: 'array', items: { type: 'string' } },
          self: thing,
          one: { oneOf: [{ type: 'object', properties: { a: { type: 'boolean' } } }, { type: 'null' }, { const: 3 }] },
          either: { anyOf: [{ type: 'string' }, { type: 'string' }, { type: 'number' }] },
          unsaid: {},
        },
      },
    },
  },
}
const unfold = (path: string): Act => [
  `unfold ${path}`,
  async (page) => {
    for (const one of document.querySelectorAll('details')) {
      const isWanted = one.querySelector('summary')?.textContent?.startsWith(path) === true
      if (one.open === isWanted) continue
      one.open = isWanted
      one.dispatchEvent(new Event('toggle'))
    }
    await page.settled()
  },
]
const pick = (name: string): Act => [
  `pick ${name}`,
  async (page) => {
    const labels = [...document.querySelectorAll('.segments label')]
    labels
      .find(({ textContent }) => textContent === name)
      ?.querySelector('input')
      ?.click()
    await page.settled()
  },
]
const description = { 'GET /openapi.json': api }
const text = (words: string, type: string, more: Record<string, string> = {}) =>
  new Response(words, { headers: { 'content-type': type, 'x-correlation-id': 'c-1', ...more } })

const walks: Record<string, CannedWalk> = {
  'the reference': {
    path: '/docs',
    answers: { ...description, 'GET /things': () => text('{"things":[]}', 'application/json') },
    acts: [
      fill('Find an operation', 'gone for good'),
      fill('Find an operation', ' LISTS'),
      fill('Find an operation', ''),
      unfold('GET/things'),
      fill(/^kind query/, 'big'),
      press('Send'),
      fill(/^limit query/, '5'),
      press('Send'),
      pick('Python'),
      answering('it refuses', { ...description, 'GET /things': () => refusal(400, 'invalid', 'No.') }),
      press('Send'),
      answering('what is no JSON', { ...description, 'GET /things': () => text('{"broken', 'application/json') }),
      press('Send'),
      answering('much', { ...description, 'GET /things': () => text('x'.repeat(100_001), 'text/plain') }),
      press('Send'),
      answering('a file', {
        ...description,
        'GET /things': () =>
          text('PDF', 'application/pdf', { 'content-disposition': 'attachment; filename="things.pdf"' }),
      }),
      press('Send'),
      answering('a file without a name', { ...description, 'GET /things': () => text('PDF', 'application/pdf') }),
      press('Send'),
    ],
  },
  'an operation with a body': {
    path: '/docs',
    answers: { ...description, 'POST /things': () => new Response(null, { status: 204 }) },
    acts: [
      unfold('POST/things'),
      fill('Idempotency-Key header', 'a-key-of-mine'),
      fill('Body', '{"id": '),
      press('Send'),
      fill('Body as', 'multipart/form-data'),
      fill('Fields, as JSON', '{"name": "x"}'),
      choose('things.csv', 'a,b'),
      press('Send'),
      fill('Fields, as JSON', '[1]'),
      press('Send'),
      fill('Body as', 'text/csv'),
      press('Send'),
    ],
  },
  'an operation for people alone': {
    path: '/docs',
    answers: { ...description, 'DELETE /things/a%2Fb': () => undefined },
    acts: [unfold('DELETE'), fill(/^thingId path/, 'a/b'), press('Send')],
  },
  'a server that does not answer': {
    path: '/docs',
    answers: {
      ...description,
      'GET /health': () => {
        throw new TypeError('cut off')
      },
    },
    acts: [unfold('GET/health'), press('Send')],
  },
  'the reference without a session': {
    path: '/docs',
    answers: description,
    acts: [leave, unfold('GET/things'), unfold('GET/health')],
  },
  'no description': {
    path: '/docs',
    answers: { 'GET /openapi.json': () => refusal(503, 'unavailable', 'Not now.') },
    acts: [],
  },
}

describeWalks('reference', 'shows what an operation takes and answers, and sends what was typed', walks)
