import contractSource from './contract.json' with { type: 'text' }
import modelSource from './ingestion-model.yaml' with { type: 'text' }
import templatePath from './letter.docx' with { type: 'file' }
import transformerSource from './transformer.yaml' with { type: 'text' }

/** The smallest project that makes a letter: one of each file, to be replaced by one's own. */
export const starter = {
  slug: 'letter',
  contract: contractSource as unknown as string,
  transformer: transformerSource,
  template: (): Promise<Uint8Array<ArrayBuffer>> => Bun.file(templatePath).bytes(),
  ingestionModel: modelSource,
  cases: { first: `${JSON.stringify({ name: 'Ann Example' }, null, 2)}\n` },
} as const
