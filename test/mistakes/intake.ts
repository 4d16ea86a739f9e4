/** What authors of ingestion models, and those who hand inputs in, write wrong, as in templates.ts. */
import type { Mistake } from './answers.ts'

/** What follows the head of a model. */
export const inModels: readonly Mistake[] = [
  [
    'nodes: [{ key: a, label: A, transformer: t, when: /total > 3 }]',
    'unknown_path 3:51',
    'Compare with { $is: [/total, ">", 3] }.',
  ],
  [
    'nodes: [{ key: a, label: A, transformer: t, when: { $eq: [/kind, home] } }]',
    'unknown_operator 3:58',
    'Compare with { $is: [left, "=", right] }.',
  ],
  [
    'nodes: [{ key: a, label: A, transformer: t, if: { $is: [/kind, "=", home] } }]',
    'ingestion.unknown_key 3:49',
    'Write when instead of if; the keys are key, label, transformer, template, formats, when, children.',
  ],
  [
    'nodes: [{ key: a, label: A, transformer: transformers/t.yaml }]',
    'ingestion.slug 3:42',
    'Write t: use lower-case letters, digits and single hyphens, such as premium-letter.',
  ],
  [
    'nodes: [{ key: A letter, label: A, transformer: t }]',
    'ingestion.slug 3:16',
    'Write a-letter: use lower-case letters, digits and single hyphens, such as premium-letter.',
  ],
  [
    'nodes: [{ name: a, label: A, transformer: t }]',
    'ingestion.unknown_key 3:17',
    'Write key instead of name; the keys are key, label, transformer, template, formats, when, children.',
  ],
  [
    'nodes: [{ key: a, label: A, transformer: t, format: pdf, template: x }]',
    'ingestion.unknown_key 3:53',
    'Write formats instead of format; the keys are key, label, transformer, template, formats, when, children.',
  ],
  [
    'nodes: { key: a, label: A, transformer: t }',
    'ingestion.required 3:8',
    'Put a hyphen before its first key: - key: letter.',
  ],
  ['nodes:\n\t- { key: a, label: A, transformer: t }', 'yaml 4:1', 'Indent with blanks.'],
  ['nodes: [{ key: a, label: 2026, transformer: t }]', 'ingestion.type 3:26', 'Put it in quotes: "2026".'],
  ['object: { reference: /customer/nam }', 'ingestion.source 3:22', 'Did you mean name?'],
  [
    'object: { id: /customer/name }',
    'ingestion.unknown_key 3:15',
    'Write reference instead of id; the keys are reference, time.',
  ],
  [
    'model: ingestion-model\ncontract: { name: P, version: 1 }\nnodes: [{ key: a, label: A, transformer: t }]',
    'ingestion.model 1:8',
    'Write "model: ingestion-model-v1".',
  ],
  [
    'model: ingestion-model-v1\ncontract: { name: P, version: latest }\nnodes: [{ key: a, label: A, transformer: t }]',
    'ingestion.type 2:31',
    'Name a published version, such as version: 1; there is no latest one, as conditions are written for a version.',
  ],
  [
    'input: csv',
    'ingestion.type 3:8',
    'Write "input: { format: csv }" or "{ format: xml, root: … }", or leave it out for JSON.',
  ],
  [
    'input: { format: csv, separator: ";" }',
    'ingestion.unknown_key 3:34',
    'Write delimiter instead of separator; the keys are format, delimiter, header, rows, decimal, trim, empty, types.',
  ],
  ['input: { format: csv, delimiter: tab }', 'ingestion.input 3:34', 'Write "\\t" in double quotes.'],
  ['input: { format: csv, types: { a: decimal } }', 'ingestion.input 3:35', 'Write number.'],
  [
    'input: { format: csv, encoding: latin1 }',
    'ingestion.unknown_key 3:33',
    'Leave it out: inputs are UTF-8; the keys are format, delimiter, header, rows, decimal, trim, empty, types.',
  ],
  ['input: { format: xml }', 'ingestion.input 3:8', 'Write "root: invoice", or with a prefix of namespaces.'],
  [
    'input: { format: xml, root: order, lists: [//line] }',
    'ingestion.input 3:44',
    'Write line: a name by itself is any element of that name.',
  ],
  [
    'input: { format: xml, root: order, arrays: [line] }',
    'ingestion.unknown_key 3:44',
    'Write lists instead of arrays; the keys are format, root, namespaces, lists, objects, types, text, attributes, decimal, trim, empty.',
  ],
]

