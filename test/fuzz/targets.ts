import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/core/finding.ts'
import { type JsonValue, readJson } from '../../src/core/json.ts'
import { compileTransformer, evaluateTransformer } from '../../src/engines/declarative/declarative.ts'
import { compileTemplate, composeTemplate } from '../../src/engines/docx/docx.ts'
import { compileIngestionModel } from '../../src/engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../src/engines/ingestion/input-format.ts'
import { readInput } from '../../src/engines/ingestion/read-input.ts'
import { parseXmlDocument } from '../../src/engines/ooxml/xml-parser.ts'
import { readZip } from '../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { renderPdf } from '../../src/engines/pdf/pdf.ts'
import { compileSchema, validatePayload } from '../../src/engines/schema/schema.ts'
import { unpackProject } from '../../src/project/archive.ts'
import { features } from '../engines/docx/features.ts'
import { backupTargets } from './backup-targets.ts'
import { fontTarget } from './font-target.ts'
import { httpTarget } from './http-target.ts'
import { imageTargets } from './image-targets.ts'
import { mqttTarget } from './mqtt-target.ts'
import { svgTarget } from './svg-target.ts'
import type { Target } from './target.ts'
import { textTargets } from './text-targets.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const demo = (file: string): Uint8Array => readFileSync(join(import.meta.dir, '../../src/demo', file))

/** What findings say, without what they say it about. @throws where one lacks what its reader needs */
function outcomeOf(result: { ok: boolean; findings: readonly Finding[] }): string {
  if (!result.ok && !result.findings.some(({ severity }) => severity === 'error')) throw new Error('no error is told')
  if (result.findings.some(({ message }) => message === '')) throw new Error('a finding without a message')
  return `${result.ok} ${[...new Set(result.findings.map(({ code, message }) => code + message.replace(/["'].*["']|\d+/g, '')))].sort()}`
}

const json: Target = {
  name: 'json',
  shortRound: 1500,
  words: ['{"a":', '[', ']', '}', '"\\u', '\\ud800', '1e', '-0', '1e999', '__proto__', 'null', ',', '\ufeff', '\u2028'],
  maxBytes: 200_000,
  seeds: () => [
    utf8('{"a":[1,-0.5e+10,true,null,"\\u00e9\\ud83d\\ude00"],"b":{"__proto__":{}}}'),
    utf8('[12345678901234567890.10, 1e400]'),
  ],
  run(bytes) {
    const read = readJson(bytes)
    if (read.ok) JSON.stringify(read.value)
    return outcomeOf(read)
  },
}

const yaml: Target = {
  name: 'yaml',
  shortRound: 150,
  words: [
    'a: ',
    '- ',
    '[',
    '{',
    '? ',
    '&a ',
    '*a',
    '!!x ',
    '|\n',
    '>-\n ',
    '---\n',
    '%YAML 1.1\n',
    '<<: ',
    '.inf',
    '"\\x',
    '# ',
    '\t',
    '\r',
    '{ $if: ',
  ],
  maxBytes: 60_000,
  seeds: () => [
    demo('ingestion-model.yaml'),
    demo('transformer.yaml').slice(0, 1_100),
    utf8('transform: declarative-v1\noutput: { a: { $calc: "b / 3", b: /x, scale: 2 }, c: "\\u00e9", d: |\n  x\n }'),
  ],
  run(bytes) {
    const text = textOf(bytes)
    const model = compileIngestionModel(text, 'yaml')
    const transformer = compileTransformer(text, 'yaml')
    const evaluated = transformer.ok ? evaluateTransformer(transformer.value, { x: 1, l: [{ a: '1' }] }) : transformer
    return `${outcomeOf(model)} ${outcomeOf(transformer)} ${outcomeOf(evaluated)}`
  },
}

const contract: Target = {
  name: 'contract',
  shortRound: 500,
  words: [
    '"$ref":"#"',
    '"pattern":"(a+)+$"',
    '"allOf":[',
    '"$dynamicRef":"#x"',
    '"minimum":1e308',
    '"multipleOf":1e-300',
    '"const":',
    '"if":{},',
    '\\\\p{L}',
    '{0,9999}',
    '(?<=',
    '"format":"uri"',
    '"unevaluatedItems":false',
  ],
  maxBytes: 60_000,
  seeds: () => [
    demo('contract.json'),
    utf8(
      '{"type":"object","properties":{"a":{"pattern":"^(?:a|b){1,3}\\\\d+$"},"b":{"$ref":"#/$defs/x"}},"$defs":{"x":{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"multipleOf":0.1}]}},"unevaluatedProperties":false}',
    ),
  ],
  run(bytes) {
    const compiled = compileSchema(textOf(bytes))
    if (!compiled.ok) return outcomeOf(compiled)
    const faults = validatePayload(compiled.value, { a: 'ab1', b: [{}, 0.3, ['x']], policy: { number: '' } })
    return `${outcomeOf(compiled)} ${faults.map(({ keyword }) => keyword)}`
  },
}

