import type * as yamlPackage from 'yaml'

/** What Quire uses of the packages that read YAML. */
export type JsYaml = typeof import('./js-yaml.ts')
export type YamlLibrary = Pick<
  typeof yamlPackage,
  | 'Composer'
  | 'Lexer'
  | 'LineCounter'
  | 'Parser'
  | 'isAlias'
  | 'isMap'
  | 'isScalar'
  | 'isSeq'
  | 'parse'
  | 'parseDocument'
  | 'visit'
>

/**
 * The packages that read YAML, each loaded by the first text that needs it: an idle server reads none, and they take some
 * megabytes. Loaded by `require`, because reading is synchronous. The console replaces this file by libraries.browser.ts.
 */
export function jsYaml(): JsYaml {
  return require('./js-yaml.ts')
}

export function yamlLibrary(): YamlLibrary {
  return require('yaml')
}
