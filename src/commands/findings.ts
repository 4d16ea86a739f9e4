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

/** 1 when a finding is an error. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  return findings.some((finding) => finding.severity === 'error') ? 1 : 0
}

function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it takes out.
  return line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
}
