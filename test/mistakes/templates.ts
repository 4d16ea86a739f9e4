/** What authors of templates write wrong: the template, code and place of the first finding, and the form of Quire that it shows. */
import type { Mistake } from './answers.ts'

/** `¶` divides paragraphs, `¦` the pieces that Word cuts them into. */
export const inTemplates: readonly Mistake[] = [
  [
    '{{#lines}}{{text}}{{/lines}}',
    'docx.unknown_tag #1:0',
    'Write {{#each /lines}} for a list, {{#with /lines}} for an object, or {{#if /lines}} for a flag.',
  ],
  [
    '{{customer.name}}',
    'docx.unknown_tag #1:0',
    'Write {{/customer/name}}, or {{/customer.name}} for the value named customer.name.',
  ],
  [
    '{{#with customer}}{{name}}{{/with}}',
    'docx.bad_pointer #1:0',
    'Write {{#with /customer}}; inside of another block, ./ is a member of its item.',
  ],
  ['{% if paid %}thanks{% endif %}', 'docx.foreign_text #1:0', 'Write {{#if /paid}}.'],
  [
    '{{/total | format("#,##0.00")}}',
    'docx.unknown_format #1:0',
    'Write | number "#,##0.00" for a number, | date "d MMMM yyyy" for a date.',
  ],
  [
    '{{/lines | join ", "}}',
    'docx.unknown_format #1:0',
    'Loop with {{#each /list}}, or let the transformer make the value, with $join.',
  ],
  ['{%logo}', 'docx.foreign_text #1:0', 'Write {{image /logo}}.'],
  [
    '{d.lines[i].text}',
    'docx.foreign_text #1:0',
    'Write {{./text}}, or {{/d.lines[i].text}} for the value named d.lines[i].text.',
  ],
  [
    '{{{/customer/name}}}',
    'docx.unknown_tag #1:0',
    'Write {{/customer/name}}: a value is always text. {{rich /customer/name}} takes HTML and Markdown.',
  ],
  [
    '{{#/lines}}{{./text}}{{#end}}',
    'docx.unknown_tag #1:0',
    'Write {{#each /lines}} for a list, {{#with /lines}} for an object, or {{#if /lines}} for a flag.',
  ],
  ['{{\u200b/total}}', 'docx.unknown_tag #1:0', 'It holds the unseen character U+200B: type it anew.'],
  ['{{#if /pa\u00adid}}x{{#end}}', 'docx.bad_condition #1:0', 'It holds the unseen character U+00AD: type it anew.'],
  ['{{INS total}}', 'docx.unknown_tag #1:0', 'Write {{/total}}.'],
  [
    '{{/customer.name}}',
    'docx.unbound #1:0',
    'Write /customer/name: a slash leads to a member, and to an item by its number from 0.',
  ],
  ['{{/line}}', 'docx.unbound #1:0', 'Did you mean lines?'],
  ['{{#each /lines}}{{./txt}}{{#end}}', 'docx.unbound #1:16', 'Did you mean text?'],
  ['{{#if paid}}x{{#end}}', 'docx.bad_pointer #1:0', 'Write /paid for the value named paid, or "paid" for the text.'],
  ['{{#if /paid === true}}x{{#end}}', 'docx.bad_condition #1:0', 'Write = instead of ===.'],
  [
    '{{#if /kind = home}}x{{#end}}',
    'docx.bad_pointer #1:0',
    'Write /home for the value named home, or "home" for the text.',
  ],
  [
    '{{#if /paid = "true"}}x{{#end}}',
    'docx.unfit #1:0',
    'Write /flag or not /flag, or compare with true or false, without quotes.',
  ],
  [
    '{{#if /kind = "home" or "car"}}x{{#end}}',
    'docx.bad_condition #1:0',
    'Compare it with a value: /kind = "car", or /kind in ["a", "car"].',
  ],
  [
    '{{#if /lines.length > 0}}x{{#end}}',
    'docx.unbound #1:0',
    'Ask {{#if /list is not empty}}, write {{@count}} in its loop, or let the transformer count it with $count.',
  ],
  ['{{#if /note is null}}x{{#end}}', 'docx.bad_condition #1:0', 'Write = null instead of is null.'],
  ['{{#if /kind in "home","car"}}x{{#end}}', 'docx.bad_condition #1:0', 'Write the values in brackets: in ["a", "b"].'],
  ['{{#if}}x{{#end}}', 'docx.unknown_tag #1:0', 'Write {{#if /flag}}, with the value that decides.'],
  ['{{/total * 1.19}}', 'docx.unbound #1:0', 'Templates don’t calculate. Let the transformer make the value.'],
  ['{{/due | date "DD.MM.YYYY"}}', 'docx.bad_pattern #1:0', 'Write dd.MM.yyyy.'],
  [
    '{{/due|date:"dd.MM.yyyy"}}',
    'docx.unknown_format #1:0',
    'Write | date "dd.MM.yyyy", with a blank behind the name.',
  ],
  ['{{/total | number 2}}', 'docx.bad_pattern #1:0', 'Write "0.00" for that many decimal places.'],
  ['{{/lines}}', 'docx.unfit #1:0', 'Point to a member of it, or loop with #each.'],
  [
    '{{/lines.0.text}}',
    'docx.unbound #1:0',
    'Write /lines/0/text: a slash leads to a member, and to an item by its number from 0.',
  ],
  [
    '{{/customer name}}',
    'docx.unbound #1:0',
    'Known here: customer, lines, total, kind, due, paid, country, note, logo.',
  ],
  ['{{/customer/name}', 'docx.unclosed_tag #1:0', 'Close it with }} in the same paragraph.'],
  [
    '{{@root.total}}',
    'docx.unknown_tag #1:0',
    'Write {{/total}}, or {{/@root.total}} for the value named @root.total.',
  ],
  [
    '{{page}}',
    'docx.unknown_tag #1:0',
    'Insert a page number in Word (Insert, Page Number): Quire’s PDF computes such fields.',
  ],
  [
    '{{image logo}}',
    'docx.bad_pointer #1:0',
    'Write {{image /logo}}; inside of a block, {{image ./logo}} for a member of its item.',
  ],
  ['{{qr /note size=2}}', 'docx.bad_option #1:0', 'Write size=2cm (cm, mm, in, pt or px).'],
  ['{{checkbox /paid}}', 'docx.unknown_tag #1:0', 'Write {{check /flag}}.'],
  [
    '{{rich /note type=html}}',
    'docx.bad_option #1:0',
    'Write format=html or format=markdown, or nothing: text that begins with < is HTML.',
  ],
  [
    '{{>clause /customer}}',
    'docx.unknown_tag #1:0',
    'Write {{> clause-customer}} with the slug of the template that is included.',
  ],
  [
    '{{include clause}}',
    'docx.unknown_tag #1:0',
    'Write {{> clause}} alone in a paragraph, with the slug of the template that is included.',
  ],
  [
    '{% include "clause.docx" %}',
    'docx.foreign_text #1:0',
    'Write {{> clause}} alone in a paragraph, with the slug of the template that is included.',
  ],
  ['{{shade red}}', 'docx.bad_pointer #1:0', 'Write /red for the value named red, or "red" for the text.'],
  ['{{#foreach /lines}}x{{#end}}', 'docx.unknown_tag #1:0', 'Write {{#each /list}}.'],
  [
    '{{!-- comment',
    'docx.unclosed_tag #1:0',
    'Close it with }}. Braces in it go in pairs; write {{!-- … --}} around others.',
  ],
  ['{{#end if}}', 'docx.unknown_tag #1:0', 'Write {{#end}} alone.'],
  ['{{/customer/name ?? "none"}}', 'docx.bad_pointer #1:0', 'Write {{/customer/name | default "text"}}.'],
  [
    '{{../customer/name}}',
    'docx.outside_loop #1:0',
    'Put it between {{#each /list}} and {{#end}}, or write a pointer from the root such as /name.',
  ],
  ['{{/lines/*/text}}', 'docx.bad_pointer #1:0', 'Loop: {{#each /lines}} … {{./text}} … {{#end}}.'],
  ['{{./paid}}', 'docx.outside_loop #1:0', 'Put it between {{#each /list}} and {{#end}}, or write /paid.'],
  ['{{concat /a /b}}', 'docx.unknown_tag #1:0', 'Write the values side by side: {{/first}} {{/last}}.'],
  ['{{#each /lines}}{{./text}}', 'docx.unbalanced #1:0', 'Add {{#end}} where the block ends.'],
  ['{{/due | date "dd/mm/yyyy"}}', 'docx.bad_pattern #1:0', 'Write M for the month: dd/MM/yyyy.'],
  ['{{/customer/na¦me', 'docx.unclosed_tag #1:0', 'Close it with }} in the same paragraph.'],
  ['{{#if /kind = “Home”}}x{{#end}}', 'docx.unfit #1:0', 'Did you mean home?'],
  ['{{MERGEFIELD Name}}', 'docx.unknown_tag #1:0', 'Write {{/Name}}.'],
  ['«First_Name»', 'docx.foreign_text #1:0', 'Write {{/First_Name}}.'],
  ['{{/Customer/name}}', 'docx.unbound #1:0', 'Did you mean customer?'],
  ['{{customer/name}}', 'docx.unknown_tag #1:0', 'Begin with a slash: {{/customer/name}}.'],
  ['{{#each /lines}}{{/text}}{{#end}}', 'docx.unbound #1:16', 'Inside of {{#each /lines}} write ./text.'],
  [
    '{{> clauses}}',
    'docx.fragment_missing #1:0',
    'Name the slug of a template: {{> clauses}} is the file clauses.docx.',
  ],
  ['{{> circle}}', 'docx.fragment_circle circle>#1:0', 'Take one of the tags out.'],
  [
    'text {{> clause}}',
    'docx.misplaced #1:5',
    'Put it alone into a paragraph of the body, a table cell, a header or a footer; not into text boxes and notes.',
  ],
  ['{{/due | date "TT.MM.JJJJ"}}', 'docx.bad_pattern #1:0', 'Write dd.MM.yyyy.'],
  ['{{#if /paid}}x{{/if}}', 'docx.unbalanced #1:0', 'Write {{#end}} instead of {{/if}}.'],
  ['{{#IF /paid}}x{{#end}}', 'docx.unknown_tag #1:0', 'Write #if in small letters: {{#if /paid}}.'],
  ['{/customer/name}}', 'docx.foreign_text #1:0', 'Write {{/customer/name}}, with two braces on both sides.'],
  ['<<customer.name>>', 'docx.foreign_text #1:0', 'Write {{/customer/name}}.'],
  ['{{#if /paid && /total > 3}}x{{#end}}', 'docx.bad_condition #1:0', 'Write and instead of &&.'],
  [
    '{{/total | number "#.##0,00"}}',
    'docx.bad_pattern #1:0',
    'Write "#,##0.00": the locale decides which signs it prints, such as "de" for 1.234,50.',
  ],
]

/** The template, and the data that it is filled with. */
export const inData: readonly Mistake[] = [
  [
    '["{{/customer/name}}",{"customer":{}}]',
    'docx.missing_value #1:0',
    'Give the value, write | default "…" in the tag, or put #if around it.',
  ],
  ['["{{/total | number \\"0.00\\"}}",{"total":"12,50"}]', 'docx.bad_value #1:0', 'Give a number, such as 1234.5.'],
  [
    '["{{#each /lines}}x{{#end}}",{"lines":"a"}]',
    'docx.not_a_list #1:0',
    'Give a list (an empty one for no items), or put #if around the block.',
  ],
  [
    '["{{/customer}}",{"customer":{"name":"x"}}]',
    'docx.bad_value #1:0',
    'Point to a member of it, or loop with #each.',
  ],
  [
    '["{{image /logo}}",{"logo":"logo.png"}]',
    'docx.bad_picture #1:0',
    'Give a PNG, JPEG or SVG as base64 text or as a data URI (data:image/png;base64,…), or an SVG as it is.',
  ],
  [
    '["{{barcode /note type=ean13}}",{"note":"123"}]',
    'docx.bad_picture #1:0',
    'Check its characters, its length and its check digit, or choose another type.',
  ],
]
