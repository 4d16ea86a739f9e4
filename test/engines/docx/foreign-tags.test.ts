import { expect, test } from 'bun:test'
import { compileTemplate } from '../../../src/engines/docx/docx.ts'
import { parseTag } from '../../../src/engines/docx/scan/parse-tag.ts'
import { compileCodes, p, wordPackage } from './word-package.ts'

const hintOf = (inner: string) => {
  const parsed = parseTag(inner)
  return parsed.ok ? 'accepted' : parsed.hint
}

test.each<[language: string, inner: string, ours: string]>([
  ['Mustache', '#lines', '{{#each /lines}} for a list, {{#with /lines}} for an object, or {{#if /lines}} for a flag'],
  ['Mustache', '^lines', '{{#if not /lines}}'],
  ['Mustache', '{name', '{{rich /name}} takes HTML'],
  ['Mustache', '&name', '{{/name}}'],
  ['Mustache', '> Clause 1', '{{> clause-1}}'],
  ['Mustache', '=<% %>=', 'double braces'],
  ['Handlebars', '#each lines', '{{#each /lines}}'],
  ['Handlebars', '#each order.lines as |line|', '{{#each /order/lines}}'],
  ['Handlebars', '#each this.lines', '{{#each ./lines}}'],
  ['Handlebars', '#with customer', '{{#with /customer}}'],
  ['Handlebars', '#unless paid', '{{#if not /flag}}'],
  ['Handlebars', 'this.name', '{{./name}}'],
  ['Handlebars', 'this', '{{.}}'],
  ['Handlebars', '@key', '{{@name}}'],
  ['Handlebars', 'customer.name', '{{/customer/name}}'],
  ['Jinja', 'name | upper', '{{/name …}}'],
  ['Jinja', 'for line in order.lines', '{{#each /order/lines}}'],
  ['Jinja', '#for line in lines', '{{#each /lines}}'],
  ['Jinja', 'endfor', '{{#end}}'],
  ['Jinja', 'lines[0].name', '{{/lines/0/name}}'],
  ['Carbone', 'd.customer.name', '{{/customer/name}}'],
  ['Carbone', 'd.lines[i].name', '{{./name}}'],
  ['Carbone', 'd.total:formatN(2)', '{{/total}}, with formats behind bars'],
  ['docx-templates', 'FOR r IN rows', '{{#each /rows}}'],
  ['docx-templates', 'IF paid', '{{#if /paid}}'],
  ['docx-templates', 'END-FOR r', '{{#end}}'],
  ['docx-templates', 'INS total', '{{/total}}'],
  ['Word', 'MERGEFIELD Name', '{{/Name}}'],
])('a tag of %s, {{%s}}, is answered with what Quire has for it', (_, inner, ours) => {
  expect(hintOf(inner)).toContain(ours)
})

test('every form that an answer shows is a tag', () => {
  const shown = ['#lines', '^lines', '&name', 'a.b', 'this.a', 'd.lines[i].x', 'IF paid', 'for a in b.c', '#with x']
  for (const inner of shown) {
    for (const [tag] of String(hintOf(inner)).matchAll(/\{\{[^}]*\}\}/g)) {
      if (tag.includes('…')) continue
      expect([tag, parseTag(tag.slice(2, -2)).ok]).toEqual([tag, true])
    }
  }
})

test('a block that is closed as Handlebars does is answered with the right end', () => {
  const template = compileTemplate(wordPackage(p('{{#if /a}}x{{/if}}')))
  expect(template.ok ? [] : template.findings.map(({ hint }) => hint)).toEqual(['Write {{#end}} instead of {{/if}}.'])
  expect(compileCodes(wordPackage(p('{{/if}}{{/each}}')))).toEqual([])
})
