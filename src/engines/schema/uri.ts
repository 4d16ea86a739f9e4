/** URI references (RFC 3986) as JSON Schema needs them: splitting and resolving, with an empty base allowed. */

interface Parts {
  scheme: string | undefined
  authority: string | undefined
  path: string
  query: string | undefined
}

/** Resolves a reference against a base URI (RFC 3986, 5.2.2); the fragment is kept apart. */
export function resolveUri(base: string, reference: string): { uri: string; fragment: string } {
  const hash = reference.indexOf('#')
  const fragment = hash === -1 ? '' : reference.slice(hash + 1)
  const target = split(hash === -1 ? reference : reference.slice(0, hash))
  if (target.scheme !== undefined) return { uri: join({ ...target, path: withoutDots(target.path) }), fragment }
  const from = split(base)
  if (target.authority !== undefined) {
    return { uri: join({ ...target, scheme: from.scheme, path: withoutDots(target.path) }), fragment }
  }
  if (target.path === '') {
    return { uri: join({ ...from, query: target.query ?? from.query }), fragment }
  }
  let path = target.path
  if (!path.startsWith('/')) {
    const directory = from.path.slice(0, from.path.lastIndexOf('/') + 1)
    path = (from.authority !== undefined && from.path === '' ? '/' : directory) + path
  }
  return { uri: join({ ...from, path: withoutDots(path), query: target.query }), fragment }
}

/** RFC 3986, appendix B. */
function split(uri: string): Parts {
  const match = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(uri)
  return { scheme: match?.[1], authority: match?.[2], path: match?.[3] ?? '', query: match?.[4] }
}

function join(parts: Parts): string {
  const scheme = parts.scheme === undefined ? '' : `${parts.scheme}:`
  const authority = parts.authority === undefined ? '' : `//${parts.authority}`
  return scheme + authority + parts.path + (parts.query === undefined ? '' : `?${parts.query}`)
}

function withoutDots(path: string): string {
  if (!path.includes('.')) return path
  const made: string[] = []
  const segments = path.split('/')
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1
    if (segment === '..') {
      if (made.length > 1 || (made.length === 1 && made[0] !== '')) made.pop()
      if (isLast) made.push('')
    } else if (segment !== '.') made.push(segment)
    else if (isLast) made.push('')
  })
  return made.join('/')
}
