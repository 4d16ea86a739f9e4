import { expect, test } from 'bun:test'
import { comparePages } from '../../src/engines/pdf/draw/page-difference.ts'
import { htmlReport, type ReportedCase } from '../../src/project/html-report.ts'
import type { Failure } from '../../src/suite/compare.ts'

const failure: Failure = { kind: 'other', file: 'letter', message: 'validate: <wrong>' }
const of = (stem: string, ...failures: Failure[]): ReportedCase => ({ testCase: { stem }, failures })
const drawing = (body: string, size = 9) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} 9"><defs></defs><rect/>${body}</svg>`

test('a report without failures says so in its title, lists what passed, and has nothing else', () => {
  const html = htmlReport([of('cases/a/<1>'), of('cases/a/2')], 1_000)
  expect(html).toContain('<title>2 passed, 0 failed in 1.0 s</title>')
  expect(html).toContain('<h1 class="good">2 passed, 0 failed in 1.0 s</h1>')
  expect(html).toContain('<div class="share" aria-hidden="true"><span class="good" style="--count:2"></span></div>')
  expect(html).toContain(
    '<details class="passed"><summary>2 passed</summary><ul><li>cases/a/&#60;1&#62;</li><li>cases/a/2</li></ul></details>',
  )
  expect(html).not.toMatch(/<nav|<section|class="bad"/)
})

test('the bar has a part for what failed and one for what passed, and none for nothing', () => {
  const bar = (...cases: ReportedCase[]) => /<div class="share".*?<\/div>/.exec(htmlReport(cases, 1))?.[0]
  const [passed, failed] = [of('p'), of('f', failure)]
  expect(bar(passed, failed, failed)).toContain(
    '<span class="good" style="--count:1"></span><span class="bad" style="--count:2"></span>',
  )
  expect(bar(failed)).toContain('"><span class="bad" style="--count:1"></span></div>')
})

test('several failed cases are listed above, each with a link to its section; a single one needs none', () => {
  const html = htmlReport([of('cases/a/1', failure), of('cases/a/2', failure)], 1)
  const links = [...html.matchAll(/<li><a href="#(case-[0-9a-f]{12})">(.*?)<\/a><\/li>/g)].map(([, id, name]) => [
    id,
    name,
  ])
  expect(links.map(([, name]) => name)).toEqual(['cases/a/1', 'cases/a/2'])
  const sections = [...html.matchAll(/<section id="(.*?)">\n<h2>(.*?)<\/h2>/g)].map(([, id, name]) => [id, name])
  expect(sections).toEqual(links.map(([id, name]) => [id, name?.replaceAll('/', '/<wbr>')]))
  expect(new Set(links.map(([id]) => id)).size).toBe(2)
  expect(htmlReport([of('cases/a/1', failure)], 1)).not.toContain('<nav')
})

test('a failure of another kind is shown as it is told, with nothing of it taken for markup', () => {
  expect(htmlReport([of('a', failure)], 1)).toContain('<pre tabindex="0">letter: validate: &#60;wrong&#62;</pre>')
})

test('a difference of text has its line, and what is gone, new and the same in classes of their own', () => {
  const changes = [{ line: 3, lines: [' same', '-gone', '+new'] }]
  const html = htmlReport([of('a', { kind: 'text', file: 'a/output.json', changes })], 1)
  expect(html).toContain(
    '<h3>a/<wbr>output.json</h3>\n<pre class="difference" tabindex="0"><i>line 3</i><span class="same"> same</span>' +
      '<span class="gone">-gone</span><span class="new">+new</span></pre>',
  )
})

test('pages that differ in size or order alone are told to, others are not', () => {
  const shown = (expected: string, actual: string) => {
    const difference = comparePages(expected, actual, 0.5)
    if (difference === undefined) throw new Error('the pages differ')
    return htmlReport([of('a', { kind: 'page', file: 'p', page: 1, expected, actual, difference })], 1)
  }
  const note = '<p>The size of the page differs, or the order in which it is drawn.</p>'
  expect(shown(drawing(''), drawing('', 10))).toContain(`<h3>p</h3>${note}`)
  const other = shown(`${drawing('')}\n`, drawing('<circle/>'))
  expect(other).toContain('<h3>p</h3>\n<div class="pages">')
  expect(other).toContain('<figcaption>Made</figcaption>')
  expect(other).toContain('<g class="new"><circle/></g></svg></figure>')
})

test('an expected page that is not a drawing is not shown, so nothing in it runs', () => {
  const made = drawing('<rect x="1"/>')
  const evil = [
    drawing('<script>alert(1)</script>'),
    drawing('<rect onload="alert(1)"/>'),
    drawing('<g><rect/></g></svg></figure><img src="x" onerror="alert(1)"><svg>'),
    drawing('<use href="https://example.com/x.svg#a"/>'),
    drawing('<image href="javascript:alert(1)"/>'),
    drawing('<rect style="background:url(https://example.com)"/>'),
    drawing('<rect fill="url(https://example.com)"/>'),
    drawing('<foreignObject><iframe srcdoc="a"/></foreignObject>'),
    '<meta http-equiv="refresh" content="0;url=https://example.com">',
    `${drawing('')}<svg onload="alert(1)"></svg>`,
    '<svg >text',
    '',
  ]
  for (const expected of evil) {
    const difference = comparePages(expected, made, 0.5) ?? { missing: [], added: [], isRearranged: true }
    const html = htmlReport(
      [of('a', { kind: 'page', file: 'a/page-1.svg', page: 1, expected, actual: made, difference })],
      1,
    )
    expect(html).toContain('<figcaption>Expected</figcaption><p>The file is no drawing')
    expect(html).not.toMatch(/alert|example\.com|iframe/)
    expect(html).toContain(`<figcaption>Made</figcaption><svg `)
  }
})

test('a report runs its own script alone, and loads nothing', async () => {
  const html = htmlReport([of('a')], 1)
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? []
  const hash = new Bun.CryptoHasher('sha256').update(script).digest('base64')
  expect(html).toContain(
    `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${hash}'"`,
  )
})
