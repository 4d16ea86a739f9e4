/** A path pattern (`/a/{id}/b:verb`) as segments: a literal text, or the name of a parameter. */
type PathPattern = readonly ({ literal: string } | { name: string })[]

function compilePath(path: string): PathPattern {
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

export interface PathMatch<T> {
  value: T
  params: Record<string, string>
}

interface Node<T> {
  literals: Map<string, Node<T>>
  parameter: Node<T> | undefined
  /** What ends here, each with the names of its parameters in order. */
  ends: { value: T; names: readonly string[] }[]
}

const emptyNode = <T>(): Node<T> => ({ literals: new Map(), parameter: undefined, ends: [] })

/**
 * Paths as a tree of their segments, so that a look-up takes as many steps as the path has segments. Case, slashes and
 * escapes are all significant, so that no two spellings mean one resource.
 */
export class PathTree<T> {
  readonly #root = emptyNode<T>()

  add(path: string, value: T): void {
    const names: string[] = []
    let node = this.#root
    for (const part of compilePath(path)) {
      if ('name' in part) {
        names.push(part.name)
        node.parameter ??= emptyNode()
        node = node.parameter
      } else {
        const next = node.literals.get(part.literal) ?? emptyNode()
        node.literals.set(part.literal, next)
        node = next
      }
    }
    node.ends.push({ value, names })
  }

  /**
   * What was added under the matching pattern with the fewest parameters: `versions:resolve` wins over `{id}`. A parameter
   * that isn't valid percent-encoded UTF-8 is left as it came, for its schema to refuse.
   */
  find(pathname: string): readonly PathMatch<T>[] {
    const matches: PathMatch<T>[] = []
    const [, ...segments] = pathname.split('/')
    collect(this.#root, segments, 0, [], matches)
    if (matches.length < 2) return matches
    const fewest = Math.min(...matches.map(({ params }) => Object.keys(params).length))
    return matches.filter(({ params }) => Object.keys(params).length === fewest)
  }
}

function collect<T>(
  node: Node<T>,
  segments: readonly string[],
  depth: number,
  values: readonly string[],
  matches: PathMatch<T>[],
): void {
  const segment = segments[depth]
  if (segment === undefined) {
    for (const { value, names } of node.ends) {
      const params: Record<string, string> = {}
      for (const [index, name] of names.entries()) params[name] = decodeSegment(values[index] ?? '')
      matches.push({ value, params })
    }
    return
  }
  const literal = node.literals.get(segment)
  if (literal !== undefined) collect(literal, segments, depth + 1, values, matches)
  if (node.parameter !== undefined && segment !== '') {
    collect(node.parameter, segments, depth + 1, [...values, segment], matches)
  }
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The pattern in the syntax of Elysia's router. It reads `versions:resolve` as the text `versions` and a parameter, and
 * wants one name for all parameters at one place, so they are numbered; `PathTree` decides afterwards what the path
 * means.
 */
export function elysiaPath(path: string): string {
  return compilePath(path)
    .map((part, index) => ('name' in part ? `/:p${index}` : `/${part.literal.replace(/:\w+$/, `:p${index}`)}`))
    .join('')
}