/** The declaration of the format, and the text. */
export const inCsv: readonly Mistake[] = [
  [
    '["{ format: csv, types: { b: number } }","a;b\\n1;2\\n"]',
    'csv.header 1:1',
    'Write delimiter: ";" in the model; or put the name in quotes.',
  ],
  [
    '["{ format: csv, types: { b: number } }","a,b\\n1,\\"1,234.50\\"\\n"]',
    'csv.value 2:3',
    'Write digits without grouping, exponent or leading zeros, or take it as text.',
  ],
  [
    '["{ format: csv, types: { b: number } }","a,b\\n1,\\"1,234\\"\\n"]',
    'csv.value 2:3',
    'Write 1234 if its sign groups digits, else 1.234, or decimal: "," in the model.',
  ],
  [
    '["{ format: csv, types: { b: number } }","a,b\\n1,12345678901234567890\\n"]',
    'csv.value 2:3',
    'Write at most 15 digits, or take it as text.',
  ],
  [
    '["{ format: csv, types: { b: number } }","a,b\\n1,.5\\n"]',
    'csv.value 2:3',
    'Write a digit before the decimal sign.',
  ],
  [
    '["{ format: csv, types: { b: number } }","a,b\\n1,007\\n"]',
    'csv.value 2:3',
    'What has leading zeros, such as a postcode, is text: leave its type out of the model.',
  ],
  [
    '["{ format: csv, types: { b: boolean } }","a,b\\n1,TRUE\\n"]',
    'csv.value 2:3',
    'Write it in small letters, or take it as text.',
  ],
  [
    '["{ format: csv, types: { amount: number } }","a, amount\\n1,1\\n"]',
    'csv.header 1:1',
    'There are blanks around that name: add trim: true to the model.',
  ],
  ['["{ format: csv }","a,b\\n1,2,3\\n"]', 'csv.fields 2:1', 'Quote fields that hold the delimiter or a line end.'],
  ['["{ format: csv }","a,b\\n1,\\"hi\\n"]', 'csv.quote 2:3', 'Close it with a quote.'],
  ['["{ format: csv }","a,a\\n1,2\\n"]', 'csv.header 1:3', 'Rename one of them.'],
  ['["{ format: csv }","a,b\\r1,2\\r"]', 'csv.line-end 1:4', 'End lines with LF or CR LF.'],
  [
    '["{ format: csv }","{\\"a\\": 1}"]',
    'csv.quote 1:2',
    'This looks like JSON: leave input out of the model for JSON.',
  ],
]

/** The declaration of the format, and the text. */
export const inXml: readonly Mistake[] = [
  [
    '["{ format: xml, root: order }","<Order/>"]',
    'xml.root 1:1',
    'Submit it to the model that takes it, or correct root in this one.',
  ],
  [
    '["{ format: xml, root: order }","<order><p>Dear <b>Ann</b></p></order>"]',
    'xml.mixed 1:11',
    'Put the text into an element of its own.',
  ],
  [
    '["{ format: xml, root: order }","<order><a>&nbsp;</a></order>"]',
    'xml.syntax 1:16',
    'Write the character itself, or its number such as &#160;: only &amp; &lt; &gt; &quot; and &apos; have names.',
  ],
  [
    '["{ format: xml, root: order }","<order><a>1</b></order>"]',
    'xml.syntax 1:15',
    'Close the element that was opened last, with the same name in the same letters.',
  ],
  ['["{ format: xml, root: order }","<order a=1/>"]', 'xml.syntax 1:10', 'Put the value in quotes: a="1".'],
  [
    '["{ format: xml, root: order, types: { a: number } }","<order><a>1,50</a></order>"]',
    'xml.value 1:11',
    'Write 1.50, or decimal: "," in the model.',
  ],
  [
    '["{ format: xml, root: order, types: { a: boolean } }","<order><a>yes</a></order>"]',
    'xml.value 1:11',
    'Write true, or take it as text.',
  ],
  [
    '["{ format: xml, root: order }","a,b\\n1,2"]',
    'xml.syntax 1:1',
    'Submit XML, or leave input out of the model for JSON.',
  ],
  [
    '["{ format: xml, root: order }","\\n<?xml version=\\"1.0\\"?><order/>"]',
    'xml.syntax 2:6',
    'Begin with <?xml: no line and no blank before it.',
  ],
]

