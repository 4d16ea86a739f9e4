/** The languages of a project's files as JSON Schemas, by which any editor completes and checks them. */
import type { JsonObject } from '../../core/json.ts'
import { activationsFile, familiesFile } from '../../core/project-layout.ts'
import { transformerSchema, valueDefinitions } from '../../engines/declarative/language-schema.ts'
import { ingestionModelSchema } from '../../engines/ingestion/language-schema.ts'
import { activationsShape } from './projects.activations.ts'
import { familiesShape } from './projects.texts.ts'

/** By the name that `quire schema` and the paths `/schemas/<name>.json` have; made when it is asked for. */
export const languages: Readonly<Record<string, () => JsonObject>> = {
  transformer: transformerSchema,
  'ingestion-model': () => ingestionModelSchema(valueDefinitions()),
  activations: () => described(`What comes into force later, ${activationsFile}`, activationsShape),
  families: () => described(`Names and descriptions, ${familiesFile}`, familiesShape),
}

/** The shape that a file is checked against is a schema already. */
function described(title: string, shape: object): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(JSON.parse(JSON.stringify(shape)) as JsonObject),
  }
}
