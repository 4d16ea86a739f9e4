import { expect, test } from 'bun:test'
import { docxTemplates, jinja, type Language, mustache } from '../../bench/peers/languages.ts'
import { linesOf, partsOf, tagsOf, withTags } from '../../bench/peers/tagged.ts'
import { translate } from '../../bench/peers/translate.ts'
import { compileTemplate, composeTemplate } from '../../src/engines/docx/docx.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'

function composed(language: Language, ...paragraphs: string[][]) {
  const template = wordPackage(paragraphs.map((pieces) => p(...pieces)).join(''))
  const tags = tagsOf(partsOf(template) ?? new Map(), language.tag)
  const translated = translate([tags.map(({ inner }) => language.read(inner))])
  if (!translated.ok) return translated.why
  const compiled = compileTemplate(withTags(template, tags, translated.tags))
  const made = compiled.ok ? composeTemplate(compiled.value, translated.data) : compiled
  return made.ok ? linesOf(made.value) : made.findings
}

test('tags of other languages are translated, across the pieces that Word cuts them into, and filled with data made from them', () => {
  expect(
    composed(mustache, ['Dear {na', 'me}, {^paid}please pay{/paid}'], ['{#lines}'], ['{sku} & {n'], ['{/}']),
  ).toEqual(['Dear name, please pay', 'lines 1 sku & {n', 'lines 2 sku & {n'])
  expect(
    composed(docxTemplates, ['+++FOR a IN b.list+++'], ['+++= $a.x +++'], ['+++END-FOR a+++'], ['+++b.y+++']),
  ).toEqual([...['b list 1 x', 'b list 2 x', 'b y']])
  expect(composed(jinja, ['{% for a in l %}'], ['{{ a.x }} {{ other }}'], ['{% endfor %}'])).toEqual([
    ...['l 1 x other', 'l 2 x other'],
  ])
})

test('what no rule translates has its reason', () => {
  expect(composed(mustache, ['{@raw}'])).toBe('WordprocessingML in the data')
  expect(composed(docxTemplates, ['+++= f(a)+++'])).toStartWith('expressions and functions in JavaScript')
  expect(composed(mustache, ['{#a}{x}'])).toBe('blocks that begin and end in different parts')
})
