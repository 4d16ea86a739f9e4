import { describe, expect, test } from 'bun:test'
import { sha256Hex } from '../../src/core/hash.ts'
import { newestReading } from '../../src/core/reading.ts'
import { checkChain } from '../../src/modules/drafts/fit.service.ts'
import type { Source, StepJob } from '../../src/runner/job.ts'
import { createPerformer } from '../../src/runner/perform.ts'
import { contractText } from './letter.ts'

const noFonts = () => {
  throw new Error('nothing is rendered here')
}
const performer = createPerformer({ fonts: noFonts })

function sourceOf(content: string, format: Source['format']): Source {
  return { hash: sha256Hex(content), format, content }
}

/** Reads what only a parent's output has, and names the contract of the raw input all the same. */
const summaryText = `transform: declarative-v1
contract: letter@1
output: { line: /greeting }
`
const sources = { contract: sourceOf(contractText, 'json'), transformer: sourceOf(summaryText, 'yaml') }
const job: StepJob = { steps: ['transform.declarative'], sources, input: '{"greeting":"Dear Ada"}' }

/** What a release may pin must be what the runner can run, and the other way round. */
describe('a transformer that names a contract', () => {
  const transformer = { source: summaryText, format: 'yaml' } as const

  test('is typed by it where it reads the raw input, for the chain and for the runner', () => {
    const findings = checkChain({ contract: contractText, transformer, bindings: undefined, reading: newestReading })
    expect(findings.length).toBeGreaterThan(0)
    const [result] = performer.perform(job)
    expect(result).toMatchObject({ ok: false, failure: { code: 'transformer_unusable' } })
  })

  test('is not typed by it where it reads its parent’s output, for neither of them', () => {
    expect(checkChain({ contract: undefined, transformer, bindings: undefined, reading: newestReading })).toEqual([])
    // The typed program of the same source was just asked for: it must not be what a child gets.
    const [result] = performer.perform({ ...job, readsParent: true })
    expect(result).toMatchObject({ ok: true, output: { text: '{"line":"Dear Ada"}' } })
    expect(performer.perform({ ...job, readsParent: false })[0]).toMatchObject({ ok: false })
  })
})

test('a transformer is read in the format that its source states: what only YAML allows is no JSON', () => {
  const text = 'transform: declarative-v1\noutput: { line: /greeting }\n'
  // A performer of its own for each, since what is compiled is kept by its hash.
  const performed = (format: Source['format']) =>
    createPerformer({ fonts: noFonts }).perform({ ...job, sources: { transformer: sourceOf(text, format) } })
  expect(performed('json')).toMatchObject([{ ok: false, failure: { code: 'transformer_unusable' } }])
  expect(performed('yaml')).toMatchObject([{ ok: true, output: { text: '{"line":"Dear Ada"}' } }])
})
