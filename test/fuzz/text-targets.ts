import { readJson } from '../../src/core/json.ts'
import { parseDate, parseDateTime } from '../../src/core/locale/calendar.ts'
import { parseDatePattern } from '../../src/core/locale/date.ts'
import { parseNumberPattern } from '../../src/core/locale/number.ts'
import { compilePattern, compileReplacer } from '../../src/core/pattern/pattern.ts'
import { namesReference } from '../../src/core/references.ts'
import { atOnce } from '../../src/core/turns.ts'
import { compileExact, compileRational, parseFormula } from '../../src/engines/declarative/formula.ts'
import { readRichText } from '../../src/engines/docx/compose/rich/blocks.ts'
import { batchRows, checkBatch, wideEncoding } from '../../src/engines/ingestion/batch-file.ts'
import { checkAuthentication, checkRegistration } from '../../src/modules/auth/passkeys.ts'
import { isTokenText, newTokenText } from '../../src/modules/tokens/token-text.ts'
import type { Target } from './target.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
/** What a message says, without what it says it about. */
const kindOf = (message: string): string => message.replace(/["'`].*["'`]|\d+/gs, '')

const pattern: Target = {
  name: 'pattern',
  shortRound: 300,
  leastOutcomes: 5,
  words:
    '( (?: (?= (?<! (?<a> ) | * + ? {2,9} {0,} [^ ] \\p{L} \\P{Lu} \\d \\b \\1 \\k<a> \\u{1F600} ^ $ . (a+)+$'.split(
      ' ',
    ),
  maxBytes: 300,
  seeds: () => ['^(?:a|b){1,3}\\d+$', '[A-Z]{2}[-/]?\\p{L}*', '(?<y>\\d{4})-(\\d\\d)', '(x+x+)+y'].map(utf8),
  run(bytes) {
    const source = textOf(bytes)
    const read = compilePattern(source)
    if (!read.ok) return kindOf(read.fault.message)
    const replacer = compileReplacer(source)
    const written = replacer.ok ? replacer.value.replace('2026-11 ab12 x', ([whole = '']) => `<${whole}>`) : undefined
    return `${read.value.test('ab12')} ${read.value.test('x'.repeat(200))} ${replacer.ok} ${written?.length ?? 'none'}`
  },
}

const formula: Target = {
  name: 'formula',
  shortRound: 800,
  leastOutcomes: 4,
  words: '( ) + - * / a b 0 1 0.1 99999999999999999999 1.0000000001 ,'.split(' '),
  maxBytes: 400,
  seeds: () => ['(a + 1.5) * -b / 3', 'a', '((a))-(-b)'].map(utf8),
  run(bytes) {
    const parsed = parseFormula(textOf(bytes))
    if (typeof parsed === 'string') return kindOf(parsed)
    const names = [...parsed.slots]
    if (parsed.divides) compileRational(parsed.formula, names)
    else compileExact(parsed.formula, names)
    return `${names.length} ${parsed.divides}`
  },
}

const rich: Target = {
  name: 'rich',
  shortRound: 60,
  leastOutcomes: 6,
  words:
    '<p> </p> <ul><li> <table><tr><td colspan="999999"> </td> <b> <a href="javascript:x"> <img src="http://x/"> <style> <script> style="font-size:1e9px" &amp; &#x0; ** ~~ | |---| ``` > - 1. [a](b) ![a](http://b) <!-- --> <![CDATA['.split(
      ' ',
    ),
  maxBytes: 6_000,
  seeds: () =>
    [
      '<p style="color:#123;text-align:right">a <b>b</b><br>c &nbsp;</p><ol start="3"><li>x<ul><li>y</li></ul></li></ol>',
      '<table><tr><td rowspan="2">a</td><td>b</td></tr><tr><td colspan="1">c</td></tr></table>',
      '# A\n\n- *b* **c** ~~d~~\n  1. e\n\n| a | b |\n|---|:-:|\n| 1 | [x](https://y.example/) |\n\n> q\n\n`z`',
    ].map(utf8),
  run(bytes) {
    const text = textOf(bytes)
    return ([undefined, 'html', 'markdown'] as const)
      .map((format) => readRichText(text, format))
      .map((read) => (read.ok ? `${Math.min(read.blocks.length, 9)}` : kindOf(read.message)))
      .join()
  },
}

const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'array' } } }

