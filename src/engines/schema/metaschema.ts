/**
 * The 2020-12 metaschema and its vocabularies, verbatim from json-schema-org/json-schema-spec. They are part of the
 * dialect and of the binary, so schemas may refer to them by URI although no other reference may leave the document.
 */
import type { JsonValue } from '../../core/json.ts'
import applicator from './metaschema/applicator.json'
import content from './metaschema/content.json'
import core from './metaschema/core.json'
import formatAnnotation from './metaschema/format-annotation.json'
import formatAssertion from './metaschema/format-assertion.json'
import metaData from './metaschema/meta-data.json'
import schema from './metaschema/schema.json'
import unevaluated from './metaschema/unevaluated.json'
import validation from './metaschema/validation.json'

export const dialectUri = 'https://json-schema.org/draft/2020-12/schema'

/** The metaschema itself, which every contract must satisfy. */
export const metaschema: JsonValue = schema

/** By URI. */
export const metaschemas: ReadonlyMap<string, JsonValue> = new Map(
  [schema, core, applicator, unevaluated, validation, metaData, formatAnnotation, formatAssertion, content].map(
    (document) => [document.$id, document as JsonValue],
  ),
)
