import { describe, expect, test } from 'bun:test'
import { ListCounters } from '../../../src/engines/ooxml/list-labels.ts'
import { type Lists, levelOfStyle, readLists } from '../../../src/engines/ooxml/numbering.ts'
import { parseXml } from '../../../src/engines/ooxml/xml-parser.ts'

const uri = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

function lists(content: string, listOfStyle: Record<string, string> = {}): Lists {
  const parsed = parseXml(
    `<w:numbering xmlns:w="${uri}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">${content}</w:numbering>`,
  )
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.findings))
  return readLists(
    parsed.value,
    (style) => listOfStyle[style],
    (level) => level,
  )
}

const level = (index: number, text: string, more = '<w:start w:val="1"/><w:numFmt w:val="decimal"/>') =>
  `<w:lvl w:ilvl="${index}">${more}<w:lvlText w:val="${text}"/></w:lvl>`
const definition = (id: number, ...levels: string[]) =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const list = (id: number, definitionId: number, overrides = '') =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${definitionId}"/>${overrides}</w:num>`
const override = (index: number, content: string) => `<w:lvlOverride w:ilvl="${index}">${content}</w:lvlOverride>`
const three = definition(1, level(0, '%1.'), level(1, '%1.%2'), level(2, '%1.%2.%3'))

/** Labels of paragraphs given as `list:level`, in their order. */
function labels(found: Lists, paragraphs: string, language = 'en'): (string | undefined)[] {
  const counters = new ListCounters(language)
  return paragraphs.split(' ').map((paragraph) => {
    const [id = '', at] = paragraph.split(':')
    const known = found.get(id)
    return known === undefined ? undefined : counters.next(id, known, Number(at))
  })
}

describe('labels of lists', () => {
  test('count up on each level, and restart the levels below', () => {
    expect(labels(lists(three + list(1, 1)), '1:0 1:1 1:1 1:2 1:1 1:0 1:1 1:2')).toEqual([
      '1.',
      '1.1',
      '1.2',
      '1.2.1',
      '1.3',
      '2.',
      '2.1',
      '2.1.1',
    ])
  })

  test('count a skipped level as started, as Word does', () => {
    expect(labels(lists(three + list(1, 1)), '1:1 1:0 1:2')).toEqual(['1.1', '2.', '2.1.1'])
  })

  test('continue in another list of the same definition, but not in one of another', () => {
    const found = lists(three + definition(2, level(0, '(%1)')) + list(1, 1) + list(2, 1) + list(3, 2))
    expect(labels(found, '1:0 2:0 3:0 1:0')).toEqual(['1.', '2.', '(1)', '3.'])
  })

  test('start at an overridden number once for each list and level, and count on from there', () => {
    const overrides = override(0, '<w:startOverride w:val="7"/>') + override(1, '<w:startOverride w:val="3"/>')
    const found = lists(three + list(1, 1) + list(2, 1, overrides))
    expect(labels(found, '1:0 1:1 2:0 2:1 2:1 2:0 2:1 1:0')).toEqual([
      '1.',
      '1.1',
      '7.',
      '7.3',
      '7.4',
      '8.',
      '8.1',
      '9.',
    ])
  })

  test('use the list’s own level instead of the definition’s', () => {
    const found = lists(three + list(1, 1) + list(2, 1, override(0, level(0, '§ %1', '<w:start w:val="4"/>'))))
    expect(labels(found, '2:0 2:0 2:1')).toEqual(['§ 4', '§ 5', '5.1'])
    expect(labels(found, '1:0')).toEqual(['1.'])
  })

  test('restart a level only after the level that it names, and never after level 0', () => {
    const start = '<w:start w:val="1"/><w:numFmt w:val="decimal"/>'
    const of = (restart: number) =>
      lists(
        definition(
          1,
          level(0, '%1.'),
          level(1, '%1.%2'),
          level(2, '%3', `${start}<w:lvlRestart w:val="${restart}"/>`),
        ) + list(1, 1),
      )
    const paragraphs = '1:0 1:1 1:2 1:2 1:1 1:2 1:0 1:1 1:2'
    const third = (found: Lists) => labels(found, paragraphs).filter((label) => /^\d$/.test(label ?? ''))
    expect(third(of(2))).toEqual(['1', '2', '1', '1'])
    expect(third(of(1))).toEqual(['1', '2', '3', '1'])
    expect(third(of(0))).toEqual(['1', '2', '3', '4'])
  })

  test('show the numbers of all levels as decimals if the level is legal', () => {
    const roman = '<w:start w:val="1"/><w:numFmt w:val="upperRoman"/>'
    const of = (legal: string) =>
      labels(lists(definition(1, level(0, '%1.', roman), level(1, '%1.%2', roman + legal)) + list(1, 1)), '1:0 1:0 1:1')
    expect(of('<w:isLgl/>')).toEqual(['I.', 'II.', '2.1'])
    expect(of('')).toEqual(['I.', 'II.', 'II.I'])
    for (const off of ['0', 'false', 'off']) expect(of(`<w:isLgl w:val="${off}"/>`)).toEqual(['I.', 'II.', 'II.I'])
  })

  test('keep the text of a bullet unchanged, and show no number for a level without one', () => {
    const bullet = level(0, '%1', '<w:numFmt w:val="bullet"/>')
    const none = level(1, 'Part%2', '<w:numFmt w:val="none"/>')
    expect(labels(lists(definition(1, bullet, none) + list(1, 1)), '1:0 1:1')).toEqual(['%1', 'Part'])
  })

  test('start at zero if a level states no start, and at one if a level above is missing', () => {
    const found = lists(definition(1, level(1, '%1.%2', '<w:numFmt w:val="decimal"/>')) + list(1, 1))
    expect(labels(found, '1:1 1:1')).toEqual(['1.0', '1.1'])
  })

  test('count nothing for a missing level or list', () => {
    expect(labels(lists(three + list(1, 1)), '1:5 9:0 1:0')).toEqual([undefined, undefined, '1.'])
    expect(labels(lists(list(1, 4)), '1:0')).toEqual([undefined])
  })

  test('write numbers in the language of the level, or else in that of the document', () => {
    const words = (more: string) => level(0, '%1', `<w:start w:val="2"/><w:numFmt w:val="cardinalText"/>${more}`)
    const found = lists(
      definition(1, words('')) +
        definition(2, words('<w:rPr><w:lang w:val="fr-FR"/></w:rPr>')) +
        list(1, 1) +
        list(2, 2),
    )
    expect(labels(found, '1:0 2:0', 'de-DE')).toEqual(['Zwei', 'Deux'])
  })
})

