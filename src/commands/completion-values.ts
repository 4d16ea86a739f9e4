/** What can be typed where a command takes a value: known words, files by their ending, a project's documents. */
import { ALL, tokenScopes } from '../http/access.ts'
import { coverageColumns } from '../project/coverage/columns.ts'
import type { CommandEntry } from './command.ts'

/** What a shell offers for a value. */
export type Values =
  | { kind: 'words'; words: readonly string[] }
  /** Files with one of these endings, and folders on the way; any file if there are no endings. */
  | { kind: 'files'; endings: readonly string[] }
  | { kind: 'folders' }
  /** Names from the project in the working directory. */
  | { kind: 'models' | 'cases' | 'families' }
  /** Nothing is known of it. */
  | { kind: 'free' }

const free: Values = { kind: 'free' }
const folders: Values = { kind: 'folders' }
const words = (...known: readonly string[]): Values => ({ kind: 'words', words: known })
const files = (...endings: readonly string[]): Values => ({ kind: 'files', endings })

/** Every placeholder of the table of commands, without its angle brackets. */
export const placeholders: Readonly<Record<string, Values>> = {
  folder: folders,
  file: files(),
  in: files('.docx', '.dotx'),
  data: files('.json'),
  'file|folder': files(),
  'folder|file.tar': files('.tar', '.tar.age'),
  'font|folder|archive': files('.ttf', '.otf', '.ttc', '.zip', '.tar', '.tgz'),
  replica: folders,
  'folder|file.tar|replica': files('.tar', '.tar.age'),
  'in.docx': files('.docx', '.dotx'),
  'template.docx': files('.docx', '.dotx'),
  'out.docx': files('.docx'),
  'out.pdf': files('.pdf'),
  'data.json': files('.json'),
  'input.json': files('.json'),
  'schema.json': files('.json'),
  'proof.zip': files('.zip'),
  role: words(...ALL),
  scope: words(...tokenScopes),
  percent: words('80', '90', '100', ...coverageColumns.map((column) => `${column}=`)),
  model: { kind: 'models' },
  'kind/slug': { kind: 'families' },
  ...Object.fromEntries(
    [
      ...[
        'slug',
        'zone',
        'year',
        'username',
        'display name',
        'name',
        'name=value',
        'n',
        'id',
        'text',
        'points',
        'seconds',
        'url',
      ],
      ...['instant', 'position|instant', 'hash', 'execution', 'submission', 'reference', 'key', 'recipient'],
    ].map((name) => [name, free]),
  ),
}

/** What an option takes; undefined for one that takes nothing. */
export function valuesOfOption(entry: CommandEntry, shown: string): Values | undefined {
  const [, placeholder] = /<([^>]+)>/.exec(shown) ?? []
  if (placeholder === undefined) return undefined
  // A case of a project is found by a part of its path.
  if (entry.name === 'test' && shown.startsWith('--case')) return { kind: 'cases' }
  return placeholders[placeholder] ?? free
}

/** What comes at each place after a command's name, without options; the last one may come again where `repeats` is true. */
export function positionalsOf({ forms }: CommandEntry): { places: readonly Values[]; repeats: boolean } {
  const places: Values[] = []
  let repeats = false
  for (const form of forms) {
    const bare = form
      .replace(/\[(--?[^\]]*)\](…)?/g, '')
      .replace(/(?<![\w-])--?[a-z-]+ <[^>]+>…?/g, '')
      .replace(/--[a-z-]+/g, '')
    const found = bare.match(/<[^>]+>…?|[a-z][a-z-]*(?:\|[a-z-]+)*/g) ?? []
    for (const [index, token] of found.entries()) {
      const [, placeholder] = /^<([^>]+)>/.exec(token) ?? []
      places[index] = together(
        places[index],
        placeholder === undefined ? words(...token.split('|')) : (placeholders[placeholder] ?? free),
      )
      repeats ||= token.endsWith('…')
    }
  }
  return { places, repeats }
}

/** What fits either of two forms. */
function together(one: Values | undefined, other: Values): Values {
  if (one === undefined || one.kind === 'free') return other
  if (one.kind === 'words' && other.kind === 'words') return words(...new Set([...one.words, ...other.words]))
  if (one.kind === 'files' && other.kind === 'files') {
    const isAny = one.endings.length === 0 || other.endings.length === 0
    return files(...(isAny ? [] : new Set([...one.endings, ...other.endings])))
  }
  return one
}
