import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { withLightness } from '../frame/color.ts'

export interface Theme {
  /** Font by theme name: `minorHAnsi`, `majorAscii`, … */
  fonts: Map<string, string>
  /** Colour by theme name: `accent1`, `text1`, … */
  colors: Map<string, string>
  /** The format scheme's fills, backgrounds and lines, by their index from 0; shapes refer to them. */
  fills: readonly XmlElement[]
  backgrounds: readonly XmlElement[]
  lines: readonly XmlElement[]
}

const colorNames: Record<string, string[]> = {
  dk1: ['dark1', 'text1', 'tx1'],
  lt1: ['light1', 'background1', 'bg1'],
  dk2: ['dark2', 'text2', 'tx2'],
  lt2: ['light2', 'background2', 'bg2'],
  hlink: ['hyperlink'],
  folHlink: ['followedHyperlink'],
}

/** `w:themeFontLang`: the languages that decide which fonts a theme's East Asian and complex-script names mean. */
export interface ThemeLanguages {
  eastAsia?: string
  complex?: string
}

/** The script tags under which themes list fonts (20.1.4.1.16), by language. */
const scripts: Readonly<Record<string, string>> = {
  ja: 'Jpan',
  ko: 'Hang',
  ar: 'Arab',
  fa: 'Arab',
  he: 'Hebr',
  th: 'Thai',
  hi: 'Deva',
  mr: 'Deva',
  ne: 'Deva',
  bn: 'Beng',
  gu: 'Gujr',
  pa: 'Guru',
  ta: 'Taml',
  te: 'Telu',
  kn: 'Knda',
  ml: 'Mlym',
  si: 'Sinh',
  km: 'Khmr',
  lo: 'Laoo',
  bo: 'Tibt',
}

function scriptOf(language: string | undefined): string | undefined {
  if (language === undefined) return undefined
  const [primary, ...rest] = language.toLowerCase().split('-')
  if (primary === 'zh') return rest.some((part) => /^(tw|hk|mo|hant)$/.test(part)) ? 'Hant' : 'Hans'
  if (primary === 'ur') return 'Arab'
  return scripts[primary ?? '']
}

/** The theme part's fonts and colours, by the names that properties use for them (ECMA-376 part 1, 20.1.6). */
export function readTheme(root: XmlElement | undefined, languages: ThemeLanguages = {}): Theme {
  const elements = root && childNamed(root, 'a:themeElements')
  const formats = elements && childNamed(elements, 'a:fmtScheme')
  const list = (name: string) => {
    const found = formats && childNamed(formats, name)
    return found ? childElements(found) : []
  }
  const theme: Theme = {
    fonts: new Map(),
    colors: new Map(),
    fills: list('a:fillStyleLst'),
    backgrounds: list('a:bgFillStyleLst'),
    lines: list('a:lnStyleLst'),
  }
  if (!elements) return theme
  const fonts = childNamed(elements, 'a:fontScheme')
  for (const size of ['major', 'minor']) {
    const set = fonts && childNamed(fonts, `a:${size}Font`)
    if (!set) continue
    const latin = childNamed(set, 'a:latin')?.attributes.typeface
    const listed = (script: string | undefined) =>
      script && childElements(set, 'a:font').find((font) => font.attributes.script === script)?.attributes.typeface
    const eastAsia = childNamed(set, 'a:ea')?.attributes.typeface || listed(scriptOf(languages.eastAsia))
    const complex = childNamed(set, 'a:cs')?.attributes.typeface || listed(scriptOf(languages.complex))
    if (latin) for (const name of ['HAnsi', 'Ascii']) theme.fonts.set(size + name, latin)
    if (eastAsia) theme.fonts.set(`${size}EastAsia`, eastAsia)
    if (complex) theme.fonts.set(`${size}Bidi`, complex)
  }
  const colors = childNamed(elements, 'a:clrScheme')
  for (const entry of colors ? childElements(colors) : []) {
    const value = childElements(entry)[0]
    const rgb = value?.attributes.lastClr ?? value?.attributes.val
    if (!rgb || !/^[0-9a-fA-F]{6}$/.test(rgb)) continue
    const name = entry.name.replace('a:', '')
    for (const key of [name, ...(colorNames[name] ?? [])]) theme.colors.set(key, rgb.toUpperCase())
  }
  return theme
}

/** A theme colour with its tint or shade (hexadecimal 00–FF, FF leaving it unchanged). */
export function themeColor(theme: Theme, name: string | undefined, tint?: string, shade?: string): string | undefined {
  const base = name && theme.colors.get(name)
  if (!base) return undefined
  const share = Number.parseInt(tint ?? shade ?? 'FF', 16) / 255
  if (!(share >= 0 && share < 1)) return base
  return withLightness(base, (light) => (tint === undefined ? light * share : light * share + 1 - share))
}
