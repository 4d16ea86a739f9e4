/** The keys of ingestion models: the compiler knows no others, and `language-schema.ts` says what each may be. */

export const languageName = 'ingestion-model-v1'

export const modelKeys = ['model', 'contract', 'input', 'object', 'nodes'] as const
export const contractKeys = ['name', 'version'] as const
export const objectKeys = ['reference', 'time'] as const
export const nodeKeys = ['key', 'label', 'transformer', 'template', 'formats', 'when', 'children'] as const
export const csvKeys = ['format', 'delimiter', 'header', 'rows', 'decimal', 'trim', 'empty', 'types'] as const
export const xmlKeys = [
  ...(['format', 'root', 'namespaces', 'lists', 'objects', 'types'] as const),
  ...(['text', 'attributes', 'decimal', 'trim', 'empty'] as const),
] as const

/** The fields of the intake metadata that a reference or time may come from. */
export const metadataFields = ['source_object', 'source_timestamp', 'source_actor', 'source_system', 'scenario_id']
