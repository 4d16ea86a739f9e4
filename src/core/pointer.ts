/** JSON Pointer (RFC 6901) as reference tokens and back. */

export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  const tokens = pointer.slice(1).split('/')
  if (!pointer.includes('~')) return tokens
  if (/~(?![01])/.test(pointer)) return undefined
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function formatPointer(tokens: readonly (string | number)[]): string {
  let pointer = ''
  for (const token of tokens) pointer += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
  return pointer
}

/** The same pointer with one more token. */
export function joinPointer(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
