import { CommandFailure } from './files.ts'

/** Defined by scripts/build.ts, which knows what it puts into the executable. */
declare const QUIRE_SBOM: string | undefined
declare const QUIRE_LICENCES: { list: string; texts: string } | undefined

/** @throws CommandFailure from source, which consists of nothing yet */
export function builtBill(): string {
  if (typeof QUIRE_SBOM === 'string') return QUIRE_SBOM
  throw unbuilt()
}

/** @throws CommandFailure from source */
export function builtLicences(): { list: string; texts: string } {
  if (typeof QUIRE_LICENCES === 'object') return QUIRE_LICENCES
  throw unbuilt()
}

function unbuilt(): CommandFailure {
  return new CommandFailure('only an executable knows what it consists of; make one with "bun run build"')
}
