/** Fonts added and listed in this process. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import devanagari from '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf' with {
  type: 'file',
}
import { UsageError } from '../../src/commands/command.ts'
import { CommandFailure } from '../../src/commands/files.ts'
import { runFonts } from '../../src/commands/fonts.ts'
import { addFonts } from '../../src/commands/fonts-add.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { limits } from '../../src/core/limits.ts'
import { storeEntry, writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { contextIn, noContext } from './answering.ts'

const printed = catchPrinted()
const arabic = new Uint8Array(readFileSync(naskh))
const hindi = new Uint8Array(readFileSync(devanagari))
const textOf = (text: string) => new TextEncoder().encode(text)

/** A folder with these files; strings are paths of fonts to copy. */
function place(files: Readonly<Record<string, Uint8Array>>) {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return { folder, at: (name: string) => join(folder, name) }
}
/** The font with a family name of its own, of the same length. */
function called(name: string, font = arabic): Uint8Array {
  const bytes = Buffer.from(font)
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()
  for (let at = bytes.indexOf(utf16('Noto Naskh')); at >= 0; at = bytes.indexOf(utf16('Noto Naskh'), at + 1))
    utf16(name.padEnd(10)).copy(bytes, at)
  for (let at = bytes.indexOf('Noto Naskh'); at >= 0; at = bytes.indexOf('Noto Naskh', at + 1))
    bytes.write(name.padEnd(10), at, 'latin1')
  return new Uint8Array(bytes)
}
function refusal(work: () => unknown) {
  try {
    work()
  } catch (error) {
    return [(error as Error).constructor, (error as Error).message]
  }
  return undefined
}

