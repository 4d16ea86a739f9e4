import type { FontLibrary } from '../engines/pdf/font/library.ts'
import { renderPdf } from '../engines/pdf/pdf.ts'
import { readInput, writeOutput } from './files.ts'
import type { ManyDone } from './many.ts'

/** Renders a DOCX as PDF, from file to file; what is not shown as written is in the findings. @throws CommandFailure */
export function renderFile(input: string, output: string, fonts: FontLibrary): ManyDone {
  const rendered = renderPdf(readInput(input), { fonts, collect: () => Bun.gc(true) })
  if (!rendered.ok) return { isWritten: false, findings: rendered.findings }
  const { pdf, report } = rendered.value
  writeOutput(output, pdf)
  return { isWritten: true, findings: report }
}
