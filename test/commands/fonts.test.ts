import { describe, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import naskhMedium from '@expo-google-fonts/noto-naskh-arabic/500Medium/NotoNaskhArabic_500Medium.ttf' with {
  type: 'file',
}
import devanagari from '@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf' with {
  type: 'file',
}
import awesome from 'font-awesome/fonts/FontAwesome.otf' with { type: 'file' }
import { storeEntry, writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { needs, textOf } from '../engines/pdf/tools.ts'
import { p, wordDocument } from '../engines/pdf/word.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

interface Told {
  folder: string
  is_read: boolean
  files: { file: string; outcome: string; families: string[]; scripts: string[]; reason?: string }[]
  scripts: { script: string; family: string | null; debian: string | null; npm: string | null }[]
}

/** A working directory with these files, and what the command tells there. */
function place(files: Readonly<Record<string, Uint8Array | string>> = {}) {
  const folder = temporaryFolder('quire-fonts-command-')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    if (typeof content === 'string') copyFileSync(content, join(folder, name))
    else writeFileSync(join(folder, name), content)
  }
  const told = async (args: string, settings: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runCommand(folder, ['fonts', ...args.split(' '), '--json'], settings)
    if (stdout === '') throw new Error(stderr)
    return { code, stderr, ...(JSON.parse(stdout) as Told) }
  }
  return { folder, told }
}

const bytesOf = (path: string) => new Uint8Array(readFileSync(path))

/** The font with another value of OS/2's fsType, which says what its licence allows. */
function licensed(fsType: number): Uint8Array {
  const bytes = Buffer.from(bytesOf(naskh))
  const entry = bytes.indexOf('OS/2')
  bytes.writeUInt16BE(fsType, bytes.readUInt32BE(entry + 8) + 8)
  return new Uint8Array(bytes)
}

/** A font whose glyphs are pictures: it has no outlines. */
function coloured(): Uint8Array {
  const bytes = Buffer.from(bytesOf(naskh))
  bytes.write('CBDT', bytes.indexOf('glyf'), 'latin1')
  return new Uint8Array(bytes)
}

describe('quire fonts add', () => {
  test('copies a font into the data directory, where every document can use it', async () => {
    const docx = wordDocument(p('नमस्ते'))
    const { folder, told } = place({ 'hello.docx': docx, 'hindi.ttf': devanagari })
    const render = () => runCommand(folder, ['render', 'hello.docx', '-o', 'hello.pdf', '--report'])
    const before = await render()
    expect(before.stdout).toContain('No font has Devanagari; empty boxes take its place. (')
    expect(before.stdout).toContain("quire fonts add one: those of Debian's fonts-noto-core, or of @expo-google-fonts/")
    const added = await told('add hindi.ttf')
    expect(added).toMatchObject({ code: 0, folder: join(folder, 'quire-data/fonts'), is_read: true })
    expect(added.files).toEqual([
      { file: 'hindi.ttf', outcome: 'added', families: ['Noto Sans Devanagari'], scripts: ['Latin', 'Devanagari'] },
    ])
    const script = added.scripts.find((each) => each.script === 'Devanagari')
    expect(script).toMatchObject({ family: 'Noto Sans Devanagari', debian: 'fonts-noto-core' })
    expect(bytesOf(join(folder, 'quire-data/fonts/hindi.ttf'))).toEqual(bytesOf(devanagari))
    expect(readdirSync(join(folder, 'quire-data/fonts'))).toEqual(['hindi.ttf'])
    const after = await render()
    expect([after.code, after.stdout.includes('glyph_missing'), after.stdout.includes('No font has')]).toEqual([
      0,
      false,
      false,
    ])
    if (needs('pdftotext')) expect(textOf('hello.pdf', bytesOf(join(folder, 'hello.pdf'))).trim()).toBe('नमस्ते')
  })

  test('takes all fonts of folders and archives, and nothing else of them', async () => {
    const zip = writeZip([storeEntry('deep/arabic.ttf', bytesOf(naskh)), storeEntry('LICENSE', new Uint8Array(9))])
    const { folder, told } = place({
      'fonts/a/awesome.otf': awesome,
      'fonts/readme.txt': new Uint8Array(3),
      'pack.zip': zip,
      'package/400Regular/hindi.ttf': devanagari,
      'package/LICENSE': new Uint8Array(20),
    })
    for (const [options, name] of [
      ['czf', 'npm.tgz'],
      ['cf', 'plain.tar'],
    ] as const)
      expect(Bun.spawnSync(['tar', options, name, 'package'], { cwd: folder }).exitCode).toBe(0)
    const { code, files } = await told('add fonts pack.zip npm.tgz plain.tar')
    expect(code).toBe(0)
    expect(files.map(({ file, outcome }) => `${outcome} ${file}`)).toEqual([
      'added fonts/a/awesome.otf',
      'added pack.zip: deep/arabic.ttf',
      'added npm.tgz: package/400Regular/hindi.ttf',
      'there plain.tar: package/400Regular/hindi.ttf',
    ])
    expect(readdirSync(join(folder, 'quire-data/fonts')).sort()).toEqual(['arabic.ttf', 'awesome.otf', 'hindi.ttf'])
  })

  test('finds long names in archives of every format, and passes over what Macs put beside each file', async () => {
    const deep = 'package/a-folder-with-a-long-name/of-a-family-with-many-weights/and-a-subfolder-for-each/400Regular'
    for (const format of ['ustar', 'pax', 'gnu']) {
      const { folder, told } = place({ [`${deep}/arabic.ttf`]: naskh, [`${deep}/._arabic.ttf`]: new Uint8Array(9) })
      const made = Bun.spawnSync(['tar', 'cf', 'long.tar', `--format=${format}`, 'package'], { cwd: folder })
      expect([format, made.exitCode]).toEqual([format, 0])
      const { code, files } = await told('add long.tar')
      expect([code, files.map(({ file }) => file)]).toEqual([0, [`long.tar: ${deep}/arabic.ttf`]])
    }
  })

  test('refuses an archive that is cut off, and still tells what it added before', async () => {
    const { folder, told } = place({ 'fonts/arabic.ttf': naskh, 'fonts/hindi.ttf': devanagari, 'good.ttf': naskh })
    expect(Bun.spawnSync(['tar', 'cf', 'whole.tar', 'fonts'], { cwd: folder }).exitCode).toBe(0)
    const whole = bytesOf(join(folder, 'whole.tar'))
    const block = 512
    for (const length of [whole.length - 40 * block, block * (2 + Math.ceil(bytesOf(naskh).length / block))]) {
      writeFileSync(join(folder, 'cut.tar'), whole.subarray(0, length - (length % block)))
      const { code, stderr } = await runCommand(folder, ['fonts', 'add', 'cut.tar'])
      expect([code, stderr.trim()]).toEqual([1, 'quire: cut.tar: it is cut off'])
    }
    const { code, files } = await told('add good.ttf cut.tar')
    expect([code, files.map(({ outcome, reason }) => [outcome, reason])]).toEqual([
      1,
      [
        ['added', undefined],
        ['refused', 'cut.tar: it is cut off'],
      ],
    ])
  })

  test('names a font that has nothing but an ending', async () => {
    const { folder, told } = place({ '.ttf': naskh })
    await told('add .ttf --to quire-data/fonts')
    expect(readdirSync(join(folder, 'quire-data/fonts'))).toEqual(['font.ttf'])
    expect(await told('add .ttf --to quire-data/fonts')).toMatchObject({ is_read: true, code: 0 })
  })

  test('refuses what cannot be used, says why, and adds the rest', async () => {
    const { folder, told } = place({
      'none.ttf': new TextEncoder().encode('no font'),
      'web.woff2': new TextEncoder().encode('wOF2 and so on'),
      'restricted.ttf': licensed(2),
      'pictures.ttf': licensed(0x200),
      'emoji.ttf': coloured(),
      'good.ttf': naskh,
    })
    const { code, files } = await told('add none.ttf web.woff2 restricted.ttf pictures.ttf emoji.ttf good.ttf')
    expect(code).toBe(1)
    expect(files.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['refused', 'it is no TrueType or OpenType font that can be read'],
      ['refused', 'it is a font for web pages (WOFF); take the same as .ttf or .otf'],
      ['refused', 'its licence forbids embedding (fsType of its OS/2 table)'],
      ['refused', 'its licence forbids embedding (fsType of its OS/2 table)'],
      ['refused', 'it has coloured pictures instead of outlines; take one with outlines, such as Noto Emoji'],
      ['added', undefined],
    ])
    expect(readdirSync(join(folder, 'quire-data/fonts'))).toEqual(['good.ttf'])
  })

  test('keeps what is there: the same file, and another of the same family and style', async () => {
    const whole = licensed(0x100)
    const { folder, told } = place({ 'one/arabic.ttf': naskh, 'two/arabic.ttf': whole, 'three/arabic.ttf': devanagari })
    await told('add one')
    const there = join(folder, 'quire-data/fonts/arabic.ttf')
    expect((await told('add one/arabic.ttf')).files).toMatchObject([
      { outcome: 'there', reason: `it is there already, as ${there}` },
    ])
    expect((await told('add two')).files).toMatchObject([
      {
        outcome: 'there',
        reason: `Noto Naskh Arabic is there already, in ${there}; remove that file first to replace it`,
      },
    ])
    expect(bytesOf(there)).toEqual(bytesOf(naskh))
    // Another font of the same file name gets a name of its own.
    expect((await told('add three')).files).toMatchObject([{ outcome: 'added' }])
    const names = readdirSync(join(folder, 'quire-data/fonts')).sort()
    expect(names).toEqual([expect.stringMatching(/^arabic-[0-9a-f]{8}\.ttf$/), 'arabic.ttf'])
  })

  test('adds to the folder that is named, else to the first of QUIRE_FONTS', async () => {
    const { folder, told } = place({ 'arabic.ttf': naskh, 'hindi.ttf': devanagari, 'shared/.keep': new Uint8Array(0) })
    expect(await told('add arabic.ttf', { QUIRE_FONTS: 'shared' })).toMatchObject({ is_read: true })
    expect(readdirSync(join(folder, 'shared')).sort()).toEqual(['.keep', 'arabic.ttf'])
    expect(await told('add hindi.ttf --to apart')).toMatchObject({ is_read: false })
    expect([existsSync(join(folder, 'apart/hindi.ttf')), existsSync(join(folder, 'quire-data'))]).toEqual([true, false])
    // Others may read them: workers can run as another user.
    expect(statSync(join(folder, 'apart')).mode & 0o055).toBe(0o055)
    const { code, stdout } = await runCommand(folder, ['fonts', 'add', 'arabic.ttf', '--to', 'apart'])
    expect(code).toBe(0)
    expect(stdout).toContain(`Name ${join(folder, 'apart')} in QUIRE_FONTS, so that they are used`)
  })

  test('fails with a sentence for what holds no font at all', async () => {
    const { folder } = place({ 'empty/readme.txt': new Uint8Array(2), 'x.deb': new TextEncoder().encode('!<arch>\n') })
    const said = async (...args: string[]) => {
      const { code, stderr } = await runCommand(folder, ['fonts', ...args])
      return [code, stderr.trim()]
    }
    expect(await said('add', 'empty')).toEqual([1, 'quire: empty has no file that ends in .ttf, .otf, .ttc or .otc'])
    expect(await said('add', 'nowhere.ttf')).toEqual([
      1,
      'quire: nowhere.ttf cannot be read: there is no such file or folder',
    ])
    expect((await said('add', 'x.deb'))[1]).toContain('unpack it with "dpkg-deb -x"')
    expect((await said('add'))[0]).toBe(2)
    expect((await said('remove', 'x'))[0]).toBe(2)
    expect((await said('list', 'x'))[0]).toBe(2)
  })
})

