import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './database.ts'

/**
 * A program for QUIRE_RENDERER that begins each rendering and never ends it, so that a test has steps in hand for as long as it
 * needs them.
 */
export function stuckRenderer(): string {
  const program = join(temporaryFolder(), 'soffice')
  writeFileSync(program, '#!/bin/sh\ncase "$*" in *--version*) echo LibreOffice 25.2.0.0 ;; *) exec sleep 60 ;; esac\n')
  chmodSync(program, 0o700)
  return program
}
