import { describeFinding, describeSurroundings, type Finding } from '../core/finding.ts'
import type { Paint } from './colours.ts'
import type { ExitCode } from './command.ts'
import { plain } from './plain.ts'
import { jsonLine } from './print-json.ts'

/**
 * One line for each finding, in the form compilers have: `file:line:column path: message (hint)`, with `warning:` before the message of a
 * warning, and behind it, in brackets, the place in a template as its author sees it. Text of a foreign file is shown without control
 * characters, which could move a terminal's cursor. Where there are colours, an error's message has one, and the word of a warning.
 */
export function findingLines(file: string, findings: readonly Finding[], paint: Paint = (text) => text): string {
  return findings
    .map(({ hint, near, ...finding }) => {
      const { message, severity, line } = finding
      const place = plain(`${file}${line === undefined ? ': ' : ':'}${describeFinding({ ...finding, message: '' })}`)
      const told =
        severity === 'warning' ? `${paint('warning:', 'yellow')} ${plain(message)}` : paint(plain(message), 'red')
      const seen = near === undefined ? '' : describeSurroundings(near)
      const rest = `${hint === undefined ? '' : ` (${hint})`}${seen === '' ? '' : ` [${seen}]`}`
      return `${place}${told}${rest === '' ? '' : paint(plain(rest), 'faint')}\n`
    })
    .join('')
}

/** The findings of files, a file more than once where it was looked at more than once. */
export type FileFindings = readonly (readonly [path: string, findings: readonly Finding[]])[]

/**
 * The findings of files for people, a line each; or with `--json` for programs, in one line:
 * `{"files": [{"path", "findings"}], "errors", "warnings"}`.
 */
export function findingsText(
  files: FileFindings,
  { json }: { json?: boolean | undefined },
  paint: Paint = (text) => text,
): string {
  if (json !== true) return files.map(([path, findings]) => findingLines(path, findings, paint)).join('')
  const all = files.flatMap(([, findings]) => findings)
  const count = (severity: Finding['severity']) => all.filter((finding) => finding.severity === severity).length
  const merged = [...Map.groupBy(files, ([path]) => path)].map(([path, entries]) => ({
    path,
    findings: entries.flatMap(([, findings]) => findings),
  }))
  return `${jsonLine({ files: merged, errors: count('error'), warnings: count('warning') })}\n`
}

/** 1 when a finding is an error. */
export function exitCodeOf(findings: readonly Finding[]): ExitCode {
  return findings.some((finding) => finding.severity === 'error') ? 1 : 0
}
