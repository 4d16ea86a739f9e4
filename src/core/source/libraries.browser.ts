/** Replaces libraries.ts in the console. It imports only what is used of each package, which saves 11 KB. */
import { COLLECTION_STYLE, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  parse,
  parseDocument,
  visit,
} from 'yaml'
import type { JsYaml, YamlLibrary } from './libraries.ts'

const js: JsYaml = { COLLECTION_STYLE, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException }
const yaml: YamlLibrary = {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  parse,
  parseDocument,
  visit,
}

export function jsYaml(): JsYaml {
  return js
}

export function yamlLibrary(): YamlLibrary {
  return yaml
}
