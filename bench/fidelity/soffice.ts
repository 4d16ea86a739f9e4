/** The fidelity bench's peer: LibreOffice, limited to Quire's fonts. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { sha256Hex } from '../../src/core/hash.ts'
import { embeddedSources } from '../../src/engines/pdf/font/embedded.ts'
import {
  createFontLibrary,
  type FontLibrary,
  type FontSource,
  fontSourcesOf,
} from '../../src/engines/pdf/font/library.ts'
import { substituteOf, twinOf } from '../../src/engines/pdf/font/twins.ts'

/** Documents that one process converts: after a crash, at most this many are tried again. */
const BATCH = 20
const BATCH_MS = 120_000
const SINGLE_MS = 60_000

function familyFor(name: string): string {
  const lower = name.toLowerCase()
  return (twinOf(lower) ?? substituteOf(lower)).family
}

/** Additional fonts for scripts that Quire's lack: a folder of TrueType files for both sides. */
export function readFontFolder(folder: string): FontSource[] {
  return [...new Bun.Glob('**/*.{ttf,otf,ttc}').scanSync({ cwd: folder })]
    .sort()
    .flatMap((name) => fontSourcesOf(readFileSync(join(folder, name))))
}

/** Each name as a family of its own, with the file's own metrics, so that both sides draw with exactly the same fonts. */
export function sameFonts(names: Iterable<string>, more: readonly FontSource[] = []): FontLibrary {
  const sources = embeddedSources()
  const own = new Set(sources.map(({ family }) => family.toLowerCase()))
  const aliases = [...names].filter((name) => !own.has(name.toLowerCase()))
  return createFontLibrary([
    ...sources,
    ...aliases.flatMap((name) =>
      sources.filter(({ family }) => family === familyFor(name)).map((source) => ({ ...source, family: name })),
    ),
    ...more,
  ])
}

function writeFontconfig(folder: string, names: Iterable<string>, more: readonly FontSource[]): string {
  const fonts = join(folder, 'fonts')
  mkdirSync(fonts, { recursive: true })
  for (const source of [...embeddedSources(), ...more]) {
    writeFileSync(
      join(fonts, `${source.family}${source.bold ? 'B' : ''}${source.italic ? 'I' : ''}.ttf`),
      source.read(),
    )
  }
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const aliases = [...names].map(
    (name) =>
      `<match target="pattern"><test name="family" compare="eq"><string>${escaped(name)}</string></test>` +
      `<edit name="family" mode="assign" binding="same"><string>${familyFor(name)}</string></edit></match>`,
  )
  const file = join(folder, 'fonts.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><cachedir>${folder}/fontcache</cachedir>${aliases.join('\n')}</fontconfig>`,
  )
  return file
}

/**
 * A copy of the document for the peer. Quire draws tracked changes as the final text; LibreOffice shows them marked unless the
 * document says that it was last viewed without marks, so the copy says that.
 */
export function withoutMarkup(docx: Uint8Array): Uint8Array {
  const files = unzipSync(docx, { filter: ({ name }) => name === 'word/document.xml' || name === 'word/settings.xml' })
  const [body, settings] = [files['word/document.xml'], files['word/settings.xml']]
  if (!body || !settings || !/<w:(ins|del|moveFrom|moveTo) /.test(strFromU8(body))) return docx
  const seen = strFromU8(settings).replace(/<w:settings\b[^>]*[^/]>/, (tag) => `${tag}<w:revisionView w:markup="0"/>`)
  return zipSync({ ...unzipSync(docx), 'word/settings.xml': strToU8(seen) }, { mtime: new Date(1980, 0, 1), level: 1 })
}

export interface Peer {
  version: string
  /** The PDF that LibreOffice makes from each document; absent if it fails. */
  convert(documents: readonly string[]): Promise<Map<string, string>>
}

/** @param folder for profile, fonts and converted files; documents converted before are taken from there */
export function openPeer(
  binary: string,
  folder: string,
  names: Iterable<string>,
  more: readonly FontSource[] = [],
): Peer {
  mkdirSync(join(folder, 'pdf'), { recursive: true })
  const environment = { ...process.env, HOME: folder, FONTCONFIG_FILE: writeFontconfig(folder, names, more) }
  // Conversions with other fonts can't be compared.
  const fonts = sha256Hex(Buffer.concat(more.map((source) => source.read()))).slice(0, 8)
  const version = Bun.spawnSync([binary, '--version']).stdout.toString().trim()

  async function run(files: readonly string[], timeoutMs: number): Promise<void> {
    const out = join(folder, 'out')
    mkdirSync(out, { recursive: true })
    const child = Bun.spawn(
      [
        binary,
        `-env:UserInstallation=file://${folder}/profile`,
        '--headless',
        '--convert-to',
        'pdf',
        '--outdir',
        out,
        ...files,
      ],
      { env: environment, stdout: 'ignore', stderr: 'ignore', detached: true },
    )
    // The program itself is a child of the started process: left running it would lock the profile for every later one.
    const overdue = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), timeoutMs)
    await child.exited
    clearTimeout(overdue)
  }

  return {
    version,
    async convert(documents) {
      const results = new Map<string, string>()
      const inbox = join(folder, 'in')
      mkdirSync(inbox, { recursive: true })
      const pending: { document: string; key: string }[] = []
      for (const document of documents) {
        const given = withoutMarkup(await Bun.file(document).bytes())
        const key = `${sha256Hex(given).slice(0, 24)}-${fonts}`
        const made = join(folder, 'pdf', `${key}.pdf`)
        if (existsSync(made)) results.set(document, made)
        else if (!existsSync(`${made}.failed`)) {
          await Bun.write(join(inbox, `${key}.docx`), given)
          pending.push({ document, key })
        }
      }
      const collect = () => {
        for (const name of readdirSync(join(folder, 'out'))) {
          renameSync(join(folder, 'out', name), join(folder, 'pdf', basename(name)))
        }
      }
      const made = (key: string) => join(folder, 'pdf', `${key}.pdf`)
      for (let from = 0; from < pending.length; from += BATCH) {
        const batch = pending.slice(from, from + BATCH)
        await run(
          batch.map(({ key }) => join(inbox, `${key}.docx`)),
          BATCH_MS,
        )
        collect()
        for (const { key } of batch) {
          if (existsSync(made(key))) continue
          await run([join(inbox, `${key}.docx`)], SINGLE_MS)
          collect()
          if (!existsSync(made(key))) writeFileSync(`${made(key)}.failed`, '')
        }
        console.error(`LibreOffice: ${Math.min(from + BATCH, pending.length)} of ${pending.length}`)
      }
      for (const { document, key } of pending) if (existsSync(made(key))) results.set(document, made(key))
      return results
    },
  }
}
