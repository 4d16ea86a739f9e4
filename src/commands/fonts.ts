import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ownFontFolder } from '../config.ts'
import { textSources } from '../engines/pdf/font/embedded.ts'
import { type FontSource, usableFace } from '../engines/pdf/font/library.ts'
import { type Script, scripts } from '../engines/pdf/font/script-table.ts'
import { scriptsIn } from '../engines/pdf/font/scripts.ts'
import { findFonts, fontReader } from '../font-files.ts'
import { paintFor } from './colours.ts'
import { type Command, UsageError } from './command.ts'
import { folderNamed } from './files.ts'
import { addFonts } from './fonts-add.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { noVerb } from './usage.ts'

const verbs = ['list', 'add']

/**
 * `quire fonts …`: lists the fonts that documents can use, and adds more from files. Nothing is downloaded. Fonts are read from
 * the folders of `QUIRE_FONTS` and from `fonts` in the data directory.
 */
export const runFonts: Command = async ([verb, ...args], context) => {
  const options = { to: { type: 'string' }, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (verb === 'list') {
    if (positionals.length > 0 || values.to !== undefined) throw new UsageError('"quire fonts list" takes only --json')
    const families = familiesOf(context.readConfig().fontFolders)
    if (values.json) printJson({ families: families.map(toTell), scripts: scriptsOf(families).map(scriptToTell) })
    else process.stdout.write(listText(families))
    return 0
  }
  if (verb !== 'add') throw new UsageError(noVerb('fonts', verb, verbs))
  if (positionals.length === 0) throw new UsageError('"quire fonts add" takes font files, folders or archives of them')
  const { fontFolders, dataFolder } = context.readConfig()
  const target =
    values.to === undefined ? (fontFolders[0] ?? ownFontFolder(dataFolder)) : resolve(folderNamed(values.to))
  const results = addFonts(positionals, target, fontFolders)
  const families = familiesOf([
    ...fontFolders,
    ...(fontFolders.includes(target) || !existsSync(target) ? [] : [target]),
  ])
  const missing = scriptsOf(families).filter(({ by }) => by === undefined)
  const isRead = fontFolders.includes(target) || target === ownFontFolder(dataFolder)
  if (values.json) {
    printJson({ folder: target, is_read: isRead, files: results, scripts: scriptsOf(families).map(scriptToTell) })
  } else {
    const paint = paintFor(process.stdout)
    for (const { file, outcome, families: names, scripts: has, reason } of results) {
      const said = reason === undefined ? `${names.join(', ')} (${has.join(', ') || 'no script as a whole'})` : reason
      process.stdout.write(
        `${paint(outcome.padEnd(8), outcome === 'refused' ? 'red' : 'faint')} ${plain(`${file}: ${said}`)}\n`,
      )
    }
    process.stdout.write(addedText(results, target, isRead) + missingText(missing.map(({ script }) => script)))
  }
  return results.some(({ outcome }) => outcome === 'refused') ? 1 : 0
}

function addedText(
  results: readonly { outcome: string; scripts: readonly string[] }[],
  target: string,
  isRead: boolean,
): string {
  const added = results.filter(({ outcome }) => outcome === 'added')
  if (added.length === 0) return 'Nothing was added.\n'
  const covered = [...new Set(added.flatMap((result) => result.scripts))]
  const read = isRead
    ? 'A server uses them from its next start on'
    : `Name ${plain(target)} in QUIRE_FONTS, so that they are used`
  return `${added.length} added to ${plain(target)}, with ${covered.join(', ') || 'no script as a whole'}. ${read}; a PDF depends on its fonts, so give every instance the same.\n`
}

/** A family as documents name it. */
interface Family {
  family: string
  aliases: string[]
  styles: string[]
  /** The folder that has it; undefined for the executable. */
  folder: string | undefined
  scripts: readonly Script[]
  embedding: 'subset' | 'whole' | 'forbidden' | 'unreadable'
}

/** The families of the folders and then of the executable; of two with one name the first counts, as for documents. */
function familiesOf(folders: readonly string[]): Family[] {
  const families = new Map<string, Family>()
  const take = (source: FontSource, folder: string | undefined) => {
    const style = `${source.bold ? 'bold' : ''}${source.italic ? ' italic' : ''}`.trim() || 'regular'
    const known = families.get(source.family)
    if (known !== undefined) {
      if (!known.styles.includes(style)) known.styles.push(style)
      return
    }
    const face = usableFace(source)
    const { family, aliases = [] } = source
    families.set(family, {
      family,
      aliases: [...aliases],
      styles: [style],
      folder,
      scripts: typeof face === 'string' ? [] : scriptsIn(face),
      embedding: embeddingOf(face),
    })
  }
  for (const folder of folders) {
    for (const entry of findFonts([folder]).entries) take({ ...entry, read: fontReader(entry) }, folder)
  }
  for (const source of textSources()) take(source, undefined)
  return [...families.values()]
}

function embeddingOf(face: ReturnType<typeof usableFace>): Family['embedding'] {
  if (typeof face === 'string') return face === 'restricted' ? 'forbidden' : 'unreadable'
  return face.maySubset ? 'subset' : 'whole'
}

/** Every script with the first family that has it. */
function scriptsOf(families: readonly Family[]): { script: Script; by: string | undefined }[] {
  return scripts.map((script) => ({ script, by: families.find((family) => family.scripts.includes(script))?.family }))
}

function toTell({ family, aliases, styles, folder, scripts: has, embedding }: Family): object {
  return { family, aliases, styles, folder: folder ?? null, scripts: has.map(({ name }) => name), embedding }
}

function scriptToTell({ script, by }: { script: Script; by: string | undefined }): object {
  return { script: script.name, family: by ?? null, debian: script.debian || null, npm: script.npm || null }
}

const limited: Readonly<Record<Family['embedding'], string>> = {
  subset: '',
  whole: '; embedded whole, as its licence asks',
  forbidden: '; not used: its licence forbids embedding',
  unreadable: '; not used: it cannot be read',
}

function listText(families: readonly Family[]): string {
  const lines = families.map(
    ({ family, styles, folder, scripts: has, embedding }) =>
      `${family} (${styles.join(', ')}), of ${folder ?? 'the executable'}: ${has.map(({ name }) => name).join(', ') || 'no script as a whole'}${limited[embedding]}`,
  )
  const missing = scriptsOf(families).filter(({ by }) => by === undefined)
  return `${lines.map((line) => `${plain(line)}\n`).join('')}${missingText(missing.map(({ script }) => script))}`
}

/** What no font has yet, by the package that has fonts for it. */
function missingText(missing: readonly Script[]): string {
  if (missing.length === 0) return ''
  const byPackage = [...Map.groupBy(missing, ({ debian }) => debian)]
  const lines = byPackage.map(([debian, rows]) => `  ${rows.map(({ name }) => name).join(', ')}: Debian's ${debian}\n`)
  return `Scripts that no font has:\n${lines.join('')}docs/operations.md, "Fonts for more scripts", says how to bring them.\n`
}
