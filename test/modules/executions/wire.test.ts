/** What an answer says of the rows that are stored, member by member. */
import { describe, expect, test } from 'bun:test'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { RetainedPart } from '../../../src/core/retained-parts.ts'
import { atOnce } from '../../../src/core/turns.ts'
import { Unreadable } from '../../../src/core/unreadable.ts'
import type { readInput } from '../../../src/engines/ingestion/read-input.ts'
import type { ArtifactRow, ExecutionRow, StepRow } from '../../../src/modules/executions/executions.store.ts'
import {
  artifactToWire,
  eventToWire,
  executionToWire,
  readableFailure,
  readContent,
} from '../../../src/modules/executions/executions.wire.ts'

const at = instantOf('2026-11-20T09:30:00Z')
const row: ExecutionRow = {
  ...{ id: 'e', submissionId: 's', processingNodeId: null, nodeLabel: 'Letter', nodeAddress: 'm:letter' },
  ...{ parentExecutionId: null, releaseId: 'r', releaseHash: 'rh', processingKind: 'document_generation' },
  ...{ status: 'queued', inputHash: 'ih', rawInputHash: 'rih', output: null, outputHash: null, submittedBy: 'u' },
  ...{ correlationId: 'c', traceparent: null, createdAt: at, updatedAt: addMs(at, 1), completedAt: null },
}
const step: StepRow = {
  ...{ id: 'x', executionId: 'e', position: 1, name: 'validate', status: 'queued', attempt: 0, stateVersion: 3 },
  ...{ leaseOwner: null, leaseExpiresAt: null, availableAt: at, startedAt: null, finishedAt: null },
  ...{ durationMs: null, summary: null, failure: null },
}
const artifact: ArtifactRow = {
  ...{ id: 'a', executionId: 'e', submissionId: 's', kind: 'pdf', byteSize: 7, contentHash: 'h' },
  ...{ objectReference: 'A-1', modelSlug: 'm', nodeLabel: 'Letter', nodeAddress: 'm:letter' },
  ...{ createdAt: at, removedAt: null },
}
const wire = {
  ...{ id: 'e', submission_id: 's', release_id: 'r', release_hash: 'rh', processing_kind: 'document_generation' },
  ...{ input_hash: 'ih', raw_input_hash: 'rih', status: 'queued', submitted_by: 'u', correlation_id: 'c' },
  ...{ created_at: '2026-11-20T09:30:00Z', updated_at: '2026-11-20T09:30:00.001Z', steps: [], artifacts: [] },
}

describe('an execution', () => {
  test('has what its row has, and no member for what is still missing', () => {
    expect(executionToWire(row, [], [])).toEqual(wire as never)
    const ended = { ...row, processingNodeId: 'n', completedAt: addMs(at, 2), outputHash: 'oh', output: '{}' }
    expect(executionToWire(ended, [], [])).toEqual({
      ...{ ...wire, processing_node_id: 'n', completed_at: '2026-11-20T09:30:00.002Z', output_hash: 'oh' },
    } as never)
  })

  test('has its steps, with times and outcomes where there are any', () => {
    const waiting = { name: 'validate', position: 1, status: 'queued', attempt: 0, state_version: 3 }
    const failure = { code: 'contract_violated', message: 'No.', issues: [] }
    const times = { startedAt: at, finishedAt: addMs(at, 9), durationMs: 0 }
    const failed: StepRow = { ...step, position: 2, status: 'failed', attempt: 1, ...times, summary: {}, failure }
    expect(executionToWire(row, [step, failed], []).steps).toEqual([
      waiting,
      {
        ...{ ...waiting, position: 2, status: 'failed', attempt: 1, summary: {}, failure },
        ...{ started_at: '2026-11-20T09:30:00Z', finished_at: '2026-11-20T09:30:00.009Z', duration_ms: 0 },
      },
    ] as never)
  })

  test('has its documents, with when their bytes were removed', () => {
    const shown = {
      ...{ id: 'a', kind: 'pdf', media_type: 'application/pdf', byte_size: 7, content_hash: 'h' },
      created_at: '2026-11-20T09:30:00Z',
    }
    expect(executionToWire(row, [], [artifact]).artifacts).toEqual([shown] as never)
    expect(artifactToWire({ ...artifact, removedAt: addMs(at, 1) })).toEqual({
      ...{ ...shown, removed_at: '2026-11-20T09:30:00.001Z' },
    } as never)
  })

  test('has its content where one is read, and none in a list', () => {
    const metadata = { schema: 'svc-intake-metadata-v1' } as never
    const content = { rawInput: '{"a":1}', metadata, input: { a: 1 }, output: { b: null } }
    expect(executionToWire(row, [], [], content)).toEqual({
      ...{ ...wire, raw_input: '{"a":1}', metadata, input: { a: 1 }, output: { b: null } },
    } as never)
    const nothing = { rawInput: '', metadata: null, input: undefined, output: undefined }
    expect(executionToWire(row, [], [], nothing)).toEqual(wire as never)
    // Null is a value that an input may have.
    expect(executionToWire(row, [], [], { ...nothing, input: null })).toEqual({ ...wire, input: null } as never)
  })

  test('says of what policies have removed what it once had', () => {
    const rule = { retention: 1, keep_days: 1 }
    const removed = (['raw_input', 'output', 'artifacts', 'events', 'steps'] as RetainedPart[]).map((part) => {
      return { submissionId: 's', part, erasureId: 'er', removedAt: at, rule }
    })
    const parts = (change: Partial<ExecutionRow>, artifacts: ArtifactRow[] = []) =>
      executionToWire({ ...row, ...change }, [], artifacts, undefined, removed).removed?.map(({ part }) => part)
    expect(parts({})).toEqual(['raw_input', 'events', 'steps'])
    expect(parts({ outputHash: 'oh' })).toEqual(['raw_input', 'output', 'events', 'steps'])
    expect(parts({}, [artifact])).toEqual(['raw_input', 'artifacts', 'events', 'steps'])
    expect(executionToWire(row, [], [], undefined, removed.slice(1, 3))).not.toHaveProperty('removed')
  })
})

