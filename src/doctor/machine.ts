import { statSync } from 'node:fs'
import { totalmem } from 'node:os'
import type { Config } from '../config.ts'
import { wordsOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { PRODUCT_VERSION, REVISION } from '../core/version.ts'
import { findFonts } from '../font-files.ts'
import { advice, bytesInWords, type Finding, fine, wrong } from './finding.ts'

export function checkVersions(): Finding[] {
  const system = `${process.platform} ${process.arch}`
  return [fine('versions', `Quire ${PRODUCT_VERSION}, revision ${REVISION}, Bun ${Bun.version}, ${system}`)]
}

/** By the rule of docs/operations.md: 150 MB for the service, 150 for each worker. */
export function checkMemory({ workers }: Pick<Config, 'workers'>, total = usableMemory()): Finding[] {
  const wanted = (1 + workers) * limits.doctorMemoryBytes
  const words = `${bytesInWords(total)} for ${workers} ${workers === 1 ? 'worker' : 'workers'}`
  if (total >= wanted) return [fine('memory', words)]
  return [
    advice(
      'memory',
      `${words}, which want ${bytesInWords(wanted)}`,
      `allow more, or set QUIRE_WORKERS to ${Math.max(1, Math.floor(total / limits.doctorMemoryBytes) - 1)}`,
    ),
  ]
}

/** What a container may use, if that is known, else everything. */
function usableMemory(): number {
  return Math.min(process.constrainedMemory?.() || Number.POSITIVE_INFINITY, totalmem())
}

export function checkFonts({ fontFolders }: Pick<Config, 'fontFolders'>): Finding[] {
  const check = 'fonts'
  if (fontFolders.length === 0) return [fine(check, 'those of the executable')]
  return fontFolders.flatMap((folder) => {
    try {
      const { entries, unusable } = findFonts([folder])
      if (entries.length === 0) {
        return advice(
          check,
          `${folder} has no font that can be used`,
          'put .ttf, .otf or .ttc files there, or leave it out',
        )
      }
      if (unusable.length === 0) return fine(check, `${entries.length} in ${folder}`)
      return advice(
        check,
        `${unusable.length} of the files in ${folder} are no usable fonts, such as ${unusable[0]}`,
        'replace or remove them; the others are used',
      )
    } catch (error) {
      return wrong(check, `${folder} can't be read: ${wordsOf(error)}`, 'let the user that runs Quire read it')
    }
  })
}

/** LibreOffice, where it makes the PDFs. */
export async function checkRenderer({ renderer }: Pick<Config, 'renderer'>): Promise<Finding[]> {
  if (renderer === 'quire') return []
  const { sofficeVersion } = await import('../runner/soffice.ts')
  const version = await sofficeVersion(renderer.soffice)
  if (version !== undefined) return [fine('renderer', version)]
  const isThere = statSync(renderer.soffice, { throwIfNoEntry: false }) !== undefined
  return [
    wrong(
      'renderer',
      `${renderer.soffice} ${isThere ? 'does not answer as LibreOffice' : 'is not there'}`,
      'mend it, or set QUIRE_RENDERER to quire',
    ),
  ]
}
