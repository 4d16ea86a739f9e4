import { embeddedFonts } from '../engines/pdf/font/embedded.ts'
import type { FontLibrary } from '../engines/pdf/font/library.ts'
import { findFonts, libraryOf } from '../font-files.ts'
import { composeFile } from './compose-file.ts'
import type { ManyDone, ManyTask } from './many.ts'
import { renderFile } from './render-file.ts'

/** One worker of many.ts: makes one file after another, from file to file. */
declare const self: Worker

let fonts: FontLibrary | undefined
function fontsOf(folders: readonly string[]): FontLibrary {
  fonts ??= folders.length === 0 ? embeddedFonts() : libraryOf(findFonts(folders).entries)
  return fonts
}

self.onmessage = ({ data: task }: MessageEvent<ManyTask>) => {
  let done: ManyDone
  try {
    done =
      task.kind === 'render'
        ? renderFile(task.input, task.output, fontsOf(task.fontFolders))
        : composeFile(task.template, task.input, task.output)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    done = { isWritten: false, findings: [{ code: 'file', severity: 'error', message }] }
  }
  self.postMessage(done)
}