test('a failure that can’t be read is told as one, cut where it is too long, and any other is told as it is', () => {
  const failure = { code: 'contract_violated', message: 'No.', issues: [] }
  expect(readableFailure(failure)).toBe(failure)
  const broken = new Unreadable('it is no JSON') as never
  expect(readableFailure(broken)).toEqual({
    ...{ code: 'unreadable', message: "What is stored of this failure can't be read: it is no JSON", issues: [] },
  })
  const long = readableFailure(new Unreadable('x'.repeat(limits.stepIssueMessageChars)) as never)
  expect(long.message.length).toBe(limits.stepIssueMessageChars)
})

test('an event is told without what only the store and the bus need', () => {
  const event = { id: 'i', sequence: 2, type: 'queued', data: { a: 1 }, correlationId: 'c', createdAt: at }
  expect(eventToWire({ ...event, publishedAt: null } as never)).toEqual({
    ...{
      id: 'i',
      sequence: 2,
      type: 'queued',
      data: { a: 1 },
      correlation_id: 'c',
      created_at: '2026-11-20T09:30:00Z',
    },
  })
})

describe('the texts of an execution', () => {
  const read = (change: Partial<Parameters<typeof readContent>[0]>) =>
    atOnce(readContent({ rawInput: '{"a":1}', formatted: undefined, parent: undefined, output: null, ...change }))

  test('are its raw input and its output as JSON, each where it is some', () => {
    expect(read({})).toEqual({ input: { a: 1 }, output: undefined })
    expect(read({ output: '[1]' })).toEqual({ input: { a: 1 }, output: [1] })
    expect(read({ rawInput: 'no JSON', output: '{' })).toEqual({ input: undefined, output: undefined })
    expect(read({ rawInput: '' })).toEqual({ input: undefined, output: undefined })
  })

  test('are what its parent made where it reads that, and never the raw input then', () => {
    expect(read({ parent: { output: '{"b":2}' }, output: '{"c":3}' })).toEqual({ input: { b: 2 }, output: { c: 3 } })
    expect(read({ parent: { output: null } })).toEqual({ input: undefined, output: undefined })
  })

  test('are read by the format of the model where it has one', () => {
    const format = { format: 'csv' } as never
    const formatted = (reader: typeof readInput) => ({ format, read: reader })
    const asked: unknown[] = []
    const good = ((text: string, wanted: unknown) => {
      asked.push([text, wanted])
      return { ok: true, value: { value: { rows: [] } } }
    }) as unknown as typeof readInput
    expect(read({ rawInput: 'a,b', formatted: formatted(good), output: '1' })).toEqual({
      input: { rows: [] },
      output: 1,
    })
    expect(asked).toEqual([['a,b', format]])
    const bad = (() => ({ ok: false, findings: [] })) as unknown as typeof readInput
    expect(read({ rawInput: 'a,b', formatted: formatted(bad) })).toEqual({ input: undefined, output: undefined })
  })
})
