import { basename } from 'node:path'
import type { Binding } from '../core/binding.ts'
import type { Finding } from '../core/finding.ts'
import type { ModelNode } from '../engines/ingestion/ingestion-model.ts'

/** A template among the files. */
export interface CheckedTemplate {
  path: string
  /** What its tags want; undefined if it can be read only in part. */
  bindings: readonly Binding[] | undefined
}

/** What the files say about how templates get their data. */
export interface Pairing {
  templates: readonly CheckedTemplate[]
  /** The nodes of all ingestion models, children too. */
  nodes: readonly ModelNode[]
  transformerCount: number
}

/** The name under which models and transformers know a file. */
export function slugOf(path: string): string {
  return basename(path).replace(/(?:@[1-9]\d*)?\.[^.]*$/, '')
}

/**
 * The bindings that a transformer's output must satisfy: those of the templates that ingestion models pair it with;
 * else of the template that it names; else, if it is the only transformer, of all templates.
 * @param named the template's slug in the transformer
 * @returns undefined if one of the templates isn't among the files or can't be read; `unknown` if nothing decides
 */
export function wantedOf(
  path: string,
  named: string | undefined,
  pairing: Pairing,
): readonly Binding[] | 'unknown' | undefined {
  const { templates, nodes, transformerCount } = pairing
  if (templates.length === 0) return undefined
  const feeding = nodes.filter(({ transformer }) => transformer === slugOf(path))
  const bySlug = (slug: string) => templates.find((template) => slugOf(template.path) === slug)
  if (feeding.length > 0)
    return together(feeding.flatMap(({ template }) => (template === undefined ? [] : [bySlug(template)])))
  const own = named === undefined ? undefined : bySlug(named)
  if (own !== undefined) return own.bindings
  return transformerCount === 1 ? together(templates) : 'unknown'
}

/** The bindings of all templates; undefined if one can't be read, or there is none to compare with. */
function together(templates: readonly (CheckedTemplate | undefined)[]): readonly Binding[] | undefined {
  const bindings = templates.map((template) => template?.bindings)
  if (bindings.length === 0 || bindings.includes(undefined)) return undefined
  return bindings.flatMap((each) => each ?? [])
}

export const unresolvedTemplate: Finding = {
  code: 'check.unresolved_template',
  severity: 'warning',
  path: '/template',
  message: 'Nothing tells which of the templates takes what is written here, so it was not compared with one.',
  hint: 'Name it, as in "template: letter@1" for letter.docx, or name the file of the ingestion model too.',
}
