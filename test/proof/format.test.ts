/** What a checker lets in, by the description of the format alone. */
import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { limits } from '../../src/core/limits.ts'
import { retainedParts } from '../../src/core/retained-parts.ts'
import { entryNameOf, type ProofFile, proofSchema, retentionRule } from '../../src/proof/format.ts'

const uuid = '0198c3d2-7a10-7c00-8000-000000000000'
const hash = 'a'.repeat(64)
const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

const covered = {
  ...{ position: 1, path: 0 },
  record: {
    ...{ id: 'r', actor_id: 'u', action: 'a', resource_kind: 'k', resource_id: uuid, correlation_id: 'c', at: 't' },
    detail: {},
  },
}
const lineage = { id: uuid, parent_execution_id: null, release_hash: hash, raw_input_hash: hash }
const step = { position: 1, name: 'validate', status: 'succeeded', summary: null, failure: null }
const execution = {
  ...covered,
  state: {
    execution: { id: uuid, status: 'completed', input_hash: hash, output_hash: hash },
    steps: [step],
    artifacts: [{ kind: 'docx', content_hash: hash, byte_size: 1 }],
  },
}
const removal = {
  ...covered,
  state: {
    erasure: { id: uuid, erased_at: 't', rule: '{}' },
    items: [{ kind: 'raw_input', item_id: uuid, content_hash: null }],
  },
}
const path = { from: 1, previous_hash: hash, links: [[hash, null]], head: {} }
const file = { name: 'raw-input.json', role: 'raw_input', sha256: hash }
const proof = {
  format: 'quire-proof-1',
  made_by: { product_version: '1', engine_revision: 'r' },
  execution: uuid,
  submission: {
    ...covered,
    state: {
      submission: {
        ...{ id: uuid, model_version_id: uuid, object_reference: 'o', raw_input_hash: hash, params_hash: null },
        created_at: 't',
      },
      executions: [lineage],
    },
  },
  executions: [execution],
  model: { ...covered, kind: 'ingestion_model', state: { versions: [{ id: uuid, content_hash: hash }] } },
  removals: [removal],
  paths: [path],
  files: [file],
}
const fits = (more: object) => Value.Check(proofSchema, { ...proof, ...more })

