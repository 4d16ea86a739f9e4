import { readEmbedded } from '../../core/embedded-file.ts'
import listFile from './common-passwords.txt' with { type: 'file' }

/**
 * Whether a password is one of the commonest. At twelve characters and more, leaked lists hold almost only: few words with digits
 * and marks around them, a word twice, keyboard rows, and counting. So the list has words, and a password is reduced to its word
 * before it is looked up, forwards and backwards.
 *
 * @param expected further words that an attacker would try: the product's name, the user's
 */
export function isCommonPassword(password: string, expected: readonly string[] = []): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (isMonotonous(text)) return true
  const { plain } = reduced(text)
  if (keyboardRuns.test(plain)) return true
  // Passwords are rarely set: reading the list each time takes a millisecond, keeping it a quarter of a megabyte.
  const known = knownWords()
  const ends = [plain, plain.replace(/\d+$/, ''), plain.replace(/^\d+|\d+$/g, '')].map(unit)
  if (ends.some((end) => end.length > 5 && (known(end) || known(backwards(end))))) return true
  const special = new Set(expected.map((name) => reduced(name).word).filter((name) => name.length > 2))
  return [text, undisguise(text)].some((form) =>
    isKnown(reduced(form).word, special, isScattered(form) ? () => false : known),
  )
}

/** Whether signs break up the letters: half as many between them as there are letters. `7a#9G[e<,m` is not `agem`. */
function isScattered(text: string): boolean {
  const core = text.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const letters = lettersOf(core).length
  return (core.length - letters) * 2 > letters
}

/** A known word, or an expected word next to another known or expected one: `quire` twice, or `quireadmin`. */
function isKnown(word: string, expected: ReadonlySet<string>, known: (word: string) => boolean): boolean {
  if (known(word) || known(backwards(word)) || expected.has(word)) return true
  for (const first of expected) {
    const others = [
      word.startsWith(first) && word.slice(first.length),
      word.endsWith(first) && word.slice(0, -first.length),
    ]
    if (others.some((other) => other !== false && (known(unit(other)) || expected.has(unit(other))))) return true
  }
  return false
}

function knownWords(): (word: string) => boolean {
  const list = Buffer.from(readEmbedded(listFile)).toString('latin1')
  return (word) => word !== '' && (ownWords.has(word) || list.includes(`\n${word}\n`))
}

/** A password's letters, and its letters with digits; something repeated counts once. */
export function reduced(password: string): { word: string; plain: string } {
  const text = password.toLowerCase()
  return { word: unit(lettersOf(text)), plain: unit(text.replace(/[^a-z0-9]/g, '')) }
}

function backwards(word: string): string {
  return Array.from(word).reverse().join('')
}

/** The letters of `**Passw0rd-2024!!`: digits and marks at both ends and between are dropped. */
function lettersOf(text: string): string {
  return text.replace(/[^a-z]/g, '')
}

const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Only between letters: at the ends, digits and marks are decoration. */
function undisguise(text: string): string {
  const core = text.replace(/^[^a-z@$]+|[^a-z]+$/g, '')
  return core.replace(/[013457@$!]/g, (mark) => disguises[mark] ?? mark)
}

/** `adminadmin` is `admin` twice. */
function unit(word: string): string {
  for (let size = 1; size <= word.length / 2; size++) {
    if (word.length % size === 0 && word.slice(0, size).repeat(word.length / size) === word) return word.slice(0, size)
  }
  return word
}

/** Few distinct characters, or counting up or down most of the way. */
function isMonotonous(text: string): boolean {
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  if (new Set(characters).size <= 3) return true
  let steps = 0
  let before: number | undefined
  for (const character of characters) {
    if (before !== undefined && isStep(before, character)) steps++
    before = character
  }
  return steps >= (characters.length - 1) * 0.8
}

/** The same, the next or the one before; 0 follows 9. */
function isStep(before: number, character: number): boolean {
  const fromNineToZero = before === 0x39 && character === 0x30
  return Math.abs(character - before) <= 1 || fromNineToZero
}

const keyboardRuns =
  /^(?:1q2w3e4r|q1w2e3r4|1qaz2wsx|zaq12wsx|zaq1xsw2|qazwsxedc|qwertyuiop|qwertzuiop|azertyuiop|asdfghjkl|zxcvbnm|1234567890|0987654321|qwerty|qwertz|asdf|zxcv|1qaz|2wsx|3edc|4rfv|5tgb|6yhn|q2w3e4r|5t6y|7u8i|9o0p|\d)+$/

/** Words that the list of leaked passwords lacks: short ones, and those of a workplace. */
const ownWords: ReadonlySet<string> = new Set(
  'abc abcdefgh blabla contract debug dog god login no one pa passphrase passw production qwertz red staging the toor two ubuntu'.split(
    ' ',
  ),
)
