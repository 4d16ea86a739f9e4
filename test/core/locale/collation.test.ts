import { describe, expect, test } from 'bun:test'
import { collationKey } from '../../../src/core/locale/collation.ts'
import { findLocale } from '../../../src/core/locale/locale.ts'

/** In the order that ICU 78 gives them. */
const sorted: [tag: string, words: string][] = [
  ['de', '_x 10 2 a-b ab ähnlich apfel Apfel Äpfel Ärger Ofen Öl Strasse Straße Strassen Uber über zahl Zebra'],
  ['sv', 'aborre olja vagn wagon zebra ål Åsa Ärla ärlig öl'],
  ['da', 'abe olie zebra ærlig øl ål Aalborg Århus'],
  ['cs', 'cihla čaj ďas den dům hora chata chléb rok řeka sál šála ů úl ulice zebra žena'],
  ['pl', 'cena ćma lód ludzie łódka osa ósmy zab ząb zoo źródło żaba'],
  ['es', 'ano año chico cosa llama luz nube ñandú oso'],
  ['hu', 'citrom cukor csak dal dzéta dzsem óra ovál öt őz sas szép zab zsák'],
  ['hr', 'cvijet čaj ćup dan džep đak luk ljubav nos njuh šuma zec žaba'],
  ['tr', 'cam çay gol göl ğ ırmak irmik su şeker uzun ütü'],
  ['fr', 'cote coté côte côté eau élan étage oeuf œuf zèbre'],
  ['ro', 'ala ăla âla in în sare șarpe tare țară'],
  ['lt', 'cia čia sala šaka zero žemė'],
  ['is', 'all áll dagur ðað zoo þorn æði ör örn'],
  ['et', 'sokk šokk zoo žanr tee vana wc õun äär öö üks'],
  ['ru', 'ёлка ель жук игра Йод яблоко'],
  ['uk', 'гора ґанок игра іній їжак йод'],
  ['el', 'αλάτι άλφα βήτα όμικρον Ωμέγα'],
  ['sk', 'čaj ďaleko hora chata osem ôsmy'],
  ['sl', 'cesta čaj sol šola žaba'],
  ['vi', 'an ăn ân dê đường em êm om ôm ơn uống ưa'],
  ['fi', 'v w zorro å ääni öljy'],
  ['nb', 'zebra ærlig øl ål Aas'],
  ['lv', 'gads ģimene kad ķīna lats ļoti nav ņem šis žurka'],
  ['sq', 'cep çaj dy dhe ëma lule llaf'],
  ['cy', 'ci chwech dy dd fi ffa lu llan'],
  ['en', 'cafe café co-op coop resume Resume résumé'],
  ['ja', 'アイス かな カナ きつね'],
  ['ar', 'أب آب باب تمر خبز كتاب'],
  ['fa', 'آب ایران بهار پدر چای گل'],
  ['hi', 'अनार आम कमल कलम कान किताब खत'],
  ['sr-Latn', 'cena čaj ćup dan džep đak luk ljubav nos njuh'],
]

function inOrder(tag: string, words: readonly string[]): string[] {
  const locale = findLocale(tag)
  if (locale === undefined) throw new Error(tag)
  const keys = new Map(words.map((word) => [word, collationKey(word, locale)]))
  return words.toSorted((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
}

describe('texts are ordered as dictionaries have them', () => {
  test.each(sorted)('in %s: %s', (tag, text) => {
    const words = text.split(' ')
    expect(inOrder(tag, words.toReversed())).toEqual(words)
    expect(inOrder(tag, words.toSorted())).toEqual(words)
  })

  test('whatever form their accents have', () => {
    const locale = findLocale('sv')!
    expect(collationKey('ål', locale)).toBe(collationKey('a\u030al', locale))
    expect(collationKey('', locale) < collationKey(' ', locale)).toBe(true)
  })
})
