import { parseArgs } from 'node:util'
import type { Finding } from '../core/finding.ts'
import { embeddedFonts } from '../engines/pdf/font/embedded.ts'
import { renderPdf } from '../engines/pdf/pdf.ts'
import { findFonts, libraryOf } from '../font-files.ts'
import { paintFor } from './colours.ts'
import { type Command, type ExitCode, UsageError } from './command.ts'
import { readInput, standardInput, standardOutput, writeOutput } from './files.ts'
import { findingsText } from './findings.ts'
import { expandInputs, isSeveral } from './inputs.ts'
import { isOutputFolder, type MadeFile, madeJson, madeText, makeMany, outputsIn } from './many.ts'

const options = {
  output: { type: 'string', short: 'o' },
  report: { type: 'boolean' },
  json: { type: 'boolean' },
  strict: { type: 'boolean' },
} as const

type Wanted = { [Option in 'report' | 'json' | 'strict']?: boolean | undefined }

/**
 * `quire render <docx>… -o <pdf> [--report] [--json] [--strict]`: renders DOCX as PDF; `-` is standard input or output. A
 * file that is not a usable DOCX gives findings on stderr and no PDF; `--report` lists on stdout what could not be shown as
 * written and which fonts replace others, and `--strict` ends with 3 if anything could not. Where the PDF goes to stdout, the
 * report goes to stderr. Several documents, or those of a folder or pattern, go into a folder, each under its own name.
 * Fonts of the folders that `QUIRE_FONTS` names come before those of the executable.
 */
export const runRender: Command = async (args, context) => {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [path, ...rest] = positionals
  const { output } = values
  if (path === undefined || output === undefined) {
    throw new UsageError(
      'render takes documents and an output: quire render letter.docx -o letter.pdf, or quire render letters -o pdfs/',
    )
  }
  if (rest.length > 0 || isSeveral(path) || isOutputFolder(output)) {
    const made = await renderMany(positionals, output, () => context.readConfig().fontFolders)
    return tell(made, values)
  }
  const { fontFolders } = context.readConfig()
  const fonts = fontFolders.length === 0 ? embeddedFonts() : libraryOf(findFonts(fontFolders).entries)
  const rendered = renderPdf(readInput(path), { fonts, collect: () => Bun.gc(true) })
  if (!rendered.ok) {
    process.stderr.write(findingsText([[path, rendered.findings]], values, paintFor(process.stderr)))
    return 1
  }
  const { pdf, report } = rendered.value
  writeOutput(output, pdf)
  const stream = output === standardOutput ? process.stderr : process.stdout
  if (values.report || values.json) stream.write(findingsText([[path, report]], values, paintFor(stream)))
  return values.strict && report.some(isInexact) ? 3 : 0
}

/** @throws UsageError */
async function renderMany(
  paths: readonly string[],
  output: string,
  fontFolders: () => readonly string[],
): Promise<MadeFile[]> {
  if ([output, ...paths].includes(standardInput)) {
    throw new UsageError('- is one file; several results go from files into a folder')
  }
  const inputs = expandInputs(paths, { endings: ['.docx'] })
  const outputs = outputsIn(output, inputs, '.pdf')
  const folders = fontFolders()
  return makeMany(
    inputs.map((input) => ({
      kind: 'render',
      input: input.path,
      output: outputs.get(input) ?? '',
      fontFolders: folders,
    })),
  )
}

function tell(made: readonly MadeFile[], { report, json, strict }: Wanted): ExitCode {
  const failed = made.filter(({ isWritten }) => !isWritten)
  process.stderr.write(json ? '' : madeText(failed, paintFor(process.stderr)).findings)
  if (json) process.stdout.write(madeJson(made))
  else {
    const written = made.filter(({ isWritten }) => isWritten)
    process.stdout.write((report ? madeText(written, paintFor(process.stdout)).findings : '') + madeText(made).summary)
  }
  if (failed.length > 0) return 1
  return strict && made.some(({ findings }) => findings.some(isInexact)) ? 3 : 0
}

/**
 * A font that is drawn with a twin is exact: every letter has its width, and every line breaks where it should. What the settings
 * refer to, such as the template that a document was made from, is not shown.
 */
function isInexact({ code, path }: Finding): boolean {
  return (
    code !== 'render.font_twin' && !(code === 'ooxml.external_target' && /(?:^|\/)settings\d*\.xml$/i.test(path ?? ''))
  )
}
