/**
 * Writes the fonts of `src/engines/pdf/font/symbols/` from Noto's symbol fonts and STIX Two Math: `bun scripts/build-symbols.ts`.
 * They have only the characters of equations, and those of Word's symbol fonts and forms that no text font of the executable has.
 * The files are committed, and `test/scripts/build-symbols.test.ts` compares them with this output.
 */
import { textSources } from '../src/engines/pdf/font/embedded.ts'
import { readFace } from '../src/engines/pdf/font/face.ts'
import { createFontLibrary } from '../src/engines/pdf/font/library.ts'
import {
  formulaCharacters,
  largeSign,
  largeSigns,
  SYMBOL_BULLET,
  symbolCharacters,
} from '../src/engines/pdf/font/symbols.ts'
import { withLargeSigns, withSymbolBullet } from './further-glyphs.ts'

const packages = '../node_modules/@expo-google-fonts'

/** In the order of search. */
const sources = [
  ['symbols-2.ttf', `${packages}/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf`],
  ['symbols.ttf', `${packages}/noto-sans-symbols/400Regular/NotoSansSymbols_400Regular.ttf`],
  ['mathematics.ttf', `${packages}/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf`],
] as const

/** The font of equations, with all their characters: these aren't taken from the other fonts. */
const formulas = ['formulas.ttf', `${packages}/stix-two-math/400Regular/STIXTwoMath_400Regular.ttf`] as const

/** Each file's name and bytes. */
export async function symbolFonts(): Promise<[name: string, bytes: Uint8Array][]> {
  const text = createFontLibrary(textSources())
  const missing = new Set(symbolCharacters().filter((code) => !text.fallback(code)))
  const files: [string, Uint8Array][] = []
  for (const [name, path] of sources) {
    const bytes = await Bun.file(new URL(path, import.meta.url)).bytes()
    const face = readFace(bytes)
    if (!face) throw new Error(`${path} is not a font`)
    const taken = [...missing].filter((code) => face.glyph(code) !== 0)
    for (const code of taken) missing.delete(code)
    const isFirst = files.length === 0
    files.push([
      name,
      await (isFirst ? subset(withSymbolBullet(bytes), [...taken, SYMBOL_BULLET]) : subset(bytes, taken)),
    ])
  }
  const [name, path] = formulas
  const bytes = withLargeSigns(await Bun.file(new URL(path, import.meta.url)).bytes())
  files.push([name, await subset(bytes, [...formulaCharacters(), ...largeSigns.map(largeSign)])])
  if (import.meta.main) console.log(`left out, in no font: ${String.fromCodePoint(...missing)}`)
  return files
}

/** The used part of HarfBuzz's subsetter; numbers are addresses in its memory. */
interface Subsetter {
  memory: WebAssembly.Memory
  _initialize(): void
  malloc(length: number): number
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_set(input: number, set: number): number
  hb_subset_input_unicode_set(input: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_or_fail(face: number, input: number): number
}

const NO_HINTING = 1
const DROPPED_TABLES = 3
const KEPT_NAMES = 4
/** The licence and its URL, besides the names that HarfBuzz keeps by itself. */
const licenceNames = [13, 14]
/** Layout, mathematics and hinting, which single glyphs don't need. */
const dropped = ['GSUB', 'GPOS', 'GDEF', 'MATH', 'gasp', 'prep', 'STAT']

async function subset(bytes: Uint8Array, characters: readonly number[]): Promise<Uint8Array> {
  const wasm = new URL('../node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm', import.meta.url)
  const { instance } = await WebAssembly.instantiate(await Bun.file(wasm).arrayBuffer(), {})
  const harfbuzz = instance.exports as unknown as Subsetter
  harfbuzz._initialize()
  const data = harfbuzz.malloc(bytes.length)
  new Uint8Array(harfbuzz.memory.buffer).set(bytes, data)
  const face = harfbuzz.hb_face_create(harfbuzz.hb_blob_create(data, bytes.length, 1, 0, 0), 0)
  const input = harfbuzz.hb_subset_input_create_or_fail()
  for (const code of characters) harfbuzz.hb_set_add(harfbuzz.hb_subset_input_unicode_set(input), code)
  for (const tag of dropped)
    harfbuzz.hb_set_add(harfbuzz.hb_subset_input_set(input, DROPPED_TABLES), Buffer.from(tag).readUInt32BE())
  for (const name of licenceNames) harfbuzz.hb_set_add(harfbuzz.hb_subset_input_set(input, KEPT_NAMES), name)
  harfbuzz.hb_subset_input_set_flags(input, NO_HINTING)
  const made = harfbuzz.hb_subset_or_fail(face, input)
  if (made === 0) throw new Error('HarfBuzz could not make the subset')
  const blob = harfbuzz.hb_face_reference_blob(made)
  const start = harfbuzz.hb_blob_get_data(blob, 0)
  return new Uint8Array(harfbuzz.memory.buffer.slice(start, start + harfbuzz.hb_blob_get_length(blob)))
}

if (import.meta.main) {
  for (const [name, bytes] of await symbolFonts()) {
    await Bun.write(new URL(`../src/engines/pdf/font/symbols/${name}`, import.meta.url), bytes)
    console.log(`${name}: ${bytes.length} bytes`)
  }
}
