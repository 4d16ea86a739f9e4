/**
 * Finds broken links between a contract, a transformer and a template: a value that the template wants and the transformer
 * doesn't make, a place that the transformer reads and the contract doesn't declare, and what is made and not used. Each has
 * one fix, as an edit that `fixes.ts` makes. Pure.
 */
import { type Binding, isInCondition } from '../../../core/binding.ts'
import type { Finding } from '../../../core/finding.ts'
import type { JsonValue } from '../../../core/json.ts'
import { nearest } from '../../../core/nearest.ts'
import { joinPointer, parsePointer } from '../../../core/pointer.ts'
import type { LineageEntry, Write } from '../../../engines/declarative/declarative.ts'
import { declaredAt } from './schema-places.ts'

export type Fix =
  /** Another name for what the transformer makes; `at`: the object around it in the output. */
  | { kind: 'rename-output'; at: string; from: string; to: string }
  /** A line in the transformer that makes a value of what it reads. */
  | { kind: 'add-output'; at: string; name: string; reads: string }
  | { kind: 'remove-output'; at: string; name: string }
  /** Another name in what the transformer reads, on these lines. */
  | { kind: 'read-other'; from: string; to: string; lines: readonly number[] }
  /** A property in the contract; `parent`: JSON Pointer of the schema. */
  | { kind: 'declare'; parent: string; name: string }

export interface BrokenLink {
  kind: 'unbound' | 'undeclared' | 'unused'
  severity: 'error' | 'warning'
  /** What it is about: the binding, what is read, or what is made. */
  pointer: string
  /** Lines of the transformer. */
  lines: readonly number[]
  /** JSON Pointer into the contract, where it touches it. */
  contractPlace?: string
  /** Bindings of the template that it touches. */
  bindings: readonly string[]
  fix?: Fix
}

interface Chain {
  /** Undefined while it isn't JSON, or for a node that doesn't read the raw input. */
  contract: JsonValue | undefined
  source: string
  /** Findings in the source, checked with contract and bindings. */
  findings: readonly Finding[]
  reads: readonly string[]
  writes: readonly Write[]
  /** Undefined while the template isn't read, or has mistakes. */
  bindings: readonly Binding[] | undefined
  /** What a template includes uses outputs as well, and isn't known here. */
  includesOthers: boolean
  lineage: readonly LineageEntry[]
}

/** Enough to be mended one after the other. */
const maxLinks = 40

export function brokenLinks(chain: Chain): BrokenLink[] {
  const undeclared = undeclaredReads(chain)
  const unbound = unboundBindings(chain)
  const renamed = new Set(
    unbound.flatMap(({ fix }) => (fix?.kind === 'rename-output' ? joinPointer(fix.at, fix.from) : [])),
  )
  const unused = unusedOutputs(chain).filter(({ pointer }) => !renamed.has(pointer))
  return [...unbound, ...undeclared, ...unused].slice(0, maxLinks)
}

function undeclaredReads({ contract, source, findings, reads, bindings = [], lineage }: Chain): BrokenLink[] {
  if (contract === undefined) return []
  const texts = source.split('\n')
  const told = new Set(
    findings.flatMap(({ code, line }) => (code === 'unknown_path' && line !== undefined ? line : [])),
  )
  const links = new Map<string, BrokenLink>()
  for (const pointer of reads) {
    const { place, missing } = declaredAt(contract, pointer)
    if (missing === undefined) continue
    const { name, parent, within, siblings } = missing
    const read = joinPointer(within, name)
    if (links.has(read)) continue
    const places = texts.flatMap((text, index) => (namesAt(text, name) ? index + 1 : []))
    // Where the engine says which lines are wrong, the same name elsewhere may be right.
    const wrong = places.filter((line) => told.has(line))
    const lines = wrong.length > 0 ? wrong : places
    const like = nearest(name, siblings)
    links.set(read, {
      kind: 'undeclared',
      severity: 'error',
      pointer: read,
      lines,
      contractPlace: parent === '' ? place : parent,
      bindings: bindingsOf(bindings, lineage, lines),
      fix: like === undefined ? { kind: 'declare', parent, name } : { kind: 'read-other', from: name, to: like, lines },
    })
  }
  return [...links.values()]
}

/** Whether a line of source reads a name: `/name`, `$x/name`, with anything behind it. */
export function namesAt(line: string, name: string): boolean {
  return namePattern(name).test(line)
}

export function namePattern(name: string): RegExp {
  const written = name.replaceAll('~', '~0').replaceAll('/', '~1')
  const literal = written.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`/${literal}(?=[/\\s,\\]}"']|$)`, 'g')
}

function unboundBindings({ contract, findings, writes, bindings, reads }: Chain): BrokenLink[] {
  if (bindings === undefined) return []
  const made = treeOf(writes.map(({ pointer }) => pointer))
  const wanted = treeOf(bindings.map(({ pointer }) => pointer))
  const links = new Map<string, BrokenLink>()
  for (const binding of bindings) {
    if (!binding.required && !isInCondition(binding)) continue
    const lost = firstLost(made, binding.pointer)
    if (lost === undefined || links.has(joinPointer(lost.at, lost.name))) continue
    const { at, name, siblings } = lost
    const pointer = joinPointer(at, name)
    // Something that is made and that no tag wants is most likely what was meant.
    const free = siblings.filter((one) => !isIn(wanted, joinPointer(at, one)))
    const like = nearest(name, free)
    const source = contract === undefined ? undefined : sourceOf(name, contract, reads)
    const line = findings.find(
      ({ code, message }) => code === 'unbound_binding' && message.includes(` ${binding.pointer} `),
    )?.line
    links.set(pointer, {
      kind: 'unbound',
      severity: 'error',
      pointer,
      lines: line === undefined ? [] : [line],
      ...(source === undefined || like !== undefined || contract === undefined
        ? {}
        : { contractPlace: declaredAt(contract, source).place }),
      bindings: bindings.flatMap((one) => (isInside(one.pointer, pointer) ? one.pointer : [])),
      fix:
        like === undefined
          ? { kind: 'add-output', at, name, reads: source ?? joinPointer('', name) }
          : { kind: 'rename-output', at, from: like, to: name },
    })
  }
  return [...links.values()]
}

