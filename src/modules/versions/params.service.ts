import type { Finding, Outcome } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { Reading } from '../../core/reading.ts'
import type { Connection } from '../../db/database.ts'
import { isParamValue, type ParamType } from '../../engines/declarative/params.ts'
import type { TransformerParams } from './versions.model.ts'
import { readVersion } from './versions.reads.ts'
import { type SourceText, sourceOf } from './versions.service.ts'

/** A transformer's name as messages show it, and the params that it declares. */
export interface Declaring {
  name: string
  params: Readonly<Record<string, ParamType>>
}

/**
 * Findings about params given to the transformers of one submission: a name that none declares, a declared one that is missing, a
 * value of the wrong type. Each is at `/params/<name>`.
 */
export function paramFindings(given: TransformerParams, transformers: readonly Declaring[]): Finding[] {
  const findings = new Map<string, Finding>()
  const report = (name: string, code: string, message: string, hint: string) => {
    if (findings.has(name)) return
    const field = `Body field params.${name}`
    findings.set(name, { code, severity: 'error', path: `/params/${name}`, message: `${field} ${message}`, hint })
  }
  const declared = new Set(transformers.flatMap(({ params }) => Object.keys(params)))
  const known = declared.size === 0 ? 'None is declared.' : `Declared: ${[...declared].sort().join(', ')}.`
  for (const name of Object.keys(given)) {
    if (!declared.has(name)) report(name, 'param.unknown', 'is declared by no transformer that would run.', known)
  }
  for (const transformer of transformers) {
    for (const [name, type] of Object.entries(transformer.params)) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      const wants = `the transformer ${transformer.name} declares it as ${type}.`
      if (value === undefined) report(name, 'param.missing', `is missing: ${wants}`, `Add it as ${examples[type]}.`)
      else if (!isParamValue(type, value))
        report(name, 'param.type', `is no ${type}: ${wants}`, `Give ${examples[type]}.`)
    }
  }
  return [...findings.values()].slice(0, limits.configurationIssues)
}

const examples: Record<ParamType, string> = {
  string: 'a string',
  boolean: 'true or false',
  decimal: 'a number',
  date: 'a date such as "2026-11-20"',
  datetime: 'a time such as "2026-11-20T09:30:00Z"',
}

export interface DeclaringPorts {
  connection: Connection
  /** Compiles a transformer on another thread; implemented by another module and passed in. */
  compile: (source: SourceText & { reading: Reading }) => Promise<Outcome<Pick<Declaring, 'params'>>>
}

/** The params that a frozen transformer declares. A large one takes some 50 ms to compile, and a model may have a hundred. */
export async function loadDeclaring(
  { connection, compile }: DeclaringPorts,
  versionId: string,
  name: string,
): Promise<Declaring> {
  const version = await readVersion(connection, versionId)
  const compiled = await compile({ ...sourceOf(version), reading: version.reading })
  if (!compiled.ok) throw new Error(`transformer version ${versionId} was frozen with errors`)
  return { name, params: compiled.value.params }
}
