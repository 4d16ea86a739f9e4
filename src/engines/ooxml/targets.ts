/** Names of parts as relationships and content types write them. */

/**
 * Resolves a relationship target against its part's folder; slashes and backslashes both separate. `..` at the root stays at the root, so
 * nothing leaves the package.
 */
export function resolveTarget(target: string, folder: string): string {
  const [path = ''] = target.replaceAll('\\', '/').split('#')
  const segments = path.startsWith('/') || folder === '' ? [] : folder.split('/')
  for (const segment of decodePath(path).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

/** A path without percent signs; unchanged if they are no escapes. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