describe('fonts that are added', () => {
  const scripts = ['Latin', 'Arabic']

  test('are copied under their own names, each once, with what it has', () => {
    const { at } = place({ 'one.ttf': arabic, 'two.TTF': called('Other Font'), 'same.ttf': arabic })
    const to = at('deep/to')
    expect(addFonts([at('one.ttf'), at('two.TTF'), at('same.ttf')], to, [])).toEqual([
      { file: at('one.ttf'), families: ['Noto Naskh Arabic'], scripts, outcome: 'added' },
      { file: at('two.TTF'), families: ['Other Font Arabic'], scripts, outcome: 'added' },
      {
        ...{ file: at('same.ttf'), families: ['Noto Naskh Arabic'], scripts, outcome: 'there' },
        reason: `it is there already, as ${join(to, 'one.ttf')}`,
      },
    ])
    expect(readdirSync(to).sort()).toEqual(['one.ttf', 'two.TTF'])
    expect(new Uint8Array(readFileSync(join(to, 'one.ttf')))).toEqual(arabic)
  })

  test('are left out where one of their style is in a folder that is used already', () => {
    const other = Buffer.from(arabic)
    other[other.length - 1]! ^= 1
    const { at } = place({ 'known/a.ttf': arabic, 'b.ttf': new Uint8Array(other) })
    // Also where it was added a moment ago.
    const both = addFonts([at('known/a.ttf'), at('b.ttf')], at('both'), [])
    expect(both.map(({ outcome }) => outcome)).toEqual(['added', 'there'])
    expect(addFonts([at('b.ttf')], at('to'), [at('known'), at('none')])).toMatchObject([
      {
        outcome: 'there',
        reason: `Noto Naskh Arabic is there already, in ${at('known/a.ttf')}; remove that file first to replace it`,
      },
    ])
    expect(existsSync(at('to'))).toBe(false)
  })

  test('take names of letters, digits, - and _, a length that files may have, and the ending that fits', () => {
    const long = 'n'.repeat(limits.fontFileNameLength)
    const font = (name: string) => called(name)
    const { at } = place({
      'in/a b.c!.ttf': font('Font One'),
      'in/.otf': font('Font Two'),
      plain: font('Font Three'),
    })
    writeFileSync(at('in/ü.ttc'), font('Font Four'))
    const zip = writeZip([
      storeEntry(`x/${long}nnnn.ttf`, font('Font Five')),
      storeEntry(`x/${long}n.ttf`, font('Font Seven')),
    ])
    writeFileSync(at('long.zip'), zip)
    const added = addFonts([at('in'), at('plain'), at('long.zip')], at('to'), [])
    expect(added.map(({ outcome }) => outcome)).toEqual(Array(6).fill('added'))
    const second = `${long}-${sha256Hex(font('Font Seven')).slice(0, 8)}.ttf`
    expect(readdirSync(at('to')).sort()).toEqual(
      ['-.ttc', 'a-b-c-.ttf', 'font.otf', `${long}.ttf`, second, 'plain.ttf'].sort(),
    )
    // A file that nobody has named a font takes the ending of what it is.
    const named = place({ same: font('Font Six') })
    writeFileSync(at('to/same.ttf'), 'other')
    addFonts([named.at('same')], at('to'), [])
    expect(existsSync(at(`to/same-${sha256Hex(font('Font Six')).slice(0, 8)}.ttf`))).toBe(true)
  })

  test('are those of a folder and below it, by name, as deep as is said, without what Macs and others leave', () => {
    const deep = (levels: number) => `in/${'d/'.repeat(levels)}f.ttf`
    const { at } = place({
      ...{
        'in/b.otf': called('Font B'),
        'in/a.otc': called('Font A'),
        'in/._a.ttf': textOf('x'),
        'in/notes.txt': textOf('x'),
      },
      ...{ [deep(limits.fontFolderDepth)]: called('Font C'), [deep(limits.fontFolderDepth + 1)]: called('Font D') },
    })
    expect(addFonts([at('in')], at('to'), []).map(({ file }) => file)).toEqual([
      ...[at('in/a.otc'), at('in/b.otf'), at(deep(limits.fontFolderDepth))],
    ])
  })

  test('are told why they cannot be used', () => {
    const pictures = Buffer.from(arabic)
    pictures.write('sbix', pictures.indexOf('glyf'), 'latin1')
    const { at } = place({
      ...{ 'a.ttf': textOf('none'), 'web.woff': textOf('wOFF'), 'pictures.ttf': new Uint8Array(pictures) },
      // Text further in is no table.
      'text.ttf': textOf(`${' '.repeat(1_024)}CBDT`),
    })
    const files = ['a.ttf', 'web.woff', 'pictures.ttf', 'text.ttf'].map(at)
    expect(addFonts(files, at('to'), []).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['refused', 'it is no TrueType or OpenType font that can be read'],
      ['refused', 'it is a font for web pages (WOFF); take the same as .ttf or .otf'],
      ['refused', 'it has coloured pictures instead of outlines; take one with outlines, such as Noto Emoji'],
      ['refused', 'it is no TrueType or OpenType font that can be read'],
    ])
  })

  test('of an archive have its name before theirs, and one that is damaged is refused', () => {
    const zip = writeZip([storeEntry('deep/a.ttf', arabic), storeEntry('deep/._a.ttf', textOf('x'))])
    const { folder, at } = place({ 'a.zip': zip, 'cut.zip': zip.subarray(0, -30), 'x.deb': textOf('!<arch>\n') })
    writeFileSync(at('bad.tgz'), gzipSync(arabic).subarray(0, 500))
    mkdirSync(at('package'))
    copyFileSync(devanagari, at('package/h.ttf'))
    Bun.spawnSync(['tar', 'cf', 'a.tar', 'package'], { cwd: folder })
    writeFileSync(at('a.tgz'), gzipSync(readFileSync(at('a.tar'))))
    writeFileSync(at('cut.tar'), readFileSync(at('a.tar')).subarray(0, 2_048))
    expect(addFonts([at('a.zip'), at('a.tgz')], at('to'), []).map(({ file }) => file)).toEqual([
      `${at('a.zip')}: deep/a.ttf`,
      `${at('a.tgz')}: package/h.ttf`,
    ])
    const why = (name: string) => refusal(() => addFonts([at(name)], at('to'), []))
    expect(why('x.deb')).toEqual([
      CommandFailure,
      `${at('x.deb')} is a package of Debian; unpack it with "dpkg-deb -x", and name the folder`,
    ])
    expect(why('bad.tgz')).toEqual([CommandFailure, `${at('bad.tgz')} does not inflate, or holds more than 512 MB`])
    expect(why('cut.tar')).toEqual([CommandFailure, `${at('cut.tar')}: it is cut off`])
    expect(why('cut.zip')?.[1]).toStartWith(`${at('cut.zip')}: `)
    expect(why('none')).toEqual([CommandFailure, `${at('none')} cannot be read: there is no such file or folder`])
    // After something was added, the rest is reported.
    expect(addFonts([at('a.zip'), at('none')], at('new'), [])).toMatchObject([
      { outcome: 'added' },
      {
        ...{ file: at('none'), outcome: 'refused', families: [], scripts: [] },
        reason: `${at('none')} cannot be read: there is no such file or folder`,
      },
    ])
  })

  test('want a folder that can be made', () => {
    const { at } = place({ 'a.ttf': arabic, taken: textOf('x') })
    expect(refusal(() => addFonts([at('a.ttf')], at('taken'), []))).toEqual([
      CommandFailure,
      `${at('taken')} cannot be made: there is a file of that name`,
    ])
  })
})

