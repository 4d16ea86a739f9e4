/**
 * The keys of ingestion models, what each says and what it may be. The compiler knows no others, and the schema for editors
 * is made of these tables; what a value has to fit beyond its form is the compiler's alone.
 */

import { fileFormatNames } from '../../core/formats.ts'
import { slugPattern } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { makeableChoices } from '../../core/steps.ts'
import { delimiters } from './csv-format.ts'
import { emptyChoices, valueTypes } from './declaration.ts'
import { anyPlace, elementPlace, namespacePrefix, wholeName } from './xml-format.ts'

export interface Key {
  required?: true
  doc: string
  form: JsonObject
}

export type Keys = Readonly<Record<string, Key>>

/** The fields of the intake metadata that a reference or time may come from. */
export const metadataFields = ['source_object', 'source_timestamp', 'source_actor', 'source_system', 'scenario_id']

export const languageName = 'ingestion-model-v1'

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

export const modelKeys: Keys = {
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

export const contractKeys: Keys = {
  name: { required: true, doc: "The contract's name or slug.", form: textForm },
  version: { required: true, doc: 'The number of a published version.', form: { type: 'integer', minimum: 1 } },
}

export const objectKeys: Keys = {
  reference: {
    doc: 'What the documents are about: a JSON Pointer into the input, or a field of the metadata.',
    form: source,
  },
  time: {
    doc: 'Decides which versions are in force: a JSON Pointer into the input, or a field of the metadata.',
    form: source,
  },
}

export const nodeKeys: Keys = {
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

export const csvKeys: Keys = {
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

export const xmlKeys: Keys = {
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