/** The text of a case. */
export const inJson: readonly Mistake[] = [
  ['{"a": 1,}', 'json.syntax 1:9', 'Remove the comma.'],
  ['{"a": 1} // x', 'json.syntax 1:10', 'JSON has no comments: remove it.'],
  ['{"a": True}', 'json.syntax 1:7', 'Write true in small letters.'],
  ['{"a": 1,5}', 'json.syntax 1:9', 'Write a point in numbers: 1.5.'],
  ['{"a": 1 "b": 2}', 'json.syntax 1:9', 'Put a comma before it.'],
  ['{"a": "x\ny"}', 'json.syntax 1:9', 'Write it as an escape, such as \\n or \\t.'],
  ['', 'json.syntax 1:1', 'Give one JSON value.'],
  ['\uFEFF{}', 'json.bom 1:1', 'Save it as UTF-8 without a byte order mark.'],
  ['{"a": 12345678901234567890}', 'json.number 1:7', 'Write it as a string, or with at most 15 significant digits.'],
]

/** What is otherwise in a case that keeps the contract. */
export const inCases: readonly Mistake[] = [
  ['{"due":"01.03.2026"}', 'payload.format /due', 'The rule is in the schema at #/properties/due/format.'],
  [
    '{"paid":"true"}',
    'payload.type /paid',
    'Write true without quotes. The rule is in the schema at #/properties/paid/type.',
  ],
  ['{"kind":"Home"}', 'payload.enum /kind', 'Write "home". The rule is in the schema at #/properties/kind/enum.'],
  ['{"kind":"boat"}', 'payload.enum /kind', 'The rule is in the schema at #/properties/kind/enum.'],
  [
    '{"lines":{"text":"x","amount":1,"quantity":1}}',
    'payload.type /lines',
    'Put it into a list: [ … ]. The rule is in the schema at #/properties/lines/type.',
  ],
  [
    '{"lines":[{"text":"x","amount":1,"quantity":0.5}]}',
    'payload.type /lines/0/quantity',
    'The rule is in the schema at #/properties/lines/items/properties/quantity/type.',
  ],
  [
    '{"lines":[{"text":"x","amount":1}]}',
    'payload.required /lines/0',
    'The rule is in the schema at #/properties/lines/items/required.',
  ],
  [
    '{"note":null}',
    'payload.type /note',
    'Leave it out where there is none. The rule is in the schema at #/properties/note/type.',
  ],
  ['{"total":-1}', 'payload.minimum /total', 'The rule is in the schema at #/properties/total/minimum.'],
]

/** What is otherwise in the metadata of a submission. */
export const inMetadata: readonly Mistake[] = [
  ['{"source_object":"POL 4711"}', 'body.rule /metadata/source_object', 'Write POL-4711, for example.'],
  ['{"source_system":"Policy-Core"}', 'body.rule /metadata/source_system', 'Write policy-core, for example.'],
  [
    '{"schedule_interval_months":"1"}',
    'body.type /metadata/schedule_interval_months',
    'Write 1 without quotes, if it is one of them.',
  ],
  ['{"sourceObject":"x"}', 'body.unknown /metadata/sourceObject', 'Write source_object, or remove it.'],
  ['{"scenario_id":"Monthly"}', 'body.rule /metadata/scenario_id', 'Write monthly, for example.'],
  ['{"source_actor":"Ann Smith"}', 'body.rule /metadata/source_actor', 'Write Ann-Smith, for example.'],
]
