import { parseArgs } from 'node:util'
import { embeddedFonts } from '../engines/pdf/font/embedded.ts'
import { renderPdf } from '../engines/pdf/pdf.ts'
import { findFonts, libraryOf } from '../font-files.ts'
import { type Command, UsageError } from './command.ts'
import { readInput, writeOutput } from './files.ts'
import { findingLines } from './findings.ts'

/**
 * `quire render <docx> -o <pdf> [--report]`: renders a DOCX as PDF. A file that is not a usable DOCX gives findings on
 * stderr and no PDF; `--report` lists on stdout what could not be shown as written and which fonts replace others.
 * Fonts of the folders that `QUIRE_FONTS` names come before those of the executable.
 */
export const runRender: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { output: { type: 'string', short: 'o' }, report: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [path, ...rest] = positionals
  if (path === undefined || rest.length > 0 || values.output === undefined) {
    throw new UsageError('render takes a document and an output: quire render letter.docx -o letter.pdf')
  }
  const { fontFolders } = context.readConfig()
  const fonts = fontFolders.length === 0 ? embeddedFonts() : libraryOf(findFonts(fontFolders).entries)
  const rendered = renderPdf(readInput(path), { fonts, collect: () => Bun.gc(true) })
  if (!rendered.ok) {
    process.stderr.write(findingLines(path, rendered.findings))
    return 1
  }
  writeOutput(values.output, rendered.value.pdf)
  if (values.report) process.stdout.write(findingLines(path, rendered.value.report))
  return 0
}
