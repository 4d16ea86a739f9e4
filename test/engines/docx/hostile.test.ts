import { expect, test } from 'bun:test'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { p, tbl, tr, wordPackage } from './word-package.ts'

const body =
  p('Dear {{/name}}, {{#if /flag}}yes{{#else}}no{{#end}}') +
  p('{{#each /lines}}') +
  tbl(tr('{{#each ./sub}}{{.}}', '{{../a}}{{#end}}')) +
  '<w:p><w:pPr><w:numPr/></w:pPr><w:bookmarkStart w:id="1" w:name="m"/><w:r><w:t>{{./a | upper}}</w:t></w:r><w:bookmarkEnd w:id="1"/></w:p>' +
  p('{{#end}}') +
  p('{{@count}}'.replace('@count', '/total | number "#,##0.00"'))

const data = { name: 'A', flag: true, total: 3, lines: [{ a: 'x', sub: [1, 2] }] }

/** A linear congruential generator (Numerical Recipes), so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function mutated(source: string, random: (below: number) => number): string {
  const at = random(source.length)
  const length = random(30)
  const from = random(source.length)
  switch (random(9)) {
    case 0:
      return source.slice(0, at) + source.slice(at + length)
    case 1:
      return source.slice(0, at) + source.slice(from, from + length) + source.slice(at)
    case 2:
      return source.slice(0, at) + '{}<>/&;"#'[random(9)] + source.slice(at + 1)
    case 3:
      return (
        source.slice(0, at) +
        ['{{#end}}', '{{#each /lines}}', '{{#else}}', '{{/name}}', '{{'][random(5)] +
        source.slice(at)
      )
    default: {
      // Swapping two whole elements keeps the XML well-formed and so reaches the engine itself.
      const elements = [...source.matchAll(/<w:(p|r|t|tr|tc)>(?:(?!<w:\1>).)*?<\/w:\1>/g)]
      const one = elements[random(elements.length)]
      const other = elements[random(elements.length)]
      if (one === undefined || other === undefined) return source
      return source.slice(0, one.index) + other[0] + source.slice(one.index + one[0].length)
    }
  }
}

test('a template mutated inside its XML gives a document that opens again, or located findings, and never a throw', () => {
  const random = randomOf(7)
  let composedCount = 0
  for (let round = 0; round < 500; round++) {
    let source = body
    for (let times = random(3); times >= 0; times--) source = mutated(source, random)
    const compiled = compileTemplate(wordPackage(source))
    const outcome = compiled.ok ? composeTemplate(compiled.value, data) : compiled
    if (!outcome.ok) {
      for (const finding of outcome.findings) expect([finding.path, finding.hint]).not.toContain(undefined)
      continue
    }
    composedCount++
    const opened = openPackage(outcome.value)
    if (!opened.ok) throw new Error(source)
    const document = opened.value.readXml('word/document.xml')
    if (!document.ok) throw new Error(`${source}\n${JSON.stringify(document.findings)}`)
  }
  expect(composedCount).toBeGreaterThan(50)
})
