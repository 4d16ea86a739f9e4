import { describeFinding, type Finding } from '../core/finding.ts'
import type { ExitCode } from './command.ts'

/**
 * One line for each finding, in the form compilers have: `file:line:column path: message (hint)`, with `warning:`
 * before the message of a warning. What a foreign file says is shown without control characters, which could move a
 * terminal's cursor.
 */
export function findingLines(file: string, findings: readonly Finding[]): string {
  return findings
    .map((finding) => {
      const message = finding.severity === 'warning' ? `warning: ${finding.message}` : finding.message
      const separator = finding.line === undefined ? ': ' : ':'
      return `${plain(file + separator + describeFinding({ ...finding, message }))}\n`
    })
    .join('')
}

/** The findings of files, a file more than once where it was looked at more than once. */
export type FileFindings = readonly (readonly [path: string, findings: readonly Finding[]])[]

/**
 * The findings of files for people, a line each; or with `--json` for programs, in one line:
 * `{"files": [{"path", "findings"}], "errors", "warnings"}`.
 */
export function findingsText(files: FileFindings, { json }: { json?: boolean | undefined }): string {
  if (json !== true) return files.map(([path, findings]) => findingLines(path, findings)).join('')
  const all = files.flatMap(([, findings]) => findings)
  const count = (severity: Finding['severity']) => all.filter((finding) => finding.severity === severity).length
  const merged = [...Map.groupBy(files, ([path]) => path)].map(([path, entries]) => ({
    path,
    findings: entries.flatMap(([, findings]) => findings),
  }))
  return `${JSON.stringify({ files: merged, errors: count('error'), warnings: count('warning') })}\n`
}

/** 1 when a finding is an error. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  return findings.some((finding) => finding.severity === 'error') ? 1 : 0
}

function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  return line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}
