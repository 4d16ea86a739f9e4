/** The results as one HTML file that needs nothing beside it: differences of text, and pages side by side. */
import { sha256Hex } from '../core/hash.ts'
import type { Failure } from './expectations.ts'
import { withClass } from './page-difference.ts'
import script from './report.client.txt' with { type: 'text' }
import style from './report.css' with { type: 'text' }
import type { CaseResult } from './test-cases.ts'
import { describeFailure, summaryLine } from './text-report.ts'

/** @param durationMs of the whole run */
export function htmlReport(results: readonly CaseResult[], durationMs: number): string {
  const failed = results.filter(({ failures }) => failures.length > 0)
  const passed = results.filter(({ failures }) => failures.length === 0)
  const title = summaryLine(results, durationMs).trim()
  const list = passed.map(({ testCase }) => `<li>${text(testCase.stem)}</li>`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${text(title)}</title>
<style>${style}</style>
<body>
<h1 class="${failed.length === 0 ? 'good' : 'bad'}">${text(title)}</h1>
${failed.map(caseSection).join('\n')}
<details><summary>${passed.length} passed</summary><ul>${list}</ul></details>
<script>${script}</script>
</body>
</html>
`
}

function caseSection({ testCase, failures }: CaseResult): string {
  return `<section>\n<h2>${text(testCase.stem)}</h2>\n${failures.map(failureBlock).join('\n')}\n</section>`
}

function failureBlock(failure: Failure): string {
  if (failure.kind === 'page') return pagePair(failure)
  if (failure.kind === 'other') return `<pre>${text(describeFailure(failure).join('\n'))}</pre>`
  const lines = failure.changes.flatMap(({ line, lines }) => [
    `<i>line ${line}</i>`,
    ...lines.map((each) => `<span class="${lineClass(each)}">${text(each)}</span>`),
  ])
  return `<h3>${text(failure.file)}</h3>\n<pre class="difference">${lines.join('\n')}</pre>`
}

function lineClass(line: string): string {
  return line.startsWith('-') ? 'gone' : line.startsWith('+') ? 'new' : 'same'
}

/** Both pages, with what only one of them has in a class of its own, around which the page's script draws frames. */
function pagePair({ file, expected, actual, difference }: Extract<Failure, { kind: 'page' }>): string {
  const gone = new Set(difference.missing.map(({ index }) => index))
  const added = new Set(difference.added.map(({ index }) => index))
  const note = difference.isRearranged ? '<p>The size of the page differs, or the order in which it is drawn.</p>' : ''
  return `<h3>${text(file)}</h3>${note}
<div class="pages">
<figure><figcaption>Expected</figcaption>${apart(withClass(expected.trimEnd(), gone, 'gone'), `expected ${file}`)}</figure>
<figure><figcaption>Made</figcaption>${apart(withClass(actual, added, 'new'), `made ${file}`)}</figure>
</div>`
}

/** A drawing whose definitions have names that no other drawing in the file has. */
function apart(svg: string, name: string): string {
  const prefix = `p${sha256Hex(name).slice(0, 12)}`
  return svg.replace(/(?<=id="|"#|url\(#)g\d+/g, (id) => prefix + id)
}

function text(value: string): string {
  return value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