const zip: Target = {
  name: 'zip',
  shortRound: 1000,
  words: ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', 'PK\x06\x06', '../', '\\', '\0', 'contracts/a.json', '__proto__'],
  maxBytes: 60_000,
  seeds: () => [
    writeZip([
      { name: 'contracts/a.json', data: utf8('{"type":"object"}') },
      { name: 'templates/letter.docx', data: utf8('x'.repeat(3_000)) },
    ]),
    writeZip([{ name: 'a/b.txt', data: new Uint8Array(0) }]),
  ],
  run(bytes) {
    const opened = readZip(bytes)
    const read = opened.ok ? opened.value.names.map((name) => outcomeOf(opened.value.read(name))) : []
    return `${outcomeOf(opened)} ${[...new Set(read)]} ${outcomeOf(unpackProject(bytes))}`
  },
}

const documents = features.map(({ template }) => template)
const partsOf = (docx: Uint8Array): { name: string; bytes: Uint8Array }[] => {
  const archive = readZip(docx)
  if (!archive.ok) return []
  return archive.value.names.flatMap((name) => {
    const read = archive.value.read(name)
    return read.ok ? [{ name, bytes: read.value }] : []
  })
}
const bodyOf = (docx: Uint8Array): Uint8Array =>
  partsOf(docx).find(({ name }) => name === 'word/document.xml')?.bytes ?? new Uint8Array(0)

const xml: Target = {
  name: 'xml',
  shortRound: 600,
  words: [
    '<a>',
    '</a>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?xml version="1.0"?>',
    '<!DOCTYPE a [',
    '&#x0;',
    '&amp;',
    '&lt;',
    ' xmlns=""',
    ' xmlns:b="c"',
    '\ufffe',
  ],
  maxBytes: 60_000,
  seeds: () => [
    ...documents.slice(0, 4).map(bodyOf),
    utf8(
      '<?xml version="1.0" encoding="UTF-8"?><o:r xmlns:o="urn:x"><a b="1">x&#233;<!-- c --><![CDATA[<d>]]></a></o:r>',
    ),
  ],
  run: (bytes) => outcomeOf(parseXmlDocument(bytes)),
}

const csvFormat: InputFormat = {
  format: 'csv',
  delimiter: ';',
  header: 'first line',
  rows: 'rows',
  decimal: ',',
  trim: true,
  empty: 'omit',
  types: { b: 'number' },
}
const xmlFormat: InputFormat = {
  format: 'xml',
  root: 'r',
  namespaces: { o: 'urn:x' },
  lists: ['r/a'],
  objects: ['r/a'],
  types: {},
  text: 'text',
  attributes: '@',
  decimal: '.',
  trim: true,
  empty: 'omit',
}

const input: Target = {
  name: 'input',
  shortRound: 600,
  words: [
    '\r\n',
    '"',
    '""',
    ';',
    '\ufeff',
    '__proto__',
    '<r>',
    '</r>',
    '<a b="',
    ' xmlns:o="urn:x"',
    '<![CDATA[',
    '1.000,5',
  ],
  maxBytes: 60_000,
  seeds: () => [
    utf8('a;b;c\r\n"x ""y""";1,5;\n;-2;z\n'),
    utf8('<r><a b="1">x</a><a><c/>y</a><o:d xmlns:o="urn:x">2</o:d></r>'),
  ],
  run(bytes) {
    const text = textOf(bytes)
    return `${outcomeOf(readInput(text, csvFormat))} ${outcomeOf(readInput(text, xmlFormat))}`
  },
}

/** A document of one of the fixtures' features, with this body in place of its own, and that fixture's data. */
export function documentAround(body: Uint8Array): { docx: Uint8Array; data: JsonValue } {
  const { template, data } = features[body.length % features.length]!
  const parts = partsOf(template).map(({ name, bytes }) => ({
    name,
    data: name === 'word/document.xml' ? body : bytes,
  }))
  return { docx: writeZip(parts), data }
}

/** The body is what is changed; each document around it is one of the fixtures of the templates' features. */
const template: Target = {
  name: 'template',
  shortRound: 20,
  words: [
    '{{#each /lines}}',
    '{{#end}}',
    '{{#else}}',
    '{{/name}}',
    '{{rich /x}}',
    '{{image /pic}}',
    '{{',
    '}}',
    '<w:p>',
    '</w:p>',
    '<w:tbl>',
    '</w:tbl>',
    '<w:tc>',
    '</w:tr>',
    '<w:r><w:t>',
    ' w:val="-1"',
    ' w:w="99999999999"',
    '<w:fldChar w:fldCharType="begin"/>',
    '<w:sectPr/>',
    '<w:gridSpan w:val="9999"/>',
    '<w:numId w:val="9"/>',
  ],
  maxBytes: 40_000,
  seeds: () => features.map(({ template }) => bodyOf(template)),
  run(bytes) {
    const { docx, data } = documentAround(bytes)
    const compiled = compileTemplate(docx)
    const composed = compiled.ok ? composeTemplate(compiled.value, data) : compiled
    const rendered = renderPdf(composed.ok ? composed.value : docx, { fonts: embeddedFonts(), form: 'quick' })
    const report = rendered.ok ? { ok: true, findings: rendered.value.report } : rendered
    return `${outcomeOf(compiled)} ${outcomeOf(composed)} ${outcomeOf(report)}`
  },
}

/** All readers of what comes from outside. */
export const targets: readonly Target[] = [
  json,
  yaml,
  contract,
  zip,
  xml,
  input,
  template,
  fontTarget,
  ...imageTargets,
  svgTarget,
  httpTarget,
  mqttTarget,
  ...textTargets,
  ...backupTargets,
]
