import { parseArgs } from 'node:util'
import { readJson } from '../core/json.ts'
import { compileTemplate, composeTemplate } from '../engines/docx/docx.ts'
import { type Command, UsageError } from './command.ts'
import { readInput, writeOutput } from './files.ts'
import { exitCodeOf, findingLines } from './findings.ts'

/**
 * `quire compose <template> <data> -o <out>`: fills a DOCX template with JSON. Findings go to stderr; where one is an
 * error, nothing is written.
 */
export const runCompose: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { output: { type: 'string', short: 'o' } },
    allowPositionals: true,
  })
  const [templatePath, dataPath, ...rest] = positionals
  if (templatePath === undefined || dataPath === undefined || rest.length > 0 || values.output === undefined) {
    throw new UsageError(
      'compose takes a template, a JSON file and an output: quire compose letter.docx data.json -o out.docx',
    )
  }
  const template = compileTemplate(readInput(templatePath))
  process.stderr.write(findingLines(templatePath, template.findings))
  const data = readJson(readInput(dataPath))
  process.stderr.write(findingLines(dataPath, data.findings))
  if (!template.ok || !data.ok) return 1
  const composed = composeTemplate(template.value, data.value)
  process.stderr.write(findingLines(templatePath, composed.findings))
  if (!composed.ok) return exitCodeOf(composed.findings)
  writeOutput(values.output, composed.value)
  return 0
}
