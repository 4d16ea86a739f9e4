import type * as jsYamlPackage from 'js-yaml'
import type * as yamlPackage from 'yaml'

/**
 * The packages that read YAML, each evaluated by the first text that wants it: an idle server reads none, and would hold
 * some megabytes for them. They are required, because a text is read without waiting.
 */
export function jsYaml(): typeof jsYamlPackage {
  return require('js-yaml')
}

export function yamlLibrary(): typeof yamlPackage {
  return require('yaml')
}
