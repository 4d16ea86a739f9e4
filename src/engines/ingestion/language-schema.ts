/** The language of ingestion models as a JSON Schema for editors. */
import type { JsonObject } from '../../core/json.ts'
import {
  contractKeys,
  csvKeys,
  type Keys,
  languageName,
  modelKeys,
  nodeKeys,
  objectKeys,
  xmlKeys,
} from './model-keys.ts'

/** @param conditions `value`, which any expression of declarative-v1 satisfies, and what it refers to */
export function ingestionModelSchema(conditions: JsonObject): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `An ingestion model, ${languageName}`,
    ...objectOf(modelKeys),
    $defs: {
      ...conditions,
      contract: objectOf(contractKeys),
      object: objectOf(objectKeys),
      node: { ...objectOf(nodeKeys), dependentRequired: { formats: ['template'] } },
      input: {
        type: 'object',
        required: ['format'],
        properties: { format: { description: csvKeys.format?.doc ?? '', enum: ['csv', 'xml'] } },
        if: { properties: { format: { const: 'xml' } } },
        then: objectOf(xmlKeys),
        else: objectOf(csvKeys),
      },
    },
  }
}

function objectOf(keys: Keys): JsonObject {
  return {
    type: 'object',
    required: Object.entries(keys).flatMap(([key, { required }]) => (required === true ? [key] : [])),
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(keys).map(([key, { doc, form }]) => [key, { description: doc, ...form }]),
    ),
  }
}
