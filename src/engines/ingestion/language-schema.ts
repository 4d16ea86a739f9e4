/** The language of ingestion models as a JSON Schema for editors: the form of each key that the compiler knows. */

import { fileFormatNames } from '../../core/formats.ts'
import { slugPattern } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { makeableChoices } from '../../core/steps.ts'
import { delimiters } from './csv-format.ts'
import { emptyChoices, valueTypes } from './declaration.ts'
import type { contractKeys, csvKeys, modelKeys, nodeKeys, objectKeys, xmlKeys } from './model-keys.ts'
import { languageName, metadataFields } from './model-keys.ts'
import { anyPlace, elementPlace, namespacePrefix, wholeName } from './xml-format.ts'

/** @param conditions the schema `value` of declarative-v1 expressions, and those it refers to */
export function ingestionModelSchema(conditions: JsonObject): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `An ingestion model, ${languageName}`,
    ...objectOf(ofModel),
    $defs: {
      ...conditions,
      contract: objectOf(ofContract),
      object: objectOf(ofObject),
      node: { ...objectOf(ofNode), dependentRequired: { formats: ['template'] } },
      input: {
        type: 'object',
        required: ['format'],
        properties: { format: { description: ofCsv.format.doc, enum: ['csv', 'xml'] } },
        if: { properties: { format: { const: 'xml' } } },
        then: objectOf(ofXml),
        else: objectOf(ofCsv),
      },
    },
  }
}

function objectOf(keys: Keys): JsonObject {
  return {
    type: 'object',
    required: Object.entries<Key>(keys).flatMap(([key, { required }]) => (required === true ? [key] : [])),
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries<Key>(keys).map(([key, { doc, form }]) => [key, { description: doc, ...form }]),
    ),
  }
}

interface Key {
  required?: true
  doc: string
  form: JsonObject
}

type Keys<Names extends readonly string[] = readonly string[]> = Readonly<Record<Names[number], Key>>

const textForm: JsonObject = { type: 'string', minLength: 1, maxLength: 200 }
const slug: JsonObject = { type: 'string', pattern: slugPattern.source, maxLength: limits.slugChars }
const source: JsonObject = {
  type: 'string',
  pattern: String.raw`^(?:(?:/(?:[^~/]|~[01])*)+|metadata\.(?:${metadataFields.join('|')}))$`,
}
const nodes: JsonObject = {
  type: 'array',
  minItems: 1,
  maxItems: limits.modelNodes,
  items: { $ref: '#/$defs/node' },
}

const ofModel: Keys<typeof modelKeys> = {
  model: { required: true, doc: `The language: always ${languageName}.`, form: { const: languageName } },
  contract: {
    required: true,
    doc: 'The contract that every input must satisfy, with its version.',
    form: { $ref: '#/$defs/contract' },
  },
  input: { doc: 'What inputs are written in; JSON unless given.', form: { $ref: '#/$defs/input' } },
  object: { doc: 'Where the object reference and the official time come from.', form: { $ref: '#/$defs/object' } },
  nodes: { required: true, doc: 'What is made of an input.', form: nodes },
}

const ofContract: Keys<typeof contractKeys> = {
  name: { required: true, doc: "The contract's name or slug.", form: textForm },
  version: { required: true, doc: 'The number of a published version.', form: { type: 'integer', minimum: 1 } },
}

const ofObject: Keys<typeof objectKeys> = {
  reference: {
    doc: 'What the documents are about: a JSON Pointer into the input, or a field of the metadata.',
    form: source,
  },
  time: {
    doc: 'Decides which versions are in force: a JSON Pointer into the input, or a field of the metadata.',
    form: source,
  },
}

const ofNode: Keys<typeof nodeKeys> = {
  key: { required: true, doc: 'A slug that its siblings do not have.', form: slug },
  label: { required: true, doc: 'What people read.', form: { ...textForm, maxLength: limits.nodeLabelChars } },
  transformer: { required: true, doc: "The transformer's slug.", form: slug },
  template: { doc: "The template's slug; without one the node makes data and no document.", form: slug },
  formats: {
    doc: 'What is made of the template; everything unless given.',
    form: {
      type: 'array',
      items: { enum: [...fileFormatNames] },
      uniqueItems: true,
      anyOf: makeableChoices().map((choice) => ({
        minItems: choice.length,
        maxItems: choice.length,
        allOf: choice.map((format) => ({ contains: { const: format } })),
      })),
    },
  },
  when: {
    doc: 'The node runs where this is true of the input: an expression of declarative-v1.',
    form: { $ref: '#/$defs/value' },
  },
  children: { doc: "Nodes that transform this node's output.", form: nodes },
}

const typesOf = (place: JsonObject): JsonObject => ({
  type: 'object',
  propertyNames: place,
  additionalProperties: { enum: [...valueTypes] },
})
const empty: Key = {
  doc: 'What becomes of one with nothing in it; omit unless given.',
  form: { enum: [...emptyChoices] },
}
const decimal: Key = { doc: 'The sign before decimals; . unless given.', form: { enum: ['.', ','] } }

const ofCsv: Keys<typeof csvKeys> = {
  format: { required: true, doc: 'csv or xml.', form: { const: 'csv' } },
  delimiter: { doc: 'What separates fields; , unless given.', form: { enum: [...delimiters] } },
  header: {
    doc: 'true: the first line has the names of the columns; or a list of names where there is no such line.',
    form: {
      anyOf: [
        { const: true },
        {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          minItems: 1,
          maxItems: limits.csvColumns,
          uniqueItems: true,
        },
      ],
    },
  },
  rows: { doc: 'The member that holds the rows; rows unless given.', form: textForm },
  decimal,
  trim: { doc: 'Whether blanks around a field are dropped; false unless given.', form: { type: 'boolean' } },
  empty,
  types: { doc: 'By the name of the column; others are text.', form: typesOf({}) },
}

const places = (pattern: RegExp): JsonObject => ({ type: 'string', pattern: pattern.source })
const listOfPlaces: JsonObject = { type: 'array', items: places(elementPlace), maxItems: limits.xmlPlaces }

const ofXml: Keys<typeof xmlKeys> = {
  format: { required: true, doc: 'csv or xml.', form: { const: 'xml' } },
  root: { required: true, doc: 'The name of the root element.', form: places(wholeName) },
  namespaces: {
    doc: 'The namespaces that inputs use, by the prefix that names of theirs have in the value; "" for names without one.',
    form: {
      type: 'object',
      propertyNames: places(namespacePrefix),
      additionalProperties: { type: 'string', minLength: 1, maxLength: limits.xmlNamespaceChars },
    },
  },
  lists: { doc: 'Places of the elements that make an array, however often they are there.', form: listOfPlaces },
  objects: { doc: 'Places of the elements that make an object, even if they have only text.', form: listOfPlaces },
  types: { doc: 'By the place of an element or attribute; others are text.', form: typesOf(places(anyPlace)) },
  text: { doc: 'The member that holds the text of an object; #text unless given.', form: textForm },
  attributes: { doc: 'What comes before the name of an attribute; @ unless given.', form: { enum: ['@', ''] } },
  decimal,
  trim: {
    doc: 'Whether white space around the text of an element is dropped; true unless given.',
    form: { type: 'boolean' },
  },
  empty,
}
