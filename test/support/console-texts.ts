import { join } from 'node:path'
import { Glob } from 'bun'
import { keyOf } from '../../src/console/language.ts'

const source = join(import.meta.dir, '../../src/console')

/** The console's modules by path, but for what is generated and the catalogues themselves. */
export async function consoleModules(): Promise<Map<string, string>> {
  const files = await Array.fromAsync(new Glob('**/*.{ts,tsx}').scan(source))
  const read = files
    .filter((file) => !file.endsWith('.d.ts') && !file.startsWith('texts/') && file !== 'language.ts')
    .toSorted()
    .map(async (file): Promise<[string, string]> => [file, await Bun.file(join(source, file)).text()])
  return new Map(await Promise.all(read))
}

/** The keys of all texts of a module, in the catalogue's form: those of `t` and of `rich`, nested ones included. */
export function keysIn(code: string): string[] {
  const keys: string[] = []
  for (const { index } of code.matchAll(/(?<![\w$.])(?:t|rich)`/g)) {
    const literals: string[] = ['']
    readTemplate(code, code.indexOf('`', index) + 1, literals)
    keys.push(keyOf(literals))
  }
  return keys
}

/** The module with `''` in place of each text. */
export function withoutTexts(code: string): string {
  const [found] = code.matchAll(/(?<![\w$.])(?:t|rich)`/g)
  if (found === undefined) return code
  const end = readTemplate(code, found.index + found[0].length)
  return `${code.slice(0, found.index)}''${withoutTexts(code.slice(end))}`
}

/** Reads a template from behind its first backtick, and answers where it ends. */
function readTemplate(code: string, from: number, literals: string[] = ['']): number {
  let at = from
  while (code[at] !== '`') {
    if (at >= code.length) throw new Error(`A template is not closed: ${code.slice(from, from + 60)}`)
    if (code.startsWith('${', at)) {
      at = readExpression(code, at + 2)
      literals.push('')
    } else {
      if (code[at] === '\\') at++
      literals[literals.length - 1] += code[at] ?? ''
      at++
    }
  }
  return at + 1
}

/** Reads an expression from behind `${`, and answers where its closing brace is passed. */
function readExpression(code: string, from: number): number {
  let depth = 1
  let at = from
  while (depth > 0) {
    const one = code[at]
    if (one === undefined) throw new Error(`An expression is not closed: ${code.slice(from, from + 60)}`)
    if (one === '`') {
      at = readTemplate(code, at + 1)
      continue
    }
    if (one === "'" || one === '"') at = readQuoted(code, at)
    if (one === '{') depth++
    if (one === '}') depth--
    at++
  }
  return at
}

/** Where a quoted text ends; an apostrophe in the text of an element is none that begins one. */
function readQuoted(code: string, from: number): number {
  const [line = ''] = code.slice(from).split('\n')
  const [text] = /^'(?:[^'\\]|\\.)*'|^"(?:[^"\\]|\\.)*"/.exec(line) ?? []
  return text === undefined ? from : from + text.length - 1
}
