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
 * The packages that read YAML, each evaluated by the first text that wants it: an idle server reads none, and would hold
 * some megabytes for them. They are required, because a text is read without waiting. The console has libraries.browser.ts
 * in place of this file.
 */
export function jsYaml(): JsYaml {
  return require('./js-yaml.ts')
}

export function yamlLibrary(): YamlLibrary {
  return require('yaml')
}
