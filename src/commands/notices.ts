import { readEmbedded } from '../core/embedded-file.ts'
import { CommandFailure } from './files.ts'
import noticesFile from './notices.txt' with { type: 'file' }

/** What an executable consists of, as scripts/build.ts puts it in the place of the empty file. */
export interface Notices {
  /** CycloneDX. */
  bill: string
  licences: { list: string; texts: string }
}

/** @throws CommandFailure from source, which consists of nothing yet */
export function builtNotices(): Notices {
  const text = new TextDecoder().decode(readEmbedded(noticesFile))
  if (text !== '') return JSON.parse(text) as Notices
  throw new CommandFailure('only an executable knows what it consists of; make one with "bun run build"')
}
