/** A path pattern (`/a/{id}/b:verb`) as segments: a literal text, or the name of a parameter. */
export type PathPattern = readonly ({ literal: string } | { name: string })[]

export function compilePath(path: string): PathPattern {
  return path
    .split('/')
    .slice(1)
    .map((segment) => {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
      if (name !== undefined) return { name }
      if (/[{}]/.test(segment)) throw new Error(`path ${path}: a parameter must be a whole segment`)
      return { literal: segment }
    })
}

/**
 * The parameters of a path that matches exactly: case, slashes and escapes are all significant, so that no two spellings
 * mean one resource. Undefined when it doesn't match. A parameter that isn't valid percent-encoded UTF-8 is left as it
 * came, for its schema to refuse.
 */
export function matchPath(pattern: PathPattern, pathname: string): Record<string, string> | undefined {
  const [, ...segments] = pathname.split('/')
  if (segments.length !== pattern.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    if ('literal' in part) {
      if (segment !== part.literal) return undefined
    } else {
      if (segment === '') return undefined
      params[part.name] = decodeSegment(segment)
    }
  }
  return params
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The pattern in Elysia's router's words. It sees `versions:resolve` as the text `versions` and a parameter, and wants
 * one name for all parameters at one place, so they are numbered; `matchPath` decides afterwards what the path means.
 */
export function elysiaPath(path: string): string {
  return compilePath(path)
    .map((part, index) => ('name' in part ? `/:p${index}` : `/${part.literal.replace(/:\w+$/, `:p${index}`)}`))
    .join('')
}
