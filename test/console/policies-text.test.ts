import { expect, test } from 'bun:test'
import { readPolicies, writePolicies } from '../../src/console/policies-text.ts'

test('policies as lines lose nothing, and parts of a newer server stay', () => {
  const parts = { raw_input: 30, replies: 5 }
  const policies = [{ ingestion_model: 'clws-policy', keep_days: 400, parts }, { keep_days: 90 }]
  expect(writePolicies(policies)).toBe('clws-policy 400 raw_input=30 replies=5\n* 90')
  expect(readPolicies(`${writePolicies(policies)}\n\n`)).toEqual(policies)
})

test('what is no number of days is left to the server to refuse', () => {
  const [policy] = readPolicies('clws-policy 400 raw_input')
  expect(JSON.stringify(policy)).toBe('{"ingestion_model":"clws-policy","keep_days":400,"parts":{"raw_input":0}}')
})
