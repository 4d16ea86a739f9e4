import { parseArgs } from 'node:util'
import type { Finding } from '../core/finding.ts'
import { readJson } from '../core/json.ts'
import { compileTemplate, composeTemplate } from '../engines/docx/docx.ts'
import { type Command, UsageError } from './command.ts'
import { readInput, refuseTwoStandardInputs, writeOutput } from './files.ts'
import { findingsText } from './findings.ts'

/**
 * `quire compose <template> <data> -o <out> [--json]`: fills a DOCX template with JSON. Findings go to stderr; where one is an
 * error, nothing is written. `-` is standard input or output; with `--json` the findings are one JSON object.
 */
export const runCompose: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { output: { type: 'string', short: 'o' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [templatePath, dataPath, ...rest] = positionals
  if (templatePath === undefined || dataPath === undefined || rest.length > 0 || values.output === undefined) {
    throw new UsageError(
      'compose takes a template, a JSON file and an output: quire compose letter.docx data.json -o out.docx',
    )
  }
  refuseTwoStandardInputs([templatePath, dataPath])
  const found: [path: string, findings: readonly Finding[]][] = []
  const template = compileTemplate(readInput(templatePath))
  const data = readJson(readInput(dataPath))
  found.push([templatePath, template.findings], [dataPath, data.findings])
  const composed = template.ok && data.ok ? composeTemplate(template.value, data.value) : undefined
  if (composed !== undefined) found.push([templatePath, composed.findings])
  if (composed?.ok) writeOutput(values.output, composed.value)
  process.stderr.write(findingsText(found, values))
  return composed?.ok ? 0 : 1
}
