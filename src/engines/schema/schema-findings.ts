/** The findings for the author of a schema: the first hundred of each severity, and how many there are. */
import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { nearest } from '../../core/nearest.ts'
import type { SchemaDocument } from './model.ts'

/** A finding without its severity. */
interface Problem {
  code: string
  /** JSON Pointer in the document. */
  path: string
  keyword: string
  message: string
  hint: string
}

export class SchemaFindings {
  readonly list: Finding[] = []
  private warnings = 0
  private errors = 0
  /** Names looked at for suggestions so far. */
  private compared = 0

  /** How many findings there are, including those that are not listed. */
  get count(): number {
    return this.errors + this.warnings
  }

  /** Whether a further warning will be listed. */
  get listsWarnings(): boolean {
    return this.warnings < limits.configurationIssues
  }

  /** Only errors in the author's own document can be placed in it. */
  error(document: SchemaDocument, problem: Problem): void {
    if (++this.errors > limits.configurationIssues) return
    this.list.push(findingOf('error', { ...problem, path: document.isAuthors ? problem.path : '' }))
  }

  warn(problem: Problem): void {
    if (++this.warnings > limits.configurationIssues) return
    this.list.push(findingOf('warning', problem))
  }

  /** A suggestion for an error, if it will be listed and all suggestions together stay cheap. */
  nearest(word: string, candidates: readonly string[]): string | undefined {
    this.compared += candidates.length
    const isAffordable = this.compared <= limits.schemaNamesCompared && this.errors < limits.configurationIssues
    return isAffordable ? nearest(word, candidates) : undefined
  }
}

/** A finding with its members in the order in which answers show them. */
function findingOf(severity: Finding['severity'], { code, message, hint, path, keyword }: Problem): Finding {
  return { code, severity, message, hint, path, keyword }
}
