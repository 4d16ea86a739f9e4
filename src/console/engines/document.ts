/** A document's contract, transformer and template as they are being written: findings, output and broken links. Pure. */

import type { Binding } from '../../core/binding.ts'
import type { Finding } from '../../core/finding.ts'
import { type JsonValue, readJson } from '../../core/json.ts'
import type { LineageEntry, ParamType, SourceFormat } from '../../engines/declarative/declarative.ts'
import { check, pointersOf, run } from '../views/transformer/run.ts'
import { applyFix } from '../views/workspace/fixes.ts'
import { type BrokenLink, brokenLinks } from '../views/workspace/links.ts'

interface Source {
  source: string
  format: SourceFormat
}

export interface AskedDocument extends Source {
  /** The contract; undefined if there is none. */
  schema: string | undefined
  bindings: readonly Binding[] | undefined
  includesOthers: boolean
  input: string
  params: Record<string, JsonValue>
  /** The transformers of the nodes above, outermost first: each reads what the one before it makes. */
  above: readonly Source[]
}

export interface CheckedDocument {
  findings: readonly Finding[]
  /** What the contract declares, for completion. */
  pointers: readonly { pointer: string; type: string }[]
  params: Readonly<Record<string, ParamType>>
  /** Undefined while the source has errors. */
  checked: { reads: readonly string[]; costBound: number } | undefined
  output?: JsonValue
  lineage: readonly LineageEntry[]
  /** Why there is no output, in the source. */
  sourceFindings: readonly Finding[]
  inputFindings: readonly Finding[]
  links: readonly BrokenLink[]
}

export function checkDocument(asked: AskedDocument): CheckedDocument {
  const { source, format, schema, bindings, includesOthers, input, params, above } = asked
  // Only the outermost node reads what the contract describes.
  const contract = above.length === 0 ? schema : undefined
  const { findings: told, transformer: whole } = check(source, format, contract, bindings)
  const findings = includesOthers ? told.filter(({ code }) => code !== 'unused_output') : told
  // The page follows while a link is broken, too: it checks without the template, and if need be the contract.
  const transformer =
    whole ??
    check(source, format, contract, undefined).transformer ??
    check(source, format, undefined, undefined).transformer
  const given = above.reduce<string | undefined>((text, each) => text && madeOf(each, text), input)
  const ran = run(transformer, given ?? '', contract, params)
  const checkedInput = above.length === 0 ? ran.inputFindings : run(undefined, input, schema, {}).inputFindings
  const root = contract === undefined ? undefined : readJson(contract)
  return {
    findings,
    pointers: contract === undefined ? [] : pointersOf(contract),
    params: transformer?.params ?? {},
    checked: whole === undefined ? undefined : { reads: whole.reads, costBound: whole.costBound },
    ...(ran.output === undefined ? {} : { output: ran.output }),
    lineage: ran.lineage,
    sourceFindings: ran.sourceFindings,
    inputFindings: checkedInput,
    links:
      transformer === undefined
        ? []
        : brokenLinks({
            contract: root?.ok === true ? root.value : undefined,
            source,
            findings,
            reads: transformer.reads,
            writes: transformer.writes,
            bindings,
            includesOthers,
            lineage: ran.lineage,
          }).map((link) => withFittingFix(link, source)),
  }
}

/** Drops a fix that fits nothing in the source. A missing declaration always fits: its place was found in the contract. */
function withFittingFix({ fix, ...link }: BrokenLink, transformer: string): BrokenLink {
  const fits = fix?.kind === 'declare' || (fix && applyFix(fix, { contract: '', transformer }) !== undefined)
  return fix !== undefined && fits === true ? { ...link, fix } : link
}

function madeOf({ source, format }: Source, input: string): string | undefined {
  const { output } = run(check(source, format, undefined, undefined).transformer, input, undefined, {})
  return output === undefined ? undefined : JSON.stringify(output)
}
