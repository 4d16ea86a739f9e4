import type { TestApp } from '../../http/harness.ts'
import { type Answered, Author } from '../../support/author.ts'

export const past = '2026-01-01T00:00:00Z'
const contract = JSON.stringify({
  type: 'object',
  required: ['number', 'amount'],
  properties: { number: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
})
const model = `model: ingestion-model-v1
contract: { name: invoices, version: 1 }
object: { reference: /number }
nodes:
  - { key: letter, label: Letter, transformer: letter }
`
const transformer = 'transform: declarative-v1\ncontract: invoices@1\noutput: { n: /amount }\n'

/** An ingestion model `invoices` in force, and somebody who hands in batches for it. */
export async function startInvoices(app: TestApp): Promise<{ author: Author; operator: Author; letterId: string }> {
  const author = await Author.signIn(app, 'author')
  const operator = await Author.signIn(app, 'operator', ['operator'])
  await author.contract('invoices', contract)
  const letter = await author.frozen('transformers', 'letter', transformer)
  await author.publish('transformers', letter.id, 1, past)
  const { id } = await author.frozen('ingestion-models', 'invoices', model)
  const published = await author.publish('ingestion-models', id, 1, past)
  if (published.status !== 201) throw new Error(JSON.stringify(published.body))
  return { author, operator, letterId: letter.id }
}

export function handIn(
  by: Author,
  text: string | Uint8Array,
  fields: Record<string, string> = {},
  type = 'text/csv',
): Promise<Answered> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  return by.form('POST', '/batches', { ingestion_model: 'invoices', name: 'May', ...fields }, bytes, {}, type)
}

export function csvOf(count: number, from = 1): string {
  const rows = Array.from({ length: count }, (_, index) => `A-${from + index},${index + 1}\n`)
  return `number,amount\n${rows.join('')}`
}
