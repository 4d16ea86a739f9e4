/**
 * Lists what failed in a test run, because a log of thousands of lines hides it: each failed test by place and name, with its
 * error, and the errors outside of tests, which Bun's reports leave out.
 * bun scripts/failures.ts LOG REPORT.xml…
 */

import { readFileSync } from 'node:fs'

const UNESCAPED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function textOf(escaped: string): string {
  return escaped.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code === undefined ? (UNESCAPED[name] ?? whole) : String.fromCodePoint(Number(code)),
  )
}

function attributesOf(tag: string): Record<string, string> {
  return Object.fromEntries([...tag.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, textOf(value ?? '')]))
}

/** The failed tests of a report in JUnit's format, as Bun writes it. */
function failedTests(report: string): string[] {
  const failures = report.matchAll(/<testcase ([^>]*[^/])>\s*<failure ([^>]*?)\/?>(?:([^<]*)<\/failure>)?/g)
  return [...failures].map(([, testcase = '', failure = '', trace = '']) => {
    const { file, line, classname, name } = attributesOf(testcase)
    const place = line === undefined ? file : `${file}:${line}`
    const error = trace === '' ? attributesOf(failure).message : textOf(trace)
    return `${place}  ${classname ? `${classname} > ` : ''}${name}\n${error ?? ''}`.trimEnd()
  })
}

/** What Bun prints for a file that could not be loaded, and for an error that no test awaited. */
function errorsOutside(log: string): string[] {
  return [...log.matchAll(/^# Unhandled error between tests\n-+\n([\s\S]*?)\n-{10,}$/gm)].map(
    ([, error]) => `outside of a test\n${error}`,
  )
}

const paths = process.argv.slice(2)
const [log = '', ...reports] = paths.map((path) => readFileSync(path, 'utf8'))
const failures = [...reports.flatMap(failedTests), ...errorsOutside(log)]
if (failures.length > 0) console.log(`\nWhat failed:\n\n${failures.join('\n\n')}\n`)