describe('quire fonts list', () => {
  test('tells families with their folder, styles, scripts and licence, and what brings the missing scripts', async () => {
    const { folder } = place({ 'own/whole.ttf': licensed(0x100), 'own/no.ttf': licensed(2), 'own/x.otf': awesome })
    const { stdout } = await runCommand(folder, ['fonts', 'list'], { QUIRE_FONTS: 'own' })
    const lines = stdout.split('\n')
    // Of two with one family the first counts, whatever its licence.
    expect(lines[0]).toBe(
      `Noto Naskh Arabic (regular), of ${folder}/own: no script as a whole; not used: its licence forbids embedding`,
    )
    expect(lines[1]).toBe(`FontAwesome (regular), of ${folder}/own: no script as a whole`)
    expect(lines).toContain(
      'Arimo (regular, italic, bold, bold italic), of the executable: Latin, Greek, Cyrillic, Hebrew',
    )
    expect(stdout).toContain("\n  emoji: Debian's fonts-symbola\n")
    expect(stdout).toMatch(/^ {2}Arabic, Devanagari, .+: Debian's fonts-noto-core$/m)
  })
})

test('a font in several weights lends its regular one to documents that name another font', async () => {
  // The medium comes first by name.
  const { folder } = place({ 'own/a-medium.ttf': naskhMedium, 'own/b-regular.ttf': naskh })
  writeFileSync(join(folder, 'hello.docx'), wordDocument(p('سلام')))
  const settings = { QUIRE_FONTS: 'own' }
  const { code } = await runCommand(folder, ['render', 'hello.docx', '-o', 'hello.pdf'], settings)
  expect(code).toBe(0)
  const fonts = Bun.spawnSync(['pdffonts', join(folder, 'hello.pdf')]).stdout.toString()
  if (needs('pdffonts')) expect(fonts).toMatch(/\+NotoNaskhArabic(?:-Regular)? /)
  expect(fonts).not.toContain('Medium')
})

const loma = '/usr/share/fonts/opentype/tlwg'
const hasLoma = existsSync(loma)
if (!hasLoma) process.stderr.write("SKIPPED: fonts-tlwg-loma-otf is not installed, so Debian's fonts are not added.\n")

test.skipIf(!hasLoma && process.env.CI !== 'true')(
  "Debian's fonts for Thai bring the script, in four styles",
  async () => {
    const { folder, told } = place({ 'thai.docx': wordDocument(p('สวัสดีครับ')) })
    const { code, files, scripts } = await told(`add ${loma}`)
    expect([code, files.map(({ families }) => families[0])]).toEqual([
      0,
      ['Loma bold', 'Loma bold italic', 'Loma italic', 'Loma'],
    ])
    expect(scripts.find(({ script }) => script === 'Thai')?.family).toBe('Loma')
    const { stdout } = await runCommand(folder, ['render', 'thai.docx', '-o', 'thai.pdf', '--report'])
    expect(stdout).not.toContain('No font has')
    expect(textOf('thai.pdf', bytesOf(join(folder, 'thai.pdf'))).trim()).toBe('สวัสดีครับ')
  },
)
