/** One verb for each act: a draft is saved, a version frozen and put in force, in German and on every page of the docs. `words.test.ts` has the console's English. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { texts } from '../../src/console/texts/de.ts'

const root = join(import.meta.dir, '../..')
const ofConfiguration = '(?:versions?|drafts?|models?|templates?|transformers?|contracts?|sets?)'

interface Act {
  /** As every text says it. */
  verb: string
  /** Other words for the same act. */
  others: readonly RegExp[]
}

const english: readonly Act[] = [
  { verb: 'draft', others: [/\b(?:working|scratch|editable) (?:cop(?:y|ies)|versions?|states?)\b/i] },
  {
    verb: 'freeze a version',
    others: [
      new RegExp(
        `\\b(?:finali[sz]|snapshot|lock|seal|tag|cut|commit)\\w* (?:an? |the |its |this )?${ofConfiguration}\\b`,
        'i',
      ),
      /\bversions? (?:is|are|was|were) (?:locked|finali[sz]ed|sealed|tagged|committed)\b/i,
    ],
  },
  {
    verb: 'put in force',
    others: [
      /\bactivat(?:es?|ed|ing)\b/i,
      /\b(?:takes?|took|taken|come|comes|came) (?:in)?(?:to )?effect\b/i,
      /\b(?:go|goes|going|went|makes? \w+) live\b/i,
      new RegExp(
        `\\b(?:deploy|promot|launch|enabl|roll)\\w* (?:out )?(?:an? |the |its |this )?${ofConfiguration}\\b`,
        'i',
      ),
    ],
  },
]

const german: readonly Act[] = [
  { verb: 'Entwurf', others: [/Arbeits(?:kopie|fassung|stand|version)|Rohfassung|Konzeptfassung/i] },
  {
    verb: 'einfrieren',
    others: [/fest(?:ge)?schr(?:ei|ie)b|fixier|finalisier|Version\w* (?:\S+ )?(?:gesperrt|versiegelt|abgeschlossen)/i],
  },
  {
    verb: 'in Kraft setzen',
    others: [
      /\baktivier(?!ung)|inkraft|in Betrieb (?:nehmen|genommen)|(?:scharf|frei|live)[ -]?(?:ge)?schalt|aus(?:ge)?roll|wirksam/i,
    ],
  },
]

/** The others of each act in a text, with what is around them. */
function otherWords(acts: readonly Act[], text: string): string[] {
  return acts.flatMap(({ verb, others }) =>
    others.flatMap((other) => {
      const found = other.exec(text)
      return found === null ? [] : [`${verb}: ${text.slice(Math.max(0, found.index - 60), found.index + 60).trim()}`]
    }),
  )
}

describe('one verb for each act', () => {
  test('in German', () => {
    const said = Object.values(texts)
    expect(said.flatMap((text) => otherWords(german, text))).toEqual([])
    for (const { verb } of german) expect(said.some((text) => text.includes(verb))).toBe(true)
  })

  test('in the docs', async () => {
    const other: string[] = []
    let pages = 0
    for (const pattern of ['README.md', 'docs/*.md'])
      for await (const file of new Glob(pattern).scan(root)) {
        pages++
        const text = await Bun.file(join(root, file)).text()
        for (const paragraph of prose(text).split(/\n\s*\n|\n(?=[-|#])/))
          other.push(...otherWords(english, paragraph.replaceAll(/\s+/g, ' ')).map((found) => `${file}: ${found}`))
      }
    expect(pages).toBeGreaterThan(20)
    expect(other).toEqual([])
  })

  test('and each other one is found', () => {
    const said = [
      'Activate it',
      'It takes effect',
      'lock the version',
      'deploy a template',
      'the working copy',
      'goes live',
    ]
    for (const text of said) expect(otherWords(english, text)).toHaveLength(1)
    for (const text of ['Version aktivieren', 'Entwurf festschreiben', 'die Arbeitskopie', 'wird ausgerollt'])
      expect(otherWords(german, text)).toHaveLength(1)
    expect(otherWords(english, 'An activation, in force; a lock on the version store')).toEqual([])
  })
})

/** A page without what is code, or the address of a link. */
function prose(page: string): string {
  return page
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, '‹code›')
    .replaceAll(/\]\([^)]*\)/g, ']')
}
