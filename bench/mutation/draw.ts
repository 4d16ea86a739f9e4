import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { Random } from '../../src/engines/schema/generate/random.ts'
import { type Compiler, openCompiler } from './compiler.ts'
import { type Mutant, mutantsOf, planted } from './mutants.ts'
import { roomOf } from './tests.ts'

/** A fault as text, from which it can be planted again: the file contains `find` exactly once. */
export interface Fault {
  file: string
  find: string
  replace: string
}

/** A fault with its place, and the text of the file that has it. */
export interface Planted {
  file: string
  line: number
  lastLine: number
  kind: string
  /** The changed lines, as a diff shows them. */
  diff: string
  fault: Fault
  text: string
}

export interface Drawn {
  /** How many faults could be planted in the folder, including those that don't type-check. */
  possible: number
  /** How many were drawn and skipped, because the compiler notices them. */
  untyped: number
  planted: Planted[]
}

/**
 * Draws this many faults, no two at one place, and skips those that don't type-check. Each part of the folder has a share in
 * proportion to its lines, also among the first faults, however many of them are planted.
 */
export async function draw(
  root: string,
  folder: string,
  sample: number,
  seed: number,
  /** Opened and closed by a caller that draws from several folders; by default this opens its own. */
  shared?: Compiler,
): Promise<Drawn> {
  const compiler = shared ?? (await openCompiler(root))
  try {
    const all = await everyMutant(compiler, root, sourcesBelow(root, folder))
    const rooms = dealt(onePerPlace(new Random(seed, 0).shuffled(all)), new Random(seed, 1))
    const drawn: Drawn = { possible: all.length, untyped: 0, planted: [] }
    while (drawn.planted.length < sample) {
      const room = rooms
        .filter(({ waiting }) => waiting.length > 0)
        .sort((a, b) => a.next / a.lines - b.next / b.lines)[0]
      const candidate = room?.waiting.shift()
      if (room === undefined || candidate === undefined) break
      const { file, tree, mutant } = candidate
      const text = planted(tree.text, mutant)
      if ((await compiler.complaints(join(root, file), text)).length > 0) drawn.untyped++
      else {
        room.next++
        drawn.planted.push(described(file, tree.text, text, mutant))
      }
    }
    return drawn
  } finally {
    if (shared === undefined) await compiler.close()
  }
}

export function byHand(root: string, faults: readonly Fault[]): Drawn {
  const made = faults.map(({ file, find, replace }) => {
    const text = readFileSync(join(root, file), 'utf8')
    const start = text.indexOf(find)
    if (text.split(find).length !== 2) throw new Error(`${file} doesn't hold this once: ${find}`)
    const mutant = { start, end: start + find.length, replacement: replace, kind: 'by hand' }
    return described(file, text, planted(text, mutant), mutant)
  })
  return { possible: made.length, untyped: 0, planted: made }
}

interface Candidate {
  file: string
  tree: SourceFile
  mutant: Mutant
}

interface Room {
  lines: number
  /** How many were drawn from it, plus a random fraction, so that rooms of equal size don't begin together. */
  next: number
  waiting: Candidate[]
}

function dealt(candidates: readonly Candidate[], chance: Random): Room[] {
  const byRoom = Map.groupBy(candidates, ({ file }) => roomOf(file))
  const linesOf = (found: readonly Candidate[]) => {
    const texts = new Map(found.map(({ file, tree }) => [file, tree.text]))
    return [...texts.values()].reduce((total, text) => total + text.split('\n').length, 0)
  }
  const sorted = [...byRoom.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([, found]) => ({ lines: linesOf(found), next: chance.below(1_000) / 1_000, waiting: [...found] }))
}

function onePerPlace(candidates: readonly Candidate[]): Candidate[] {
  const places = new Set<string>()
  return candidates.filter(({ file, mutant: { start, end } }) => {
    const place = `${file}:${start}:${end}`
    return !places.has(place) && places.add(place)
  })
}

async function everyMutant(compiler: Compiler, root: string, files: readonly string[]): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const file of files) {
    const tree = await compiler.parse(join(root, file))
    for (const mutant of mutantsOf(tree)) found.push({ file, tree, mutant })
  }
  return found
}

function sourcesBelow(root: string, folder: string): string[] {
  if (/\.tsx?$/.test(folder)) return [folder]
  const files = [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(root)]
  return files.filter((file) => !file.endsWith('.generated.ts') && !file.endsWith('.d.ts')).sort()
}

/** The fault with its place and its lines before and after. */
function described(file: string, before: string, after: string, mutant: Mutant): Planted {
  const { start, end, replacement, kind, appendix = '' } = mutant
  const lineAt = (at: number) => before.slice(0, at).split('\n').length
  const first = lineStart(before, start)
  const removed = before.slice(first, lineEnd(before, end))
  const added = after.slice(first, lineEnd(after, start + replacement.length))
  // As many preceding lines as make the text unique.
  let from = first
  while (from > 0 && before.split(before.slice(from, lineEnd(before, end))).length !== 2)
    from = lineStart(before, from - 1)
  const to = appendix === '' ? lineEnd(before, end) : before.length
  const fault = { file, find: before.slice(from, to), replace: after.slice(from, after.length - (before.length - to)) }
  const show = (sign: string, text: string) =>
    text
      .split('\n')
      .map((one) => `    ${sign} ${one.trim()}`)
      .slice(0, 6)
      .join('\n')
  const diff = `${show('-', removed)}\n${show('+', added)}`
  return { file, line: lineAt(start), lastLine: lineAt(end), kind, diff, fault, text: after }
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function lineEnd(text: string, at: number): number {
  return text.includes('\n', at) ? text.indexOf('\n', at) : text.length
}
