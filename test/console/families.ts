import { refusal } from '../support/canned.ts'

/** What canned answers say of families, their versions and cases. */
export const at = '2026-11-20T09:30:00Z'
export const unable = () => refusal(503, 'unavailable', 'Not now.')

export const version = (number: number, more: object = {}) => ({
  ...{ id: `v-${number}`, number, status: 'versioned', content_hash: `h${number}`.repeat(8), byte_size: 2_000 },
  ...{ created_at: at, created_by: 'u-2' },
  ...more,
})

export const family = (id: string, slug: string, name: string, more: object = {}) => ({
  ...{ id, slug, name, description: '', draft_revision: 1, created_at: at, updated_at: at, versions: [] as object[] },
  ...more,
})

/** As a list has it, without its versions. */
export const listed = (id: string, slug: string, name: string, more: object = {}) => ({
  ...family(id, slug, name, more),
  versions: undefined,
})

/** The draft of a source. */
export const draft = (id: string, source: string, revision: number) => ({
  ...{ id, slug: 'any', name: 'Any', description: '', source, format: 'yaml', revision, updated_at: at },
})

export const oneCase = (id: string, kind: string, seed: number, more: object = {}) => ({
  ...{ id, kind, seed, provider: 'external-generator', provider_version: '40.28.1' },
  ...{ content_hash: `${id}-hash`.repeat(8), created_at: at, contract_version_number: 2 },
  ...more,
})

/** The letter's contract in its second version, which every source here names. */
export const contracts = (of: object = {}) => ({
  contracts: [{ ...family('k-1', 'letter', 'Letter'), versions: [version(1), version(2, { id: 'kv-2', ...of })] }],
})
