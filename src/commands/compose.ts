import { parseArgs } from 'node:util'
import type { Finding } from '../core/finding.ts'
import { readJson } from '../core/json.ts'
import { newestReading } from '../core/reading.ts'
import { compileTemplate, composeTemplate } from '../engines/docx/docx.ts'
import { withSurroundings } from '../engines/docx/surroundings.ts'
import { fragmentsBeside } from '../project/fragment-files.ts'
import { paintFor } from './colours.ts'
import { type Command, type ExitCode, UsageError } from './command.ts'
import { readInput, refuseTwoStandardInputs, standardInput, writeOutput } from './files.ts'
import { findingLines, findingsText } from './findings.ts'
import { expandInputs, isSeveral } from './inputs.ts'
import { isOutputFolder, madeJson, madeText, makeMany, outputsIn } from './many.ts'

/**
 * `quire compose <template> <data>… -o <out> [--json]`: fills a DOCX template with JSON. Findings go to stderr; where one is
 * an error, nothing is written. `-` is standard input or output; with `--json` the findings are one JSON object. Several sets of
 * data, or those of a folder or pattern, go into a folder, each under its own name.
 */
export const runCompose: Command = async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { output: { type: 'string', short: 'o' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const { output } = values
  const [templatePath, dataPath, ...rest] = positionals
  if (templatePath === undefined || dataPath === undefined || output === undefined) {
    throw new UsageError(
      'compose takes a template, JSON and an output: quire compose letter.docx data.json -o out.docx, or quire compose letter.docx data/*.json -o letters/',
    )
  }
  if (rest.length > 0 || isSeveral(dataPath) || isOutputFolder(output)) {
    return composeMany(templatePath, [dataPath, ...rest], { output, json: values.json })
  }
  refuseTwoStandardInputs([templatePath, dataPath])
  const found: [path: string, findings: readonly Finding[]][] = []
  const bytes = readInput(templatePath)
  const fragments = fragmentsBeside(templatePath, bytes)
  const template = compileTemplate(bytes, newestReading, fragments)
  const data = readJson(readInput(dataPath))
  found.push([templatePath, withSurroundings(bytes, template.findings, fragments)], [dataPath, data.findings])
  const composed = template.ok && data.ok ? composeTemplate(template.value, data.value) : undefined
  if (composed !== undefined) found.push([templatePath, withSurroundings(bytes, composed.findings, fragments)])
  if (composed?.ok) writeOutput(output, composed.value)
  process.stderr.write(findingsText(found, values, paintFor(process.stderr)))
  return composed?.ok ? 0 : 1
}

/** @throws UsageError */
async function composeMany(
  template: string,
  data: readonly string[],
  { output, json }: { output: string; json: boolean | undefined },
): Promise<ExitCode> {
  if ([template, output, ...data].includes(standardInput)) {
    throw new UsageError('- is one file; several results go from files into a folder')
  }
  const inputs = expandInputs(data, { endings: ['.json'] })
  const outputs = outputsIn(output, inputs, '.docx')
  const bytes = readInput(template)
  const fragments = fragmentsBeside(template, bytes)
  const compiled = compileTemplate(bytes, newestReading, fragments)
  const remarks = withSurroundings(bytes, compiled.findings, fragments)
  if (!compiled.ok) {
    process.stderr.write(findingsText([[template, remarks]], { json }, paintFor(process.stderr)))
    return 1
  }
  const made = await makeMany(
    inputs.map((input) => ({ kind: 'compose', template, input: input.path, output: outputs.get(input) ?? '' })),
  )
  const paint = paintFor(process.stderr)
  const { findings, summary } = madeText(made, paint)
  process.stderr.write(json ? madeJson(made) : findingLines(template, remarks, paint) + findings)
  if (!json) process.stdout.write(summary)
  return made.every(({ isWritten }) => isWritten) ? 0 : 1
}