/** The likely source of a new value: a property of the same name in the contract, outside of lists. */
function sourceOf(name: string, contract: JsonValue, reads: readonly string[]): string | undefined {
  const pointers = declaredPointers(contract)
  const lastOf = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1)
  const same = pointers.filter((pointer) => lastOf(pointer).toLowerCase() === name.toLowerCase())
  const like = nearest(name, pointers.map(lastOf))
  const found = same.length > 0 ? same : pointers.filter((pointer) => lastOf(pointer) === like)
  // What is not read yet comes first.
  return found.find((pointer) => !reads.includes(pointer)) ?? found[0]
}

/** Properties of objects, as deep as people look for a name. */
function declaredPointers(contract: JsonValue): string[] {
  const found: string[] = []
  const visit = (pointer: string, depth: number): void => {
    const { missing } = declaredAt(contract, joinPointer(pointer, '\u0000'))
    for (const name of missing?.siblings ?? []) {
      if (found.length >= maxPointers) return
      const inner = joinPointer(pointer, name)
      found.push(inner)
      if (depth < maxDepth) visit(inner, depth + 1)
    }
  }
  visit('', 0)
  return found
}

const maxPointers = 1_000
const maxDepth = 5

function unusedOutputs({ findings, writes, bindings, includesOthers }: Chain): BrokenLink[] {
  if (bindings === undefined || includesOthers) return []
  const links = new Map<string, BrokenLink>()
  const isUsed = (pointer: string) => bindings.some((binding) => uses(binding, pointer))
  for (const { pointer } of writes) {
    if (isUsed(pointer)) continue
    const tokens = pointer.split('/')
    // If nothing in an object is used, the object itself.
    const whole = tokens.findIndex((_, index) => index > 0 && !isUsed(tokens.slice(0, index + 1).join('/')))
    const unused = tokens.slice(0, whole + 1).join('/')
    if (unused === '' || unused.endsWith('/*') || links.has(unused)) continue
    const line = findings.find(({ code, message }) => code === 'unused_output' && message.includes(` ${unused}.`))?.line
    links.set(unused, {
      kind: 'unused',
      severity: 'warning',
      pointer: unused,
      lines: line === undefined ? [] : [line],
      bindings: [],
      fix: {
        kind: 'remove-output',
        at: unused.slice(0, unused.lastIndexOf('/')),
        name: parsePointer(unused)?.at(-1) ?? '',
      },
    })
  }
  return [...links.values()]
}

/** A list or flag alone only asks whether there is something; what is inside needs bindings of its own. */
function uses({ pointer: bound, shape }: Binding, pointer: string): boolean {
  const isTaken = shape !== 'list' && shape !== 'object' && shape !== 'flag'
  return isInside(bound, pointer) || (isTaken && isInside(pointer, bound))
}

/** Bindings that show what came through lines of the source. */
function bindingsOf(
  bindings: readonly Binding[],
  lineage: readonly LineageEntry[],
  lines: readonly number[],
): string[] {
  const outputs = lineage.flatMap((entry) => (entry.lines.some((line) => lines.includes(line)) ? entry.output : []))
  return [
    ...new Set(bindings.flatMap(({ pointer }) => (outputs.some((output) => isInside(output, pointer)) ? pointer : []))),
  ]
}

/** Whether a pointer is another one or leads on from it; `*` in the outer is any item or member. */
export function isInside(inner: string, outer: string): boolean {
  const names = inner.split('/')
  const around = outer.split('/')
  return (
    around.length <= names.length &&
    around.every((name, index) => name === names[index] || name === '*' || names[index] === '*')
  )
}

type Tree = Map<string, Tree>

function treeOf(pointers: readonly string[]): Tree {
  const root: Tree = new Map()
  for (const pointer of pointers) {
    let at = root
    for (const token of parsePointer(pointer) ?? []) {
      const next = at.get(token) ?? (new Map() as Tree)
      at.set(token, next)
      at = next
    }
  }
  return root
}

/** The first name of a pointer that a tree doesn't have; below a leaf anything may be. */
function firstLost(tree: Tree, pointer: string): { at: string; name: string; siblings: string[] } | undefined {
  let node = tree
  let at = ''
  for (const [index, token] of (parsePointer(pointer) ?? []).entries()) {
    if (node.size === 0 && index > 0) return undefined
    const next = node.get(token) ?? (/^\d+$/.test(token) ? node.get('*') : undefined)
    if (next === undefined) return { at, name: token, siblings: [...node.keys()] }
    node = next
    at = joinPointer(at, token)
  }
  return undefined
}

function isIn(tree: Tree, pointer: string): boolean {
  let node: Tree | undefined = tree
  for (const token of parsePointer(pointer) ?? []) node = node?.get(token)
  return node !== undefined
}
