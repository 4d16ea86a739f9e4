import { limits } from './limits.ts'

/**
 * A finding is one located remark about something a person wrote or submitted: a schema, a transformer, a template, a
 * payload. Engines return findings and never throw for bad input; the HTTP layer turns them into step issues or
 * configuration issues, the command line prints them.
 */
export interface Finding {
  /** Stable, lower case, `^[a-z][a-z0-9_.:-]{0,63}$`, so that it fits the interface's `code` pattern unchanged. */
  code: string
  severity: 'error' | 'warning'
  /** One sentence that names the thing and the rule it breaks; at most `limits.findingMessageChars` on the wire. */
  message: string
  /** What to do about it, in one sentence. */
  hint?: string
  /** JSON Pointer into the input or source, or for documents `part#position`. */
  path?: string
  /** The JSON Schema keyword or the language operator concerned. */
  keyword?: string
  /** 1-based position in the source text. */
  line?: number
  column?: number
  /** The place in a document as its author sees it. */
  near?: Surroundings
}

/** Where in a document something is, in words that its author can look for. */
export interface Surroundings {
  /** The slug of the included template that it is in. */
  template?: string
  /** Outside of the body: `header`, `footnotes` … */
  in?: string
  /** The text of the nearest heading before it. */
  heading?: string
  /** The words around it; `¶` is the end of a paragraph. */
  words?: string
  /** The page, from 1, of the document as it is; absent if it was not laid out. */
  page?: number
}

/** Either a value or the findings (at least one of severity error) that prevented it. */
export type Outcome<T> = { ok: true; value: T; findings: Finding[] } | { ok: false; findings: Finding[] }

export function succeed<T>(value: T, findings: Finding[] = []): Outcome<T> {
  return { ok: true, value, findings }
}

export function fail<T = never>(...findings: Finding[]): Outcome<T> {
  return { ok: false, findings }
}

export function errorsOf(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === 'error')
}

/** One line for the command line and for problem details: `12:3 /policy/premium: message (hint)`. */
export function describeFinding(finding: Finding): string {
  const place = finding.line === undefined ? '' : `${finding.line}:${finding.column ?? 1} `
  const path = finding.path === undefined || finding.path === '' ? '' : `${finding.path}: `
  const hint = finding.hint === undefined ? '' : ` (${finding.hint})`
  return `${place}${path}${finding.message}${hint}`
}

/** `page 2, under “Liability”, at “… pays {{/premium}} within …”`; empty if nothing is known. */
export function describeSurroundings({ template, in: story, heading, words, page }: Surroundings): string {
  const told = [
    template === undefined ? undefined : `in ${template}`,
    page === undefined ? undefined : `page ${page}`,
    story === undefined ? undefined : `in the ${story}`,
    heading === undefined ? undefined : `under “${heading}”`,
    words === undefined ? undefined : `at “${words}”`,
  ]
  return told.filter((each) => each !== undefined).join(', ')
}

/** The first few findings in one line, and how many there are besides. */
export function describeFindings(findings: readonly Finding[], shown: number): string {
  const rest = findings.length - shown
  return findings.slice(0, shown).map(describeFinding).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
}

/**
 * The first `limits.configurationIssues` findings, as many as the interface allows. If there are more, the last message
 * ends with their number, so that nothing is hidden and the count needs no entry of its own.
 */
export function tellCount(findings: readonly Finding[], count: number, precision = ''): Finding[] {
  const kept = findings.slice(0, limits.configurationIssues)
  const last = kept.at(-1)
  if (count <= limits.configurationIssues || last === undefined) return kept
  const message = `${last.message} (This is number ${kept.length} of ${precision}${count} findings; the others are not listed.)`
  kept[kept.length - 1] = { ...last, message }
  return kept
}
