import cs from 'hyphen/patterns/cs.js' with { type: 'file' }
import da from 'hyphen/patterns/da.js' with { type: 'file' }
import de from 'hyphen/patterns/de-1996.js' with { type: 'file' }
import enGb from 'hyphen/patterns/en-gb.js' with { type: 'file' }
import enUs from 'hyphen/patterns/en-us.js' with { type: 'file' }
import es from 'hyphen/patterns/es.js' with { type: 'file' }
import fr from 'hyphen/patterns/fr.js' with { type: 'file' }
import it from 'hyphen/patterns/it.js' with { type: 'file' }
import nl from 'hyphen/patterns/nl.js' with { type: 'file' }
import pl from 'hyphen/patterns/pl.js' with { type: 'file' }
import pt from 'hyphen/patterns/pt.js' with { type: 'file' }
import sv from 'hyphen/patterns/sv.js' with { type: 'file' }
import th from 'hyphen/patterns/th.js' with { type: 'file' }
import { readEmbedded } from '../../../core/embedded-file.ts'
import { limits } from '../../../core/limits.ts'

/** Each node is a number (the index of the levels of the pattern that ends there), children, or both as a pair. */
type Trie = number | TrieNode | [TrieNode, number]
interface TrieNode {
  [letter: string]: Trie
}
/** Levels by pattern, the patterns, and words with points of their own. */
type Patterns = [levels: number[][], trie: TrieNode, exceptions?: Record<string, number[]>]

interface Language {
  file: string
  /** The least number of letters before and after a hyphen, from TeX's rules for the language. */
  left: number
  right: number
}

const languages: Readonly<Record<string, Language>> = {
  cs: { file: cs, left: 2, right: 3 },
  da: { file: da, left: 2, right: 2 },
  de: { file: de, left: 2, right: 2 },
  'en-gb': { file: enGb, left: 2, right: 3 },
  en: { file: enUs, left: 2, right: 3 },
  es: { file: es, left: 2, right: 2 },
  fr: { file: fr, left: 2, right: 3 },
  it: { file: it, left: 2, right: 2 },
  nl: { file: nl, left: 2, right: 2 },
  pl: { file: pl, left: 2, right: 2 },
  pt: { file: pt, left: 2, right: 3 },
  sv: { file: sv, left: 2, right: 2 },
  th: { file: th, left: 1, right: 1 },
}

const loaded = new Map<string, Patterns>()

/** Patterns are read on the first word of their language: the German ones are 700 kB of source. */
function patternsOf(file: string): Patterns {
  let patterns = loaded.get(file)
  if (!patterns) {
    const text = new TextDecoder().decode(readEmbedded(file))
    // The executable carries them as JSON; from source the file is the package's module.
    patterns = (text.startsWith('[') ? JSON.parse(text) : require(`${file}?module`)) as Patterns
    loaded.set(file, patterns)
  }
  return patterns
}

function languageOf(tag: string): Language | undefined {
  const lower = tag.toLowerCase()
  const name = [lower, lower.replace(/-.*/s, '')].find((candidate) => Object.hasOwn(languages, candidate))
  return name === undefined ? undefined : languages[name]
}

/** Whether words of a language, by its BCP 47 tag, can be hyphenated. */
export function canHyphenate(tag: string): boolean {
  return languageOf(tag) !== undefined
}

/**
 * Where a word may be hyphenated (Liang's algorithm over TeX's patterns): offsets in UTF-16 units, in order. None for
 * languages without patterns.
 *
 * @param word letters only
 */
export function hyphenPoints(word: string, tag: string): readonly number[] {
  const language = languageOf(tag)
  if (!language || word.length < language.left + language.right || word.length > limits.hyphenatedLetters) return []
  const [levels, trie, exceptions] = patternsOf(language.file)
  const lower = word.toLowerCase()
  // A few letters change their length with their case; the offsets would then be wrong.
  if (lower.length !== word.length) return []
  const exception = exceptions && Object.hasOwn(exceptions, lower) ? exceptions[lower] : undefined
  // The package's positions include the hyphens already inserted.
  if (exception !== undefined) return exception.map((place, index) => place - index)
  const padded = `.${lower}.`
  const scores = new Uint8Array(padded.length + 1)
  for (let start = 0; start < padded.length; start++) {
    let node: TrieNode | undefined = trie
    for (let at = start; node && at < padded.length; at++) {
      const letter = padded.charAt(at)
      const next: Trie | undefined = Object.hasOwn(node, letter) ? node[letter] : undefined
      const [children, pattern]: [TrieNode | undefined, number] = Array.isArray(next)
        ? next
        : typeof next === 'number'
          ? [undefined, next]
          : [next, -1]
      for (const [offset, level] of (levels[pattern] ?? []).entries()) {
        // The package leaves out the level before the point that marks the word's beginning.
        const place = start === 0 ? offset : start + offset - 1
        if (level > (scores[place] ?? 255)) scores[place] = level
      }
      node = children
    }
  }
  const points: number[] = []
  for (let at = language.left; at <= word.length - language.right; at++)
    if ((scores[at] ?? 0) % 2 === 1) points.push(at)
  return points
}
