import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { temporaryFolder } from './database.ts'

export interface SwitchedRenderer {
  /** For QUIRE_RENDERER. */
  program: string
  breakDown(): void
  mend(): void
}

/** A program for QUIRE_RENDERER that makes a PDF of one empty page of each document, or none while it is broken. */
export async function switchedRenderer(): Promise<SwitchedRenderer> {
  const folder = temporaryFolder()
  const program = join(folder, 'soffice')
  const page = join(folder, 'page.pdf')
  const kept = join(folder, 'kept.pdf')
  const made = await PDFDocument.create()
  made.addPage()
  await Bun.write(kept, await made.save())
  // The folder to write to is its working directory.
  const convert = `[ ! -e ${page} ] || cp ${page} document.pdf`
  writeFileSync(program, `#!/bin/sh\ncase "$*" in *--version*) echo LibreOffice 25.2.0.0 ;; *) ${convert} ;; esac\n`)
  chmodSync(program, 0o700)
  const renderer = {
    program,
    breakDown: () => rmSync(page, { force: true }),
    mend: () => copyFileSync(kept, page),
  }
  renderer.mend()
  return renderer
}
