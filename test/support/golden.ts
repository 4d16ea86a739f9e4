import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Holds lines against a file of lines that was looked at once. With QUIRE_WRITE_GOLDEN set, the file is written anew; look at
 * what changed before keeping it.
 */
export function expectGoldenLines(path: string, lines: readonly string[]): void {
  if (process.env.QUIRE_WRITE_GOLDEN !== undefined) writeFileSync(path, `${lines.join('\n')}\n`)
  expect(lines).toEqual(readFileSync(path, 'utf8').trimEnd().split('\n'))
}

/** The same description without its words, which may become better at any time. */
export function withoutProse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (value === null || typeof value !== 'object') return value
  const isProse = ([name, one]: [string, unknown]) =>
    ['description', 'summary', 'title'].includes(name) && typeof one === 'string'
  return Object.fromEntries(
    Object.entries(value)
      .filter((entry) => !isProse(entry))
      .map(([name, one]) => [name, withoutProse(one)]),
  )
}