/** The proof with one value changed, by its place. */
function changed(place: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(proof) as unknown
  let at = copy as Record<string | number, unknown>
  for (const name of place.slice(0, -1)) at = at[name] as Record<string | number, unknown>
  const last = place.at(-1)!
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

describe('a proof', () => {
  test('is let in with all its parts, and without those that it may leave out', () => {
    expect([...Value.Errors(proofSchema, proof)]).toEqual([])
    const { model: _model, removals: _removals, ...least } = proof
    expect(Value.Check(proofSchema, least)).toBe(true)
    expect(fits({ format: 'quire-proof-2' })).toBe(true)
    expect(fits({ format: 'quire-proof-3' })).toBe(false)
    expect(fits({ another: 1 })).toBe(false)
  })

  test.each([
    ['executions', execution, 1, limits.modelDepth],
    ['removals', removal, 1, retainedParts.length],
    ['paths', path, 1, limits.modelDepth + 2 + retainedParts.length],
    // Each execution's template may include as many others as there may be.
    ['files', file, 0, (8 + limits.fragmentInclusions) * limits.modelDepth + 3],
  ] as const)('has so many %s and no more', (name, one, least, most) => {
    for (const [count, isTaken] of [
      [least, true],
      [most, true],
      [most + 1, false],
    ] as const)
      expect([name, count, fits({ [name]: many(count, one) })]).toEqual([name, count, isTaken])
    if (least > 0) expect(fits({ [name]: [] })).toBe(false)
  })

  test('has paths of so many links and no more, each of a content hash and a digest or none', () => {
    const linksOf = (links: unknown) => fits({ paths: [{ ...path, links }] })
    expect(linksOf([[hash, hash]])).toBe(true)
    expect(linksOf([])).toBe(false)
    for (const link of [[hash], [null, hash], [hash, null, null], [hash, 'b'], hash])
      expect(linksOf([link])).toBe(false)
    expect(limits.proofLinks).toBe(100_000)
    expect(linksOf(many(limits.proofLinks, [hash, null]))).toBe(true)
    expect(linksOf(many(limits.proofLinks + 1, [hash, null]))).toBe(false)
  })

  test('names ids and hashes in lower-case digits, and leaves none of them out', () => {
    const places: (string | number)[][] = [
      ['execution'],
      ['submission', 'record', 'resource_id'],
      ['submission', 'state', 'submission', 'id'],
      ['submission', 'state', 'submission', 'raw_input_hash'],
      ['submission', 'state', 'executions', 0, 'id'],
      ['submission', 'state', 'executions', 0, 'release_hash'],
      ['submission', 'state', 'executions', 0, 'raw_input_hash'],
      ['executions', 0, 'state', 'execution', 'id'],
      ['executions', 0, 'state', 'execution', 'input_hash'],
      ['executions', 0, 'state', 'artifacts', 0, 'content_hash'],
      ['model', 'state', 'versions', 0, 'content_hash'],
      ['removals', 0, 'state', 'erasure', 'id'],
      ['paths', 0, 'previous_hash'],
      ['files', 0, 'sha256'],
    ]
    for (const place of places) {
      for (const value of [undefined, null, hash.toUpperCase(), `${hash}a`, uuid.toUpperCase(), 'x'])
        expect([place, value, Value.Check(proofSchema, changed(place, value))]).toEqual([place, value, false])
    }
  })

  test('may lack optional values, and refuses values of another kind', () => {
    for (const place of [
      ['submission', 'state', 'submission', 'model_version_id'],
      ['submission', 'state', 'submission', 'params_hash'],
      ['submission', 'state', 'executions', 0, 'parent_execution_id'],
      ['executions', 0, 'state', 'execution', 'output_hash'],
      ['executions', 0, 'state', 'steps', 0, 'summary'],
      ['executions', 0, 'state', 'steps', 0, 'failure'],
      ['removals', 0, 'state', 'items', 0, 'content_hash'],
    ]) {
      expect([place, Value.Check(proofSchema, changed(place, null))]).toEqual([place, true])
      for (const value of [undefined, 1])
        expect([place, value, Value.Check(proofSchema, changed(place, value))]).toEqual([place, value, false])
    }
  })

  test('has positions from 1 on, and the steps and states that there are', () => {
    for (const [place, taken, refused] of [
      [
        ['submission', 'position'],
        [1, Number.MAX_SAFE_INTEGER],
        [0, 1.5, '1', Number.MAX_SAFE_INTEGER + 1],
      ],
      [
        ['submission', 'path'],
        [0, 1],
        [-1, 0.5],
      ],
      [['paths', 0, 'from'], [1], [0]],
      [['executions', 0, 'state', 'steps', 0, 'name'], ['validate', 'render'], ['valid']],
      [['executions', 0, 'state', 'steps', 0, 'status'], ['succeeded', 'failed'], ['completed']],
      [['executions', 0, 'state', 'execution', 'status'], ['completed', 'failed'], ['queued']],
      [['model', 'kind'], ['ingestion_model', 'template'], ['model']],
      [['files', 0, 'role'], ['params', 'fragment', 'docx', 'pdf'], ['secret']],
      [['files', 0, 'name'], ['x'.repeat(256)], ['x'.repeat(257)]],
      [['files', 0, 'reading'], [1], [0]],
      [['files', 0, 'format'], ['json', 'docx'], ['exe']],
      [['files', 0, 'slug'], ['letter-head'], ['../up', 'Upper']],
      [['files', 0, 'execution'], [uuid], ['1']],
    ] as const) {
      for (const value of taken)
        expect([place, value, Value.Check(proofSchema, changed(place, value))]).toEqual([place, value, true])
      for (const value of refused)
        expect([place, value, Value.Check(proofSchema, changed(place, value))]).toEqual([place, value, false])
    }
  })

  test('removes parts by rules that say which part, how long it was kept, and the number of their set', () => {
    const rule = { retention: 1, keep_days: 1, part: retainedParts[0] }
    expect(Value.Check(retentionRule, rule)).toBe(true)
    expect(Value.Check(retentionRule, { ...rule, ingestion_model: 'letter' })).toBe(true)
    for (const wrong of [{ retention: 0 }, { keep_days: 0 }, { part: 'all' }, { ingestion_model: 1 }])
      expect([wrong, Value.Check(retentionRule, { ...rule, ...wrong })]).toEqual([wrong, false])
  })
})

test('a file has the one name that its role, its execution and its format give it', () => {
  const other = uuid.replace(/0$/, '1')
  const named = (about: Partial<ProofFile>) => entryNameOf({ role: 'raw_input', ...about } as ProofFile, [uuid, other])
  expect([named({}), named({ role: 'params' }), named({ role: 'model', format: 'yaml' })]).toEqual([
    ...['raw-input.json', 'params.json', 'model.yaml'],
  ])
  const own = (role: ProofFile['role'], more: Partial<ProofFile> = {}) => named({ role, execution: other, ...more })
  for (const role of ['contract', 'transformer', 'template'] as const)
    expect(own(role, { format: 'json' })).toBe(`executions/2/${role}.json`)
  expect(own('fragment', { format: 'docx', slug: 'head' })).toBe('executions/2/fragments/head.docx')
  expect(own('output')).toBe('executions/2/output.json')
  expect([own('docx'), own('pdf')]).toEqual(['executions/2/document.docx', 'executions/2/document.pdf'])
  expect(named({ role: 'output', execution: uuid })).toBe('executions/1/output.json')
  for (const nameless of [
    named({ role: 'model' }),
    named({ role: 'contract', format: 'json' }),
    named({ role: 'output' }),
    own('contract'),
    own('raw_input'),
    own('model', { format: 'json' }),
    own('fragment', { format: 'docx' }),
    own('fragment', { slug: 'head' }),
    own('output', { slug: 'head' }),
    named({ role: 'output', execution: uuid.replace(/0$/, '2') }),
  ])
    expect(nameless).toBeUndefined()
})
