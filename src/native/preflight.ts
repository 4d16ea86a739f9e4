import { temporaryDirectory } from './packed-addon.ts'

/**
 * Loads the database driver's native addon. Returns a line that says why that is impossible, or undefined if it is loaded.
 *
 * The executable unpacks the addon to the temporary directory. If that directory is missing, read-only, full or mounted noexec,
 * importing the driver would end in a system error that names neither cause nor remedy. So call this before importing anything
 * that imports the driver, and import those modules dynamically. It does the very thing that may fail, and nothing is loaded
 * twice.
 */
export function checkNativeAddon(): string | undefined {
  try {
    require('libsql')
    return undefined
  } catch (error) {
    const { variable, path } = temporaryDirectory()
    const remedy = `set ${variable} to an existing directory that is writable, has 10 MB free and is not mounted noexec`
    return `${variable}: the database driver cannot be loaded, because ${causeOf(error, path)}; ${remedy}`
  }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a directory',
  EACCES: 'is not writable',
  EPERM: 'is not writable',
  EROFS: 'is not writable',
  ENOSPC: 'has no space left',
  EDQUOT: 'has no space left',
}

function causeOf(error: unknown, path: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const cause = causes[code]
  if (cause !== undefined) return `the temporary directory ${path} ${cause}`
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
  // The dynamic linker's message for a noexec mount.
  if (/failed to map segment|Operation not permitted/.test(message))
    return `the temporary directory ${path} does not allow code to run from it (mounted noexec)`
  return message
}
