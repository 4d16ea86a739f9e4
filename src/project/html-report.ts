/** The results as one self-contained HTML file: differences of text, and pages side by side. */
import { sha256Hex } from '../core/hash.ts'
import { isDrawing, withClass } from '../engines/pdf/draw/page-difference.ts'
import type { Failure } from '../suite/compare.ts'
import { gapsOf, type ProjectCoverage } from './coverage/coverage.ts'
import { coverageTable, gapLine } from './coverage/coverage-report.ts'
import type { MutationResult } from './mutation/mutate.ts'
import { scoreLine, survivorLines } from './mutation/mutation-report.ts'
import script from './report.client.txt' with { type: 'text' }
import style from './report.css' with { type: 'text' }
import type { CaseResult } from './test-cases.ts'
import { describeFailure, summaryLine } from './text-report.ts'

/** What `--coverage` and `--mutate` found. */
export interface Measured {
  coverage?: ProjectCoverage | undefined
  mutation?: MutationResult | undefined
}

/** What the report has of a case. */
export type ReportedCase = Pick<CaseResult, 'failures'> & { testCase: Pick<CaseResult['testCase'], 'stem'> }

/**
 * @param durationMs of the whole run
 * @param measured what was asked for besides the cases
 */
export function htmlReport(
  results: readonly ReportedCase[],
  durationMs: number,
  { coverage, mutation }: Measured = {},
): string {
  const failed = results.filter(({ failures }) => failures.length > 0)
  const passed = results.filter(({ failures }) => failures.length === 0)
  const title = summaryLine(results, durationMs).trim()
  const list = passed.map(({ testCase }) => `<li>${text(testCase.stem)}</li>`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${text(title)}</title>
<style>${style}</style>
<body>
<header>
<p class="product">quire test</p>
<h1 class="${failed.length === 0 ? 'good' : 'bad'}">${text(title)}</h1>
${shareBar(passed.length, failed.length)}
${failed.length < 2 ? '' : contents(failed)}
</header>
<main>
${failed.map(caseSection).join('\n')}
<details class="passed"><summary>${passed.length} passed</summary><ul>${list}</ul></details>
${coverage === undefined ? '' : coverageSection(coverage)}
${mutation === undefined ? '' : mutationSection(mutation)}
</main>
<script>${script}</script>
</body>
</html>
`
}

/** The report's own script runs, and nothing is loaded. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${Buffer.from(sha256Hex(script), 'hex').toString('base64')}'`

/** A bar of two colours; the heading above says the same in words. */
function shareBar(passed: number, failed: number): string {
  const part = (name: string, count: number) =>
    count === 0 ? '' : `<span class="${name}" style="--count:${count}"></span>`
  return `<div class="share" aria-hidden="true">${part('good', passed)}${part('bad', failed)}</div>`
}

/** Where each failed case is. */
function contents(failed: readonly ReportedCase[]): string {
  const links = failed.map(({ testCase: { stem } }) => `<li><a href="#${anchorOf(stem)}">${text(stem)}</a></li>`)
  return `<nav aria-label="Failed cases"><ul>${links.join('')}</ul></nav>`
}

function anchorOf(stem: string): string {
  return `case-${sha256Hex(stem).slice(0, 12)}`
}

function mutationSection(mutation: MutationResult): string {
  const survivors = mutation.survivors.map((survivor) => {
    const [head = '', ...lines] = survivorLines(survivor)
    const changed = lines
      .map((line) => line.slice(2))
      .map((line) => `<span class="${lineClass(line)}">${text(line)}</span>`)
    return `<h3>${text(head)}</h3>\n<pre class="difference" tabindex="0">${changed.join('')}</pre>`
  })
  return `<section>\n<h2>Changes that no case notices</h2>\n<p>${text(scoreLine(mutation))}</p>\n${survivors.join('\n')}\n</section>`
}

function coverageSection(coverage: ProjectCoverage): string {
  const [head = [], ...rows] = coverageTable(coverage).map((row) => row.map(text))
  const cells = ([name = '', ...others]: string[]) =>
    `<tr><th scope="row">${name}</th>${others.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const sources = coverage.sources.map((source) => {
    const gaps = gapsOf(source)
    const lines = gaps.map(
      (gap) => `<li class="${gap.byRefusal ? 'refusal' : 'gap'}">${text(gapLine(source.file, gap))}</li>`,
    )
    return gaps.length === 0
      ? ''
      : `<details><summary>${text(source.file)}: ${source.reached.size} of ${source.points.length} reached</summary><ul>${lines.join('')}</ul></details>`
  })
  return `<section>
<h2>Coverage</h2>
<div class="table" tabindex="0" role="region" aria-label="Coverage of each document"><table><thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>${rows.map(cells).join('\n')}</tbody></table></div>
${sources.join('\n')}
</section>`
}

function caseSection({ testCase, failures }: ReportedCase): string {
  return `<section id="${anchorOf(testCase.stem)}">\n<h2>${pathText(testCase.stem)}</h2>\n${failures.map(failureBlock).join('\n')}\n</section>`
}

function failureBlock(failure: Failure): string {
  if (failure.kind === 'page') return pagePair(failure)
  if (failure.kind === 'other') return `<pre tabindex="0">${text(describeFailure(failure).join('\n'))}</pre>`
  const lines = failure.changes.flatMap(({ line, lines }) => [
    `<i>line ${line}</i>`,
    ...lines.map((each) => `<span class="${lineClass(each)}">${text(each)}</span>`),
  ])
  return `<h3>${pathText(failure.file)}</h3>\n<pre class="difference" tabindex="0">${lines.join('')}</pre>`
}

function lineClass(line: string): string {
  return line.startsWith('-') ? 'gone' : line.startsWith('+') ? 'new' : 'same'
}

/** Both pages. What only one of them has gets a class, for the page's script to frame it. */
function pagePair({ file, expected, actual, difference }: Extract<Failure, { kind: 'page' }>): string {
  const gone = new Set(difference.missing.map(({ index }) => index))
  const added = new Set(difference.added.map(({ index }) => index))
  const note = difference.isRearranged ? '<p>The size of the page differs, or the order in which it is drawn.</p>' : ''
  return `<h3>${pathText(file)}</h3>${note}
<div class="pages">
<figure><figcaption>Expected</figcaption>${isDrawing(expected) ? apart(withClass(expected.trim(), gone, 'gone'), `expected ${file}`) : noDrawing}</figure>
<figure><figcaption>Made</figcaption>${apart(withClass(actual, added, 'new'), `made ${file}`)}</figure>
</div>`
}

/** The expected page's file comes from whoever last changed the project; unchecked, it could run scripts in the report. */
const noDrawing = '<p>The file is no drawing as Quire makes them, so it is not shown; --update writes it anew.</p>'

/** A drawing whose definitions have names that no other drawing in the file has. */
function apart(svg: string, name: string): string {
  const prefix = `p${sha256Hex(name).slice(0, 12)}`
  return svg.replace(/(?<=id="|"#|url\(#)g\d+/g, (id) => prefix + id)
}

/** A path, which a narrow page breaks behind its slashes. */
function pathText(path: string): string {
  return text(path).replaceAll('/', '/<wbr>')
}

function text(value: string): string {
  return value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
