import contractSource from './contract.json' with { type: 'text' }
import ingestionModelSource from './ingestion-model.yaml' with { type: 'text' }
import letterPath from './letter.docx' with { type: 'file' }
import { fixtureFamily, scenarios } from './scenarios.ts'
import transformerSource from './transformer.yaml' with { type: 'text' }

const description = 'Demo: turns the premium notice of an insurance policy into the letter for the policyholder.'

/**
 * The demo configuration as data: what `QUIRE_DEMO=true` loads into an empty store, and the scenarios that run on it.
 * Transformer, template and ingestion model refer to each other by these slugs, to the contract by its name; all by
 * version 1.
 */
export const demo = {
  fixtureFamily,
  /** Every activation of the demo starts here, before the official time of every scenario. */
  effectiveFrom: '2026-01-01T00:00:00Z',
  contract: {
    slug: 'clws-policy',
    name: 'Policy premium notice',
    description: 'The premium notice of an insurance policy, as the policy system hands it over.',
    // The compiler types a JSON import by its content; imported as text it is its source.
    schema: contractSource as unknown as string,
  },
  transformer: {
    slug: 'clws-policy',
    name: 'Policy premium letter: data',
    description,
    source: transformerSource,
    format: 'yaml',
  },
  template: {
    slug: 'clws-policy',
    name: 'Policy premium letter: template',
    description,
    fileName: 'policy-premium-letter.docx',
    /** The DOCX file; read when it is needed, because only seeding needs it. */
    bytes: (): Promise<Uint8Array<ArrayBuffer>> => Bun.file(letterPath).bytes(),
  },
  ingestionModel: {
    slug: 'clws-policy',
    name: 'Policy premium letter',
    description,
    source: ingestionModelSource,
    format: 'yaml',
  },
  scenarios,
} as const
