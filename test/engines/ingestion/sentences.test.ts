import { expect, test } from 'bun:test'
import { describeFinding } from '../../../src/core/finding.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import { configurationIssueOf } from '../../../src/http/problem.ts'

const wrong = [
  '[]',
  'model: other',
  'model: ingestion-model-v1\ncontract: 1\nobject: 1\nnodes: 1\nmore: 1\n',
  'model: ingestion-model-v1\ncontract: { name: "", version: 0 }\nobject: { reference: x, time: y }\nnodes: [1]\n',
  'model: ingestion-model-v1\ncontract: { name: a, version: 1 }\nnodes: [{ key: A b, label: "", transformer: 1, formats: [odt] }]\n',
  'model: ingestion-model-v1\ncontract: { name: a, version: 1 }\nnodes: [{ key: a, label: A, transformer: t, formats: [docx] }]\n',
]

test('findings of ingestion models are sentences, so that no message runs into its hint', () => {
  for (const source of wrong) {
    for (const reading of [1, 2] as const) {
      const { findings } = compileIngestionModel(source, 'yaml', reading)
      expect(findings.length).toBeGreaterThan(0)
      for (const finding of findings) {
        const { message, hint = '' } = finding
        expect([message, hint]).toEqual([
          expect.stringMatching(/^[A-Z"/].*[.!?…]$/s),
          expect.stringMatching(/^[A-Z"/].*[.!?…]$/s),
        ])
        const subject = { stage: 'draft', resourceKind: 'ingestion_model', correlationId: 'one' }
        expect(configurationIssueOf(finding, subject).message).toBe(`${message} ${hint}`)
        expect(describeFinding(finding)).toEndWith(`${message} (${hint})`)
      }
    }
  }
})
