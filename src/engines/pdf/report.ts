import type { Finding } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'

/** Collects findings about content that is not rendered as written, once per kind and place. */
export class Report {
  readonly findings: Finding[] = []
  private readonly seen = new Set<string>()

  /** `path` is the package part, with `#` and the element where it is known. */
  add(code: string, message: string, path?: string, hint?: string): void {
    const key = `${code}\n${message}\n${path}`
    if (this.seen.has(key) || this.findings.length >= limits.renderRemarks) return
    this.seen.add(key)
    this.findings.push({
      code,
      severity: 'warning',
      message,
      ...(path === undefined ? {} : { path }),
      ...(hint === undefined ? {} : { hint }),
    })
  }

  unsupported(part: string, element: string, shown: string): void {
    this.add('render.unsupported', `${element} is not supported; ${shown}.`, `${part}#${element}`)
  }
}
