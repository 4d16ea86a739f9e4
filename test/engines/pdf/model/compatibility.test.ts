import { describe, expect, test } from 'bun:test'
import { compatibilityOf } from '../../../../src/engines/pdf/model/compatibility.ts'
import { plainPng } from '../documents.ts'
import {
  dump,
  dumpShapes,
  layoutOf,
  p,
  picture,
  smallSection,
  textFrames,
  type WordParts,
  wordDocument,
} from '../word.ts'

/* Each row of the table by what a page shows of it, in the mode of every version of Word; the small page as elsewhere. */
type Rule = keyof ReturnType<typeof compatibilityOf>

const media = { 'dot.png': plainPng(4, 4, [255, 0, 0]) }
const mode = (version: number) =>
  `<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="${version}"/></w:compat>`
const pagesOf = (body: string, version: number, parts: WordParts = {}) =>
  layoutOf(wordDocument(body, { media, settings: mode(version), ...parts })).pages
const linesOf = (body: string, version: number, parts?: WordParts) => dump(pagesOf(body, version, parts)[0]!)

const table = (rows: number, properties = '') =>
  `<w:tbl><w:tblPr>${properties}</w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid>` +
  `${`<w:tr><w:tc>${p('cell')}</w:tc></w:tr>`.repeat(rows)}</w:tbl>`
const turned = `<w:p><w:r>${picture('dot', 40, 20)
  .replace('<pic:spPr/>', '<pic:spPr><a:xfrm rot="5400000"/></pic:spPr>')
  .replace('<wp:docPr', '<wp:effectExtent l="63500" t="38100" r="25400" b="12700"/><wp:docPr')}</w:r></w:p>`
const long = 'The quick brown fox jumps over the lazy dog'
const natural = textFrames(layoutOf(wordDocument(p(long))).pages[0]!)[0]!.width

/** What a page shows, first by the rule and then without it. */
const shown: Record<Rule, { of: (version: number) => string | undefined; by: readonly [string, string] }> = {
  turnsRoomWithObject: {
    of: (version) => dumpShapes(pagesOf(turned, version)[0]!)[0],
    by: ['image 45.0,63.0 40.0×20.0', 'image 55.0,53.0 40.0×20.0'],
  },
  snapsLinesInTables: {
    of: (version) =>
      linesOf(table(2) + p('x'), version, {
        section: `${smallSection}<w:docGrid w:type="lines" w:linePitch="400"/>`,
      })[1]?.split(',')[1],
    by: ['83.7 cell', '70.9 cell'],
  },
  squeezesBlanks: {
    of: (version) =>
      linesOf(
        p(`${long} again`, `<w:jc w:val="both"/><w:ind w:right="${Math.round((205 - natural) * 20)}"/>`),
        version,
      ).at(-1),
    by: ['50.0,70.9 again', '50.0,70.9 dog again'],
  },
  dropsSpaceAtBreak: {
    of: (version) => {
      const next = p('next', '<w:pageBreakBefore/><w:spacing w:before="200"/>')
      return dump(pagesOf(p('x') + next, version)[1]!)[0]
    },
    by: ['50.0,59.4 next', '50.0,69.4 next'],
  },
  alignsTableEdges: {
    of: (version) => linesOf(table(1) + p('x'), version)[0],
    by: ['55.4,59.4 cell', '50.0,59.4 cell'],
  },
  endsFloatingTablesWithText: {
    of: (version) => {
      const place = '<w:tblpPr w:horzAnchor="page" w:vertAnchor="page" w:tblpX="3000" w:tblpY="4000"/>'
      return `${pagesOf(table(14, place) + p('x'), version).length} pages`
    },
    by: ['2 pages', '1 pages'],
  },
}

describe('By the version of Word that a document names', () => {
  const versions = [0, 11, 12, 14, 15]

  for (const [rule, { of, by }] of Object.entries(shown)) {
    test(`a page ${rule}`, () => {
      expect(versions.map((version) => [version, of(version)])).toEqual(
        versions.map((version) => [version, by[compatibilityOf(version)[rule as Rule] ? 0 : 1]]),
      )
    })
  }

  test('rules begin with the version of Word that brought them', () => {
    const firstOf = (rule: string) => versions.find((version) => compatibilityOf(version)[rule as Rule])
    expect(Object.fromEntries(Object.keys(shown).map((rule) => [rule, firstOf(rule)]))).toEqual({
      turnsRoomWithObject: 14,
      snapsLinesInTables: 15,
      squeezesBlanks: 15,
      dropsSpaceAtBreak: 15,
      alignsTableEdges: 15,
      endsFloatingTablesWithText: 15,
    })
    expect(Object.keys(compatibilityOf(15))).toEqual(Object.keys(shown))
  })
})
