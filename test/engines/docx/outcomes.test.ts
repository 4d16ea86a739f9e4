/**
 * What templates say to their authors, and what they give for data. In outcomes.txt each block is a template: paragraphs with ¶ between
 * them, `|a|b||c|d|` for a table of two rows. Below it are its findings, and data with the paragraphs that it makes or what is wrong with it:
 * severity, code, place, message, and the hint in parentheses.
 */
import { describe, expect, test } from 'bun:test'
import type { Finding } from '../../../src/core/finding.ts'
import { compileTemplate, composeTemplate } from '../../../src/engines/docx/docx.ts'
import { openPackage } from '../../../src/engines/ooxml/package.ts'
import { linesOf, p, partText, tbl, tr, wordPackage } from './word-package.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function bodyOf(template: string): string {
  const chunks = template.split(' ¶ ').map((chunk) => {
    if (!/^\|.*\|$/.test(chunk)) return p(escaped(chunk))
    const rows = chunk.slice(1, -1).split('||')
    return tbl(...rows.map((row) => tr(...escaped(row).split('|'))))
  })
  return chunks.join('')
}

function told({ severity, code, path, message, hint }: Finding): string {
  return `${severity} ${code} at ${path?.replace('word/document.xml', '')}: ${message}${hint === undefined ? '' : ` (${hint})`}`
}

function outcomesOf(template: string, inputs: readonly string[]): string[] {
  const compiled = compileTemplate(wordPackage(bodyOf(template)))
  const findings = compiled.findings.map((finding) => `  ${told(finding)}`)
  if (!compiled.ok) return findings
  const made = inputs.map((input) => {
    const composed = composeTemplate(compiled.value, JSON.parse(input))
    if (!composed.ok) return `  ${input} → ${composed.findings.map(told).join(' ')}`
    const opened = openPackage(composed.value)
    if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
    const lines = linesOf(partText(opened.value, 'word/document.xml'))
    return `  ${input} → ${lines.map((line) => JSON.stringify(line).slice(1, -1)).join(' ¶ ')}`.trimEnd()
  })
  return [...findings, ...made]
}

const blocks = (await Bun.file(new URL('outcomes.txt', import.meta.url)).text())
  .trimEnd()
  .split(/\n(?! )/)
  .map((block) => block.split('\n'))

describe('a template says and makes what is written down', () => {
  test.each(blocks)('%s', (template, ...expected) => {
    const inputs = expected.flatMap((line) => /^ {2}(\{.*?\}) →/.exec(line)?.[1] ?? [])
    expect(outcomesOf(template ?? '', inputs)).toEqual(expected)
  })
})
