/**
 * Number formats in the words of East and South-East Asia (ECMA-376 part 1, 17.18.59): digits with the names of their
 * powers of ten. Each returns undefined for values without words.
 */
type Counting = (value: number) => string | undefined

interface Words {
  /** Nought to nine. */
  digits: string
  /** Ten, hundred, thousand and ten thousand. */
  powers: readonly [string, string, string, string]
  /** Whether ten is written without a one before it, at the beginning of a number or everywhere. */
  bare: 'never' | 'first' | 'always'
  /** Whether a nought is written for skipped powers. */
  withNought: boolean
}

/** Four digits with their powers: the ten thousands, or what is below them. */
function group(value: number, { digits, powers, bare, withNought }: Words, place: 'first' | 'behind'): string {
  const isFirst = place === 'first'
  const signs = [...digits]
  let text = ''
  let skipped = false
  for (const power of [3, 2, 1, 0]) {
    const digit = Math.floor(value / 10 ** power) % 10
    if (digit === 0) {
      skipped = text !== '' || !isFirst
      continue
    }
    if (skipped && withNought) text += signs[0]
    skipped = false
    const isBare =
      digit === 1 && power > 0 && (bare === 'always' || (bare === 'first' && power === 1 && isFirst && text === ''))
    text += `${isBare ? '' : signs[digit]}${power === 0 ? '' : powers[power - 1]}`
  }
  return text
}

function counting(words: Words): Counting {
  return (value) => {
    if (value === 0) return [...words.digits][0]
    if (value < 0 || value >= 100_000_000) return undefined
    const high = Math.floor(value / 10_000)
    if (high === 0) return group(value, words, 'first')
    const low = group(value % 10_000, words, 'behind')
    return `${group(high, words, 'first')}${words.powers[3]}${low}`
  }
}

/** Names of tens up to 99, then digits alone. */
function short(words: Words): Counting {
  const long = counting(words)
  const signs = [...words.digits]
  return (value) => (value < 100 ? long(value) : `${value}`.replace(/\d/g, (digit) => signs[Number(digit)] ?? digit))
}

const plain = '〇一二三四五六七八九'
const common: Words = { digits: plain, powers: ['十', '百', '千', '万'], bare: 'first', withNought: false }
const taiwanese: Words = {
  digits: '○一二三四五六七八九',
  powers: ['十', '百', '千', '萬'],
  bare: 'first',
  withNought: false,
}

const nativeKorean = ['', '하나', '둘', '셋', '넷', '다섯', '여섯', '일곱', '여덟', '아홉']
const nativeKoreanTens = ['', '열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔']

const vietnamese = ['không', 'một', 'hai', 'ba', 'bốn', 'năm', 'sáu', 'bảy', 'tám', 'chín']

function vietnameseCounting(value: number): string | undefined {
  if (value < 0 || value > 99) return undefined
  const [tens, ones] = [Math.floor(value / 10), value % 10]
  if (tens === 0) return vietnamese[ones]
  const ten = tens === 1 ? 'mười' : `${vietnamese[tens]} mươi`
  if (ones === 0) return ten
  if (ones === 1 && tens > 1) return `${ten} mốt`
  return `${ten} ${ones === 5 ? 'lăm' : vietnamese[ones]}`
}

const thai = ['ศูนย์', 'หนึ่ง', 'สอง', 'สาม', 'สี่', 'ห้า', 'หก', 'เจ็ด', 'แปด', 'เก้า']
const thaiPowers = ['', 'สิบ', 'ร้อย', 'พัน', 'หมื่น', 'แสน']

function thaiCounting(value: number): string | undefined {
  if (value === 0) return thai[0]
  if (value < 0 || value >= 1_000_000) return undefined
  let text = ''
  for (let power = 5; power >= 0; power--) {
    const digit = Math.floor(value / 10 ** power) % 10
    if (digit === 0) continue
    // One and two have forms of their own among the tens, and so has a one behind them.
    const word =
      power === 1 && digit === 1
        ? ''
        : power === 1 && digit === 2
          ? 'ยี่'
          : power === 0 && digit === 1 && text !== ''
            ? 'เอ็ด'
            : thai[digit]
    text += `${word}${thaiPowers[power]}`
  }
  return text
}

export const asian: Readonly<Record<string, Counting>> = {
  japaneseCounting: counting({ ...common, bare: 'always' }),
  japaneseLegal: counting({
    digits: '零壱弐参四伍六七八九',
    powers: ['拾', '百', '阡', '萬'],
    bare: 'never',
    withNought: false,
  }),
  chineseCounting: short({ ...common, digits: '○一二三四五六七八九' }),
  chineseCountingThousand: counting({ ...common, withNought: true }),
  chineseLegalSimplified: counting({
    digits: '零壹贰叁肆伍陆柒捌玖',
    powers: ['拾', '佰', '仟', '萬'],
    bare: 'never',
    withNought: true,
  }),
  ideographLegalTraditional: counting({
    digits: '零壹貳參肆伍陸柒捌玖',
    powers: ['拾', '佰', '仟', '萬'],
    bare: 'never',
    withNought: true,
  }),
  taiwaneseCounting: short(taiwanese),
  taiwaneseCountingThousand: counting({ ...taiwanese, withNought: true }),
  koreanCounting: counting({
    digits: '영일이삼사오육칠팔구',
    powers: ['십', '백', '천', '만'],
    bare: 'always',
    withNought: false,
  }),
  koreanLegal: (value) =>
    value <= 0 || value > 99 ? undefined : `${nativeKoreanTens[Math.floor(value / 10)]}${nativeKorean[value % 10]}`,
  vietnameseCounting,
  thaiCounting,
  bahtText: (value) => {
    const count = thaiCounting(value)
    return count === undefined ? undefined : `${count}บาทถ้วน`
  },
}
