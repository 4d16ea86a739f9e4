import { parseArgs } from 'node:util'
import { embeddedFonts } from '../engines/pdf/font/embedded.ts'
import { renderPdf } from '../engines/pdf/pdf.ts'
import { findFonts, libraryOf } from '../font-files.ts'
import { type Command, UsageError } from './command.ts'
import { readInput, standardOutput, writeOutput } from './files.ts'
import { findingsText } from './findings.ts'

/**
 * `quire render <docx> -o <pdf> [--report] [--json] [--strict]`: renders a DOCX as PDF; `-` is standard input or output. A
 * file that is not a usable DOCX gives findings on stderr and no PDF; `--report` lists on stdout what could not be shown as
 * written and which fonts replace others, and `--strict` ends with 3 if anything could not. Where the PDF goes to stdout, the
 * report goes to stderr.
 * Fonts of the folders that `QUIRE_FONTS` names come before those of the executable.
 */
export const runRender: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      output: { type: 'string', short: 'o' },
      report: { type: 'boolean' },
      json: { type: 'boolean' },
      strict: { type: 'boolean' },
    },
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
    process.stderr.write(findingsText([[path, rendered.findings]], values))
    return 1
  }
  const { pdf, report } = rendered.value
  writeOutput(values.output, pdf)
  const stream = values.output === standardOutput ? process.stderr : process.stdout
  if (values.report || values.json) stream.write(findingsText([[path, report]], values))
  return values.strict && report.some(({ code }) => code !== exactFont) ? 3 : 0
}

/** Says that a font is drawn with a twin: every letter has its width, and every line breaks where it should. */
const exactFont = 'render.font_twin'
