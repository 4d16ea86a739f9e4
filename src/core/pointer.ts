/** JSON Pointer (RFC 6901) as reference tokens and back. */

export function parsePointer(pointer: string): string[] | undefined {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) return undefined
  const tokens = pointer.slice(1).split('/')
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (!token.includes('~')) continue
    if (/~(?![01])/.test(token)) return undefined
    tokens[index] = token.replaceAll('~1', '/').replaceAll('~0', '~')
  }
  return tokens
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
