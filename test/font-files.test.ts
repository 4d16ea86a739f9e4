import { describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import awesome from 'font-awesome/fonts/FontAwesome.otf' with { type: 'file' }
import { loadConfig } from '../src/config.ts'
import type { Log } from '../src/core/log.ts'
import { findFonts, libraryOf } from '../src/font-files.ts'
import { openPool } from '../src/runner/pool.ts'
import { p, wordDocument } from './engines/pdf/word.ts'
import { temporaryFolder } from './support/database.ts'

function folderOf(...files: [name: string, source: string][]): string {
  const folder = temporaryFolder('quire-fonts-')
  for (const [name, source] of files) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    cpSync(source, join(folder, name))
  }
  return folder
}

describe('folders of fonts', () => {
  test('are searched with all subfolders, in an order that does not depend on the machine', () => {
    const folder = folderOf(['b/deep/naskh.ttf', naskh], ['a.otf', awesome])
    const found = findFonts([folder])
    expect(found.entries.map(({ family }) => family)).toEqual(['FontAwesome', 'Noto Naskh Arabic'])
    expect(found.unusable).toEqual([])
  })

  test('have the same hash for the same files in any place, and another hash for other files', () => {
    const one = findFonts([folderOf(['naskh.ttf', naskh])])
    const same = findFonts([folderOf(['other-name.ttf', naskh])])
    const more = findFonts([folderOf(['naskh.ttf', naskh], ['a.otf', awesome])])
    expect(one.hash).toBe(same.hash)
    expect(more.hash).not.toBe(one.hash)
  })

  test('ignore files that are not fonts, and links that lead nowhere or in a circle', () => {
    const folder = folderOf(['naskh.ttf', naskh])
    writeFileSync(join(folder, 'broken.ttf'), 'no font')
    writeFileSync(join(folder, 'readme.txt'), 'no font either')
    symlinkSync(join(folder, 'nowhere.ttf'), join(folder, 'dangling.ttf'))
    symlinkSync(folder, join(folder, 'circle'))
    const found = findFonts([folder])
    expect(found.entries.map(({ family }) => family)).toEqual(['Noto Naskh Arabic'])
    expect(found.unusable.map((path) => path.split('/').at(-1))).toEqual(['broken.ttf'])
  })

  test('come before the fonts of the executable, which stay behind them', () => {
    const library = libraryOf(findFonts([folderOf(['naskh.ttf', naskh])]).entries)
    expect(library.match('Noto Naskh Arabic')!.by).toBe('family')
    expect(library.match('Calibri')!.font.face.family).toBe('Carlito')
  })

  test('serve no file that changed since it was found, since the hash would be wrong', () => {
    const folder = folderOf(['naskh.ttf', naskh])
    const library = libraryOf(findFonts([folder]).entries)
    const bytes = new Uint8Array(readFileSync(naskh))
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(join(folder, 'naskh.ttf'), bytes)
    expect(library.match('Noto Naskh Arabic')!.by).not.toBe('family')
    expect(library.trouble('Noto Naskh Arabic')).toBe('unreadable')
  })
})

describe('QUIRE_FONTS', () => {
  test('names folders separated by commas, relative to the working directory', () => {
    const folder = folderOf(['one/naskh.ttf', naskh], ['two/a.otf', awesome])
    expect(loadConfig({ QUIRE_FONTS: `one, ${folder}/two` }, folder).fontFolders).toEqual([
      join(folder, 'one'),
      join(folder, 'two'),
    ])
    expect(loadConfig({}, folder).fontFolders).toEqual([])
  })

  test('is refused by name if it is not a folder', () => {
    expect(() => loadConfig({ QUIRE_FONTS: '/nowhere/fonts' })).toThrow(
      'QUIRE_FONTS: there is no folder /nowhere/fonts',
    )
  })
})

describe('workers', () => {
  const log: Log = {
    with: () => log,
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: () => {},
  } as unknown as Log
  const docx = () => wordDocument(p('سلام', '<w:bidi/>', '<w:rFonts w:cs="Noto Naskh Arabic"/><w:rtl/>'))

  test('draw with the fonts of the folders, and record the hash of the set', async () => {
    const fonts = findFonts([folderOf(['naskh.ttf', naskh])])
    const pool = openPool({ size: 1, log, fonts })
    const plain = openPool({ size: 1, log })
    try {
      const [drawn] = await pool.run({ steps: ['render'], sources: {}, docx: docx() })
      const [without] = await plain.run({ steps: ['render'], sources: {}, docx: docx() })
      if (!drawn?.ok || !without?.ok) throw new Error('a rendering failed')
      expect(drawn.summary.fonts_hash).toBe(fonts.hash)
      const font = 'Noto Naskh Arabic'
      expect(drawn.summary.fonts).toContainEqual({ family: font, drawn_with: font, match: 'itself' })
      expect(JSON.stringify(drawn.summary.remarks ?? [])).not.toContain('glyph_missing')
      expect(without.summary.fonts_hash).toBeUndefined()
      expect(without.summary.fonts).toContainEqual({ family: font, drawn_with: expect.any(String), match: 'guessed' })
      expect(JSON.stringify(without.summary.remarks)).toContain('glyph_missing')
    } finally {
      await pool.close()
      await plain.close()
    }
  })
})
