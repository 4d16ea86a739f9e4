/** Nothing but data: the executable carries it compressed. */

/** A script or kind of character, and where free fonts for it come from. */
export interface Script {
  name: string
  /** How a sentence calls single characters of it. */
  characters: string
  /** Blocks of Unicode, each from and to. */
  blocks: readonly (readonly [from: number, to: number])[]
  /** A font has the script when it has all of these. */
  samples: string
  /** A Debian package, and an npm package with TrueType files; empty for scripts of the executable's own fonts. */
  debian: string
  npm: string
}

type Row = readonly [name: string, samples: string, blocks: readonly (readonly [number, number])[], npm?: string]

const core: readonly Row[] = [
  ['Hebrew', 'אבש', [[0x590, 0x5ff]]],
  ['Arabic', 'ابش', [[0x600, 0x6ff]], 'noto-naskh-arabic'],
  ['Devanagari', 'अकर', [[0x900, 0x97f]], 'noto-sans-devanagari'],
  ['Bengali', 'অকর', [[0x980, 0x9ff]]],
  ['Gurmukhi', 'ਅਕਰ', [[0xa00, 0xa7f]]],
  ['Gujarati', 'અકર', [[0xa80, 0xaff]]],
  ['Odia', 'ଅକର', [[0xb00, 0xb7f]]],
  ['Tamil', 'அகர', [[0xb80, 0xbff]]],
  ['Telugu', 'అకర', [[0xc00, 0xc7f]]],
  ['Kannada', 'ಅಕರ', [[0xc80, 0xcff]]],
  ['Malayalam', 'അകര', [[0xd00, 0xd7f]]],
  ['Sinhala', 'අකර', [[0xd80, 0xdff]]],
  ['Thai', 'กขม', [[0xe00, 0xe7f]], 'noto-sans-thai'],
  ['Lao', 'ກຂມ', [[0xe80, 0xeff]], 'noto-sans-lao'],
  ['Tibetan', 'ཀཁམ', [[0xf00, 0xfff]]],
  ['Myanmar', 'ကခမ', [[0x1000, 0x109f]]],
  ['Georgian', 'აბგ', [[0x10a0, 0x10ff]]],
  ['Armenian', 'ԱԲա', [[0x530, 0x58f]]],
  ['Ethiopic', 'ሀለመ', [[0x1200, 0x139f]]],
  ['Khmer', 'កខម', [[0x1780, 0x17ff]], 'noto-sans-khmer'],
]

const eastAsian: readonly Row[] = [
  [
    'Chinese characters',
    '一人大中',
    [
      [0x2e80, 0x2fff],
      [0x3400, 0x9fff],
      [0xf900, 0xfaff],
      [0x20000, 0x3ffff],
    ],
    'noto-sans-sc',
  ],
  ['simplified Chinese', '们这说书', [], 'noto-sans-sc'],
  ['traditional Chinese', '們這說書', [], 'noto-sans-tc'],
  ['kana', 'あアん', [[0x3040, 0x30ff]], 'noto-sans-jp'],
  [
    'Hangul',
    '가한글',
    [
      [0x1100, 0x11ff],
      [0xac00, 0xd7ff],
    ],
    'noto-sans-kr',
  ],
]

const emoji: Row = ['emoji', '😀🎉🚀', [[0x1f000, 0x1faff]], 'noto-emoji']

function scriptsOf(rows: readonly Row[], debian: string): Script[] {
  return rows.map(([name, samples, blocks, npm]) => ({
    name,
    characters: name === 'emoji' || name === 'Chinese characters' ? name : `${name} characters`,
    samples,
    blocks,
    debian,
    npm: npm === undefined ? '' : `@expo-google-fonts/${npm}`,
  }))
}

/** The scripts that `quire fonts` tells apart: first those of the executable, which need no font. */
export const scripts: readonly Script[] = [
  ...scriptsOf(
    [
      ['Latin', 'AZaz', []],
      ['Greek', 'ΑΩαω', []],
      ['Cyrillic', 'АЯая', []],
    ],
    '',
  ),
  ...scriptsOf(core, 'fonts-noto-core'),
  ...scriptsOf(eastAsian, 'fonts-noto-cjk'),
  ...scriptsOf([emoji], 'fonts-symbola'),
]
