/** The findings of one build, each placed in the source; a bounded number of them, errors in preference to warnings. */
import { type Finding, tellCount } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import type { SourcePosition } from '../../core/positions.ts'
import { plainSlip } from '../../core/source/plain-slips.ts'
import { type MapEntry, pathOf, type ScalarNode, type SourceNode } from '../../core/source/tree.ts'
import { suggest } from './suggest.ts'

/** What is wrong at a node; `at` places it at the key of one of the node's entries instead. */
interface Problem {
  code: string
  node: SourceNode
  message: string
  hint: string | undefined
  at?: MapEntry | undefined
}

/** A finding and its serial number, which keeps errors and warnings in their common order. */
interface Numbered {
  finding: Finding
  number: number
}

export class Findings {
  errorCount = 0
  private count = 0
  private readonly errors: Numbered[] = []
  private readonly warnings: Numbered[] = []

  constructor(private readonly locate: (offset: number) => SourcePosition) {}

  error(code: string, node: SourceNode, message: string, hint?: string, at?: MapEntry): void {
    this.errorCount++
    this.add('error', { code, node, message, hint, at })
  }

  /** YAML reads 00123 as the number 123, and yes as text; authors mostly mean something else. */
  warnOfSlip(node: ScalarNode): void {
    const slip = plainSlip(node)
    if (slip !== undefined) this.warning(slip.code, node, slip.message, slip.hint)
  }

  warning(code: string, node: SourceNode, message: string, hint?: string): void {
    this.add('warning', { code, node, message, hint })
  }

  /** A "did you mean", only if its finding will be listed. */
  suggest(name: string, candidates: Iterable<string>, prefix = ''): string | undefined {
    return this.errors.length < limits.configurationIssues ? suggest(name, candidates, prefix) : undefined
  }

  /** In the order in which they were found. If there is no room for all, warnings are dropped first. */
  list(): Finding[] {
    const kept = [...this.errors, ...this.warnings].slice(0, limits.configurationIssues)
    kept.sort((left, right) => left.number - right.number)
    return tellCount(
      kept.map(({ finding }) => finding),
      this.count,
    )
  }

  private add(severity: Finding['severity'], { code, node, message, hint, at }: Problem): void {
    const number = this.count++
    const kept = severity === 'error' ? this.errors : this.warnings
    if (kept.length >= limits.configurationIssues) return
    const finding: Finding = {
      code,
      severity,
      message,
      ...(hint === undefined ? {} : { hint }),
      path: pathOf(at?.value ?? node),
      ...this.locate(at?.keyOffset ?? node.offset),
    }
    kept.push({ finding, number })
  }
}
