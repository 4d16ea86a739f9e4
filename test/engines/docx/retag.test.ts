import { describe, expect, test } from 'bun:test'
import { openForRetagging } from '../../../src/engines/docx/retag.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { p, partText, wordPackage, wordPart } from './word-package.ts'

/** The part with another tag at a place; undefined where there is none. */
function retagged(body: string, place: string, raw: string, parts: Record<string, string> = {}): string | undefined {
  const retag = openForRetagging(wordPackage(body, parts))
  if (!retag.ok) throw new Error(JSON.stringify(retag.findings))
  const bytes = retag.value(place, raw)
  const opened = bytes === undefined ? undefined : openPackage(bytes)
  if (opened === undefined) return undefined
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  const part = partText(opened.value, place.slice(0, place.indexOf('#')))
  return part.slice(part.indexOf('>') + 1, part.lastIndexOf('</')).replace(/<\/?w:body>/g, '')
}

const main = (paragraph: number, position: number) => `word/document.xml#${paragraph}:${position}`

describe('another tag in the place of one', () => {
  test('begins in the run in which that began, and leaves all else as it is', () => {
    const body = p('one {{/a}} two', ' {{/b', '}} three') + p('{{/c}}')
    expect(retagged(body, main(1, 4), '{{/x}}')).toBe(p('one {{/x}} two', ' {{/b', '}} three') + p('{{/c}}'))
    expect(retagged(body, main(1, 15), '{{/x}}')).toBe(p('one {{/a}} two', ' {{/x}}', ' three') + p('{{/c}}'))
    expect(retagged(body, main(2, 0), '{{/a < 3 & "b"}}')).toBe(
      p('one {{/a}} two', ' {{/b', '}} three') + p('{{/a &lt; 3 &amp; "b"}}'),
    )
    expect(retagged(p('a &amp; {{/b}} &lt;'), main(1, 4), '')).toBe(p('a &amp;  &lt;'))
  })

  test('may be in a header, an alternative text or a formula', () => {
    const header = { 'word/header1.xml': wordPart('hdr', p('{{/a}}')) }
    expect(retagged(p('{{/a}}'), 'word/header1.xml#1:0', '{{/x}}', header)).toBe(p('{{/x}}'))
    const described = (text: string) =>
      `<w:p><w:r><w:drawing><wp:docPr id="1" name="a" descr="${text}"/></w:drawing></w:r></w:p>`
    expect(retagged(described('x {{/a}}'), main(1, 2), '{{/a = "<b>"}}')).toBe(
      described('x {{/a = &quot;&lt;b&gt;&quot;}}'),
    )
    // Where a paragraph has the same place, it is meant.
    const both = (text: string) => described('{{/a}}').replace('<w:p>', `<w:p><w:r><w:t>${text}</w:t></w:r>`)
    expect(retagged(both('{{/b}}'), main(1, 0), '{{/x}}')).toBe(both('{{/x}}'))
  })

  test('is none where there is no tag, or one that a tab or a line break is part of', () => {
    const body = `${p('one {{/a}}')}<w:p><w:r><w:t>{{/b |</w:t><w:tab/><w:t>upper}}</w:t></w:r></w:p>`
    for (const place of [main(1, 3), main(1, 5), main(2, 0), main(3, 0), 'word/none.xml#1:0', 'word', ''])
      expect([place, retagged(body, place, '{{/x}}')]).toEqual([place, undefined])
    expect(openForRetagging(new Uint8Array([1])).ok).toBe(false)
  })

  test('can be put in one place after the other, each time in the file as it was', () => {
    const retag = openForRetagging(wordPackage(p('{{/a}} {{/b}}')))
    if (!retag.ok) throw new Error(JSON.stringify(retag.findings))
    const texts = [main(1, 0), main(1, 7)].map((place) => {
      const opened = openPackage(retag.value(place, '{{/x}}') ?? new Uint8Array())
      return opened.ok ? /\{\{.*\}\}/.exec(partText(opened.value, 'word/document.xml'))?.[0] : undefined
    })
    expect(texts).toEqual(['{{/x}} {{/b}}', '{{/a}} {{/x}}'])
  })
})
