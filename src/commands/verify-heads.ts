import { existsSync, readFileSync } from 'node:fs'
import { headLine, readHeads } from '../modules/audit/audit.heads.ts'
import { appendHead } from '../modules/audit/audit.heads-file.ts'
import type { AuditHeadRow } from '../modules/audit/audit.store.ts'
import { CommandFailure, readInput, reasonOf } from './files.ts'

/**
 * Heads of the audit trail that were kept outside of the store, of all the files that `--head` names.
 * @throws CommandFailure for a file that can't be read or holds something else
 */
export function readHeadFiles(paths: readonly string[] = []): AuditHeadRow[] {
  return paths.flatMap((path) => {
    const heads = readHeads(new TextDecoder().decode(readInput(path)))
    if (heads.ok) return heads.value
    const [first] = heads.findings
    throw new CommandFailure(`${path}: ${first?.message} ${first?.hint}`)
  })
}

/** Appends the head, unless it is there. @throws CommandFailure if there is none, or the file can't be written */
export async function keepHead(path: string, head: AuditHeadRow | undefined): Promise<void> {
  if (head === undefined) {
    throw new CommandFailure('there is no signed head to save: let this version serve the store once')
  }
  const line = headLine(head)
  try {
    if (existsSync(path) && readFileSync(path, 'utf8').split('\n').includes(line.trimEnd())) return
    await appendHead(path, head)
  } catch (error) {
    throw new CommandFailure(`${path} cannot be written: ${reasonOf(error)}`)
  }
}
