import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'

const path = join(import.meta.dir, '../../src/console/language.ts')
const own = { name: Object.getOwnPropertyDescriptor(globalThis, 'name'), navigator: globalThis.navigator }

/** The module as a thread loads it: its name is the page's language, and the browser has languages of its own. */
async function loaded(
  name: string,
  ofBrowser?: readonly string[],
): Promise<typeof import('../../src/console/language.ts')> {
  Object.defineProperty(globalThis, 'name', { value: name, configurable: true })
  Object.defineProperty(globalThis, 'navigator', { value: { languages: ofBrowser }, configurable: true })
  delete require.cache[path]
  return import(path)
}

afterEach(() => {
  delete (globalThis as { name?: unknown }).name
  if (own.name !== undefined) Object.defineProperty(globalThis, 'name', own.name)
  Object.defineProperty(globalThis, 'navigator', { value: own.navigator, configurable: true })
  delete require.cache[path]
})

describe('the language of the console', () => {
  test('is the one chosen, else the first of the browser that there is, else English', async () => {
    expect((await loaded('de', ['en'])).language).toBe('de')
    expect((await loaded('', ['fr-FR', 'de-AT', 'en'])).language).toBe('de')
    expect((await loaded('', ['en-US', 'de'])).language).toBe('en')
    expect((await loaded('toString', ['fr'])).language).toBe('en')
    expect((await loaded('')).language).toBe('en')
  })

  test('decides how dates and numbers are written, and whether a title keeps its capital in a sentence', async () => {
    const german = await loaded('de')
    expect([german.locale, german.inSentence('Vorlagen')]).toEqual(['de-DE', 'Vorlagen'])
    const english = await loaded('en')
    expect([english.locale, english.inSentence('Templates')]).toEqual(['en-GB', 'templates'])
  })
})

describe('a text', () => {
  const several = ({ t }: Awaited<ReturnType<typeof loaded>>) => t`Open ${'one'}`
  test('has its values in their places, whatever the order, and nothing where there is none', async () => {
    const english = await loaded('en')
    const { t } = english
    expect(t`${2} of ${10} rows`).toBe('2 of 10 rows')
    expect(t`only ${undefined}that`).toBe('only that')
    expect(t`one line
      and another`).toBe('one line and another')
    expect(several(english)).toBe('Open one')
    // Asked again, it is the same with other values.
    const twice = (value: string) => t`Say ${value}`
    expect([twice('a'), twice('b')]).toEqual(['Say a', 'Say b'])
  })

  test('is English until its catalogue is read, and where it has none', async () => {
    const german = await loaded('de')
    expect(german.t`Makes`).toBe('Makes')
    const { t, translated, rich, readTexts } = await loaded('de')
    await readTexts()
    expect([t`Makes`, translated('Makes'), translated('unheard of'), translated('toString')]).toEqual([
      ...['Erzeugt', 'Erzeugt', 'unheard of', 'toString'],
    ])
    expect(rich`Makes`).toEqual(['Erzeugt'])
    expect(rich`unheard of ${1} and ${'two'}`).toEqual(['unheard of ', 1, ' and ', 'two', ''])
  })

  test('takes its values where the other language puts them', async () => {
    const texts = (await import('../../src/console/texts/de.ts')).texts as Record<string, string>
    const key = 'Of {0} only {1} here'
    texts[key] = 'Nur {1} von {0} hier'
    try {
      const { t, rich, readTexts } = await loaded('de')
      await readTexts()
      expect(t`Of ${9} only ${'two'} here`).toBe('Nur two von 9 hier')
      expect(rich`Of ${9} only ${'two'} here`).toEqual(['Nur ', 'two', ' von ', 9, ' hier'])
    } finally {
      delete texts[key]
    }
  })
})