const batch: Target = {
  name: 'batch',
  shortRound: 200,
  leastOutcomes: 8,
  words: ['\n', '\r\n', '\r', '"', '""', ',', ';', '|', '\t', '\ufeff', '{"a":', '}', '__proto__', '/c/0', 'a,b', '\0'],
  maxBytes: 20_000,
  seeds: () =>
    [
      'a,b\nx,1\n"y ""z""",2\n',
      'a;b;c\r\nx;1,5;\r\n',
      '{"a":"x","b":1}\n{"a":"\\u0041","b":-0.5e3,"c":[1]}\n',
      '"a;b"\n"x;1"\n',
    ].map(utf8),
  run(bytes) {
    if (wideEncoding(bytes) !== undefined) return 'wide'
    const text = textOf(bytes)
    return (['csv', 'ndjson'] as const)
      .flatMap((format) => [undefined, 'a'].map((referenceField) => ({ format, referenceField })))
      .map(({ format, referenceField }) => {
        const checked = atOnce(checkBatch(text, { format, input: undefined, schema, referenceField }))
        if (!checked.ok) return kindOf(checked.findings[0]?.message ?? 'nothing is said')
        let rows = 0
        for (const row of batchRows(text, checked.value.reading)) {
          rows++
          atOnce(namesReference(row.rawInput, 'CLW-2026-000417'))
        }
        if (rows !== checked.value.rows) throw new Error('the rows are not those that were counted')
        return `${Math.min(rows, 9)}`
      })
      .join()
  },
}

const site = { origin: 'https://quire.example', host: 'quire.example' }
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
const publicKey = base64url(new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey)))
const ofHost = new Bun.CryptoHasher('sha256').update(site.host).digest()
const passkeyOf = (type: string) => ({
  id: 'AQID',
  response: {
    publicKey,
    clientDataJSON: base64url(JSON.stringify({ type, origin: site.origin, challenge: base64url('asked') })),
    authenticatorData: base64url(
      new Uint8Array([...ofHost, 0x45, 0, 0, 0, 1, ...new Array(16).fill(0), 0, 3, 1, 2, 3]),
    ),
    signature: base64url('none'),
    transports: ['internal'],
  },
})

/** What programs and browsers send to be let in. */
const credential: Target = {
  name: 'credential',
  shortRound: 500,
  words: [
    'qr_',
    '"id":',
    '"response":',
    '{',
    '}',
    '""',
    'null',
    '[]',
    'AAAA',
    '_w',
    '"publicKey":"',
    '"type":"webauthn.get"',
  ],
  maxBytes: 3_000,
  leastOutcomes: 2,
  seeds: () => [
    utf8(JSON.stringify(passkeyOf('webauthn.create'))),
    utf8(JSON.stringify(passkeyOf('webauthn.get'))),
    utf8(newTokenText()),
  ],
  async run(bytes) {
    const text = textOf(bytes)
    const read = readJson(text)
    if (!read.ok) return `${isTokenText(text)}`
    const isOurs = async (challenge: string) => challenge === 'asked'
    const made = await checkRegistration(read.value, site, isOurs)
    const known = {
      ...{ kind: 'passkey', host: site.host, credentialId: 'AQID', key: publicKey },
    } as unknown as Parameters<typeof checkAuthentication>[1]
    const count = await checkAuthentication(read.value, known, site, { isOurs, verifiesUser: false })
    // Nobody has its private key here.
    if (count !== undefined) throw new Error('a signature that nobody made counts')
    return `${made === undefined} ${made?.counter ?? ''} ${made?.transports.length ?? ''}`
  },
}

const dates: Target = {
  name: 'format',
  shortRound: 800,
  leastOutcomes: 3,
  words: "d dd MMMM yyyy HH:mm 'x' '' # ##0.00 % ‰ ¤ ; E0 -31 2026-02-30 T24:00 +14:01 Z".split(' '),
  maxBytes: 200,
  seeds: () => ['#,##0.00;(#)', "d. MMMM yyyy 'um' HH:mm", '2026-11-29', '2026-11-29T10:00:00+01:00'].map(utf8),
  run(bytes) {
    const text = textOf(bytes)
    const [day, time] = [parseDate(text), parseDateTime(text)]
    const read = [parseDatePattern(text), parseNumberPattern(text)]
    return `${day !== undefined} ${time !== undefined} ${read.map((one) => (one.ok ? 'ok' : kindOf(one.message))).join()}`
  },
}

export const textTargets: readonly Target[] = [pattern, formula, rich, batch, credential, dates]
