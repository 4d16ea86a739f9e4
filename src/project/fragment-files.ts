/** Included templates as files: `{{> clause-liability}}` is `clause-liability.docx` in the same folder. */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Fragments } from '../engines/docx/docx.ts'
import { fragmentsWithin } from '../engines/docx/fragments/within.ts'

const ends = ['.docx', '.dotx']

/**
 * The templates that a template includes, read from the files beside it.
 *
 * @param given files to use instead of those on disk, by path
 * @throws Error for a file that can't be read
 */
export function fragmentsBeside(
  path: string,
  template: Uint8Array,
  given: ReadonlyMap<string, Uint8Array> = new Map(),
): Fragments {
  const named = new Map([...given].map(([file, bytes]) => [slugOf(file), bytes]))
  return fragmentsWithin(template, (slug) => named.get(slug) ?? readBeside(path, slug))
}

function readBeside(path: string, slug: string): Uint8Array | undefined {
  const files = ends.map((end) => join(dirname(path), slug + end))
  // Reading anything else, such as a pipe, could wait for ever.
  const found = files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  return found === undefined ? undefined : new Uint8Array(readFileSync(found))
}

function slugOf(path: string): string {
  return basename(path).replace(/(?:@[1-9]\d*)?\.[^.]*$/, '')
}
