import { inCycle } from '../../core/cycle.ts'

/**
 * Number formats that count along a sequence of signs (ECMA-376 part 1, 17.18.59): alphabets, enclosed numbers and
 * digits of other scripts. Each returns undefined past its last sign.
 */
type Sequence = (value: number) => string | undefined

/** Fixed by Word: after the last sign every sign is doubled, then tripled (A … Z, AA, BB), up to thirty times. */
const REPEATS = 30

function repeated(row: string): Sequence {
  const signs = [...row]
  return (value) => {
    if (value <= 0 || value > signs.length * REPEATS) return undefined
    return inCycle(signs, value - 1).repeat(Math.floor((value - 1) / signs.length) + 1)
  }
}

/** At the end of the row it begins again. */
function cyclic(row: string | readonly string[]): Sequence {
  const signs = [...row]
  return (value) => (value <= 0 ? undefined : signs[(value - 1) % signs.length])
}

/** One sign for each number, up to the last sign. */
function bounded(row: string): Sequence {
  const signs = [...row]
  return (value) => (value <= 0 ? undefined : signs[value - 1])
}

/** Decimals in digits of another script, zero first. */
function digits(row: string): Sequence {
  const signs = [...row]
  return (value) => `${value}`.replace(/\d/g, (digit) => signs[Number(digit)] ?? digit)
}

const latin = 'abcdefghijklmnopqrstuvwxyz'
// Without ё, й, ъ and ь, which no list counts with.
const russian = 'абвгдежзиклмнопрстуфхцчшщыэюя'
const stems = '甲乙丙丁戊己庚辛壬癸'
const branches = '子丑寅卯辰巳午未申酉戌亥'
const aiueo = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'
const iroha = 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン'
/** Katakana in half width; the two letters that have none stay as they are. */
const halfWidth = (row: string) =>
  [...row].map((letter) => halfKatakana[fullKatakana.indexOf(letter)] ?? letter).join('')
const fullKatakana = 'ヲアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン'
const halfKatakana = 'ｦｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ'
const circled = '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳'

export const sequences: Readonly<Record<string, Sequence>> = {
  lowerLetter: repeated(latin),
  upperLetter: repeated(latin.toUpperCase()),
  russianLower: repeated(russian),
  russianUpper: repeated(russian.toUpperCase()),
  chicago: repeated('*†‡§'),
  aiueo: cyclic(halfWidth(aiueo)),
  aiueoFullWidth: cyclic(aiueo),
  iroha: cyclic(halfWidth(iroha)),
  irohaFullWidth: cyclic(iroha),
  ganada: cyclic('가나다라마바사아자차카타파하'),
  chosung: cyclic('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'),
  arabicAlpha: repeated('أبتثجحخدذرزسشصضطظعغفقكلمنهوي'),
  arabicAbjad: repeated('أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'),
  hebrew2: repeated('אבגדהוזחטיכלמנסעפצקרשת'),
  thaiLetters: repeated('กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'),
  hindiVowels: repeated('कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह'),
  hindiConsonants: cyclic(['अ', 'आ', 'इ', 'ई', 'उ', 'ऊ', 'ऋ', 'ए', 'ऐ', 'ऑ', 'ओ', 'औ', 'अं', 'अः']),
  hindiNumbers: digits('०१२३४५६७८९'),
  hindiCounting: digits('०१२३४५६७८९'),
  thaiNumbers: digits('๐๑๒๓๔๕๖๗๘๙'),
  decimalFullWidth: digits('０１２３４５６７８９'),
  decimalFullWidth2: digits('０１２３４５６７８９'),
  decimalHalfWidth: digits('0123456789'),
  ideographDigital: digits('〇一二三四五六七八九'),
  japaneseDigitalTenThousand: digits('〇一二三四五六七八九'),
  taiwaneseDigital: digits('○一二三四五六七八九'),
  koreanDigital: digits('영일이삼사오육칠팔구'),
  koreanDigital2: digits('零一二三四五六七八九'),
  decimalEnclosedCircle: bounded(circled),
  decimalEnclosedCircleChinese: bounded(circled),
  decimalEnclosedFullstop: bounded('⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛'),
  decimalEnclosedParen: bounded('⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇'),
  ideographEnclosedCircle: bounded('㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉'),
  ideographTraditional: bounded(stems),
  ideographZodiac: bounded(branches),
  // The cycle of sixty: both rows at once.
  ideographZodiacTraditional: cyclic(
    Array.from({ length: 60 }, (_, index) => `${[...stems][index % 10]}${[...branches][index % 12]}`),
  ),
}
