/** The pages that readers follow, and the fenced blocks on them. */
import { join } from 'node:path'

export const root = join(import.meta.dir, '../..')

export interface Block {
  /** Path below the project's folder. */
  page: string
  /** Of the block's first line of text. */
  line: number
  /** What the fence says; empty where it says nothing. */
  language: string
  text: string
}

/** README, changelog, security policy, and everything below docs and beside the source, by path. */
export function pageNames(): string[] {
  const below = ['docs/**/*.md', 'src/**/*.md'].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)].sort())
  return ['README.md', 'CHANGELOG.md', 'SECURITY.md', ...below]
}

export async function readPage(page: string): Promise<string> {
  return Bun.file(join(root, page)).text()
}

/** @throws when a fence is not closed, since all that follows it would be taken for the other kind */
export async function blocksOf(page: string): Promise<Block[]> {
  const blocks: Block[] = []
  let open: { language: string; line: number; indent: string; lines: string[] } | undefined
  for (const [index, line] of (await readPage(page)).split('\n').entries()) {
    const fence = /^( *)```(.*)$/.exec(line)
    if (fence === null) open?.lines.push(open.indent === '' ? line : line.replace(open.indent, ''))
    else if (open === undefined) {
      open = { language: fence[2]?.trim() ?? '', line: index + 2, indent: fence[1] ?? '', lines: [] }
    } else {
      blocks.push({ page, line: open.line, language: open.language, text: `${open.lines.join('\n')}\n` })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`${page}:${open.line} is never closed`)
  return blocks
}

export async function allBlocks(): Promise<Block[]> {
  return (await Promise.all(pageNames().map(blocksOf))).flat()
}

/** Prose, without what stands in fences. */
export async function proseOf(page: string): Promise<string> {
  return (await readPage(page)).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
}

/** Where a reader finds it. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`
}

/** By which the table of commands names a block: its first line. */
export function nameOf({ text }: Block): string {
  return text.slice(0, text.indexOf('\n'))
}
