import arimoRegular from '@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf' with { type: 'file' }
import arimoItalic from '@expo-google-fonts/arimo/400Regular_Italic/Arimo_400Regular_Italic.ttf' with { type: 'file' }
import arimoBold from '@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf' with { type: 'file' }
import arimoBoldItalic from '@expo-google-fonts/arimo/700Bold_Italic/Arimo_700Bold_Italic.ttf' with { type: 'file' }
import caladeaRegular from '@expo-google-fonts/caladea/400Regular/Caladea_400Regular.ttf' with { type: 'file' }
import caladeaItalic from '@expo-google-fonts/caladea/400Regular_Italic/Caladea_400Regular_Italic.ttf' with {
  type: 'file',
}
import caladeaBold from '@expo-google-fonts/caladea/700Bold/Caladea_700Bold.ttf' with { type: 'file' }
import caladeaBoldItalic from '@expo-google-fonts/caladea/700Bold_Italic/Caladea_700Bold_Italic.ttf' with {
  type: 'file',
}
import carlitoRegular from '@expo-google-fonts/carlito/400Regular/Carlito_400Regular.ttf' with { type: 'file' }
import carlitoItalic from '@expo-google-fonts/carlito/400Regular_Italic/Carlito_400Regular_Italic.ttf' with {
  type: 'file',
}
import carlitoBold from '@expo-google-fonts/carlito/700Bold/Carlito_700Bold.ttf' with { type: 'file' }
import carlitoBoldItalic from '@expo-google-fonts/carlito/700Bold_Italic/Carlito_700Bold_Italic.ttf' with {
  type: 'file',
}
import cousineRegular from '@expo-google-fonts/cousine/400Regular/Cousine_400Regular.ttf' with { type: 'file' }
import cousineItalic from '@expo-google-fonts/cousine/400Regular_Italic/Cousine_400Regular_Italic.ttf' with {
  type: 'file',
}
import cousineBold from '@expo-google-fonts/cousine/700Bold/Cousine_700Bold.ttf' with { type: 'file' }
import cousineBoldItalic from '@expo-google-fonts/cousine/700Bold_Italic/Cousine_700Bold_Italic.ttf' with {
  type: 'file',
}
import gelasioRegular from '@expo-google-fonts/gelasio/400Regular/Gelasio_400Regular.ttf' with { type: 'file' }
import gelasioItalic from '@expo-google-fonts/gelasio/400Regular_Italic/Gelasio_400Regular_Italic.ttf' with {
  type: 'file',
}
import gelasioBold from '@expo-google-fonts/gelasio/700Bold/Gelasio_700Bold.ttf' with { type: 'file' }
import gelasioBoldItalic from '@expo-google-fonts/gelasio/700Bold_Italic/Gelasio_700Bold_Italic.ttf' with {
  type: 'file',
}
import tinosRegular from '@expo-google-fonts/tinos/400Regular/Tinos_400Regular.ttf' with { type: 'file' }
import tinosItalic from '@expo-google-fonts/tinos/400Regular_Italic/Tinos_400Regular_Italic.ttf' with { type: 'file' }
import tinosBold from '@expo-google-fonts/tinos/700Bold/Tinos_700Bold.ttf' with { type: 'file' }
import tinosBoldItalic from '@expo-google-fonts/tinos/700Bold_Italic/Tinos_700Bold_Italic.ttf' with { type: 'file' }
import { readEmbedded } from '../../../core/embedded-file.ts'
import { createFontLibrary, type FontLibrary, type FontSource } from './library.ts'
import formulas from './symbols/formulas.ttf' with { type: 'file' }
import mathematics from './symbols/mathematics.ttf' with { type: 'file' }
import symbols from './symbols/symbols.ttf' with { type: 'file' }
import symbols2 from './symbols/symbols-2.ttf' with { type: 'file' }

const files: readonly [family: string, bold: boolean, italic: boolean, file: string][] = [
  ['Arimo', false, false, arimoRegular],
  ['Arimo', false, true, arimoItalic],
  ['Arimo', true, false, arimoBold],
  ['Arimo', true, true, arimoBoldItalic],
  ['Caladea', false, false, caladeaRegular],
  ['Caladea', false, true, caladeaItalic],
  ['Caladea', true, false, caladeaBold],
  ['Caladea', true, true, caladeaBoldItalic],
  ['Carlito', false, false, carlitoRegular],
  ['Carlito', false, true, carlitoItalic],
  ['Carlito', true, false, carlitoBold],
  ['Carlito', true, true, carlitoBoldItalic],
  ['Cousine', false, false, cousineRegular],
  ['Cousine', false, true, cousineItalic],
  ['Cousine', true, false, cousineBold],
  ['Cousine', true, true, cousineBoldItalic],
  ['Gelasio', false, false, gelasioRegular],
  ['Gelasio', false, true, gelasioItalic],
  ['Gelasio', true, false, gelasioBold],
  ['Gelasio', true, true, gelasioBoldItalic],
  ['Tinos', false, false, tinosRegular],
  ['Tinos', false, true, tinosItalic],
  ['Tinos', true, false, tinosBold],
  ['Tinos', true, true, tinosBoldItalic],
]

/** Subsets that `scripts/build-symbols.ts` makes, in the order in which a character is looked for. */
const symbolFiles: readonly [family: string, file: string][] = [
  ['Noto Sans Symbols 2', symbols2],
  ['Noto Sans Symbols', symbols],
  ['Noto Sans Math', mathematics],
  ['STIX Two Math', formulas],
]

/**
 * The fonts inside the executable: those that text is set in, then four that only lend symbols and letters of formulas.
 * A file is read on the first use of its face and kept: one document needs two or three of the 24 for text, and
 * together they would be 8 MB of idle memory.
 */
export function embeddedSources(): FontSource[] {
  return [...textSources(), ...symbolSources()]
}

/** The embedded fonts without those that only lend symbols. */
export function textSources(): FontSource[] {
  let regular = ''
  return files.map(([family, bold, italic, file]) => {
    // The executable holds the other files of a family compressed with its first one as dictionary.
    if (!bold && !italic) regular = file
    const beside = file === regular ? undefined : regular
    return { family, bold, italic, read: () => readEmbedded(file, beside) }
  })
}

function symbolSources(): FontSource[] {
  return symbolFiles.map(([family, file]) => ({
    family,
    bold: false,
    italic: false,
    isSupplement: true,
    read: () => readEmbedded(file),
  }))
}

let shared: FontLibrary | undefined

/** One library for the process; faces are parsed once and shared by every rendering. */
export function embeddedFonts(): FontLibrary {
  shared ??= createFontLibrary(embeddedSources())
  return shared
}