describe('reading lists', () => {
  test('follows one link to the list of a numbering style, and never a second', () => {
    const link = (id: number, style: string) =>
      `<w:abstractNum w:abstractNumId="${id}"><w:numStyleLink w:val="${style}"/></w:abstractNum>`
    const content = three + link(2, 'Linked') + link(3, 'Again') + list(1, 1) + list(2, 2) + list(3, 3)
    const found = lists(content, { Linked: '1', Again: '2' })
    expect(found.get('2')?.shared).toBe('1')
    expect(labels(found, '1:0 2:0 2:1')).toEqual(['1.', '2.', '2.1'])
    expect(found.get('3')?.levels).toEqual([])
    expect(lists(content).get('2')?.shared).toBe('2')
    expect(lists(content, { Linked: '77' }).get('2')?.shared).toBe('2')
  })

  test('finds the level that a paragraph style sets', () => {
    const found = lists(
      definition(1, level(0, '%1'), level(1, '%2', '<w:pStyle w:val="Heading2"/>'), level(2, '%3')) + list(1, 1),
    )
    expect(levelOfStyle(found.get('1'), 'Heading2')).toBe(1)
    expect(levelOfStyle(found.get('1'), 'Heading9')).toBe(0)
    expect(levelOfStyle(undefined, 'Heading2')).toBe(0)
  })

  test('ignores levels outside 0 to 8', () => {
    const found = lists(
      definition(1, level(-1, 'a'), level(8, 'b'), level(9, 'c')) +
        list(1, 1, override(9, '<w:startOverride w:val="2"/>') + override(8, '<w:startOverride w:val="3"/>')),
    )
    const { levels = [] } = found.get('1') ?? {}
    expect(levels).toHaveLength(9)
    expect(levels.filter((one) => one !== undefined).map(({ text }) => text)).toEqual(['b'])
    expect([...(found.get('1')?.startOverrides ?? [])]).toEqual([[8, 3]])
  })

  test('reads a custom format by its first number, even with an older format beside it', () => {
    const custom = '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/>'
    const beside = `<mc:AlternateContent><mc:Choice Requires="w14">${custom}</mc:Choice><mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent>`
    const odd = '<w:numFmt w:val="custom" w:format="1st, 2nd"/>'
    const formatOf = (format: string) =>
      lists(definition(1, level(0, '%1', format)) + list(1, 1)).get('1')?.levels[0]?.format
    expect([custom, beside, odd, '', '<w:numFmt/>'].map(formatOf)).toEqual([
      '001',
      '001',
      'decimal',
      'decimal',
      'decimal',
    ])
  })

  test('cuts off a label text over 255 characters, which is repeated before every paragraph', () => {
    const found = lists(definition(1, level(0, 'x'.repeat(300))) + list(1, 1))
    expect(found.get('1')?.levels[0]?.text).toHaveLength(255)
  })
})
