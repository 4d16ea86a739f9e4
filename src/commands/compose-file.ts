import type { Finding, Outcome } from '../core/finding.ts'
import { readJson } from '../core/json.ts'
import { newestReading } from '../core/reading.ts'
import { compileTemplate, composeTemplate, type Fragments, type Template } from '../engines/docx/docx.ts'
import { withSurroundings } from '../engines/docx/surroundings.ts'
import { fragmentsBeside } from '../project/fragment-files.ts'
import { readInput, writeOutput } from './files.ts'
import type { ManyDone } from './many.ts'

/** The template that was compiled last: most calls fill one with many sets of data. */
let known: { path: string; bytes: Uint8Array; fragments: Fragments; template: Outcome<Template> } | undefined

/**
 * Fills a template with JSON, from file to file. Warnings about the template itself are reported elsewhere.
 * @throws CommandFailure
 */
export function composeFile(templatePath: string, dataPath: string, output: string): ManyDone {
  if (known?.path !== templatePath) {
    const bytes = readInput(templatePath)
    const fragments = fragmentsBeside(templatePath, bytes)
    known = { path: templatePath, bytes, fragments, template: compileTemplate(bytes, newestReading, fragments) }
  }
  const { template, bytes, fragments } = known
  const data = readJson(readInput(dataPath))
  const findings: Finding[] = [...data.findings]
  if (!template.ok || !data.ok) return { isWritten: false, findings }
  const composed = composeTemplate(template.value, data.value)
  findings.push(...withSurroundings(bytes, composed.findings, fragments))
  if (composed.ok) writeOutput(output, composed.value)
  return { isWritten: composed.ok, findings }
}
