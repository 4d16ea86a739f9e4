import { refusal } from '../support/canned.ts'
import { answering, type CannedWalk, choose, describeWalks, fill, press, tick } from './walks.ts'

const counts = { waiting: 0, at_work: 0, completed: 0, failed: 0, refused: 0, dropped: 0, erased: 0 }
const batch = {
  id: 'b-1',
  name: 'letters.csv',
  status: 'running',
  model_slug: 'clws-policy',
  rows: 1200,
  byte_size: 52_000,
  counts: { ...counts, waiting: 700, at_work: 30, completed: 461, failed: 5, refused: 4 },
  created_at: '2026-11-20T09:30:00Z',
}
const ended = {
  ...batch,
  id: 'b-0',
  status: 'completed',
  counts: { ...counts, completed: 1190, failed: 9, erased: 1 },
  completed_at: '2026-11-20T10:30:00Z',
}
const one = {
  ...batch,
  id: 'b-2',
  rows: 1,
  counts: { ...counts, waiting: 1 },
  status: 'paused',
  pause_reason: 'Too many rows fail.',
}
const failures = {
  causes: [
    {
      cause: 'c-1',
      rows: 5,
      state: 'failed',
      step: 'compose',
      place: '/policy/number',
      message: 'No number.',
      remedy: 'retry',
    },
    { cause: 'c-2', rows: 1, state: 'refused', step: '', place: '', message: 'No reference.', remedy: 'submit_again' },
  ],
}
const rows = [
  { number: 1, line: 2, state: 'completed', object_reference: 'policy:1', submission_id: 's-1' },
  { number: 2, line: 3, state: 'failed', submission_id: 's-2', message: 'No number.' },
  { number: 3, line: 4, state: 'refused', message: 'No reference.' },
  { number: 4, line: 5, state: 'submitted', submission_id: 's-4' },
  { number: 5, line: 6, state: 'waiting' },
  { number: 6, line: 7, state: 'unheard of' },
]
const refused = () => refusal(409, 'conflict', 'It has ended meanwhile.')
const unable = () => refusal(503, 'unavailable', 'The database does not answer.')

const ofOne = (of: object, more: object = {}) => ({
  'GET /api/v1/batches/b-1': of,
  'GET /api/v1/batches/b-1/failures': failures,
  // A later service says more: of a state that this one doesn't know.
  'GET /api/v1/batches/b-1/rows': () => Response.json({ rows }),
  'POST /api/v1/batches/b-1/pause': batch,
  'POST /api/v1/batches/b-1/cancel': batch,
  ...more,
})
let left = 0

const walks: Record<string, CannedWalk> = {
  'a batch at work': {
    path: '/batches/b-1',
    answers: ofOne(batch),
    acts: [
      press('Pause'),
      press('Take back the rest…'),
      press('Cancel'),
      press('Take back the rest…'),
      press('Take back the rest'),
      fill('State', 'failed'),
      press('Clear'),
      answering('more are done', ofOne({ ...batch, counts: { ...batch.counts, waiting: 690, completed: 471 } })),
      tick,
      answering('it has ended', ofOne(ended)),
      tick,
    ],
  },
  'a batch that cannot be paused': {
    path: '/batches/b-1',
    answers: ofOne(batch, {
      'POST /api/v1/batches/b-1/pause': refused,
      'POST /api/v1/batches/b-1/retry': refused,
      'POST /api/v1/batches/b-1/cancel': refused,
    }),
    acts: [press('Pause'), press('Try again'), press('Take back the rest…'), press('Take back the rest')],
  },
  'causes tried again until none is left': {
    path: '/batches/b-1',
    answers: ofOne(ended, {
      'POST /api/v1/batches/b-1/retry': () => ({ retried: left++ < 2 ? 100 : 0, remaining: 50 }),
    }),
    acts: [press('Try again'), press('Submit again')],
  },
  'a paused batch of one row': {
    path: '/batches/b-1',
    answers: ofOne(one, { 'POST /api/v1/batches/b-1/resume': one, 'GET /api/v1/batches/b-1/failures': { causes: [] } }),
    acts: [press('Resume')],
  },
  'a batch that cannot be read': {
    path: '/batches/b-1',
    answers: { 'GET /api/v1/batches/b-1': unable },
    acts: [answering('it can', ofOne(batch)), press('Try again')],
  },
  batches: {
    path: '/batches',
    answers: {
      'GET /api/v1/batches': {
        batches: [batch, ended, one, { ...batch, id: 'b-3', status: 'cancelled', rows: 0, counts }],
      },
    },
    acts: [fill('Status', 'paused')],
  },
  'no batch, and a first one': {
    path: '/batches',
    answers: {
      'GET /api/v1/batches': { batches: [] },
      'GET /api/v1/ingestion-models': {
        ingestion_models: [
          { slug: 'clws-policy', name: 'Policies' },
          { slug: 'other', name: 'Other' },
        ],
      },
      'POST /api/v1/batches': { id: 'b-1' },
      ...ofOne(batch),
    },
    acts: [
      press('New batch'),
      fill('Ingestion model', 'other'),
      choose('Letters.CSV', 'a,b'),
      fill('Where the object’s reference is', ' number '),
      press('Submit'),
    ],
  },
  'a batch that is refused': {
    path: '/batches',
    answers: {
      'GET /api/v1/batches': { batches: [] },
      'GET /api/v1/ingestion-models': { ingestion_models: [{ slug: 'clws-policy', name: 'Policies' }] },
      'POST /api/v1/batches': () =>
        refusal(422, 'invalid_batch', 'Line 3 has too few columns.', { errors: [{ path: '/3', message: 'Too few.' }] }),
    },
    acts: [
      press('New batch'),
      choose('letters.ndjson', '{}'),
      fill('Params', '{"a":1}'),
      press('Submit'),
      press('Cancel'),
    ],
  },
  'batches that cannot be read': {
    path: '/batches',
    answers: { 'GET /api/v1/batches': unable },
    acts: [answering('they can', { 'GET /api/v1/batches': { batches: [one] } }), press('Try again')],
  },
}

describeWalks('batches', 'say how far they have come and why rows failed, and send what somebody does about it', walks)
