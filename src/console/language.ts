/**
 * The console's texts in the language of the person: the source has them in English, and a catalogue of `texts/` gives them in another
 * language. The language is the one chosen in this browser, else the first of the browser's own that has a catalogue, else English. It
 * stays the same until the page is loaded again, so that texts may be made when a module is loaded.
 */
import type { ComponentChildren } from 'preact'
import type { Catalogue } from './catalogue.ts'
import { recall, remember } from './memory.ts'

/** What is known of a language before its catalogue is read. */
interface Known {
  /** In the language itself. */
  readonly name: string
  /** BCP 47, for dates and numbers. */
  readonly locale: string
  /** Whether nouns begin with a capital within a sentence, too. */
  readonly hasCapitalNouns: boolean
  read(): Promise<Catalogue>
}

/** English comes first: it is the language of whoever speaks none of these. */
export const languages = {
  en: { name: 'English', locale: 'en-GB', hasCapitalNouns: false, read: async () => ({}) },
  de: {
    name: 'Deutsch',
    locale: 'de-DE',
    hasCapitalNouns: true,
    read: async () => (await import('./texts/de.ts')).texts,
  },
} as const satisfies Readonly<Record<string, Known>>

export type Language = keyof typeof languages

export const language: Language = chosenLanguage()
/** BCP 47, for dates and numbers. */
export const locale: string = languages[language].locale

let catalogue: Catalogue = {}

/**
 * Reads the catalogue of the language; if that fails, texts are English. Modules that make texts when they are loaded have to be loaded
 * after it.
 */
export async function readTexts(): Promise<void> {
  if (typeof document !== 'undefined') document.documentElement.lang = language
  catalogue = await languages[language].read().catch(() => ({}))
}

function chosenLanguage(): Language {
  // A thread of its own has no storage, and the page's language as its name.
  const kept = typeof document === 'undefined' ? self.name : recall('language')
  if (kept !== undefined && isLanguage(kept)) return kept
  const own: readonly string[] = globalThis.navigator?.languages ?? []
  return own.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en'
}

function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag)
}

/** Keeps the choice in this browser, and loads the page again in it. What is typed is kept for the tab. */
export function chooseLanguage(choice: Language): void {
  if (choice === language) return
  remember('language', choice)
  window.location.reload()
}

/** A text with its values: `` t`${count} of ${total}` `` is `{0} of {1}` in the catalogue. Line breaks count as a space. */
export function t(text: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string {
  const { literals, order } = written(text)
  return literals
    .map((literal, at) => literal + (at < order.length ? String(values[order[at] ?? 0] ?? '') : ''))
    .join('')
}

/** A text with elements in it: `` rich`Signed in as ${<strong>{name}</strong>}` ``. */
export function rich(text: TemplateStringsArray, ...values: readonly ComponentChildren[]): ComponentChildren {
  const { literals, order } = written(text)
  return literals.flatMap((literal, at): ComponentChildren[] =>
    at < order.length ? [literal, values[order[at] ?? 0]] : [literal],
  )
}

/** A text that a table outside of the console has in English, such as the title of a step or of a problem. */
export function translated(text: string): string {
  return Object.hasOwn(catalogue, text) ? (catalogue[text] ?? text) : text
}

/** As it is written within a sentence: "Templates" is "templates" in English. */
export function inSentence(title: string): string {
  return languages[language].hasCapitalNouns ? title : title.charAt(0).toLowerCase() + title.slice(1)
}

interface Written {
  /** One more than there are places. */
  readonly literals: readonly string[]
  /** Which value each place takes. */
  readonly order: readonly number[]
}

const known = new WeakMap<TemplateStringsArray, Written>()

function written(text: TemplateStringsArray): Written {
  const found = known.get(text)
  if (found !== undefined) return found
  const made = readPlaces(translated(keyOf(text)))
  known.set(text, made)
  return made
}

/** The key of a text in a catalogue. */
export function keyOf(text: readonly string[]): string {
  return text.map((literal, at) => (at === 0 ? '' : `{${at - 1}}`) + literal.replace(/\s*\n\s*/g, ' ')).join('')
}

function readPlaces(text: string): Written {
  const parts = text.split(/\{(\d+)\}/)
  return { literals: parts.filter((_, at) => at % 2 === 0), order: parts.filter((_, at) => at % 2 === 1).map(Number) }
}
