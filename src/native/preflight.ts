import { accessSync, constants, statSync } from 'node:fs'

/**
 * Loads the database driver's native addon and says in one line why that is impossible, or nothing when it is loaded.
 *
 * The executable carries the addon inside; Bun unpacks it to the temporary directory and maps it from there. Where that
 * directory is missing, read-only, full or mounted noexec, importing the driver throws a linker's message that names
 * neither the cause nor the remedy. So this runs before anything that imports the driver (import those modules
 * dynamically, after this): it does the very thing that may fail, and nothing is loaded twice.
 */
export function checkNativeAddon(): string | undefined {
  try {
    require('libsql')
    return undefined
  } catch (error) {
    return explainAddonFailure(error, temporaryDirectory())
  }
}

/** The directory Bun unpacks to, and the variable it came from (Bun's own order of precedence). */
function temporaryDirectory(): { variable: string; path: string } {
  for (const variable of ['BUN_TMPDIR', 'TMPDIR']) {
    const path = process.env[variable]
    if (path !== undefined && path !== '') return { variable, path }
  }
  return { variable: 'TMPDIR', path: '/tmp' }
}

function explainAddonFailure(error: unknown, directory: { variable: string; path: string }): string {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
  const remedy = `set ${directory.variable} to an existing directory that is writable, has 10 MB free and is not mounted noexec`
  return `${directory.variable}: the database driver cannot be loaded, because ${reason(message, directory.path)}; ${remedy}`
}

/**
 * Bun falls back to the addon's name inside the executable when it could not unpack it, and the linker then finds no
 * such file; a noexec mount lets the file be written and refuses to map it.
 */
function reason(message: string, path: string): string {
  if (message.includes('failed to map segment') || message.includes('Operation not permitted')) {
    return `the temporary directory ${path} does not allow code to run from it (mounted noexec)`
  }
  if (!message.includes('cannot open shared object file')) return message
  return `it cannot be unpacked to the temporary directory ${path} (${unwritableBecause(path)})`
}

function unwritableBecause(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return 'not a directory'
    accessSync(path, constants.W_OK | constants.X_OK)
    return 'no space left, or the path is not absolute'
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return 'it does not exist'
    if (code === 'EROFS' || code === 'EACCES') return 'it is not writable'
    return String(code ?? error)
  }
}
