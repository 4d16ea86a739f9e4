import { describe, expect, test } from 'bun:test'
import {
  activationFilters,
  auditFilters,
  auditWordRule,
  caseFilters,
  deliveryFilters,
  executionFilters,
  type Filters,
  inCode,
  nodeAddressRule,
  objectReferenceRule,
  resourceIdRule,
  slugRule,
  storageFilters,
  submissionFilters,
  type TextRule,
} from '../../src/core/list-filters.ts'

const lists: Record<string, Filters> = {
  submissions: submissionFilters,
  executions: executionFilters,
  storage: storageFilters,
  audit: auditFilters,
  activations: activationFilters,
  cases: caseFilters,
  deliveries: deliveryFilters,
}

/** What a filter takes, in one word or as its choices. */
function told(takes: Filters[string]['takes']): string {
  if (typeof takes === 'string') return takes
  return 'oneOf' in takes ? takes.oneOf.join('|') : `text ${takes.text.minLength}-${takes.text.maxLength}`
}

describe('the filters of a list', () => {
  test('are those of the interface, each with what it takes', () => {
    const taken = Object.entries(lists).map(([list, filters]) => [
      list,
      Object.entries(filters).map(([name, { takes }]) => `${name}: ${told(takes)}`),
    ])
    expect(Object.fromEntries(taken)).toEqual({
      submissions: ['object_reference: text 1-128', 'corrects: id'],
      executions: [
        'status: queued|processing|awaiting_compose|completed|failed',
        'release_id: id',
        'submission_id: id',
      ],
      storage: [
        ...['from: from', 'to: before', 'object_reference: text 1-128', 'model_slug: text 1-64'],
        ...['producing_node_address: text 3-1024', 'format: docx|pdf'],
      ],
      audit: [
        ...['actor_id: id', 'action: text 1-64', 'resource_kind: text 1-64', 'resource_id: text 1-128'],
        ...['from: from', 'to: before'],
      ],
      activations: [
        'kind: ingestion_model|transformer|template',
        'family_id: id',
        'status: scheduled|active|superseded|cancelled',
      ],
      cases: ['contract_version_id: id', 'kind: valid|boundary|invalid'],
      deliveries: ['status: pending|delivered|failed'],
    })
  })

  test('give each field of the console a place of its own, and search at most one', () => {
    for (const [list, filters] of Object.entries(lists)) {
      const fields = Object.values(filters).flatMap(({ field }) => (field === undefined ? [] : [field]))
      const places = fields.map(({ place }) => place).sort((one, other) => one - other)
      expect([list, places]).toEqual([list, places.map((_, index) => index + 1)])
      expect(fields.filter(({ isSearch }) => isSearch === true).length).toBeLessThanOrEqual(1)
      for (const { label, widthChars = 10 } of fields) expect([label !== '', widthChars >= 10]).toEqual([true, true])
    }
  })

  test('have ranks that leave no doubt which one chooses the index', () => {
    const ranked = Object.values(lists).map((filters) =>
      Object.entries(filters)
        .flatMap(([name, { rank }]) => (rank === undefined ? [] : [[rank, name] as const]))
        .sort(([one], [other]) => one - other)
        .map(([, name]) => name),
    )
    expect(ranked.filter((names) => names.length > 0)).toEqual([
      ['corrects', 'object_reference'],
      ['object_reference', 'producing_node_address', 'model_slug'],
      ['resource_id', 'actor_id', 'action', 'resource_kind'],
    ])
  })

  test('ask columns of other names where those are not their own', () => {
    const renamed = Object.entries(lists).flatMap(([list, filters]) =>
      Object.entries(filters).flatMap(([name, { column }]) =>
        column === undefined ? [] : [`${list} ${name}: ${column}`],
      ),
    )
    expect(renamed).toEqual([
      ...['storage from: createdAt', 'storage to: createdAt', 'storage producing_node_address: nodeAddress'],
      ...['storage format: kind', 'audit from: at', 'audit to: at'],
    ])
  })

  test('are called in code as in the query, in camel case', () => {
    const names = ['from', 'object_reference', 'producing_node_address', 'a_1b'].map((name) => inCode(name))
    expect(names).toEqual(['from', 'objectReference', 'producingNodeAddress', 'a1b'])
  })
})

/** Texts that a rule takes, and texts that it refuses. */
const texts: [name: string, rule: TextRule, taken: string[], refused: string[]][] = [
  [
    'a slug',
    slugRule,
    ['a', '0', 'clws-policy', 'a-b-c', 'a'.repeat(64)],
    ['', '-a', 'a-', 'a--b', 'A', 'a_b', 'a'.repeat(65)],
  ],
  [
    'an object reference',
    objectReferenceRule,
    ['A', '0', 'CLW-2026-000417', 'a._:@+-b', `a${'-'.repeat(127)}`],
    ['', '-a', '.a', 'a b', 'a/b', 'ä', `a${'-'.repeat(128)}`],
  ],
  [
    'a node address',
    nodeAddressRule,
    ['a:b', 'clws-policy:letter', `m${':n'.repeat(15)}`],
    ['a', 'ab', 'a:', ':a', 'a::b', 'A:b', 'a:-b', `m${':n'.repeat(16)}`],
  ],
  [
    'a word of the audit trail',
    auditWordRule,
    ['a', 'contract.created', 'a_1', 'a'.repeat(64)],
    ['', '.a', '1a', 'A', 'a-b', 'a'.repeat(65)],
  ],
  ['a resource’s id', resourceIdRule, ['x', '-', ' ', 'x'.repeat(128)], ['', 'x'.repeat(129)]],
]

test.each(texts)(
  '%s is taken up to its limits, and refused past them',
  (_, { minLength, maxLength, pattern }, taken, refused) => {
    const takes = (text: string) =>
      text.length >= minLength && text.length <= maxLength && (pattern === undefined || new RegExp(pattern).test(text))
    for (const text of taken) expect([text, takes(text)]).toEqual([text, true])
    for (const text of refused) expect([text, takes(text)]).toEqual([text, false])
  },
)
