/**
 * How ingestion models in YAML were read by the first rules (`core/reading.ts`), with their faults: numbers of every
 * form went through a double, and standard tags were accepted. Used only for versions frozen then.
 */
import type { Node } from 'yaml'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { yamlLibrary } from '../../core/source/libraries.ts'
import { sentence } from './sentence.ts'

export interface FirstYaml {
  root: JsonValue
  locate(tokens: readonly (string | number)[]): { line: number; column: number } | undefined
}

/** What a model of that time says, with the places of its values. */
export function readFirstYaml(source: string): Outcome<FirstYaml> {
  const { isAlias, isMap, isSeq, LineCounter, parseDocument, visit } = yamlLibrary()
  const lines = new LineCounter()
  const document = parseDocument(source, { schema: 'core', uniqueKeys: true, merge: false, lineCounter: lines })
  const errors = document.errors.map((error) => ({
    ...finding('yaml', '', error.message.replace(/\n.*/s, '').replace(/ at line.*$/, ''), 'mend the YAML syntax'),
    line: error.linePos?.[0].line ?? 1,
    column: error.linePos?.[0].col ?? 1,
  }))
  if (errors.length > 0) return fail(...errors)
  const forbidden: Finding[] = []
  visit(document, {
    Node: (_key, node) => {
      const what = isAlias(node)
        ? 'an alias'
        : node.anchor !== undefined
          ? 'an anchor'
          : node.tag !== undefined && !isStandardTag(node.tag)
            ? 'a tag'
            : undefined
      if (what === undefined) return
      const place = lines.linePos(node.range?.[0] ?? 0)
      forbidden.push({
        ...finding('no_alias', '', `${what} is used here`, 'write the value out'),
        line: place.line,
        column: place.col,
      })
      return visit.SKIP
    },
  })
  if (forbidden.length > 0) return fail(...forbidden.slice(0, limits.configurationIssues))
  const locate = (tokens: readonly (string | number)[]) => {
    let node: unknown = document.contents
    for (const token of tokens) {
      const next: unknown = isMap(node) || isSeq(node) ? node.get(token, true) : undefined
      if (next === undefined) break
      node = next
    }
    const start = (node as Node | null)?.range?.[0]
    if (start === undefined) return undefined
    const place = lines.linePos(start)
    return { line: place.line, column: place.col }
  }
  return succeed({ root: document.toJS() as JsonValue, locate })
}

function isStandardTag(tag: string): boolean {
  return tag.startsWith('tag:yaml.org,2002:')
}

function finding(code: string, path: string, message: string, hint: string): Finding {
  return { code, severity: 'error', path, message: sentence(message), hint: sentence(hint) }
}
