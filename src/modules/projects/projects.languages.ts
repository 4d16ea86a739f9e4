/** JSON Schemas of a project's file formats, with which editors complete and check the files. */
import type { JsonObject } from '../../core/json.ts'
import { activationsFile, familiesFile } from '../../core/project-layout.ts'
import { transformerSchema, valueDefinitions } from '../../engines/declarative/language-schema.ts'
import { ingestionModelSchema } from '../../engines/ingestion/language-schema.ts'
import { activationsShape } from './projects.activations.ts'
import { familiesShape } from './projects.texts.ts'

/** By the name used in `quire schema` and `/schemas/<name>.json`; made on request. */
export const languages: Readonly<Record<string, () => JsonObject>> = {
  transformer: transformerSchema,
  'ingestion-model': () => ingestionModelSchema(valueDefinitions()),
  activations: () => described(`What comes into force later, ${activationsFile}`, activationsShape),
  families: () => described(`Names and descriptions, ${familiesFile}`, familiesShape),
}

/** The shape against which a file is checked is a JSON Schema already. */
function described(title: string, shape: object): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(JSON.parse(JSON.stringify(shape)) as JsonObject),
  }
}
