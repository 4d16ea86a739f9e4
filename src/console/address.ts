/** Reads addresses without a browser: whether they are the console's, where they may lead, what they name. Pure. */

/** Paths on this origin that the console does not own: the interface, its descriptions and the pages beside it. */
const outside = /^\/(?:api|health|assets|openapi\.json|asyncapi\.json)(?:\/|$)/

export function isOutside(path: string): boolean {
  return outside.test(path)
}

/** An address to return to, when it is one of this console; anything else would let a link lead people astray. */
export function safeReturn(next: string | null): string {
  if (next === null || !/^\/(?![/\\])/.test(next) || outside.test(next) || next.startsWith('/login')) return '/'
  return next
}

/** Parameters of a path that fits a pattern such as `/executions/:id`; undefined when it does not fit. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) {
      if (value === '') return undefined
      try {
        parameters[part.slice(1)] = decodeURIComponent(value)
      } catch {
        return undefined
      }
    } else if (part !== value) return undefined
  }
  return parameters
}