describe('quire fonts', () => {
  let used: ReturnType<typeof place>

  beforeAll(() => {
    used = place({ 'a.ttf': arabic, 'h.ttf': hindi, 'none.ttf': textOf('none') })
  })
  function taken() {
    const said = { ...printed }
    Object.assign(printed, { stdout: '', stderr: '' })
    return said
  }

  test('add says what became of each file, where it is, and what is missing still', async () => {
    const { folder } = place({})
    const context = contextIn(folder)
    const umask = process.umask(0o022)
    expect(await runFonts(['add', used.at('a.ttf')], context).finally(() => process.umask(umask))).toBe(0)
    const to = join(folder, 'quire-data/fonts')
    expect(statSync(to).mode & 0o055).toBe(0o055)
    const [first, second, third] = taken().stdout.split('\n')
    expect([first, second, third]).toEqual([
      `added    ${used.at('a.ttf')}: Noto Naskh Arabic (Latin, Arabic)`,
      `1 added to ${to}, with Latin, Arabic. A server uses them from its next start on; a PDF depends on its fonts, so give every instance the same.`,
      'Scripts that no font has:',
    ])
    expect(await runFonts(['add', used.at('a.ttf'), used.at('none.ttf')], contextIn(folder))).toBe(1)
    const again = taken().stdout.split('\n')
    expect(again.slice(0, 3)).toEqual([
      `there    ${used.at('a.ttf')}: it is there already, as ${join(to, 'a.ttf')}`,
      `refused  ${used.at('none.ttf')}: it is no TrueType or OpenType font that can be read`,
      'Nothing was added.',
    ])
    expect(again.slice(-2)).toEqual(['docs/operations.md, "Fonts for more scripts", says how to bring them.', ''])
    // What was added is counted.
    expect(again.join('\n')).not.toMatch(/^ {2}.*Arabic/m)
  })

  test('add takes a folder of one’s own, and says that it has to be named', async () => {
    const { folder, at } = place({})
    expect(await runFonts(['add', used.at('h.ttf'), '--to', at('apart')], contextIn(folder))).toBe(0)
    expect(taken().stdout).toContain(
      `1 added to ${at('apart')}, with Latin, Devanagari. Name ${at('apart')} in QUIRE_FONTS, so that they are used; `,
    )
    // Of the folders that are read, the first takes it.
    mkdirSync(at('quire-data/fonts'), { recursive: true })
    const context = contextIn(folder, { QUIRE_FONTS: at('apart') })
    expect(context.readConfig().fontFolders).toHaveLength(2)
    expect(await runFonts(['add', used.at('h.ttf')], context)).toBe(0)
    expect(await runFonts(['add', used.at('none.ttf')], context)).toBe(1)
    taken()
    expect(await runFonts(['add', used.at('a.ttf'), '--json'], context)).toBe(0)
    const told = JSON.parse(taken().stdout)
    expect(told).toMatchObject({ folder: at('apart'), is_read: true, files: [{ outcome: 'added' }] })
    const of = (name: string) => told.scripts.find((each: { script: string }) => each.script === name)
    expect(of('Devanagari')).toMatchObject({ family: 'Noto Sans Devanagari', debian: 'fonts-noto-core' })
    expect(of('Thai')).toMatchObject({ family: null })
    expect(await runFonts(['add', used.at('h.ttf'), '--to', at('x'), '--json'], contextIn(folder))).toBe(0)
    expect(JSON.parse(taken().stdout)).toMatchObject({ folder: at('x'), is_read: false })
  })

  test('list has the families of the folders before those of the executable', async () => {
    const { folder, at } = place({ 'own/a.ttf': arabic, 'own/b.ttf': called('Other Font') })
    const context = contextIn(folder, { QUIRE_FONTS: at('own') })
    expect(await runFonts(['list'], context)).toBe(0)
    const lines = taken().stdout.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      `Noto Naskh Arabic (regular), of ${at('own')}: Latin, Arabic`,
      `Other Font Arabic (regular), of ${at('own')}: Latin, Arabic`,
    ])
    expect(lines[2]).toContain(', of the executable: ')
    expect(await runFonts(['list', '--json'], context)).toBe(0)
    const { families } = JSON.parse(taken().stdout)
    expect(families[0]).toEqual({
      ...{ family: 'Noto Naskh Arabic', aliases: [], styles: ['regular'], folder: at('own') },
      ...{ scripts: ['Latin', 'Arabic'], embedding: 'subset' },
    })
    expect(families.at(-1)).toMatchObject({ folder: null })
  })

  test.each([
    [['list', 'x'], '"quire fonts list" takes only --json'],
    [['list', '--to', 'x'], '"quire fonts list" takes only --json'],
    [['add'], '"quire fonts add" takes font files, folders or archives of them'],
    [['ad', 'x'], 'there is no command "quire fonts ad"; there are list, add; "quire help fonts" says more'],
  ])('%p is refused before anything is read', async (args, words) => {
    expect(await rejectionOf(runFonts(args, noContext))).toEqual(new UsageError(words))
  })

  test('add never takes - for a folder', async () => {
    expect(await rejectionOf(runFonts(['add', used.at('a.ttf'), '--to', '-'], contextIn(used.folder)))).toBeInstanceOf(
      UsageError,
    )
  })
})
