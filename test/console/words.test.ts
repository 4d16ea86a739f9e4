import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { consoleModules, keysIn, withoutTexts } from '../support/console-texts.ts'

const root = join(import.meta.dir, '../..')

/** One word for each act. Contracts alone are published: they come into force with the model that names them. */
const words: readonly { say: string; not: RegExp; except?: readonly string[] }[] = [
  {
    say: 'put in force',
    not: /\b(?:de)?activat|\bschedul|\broll(?:ed|s)? out|\bgo(?:es)? live|\bmake (?:it|this) live/i,
  },
  {
    say: 'put in force',
    not: /\bpublish/i,
    except: [
      'views/contract/contract-versions.tsx',
      'views/contract/contract-source.ts',
      'views/ingestion-model/tree.tsx',
      'views/review/done.tsx',
      'views/review/member.tsx',
      'parts/status.tsx',
    ],
  },
  { say: 'take back', not: /\bcancel(?!$)|\bwithdr[ae]w/i },
  // Only a token is revoked.
  { say: 'take back', not: /\brevoke/i, except: ['views/tokens.tsx', 'parts/notice-list.tsx', 'docs/console.md'] },
  {
    say: 'freeze a version',
    not: /\b(?:tag|snapshot|lock|seal|cut|create|make|save) (?:a|the|this) (?:new )?version/i,
  },
  { say: 'draft', not: /\bworking copy|\bwork in progress|\bwip\b/i },
  { say: 'submit', not: /\bhand(?:s|ed|ing)? (?:\w+ )?in\b/i },
]

/** What a person may read of a file: its texts, and what else there is between quotation marks or tags. */
function textsOf(code: string): string[] {
  return [...keysIn(code).map((key) => key.replaceAll(/\{\d+\}/g, '…')), ...stringsIn(withoutTexts(code))]
}

function stringsIn(code: string): string[] {
  const plain = new Bun.Transpiler({
    loader: 'tsx',
    tsconfig: { compilerOptions: { jsx: 'react-jsx' } },
  }).transformSync(code)
  const literals = plain.replace(/^import .*$/gm, '').match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  return literals
    .map((literal) => literal.slice(1, -1).replace(/\$\{[^{}]*\}/g, '…'))
    .filter((text) => (/\s/.test(text.trim()) || /^\s?[A-Z]/.test(text)) && !text.includes('/api/'))
}

function against(file: string, texts: readonly string[]): string[] {
  return words
    .filter(({ except }) => except?.includes(file) !== true)
    .flatMap(({ say, not }) => texts.filter((text) => not.test(text)).map((text) => `${file}: “${text}” (${say})`))
}

describe('the words of the console', () => {
  test('are one for each act, in every text of its screens', async () => {
    const found: string[] = []
    let count = 0
    for (const [file, code] of await consoleModules()) {
      const texts = textsOf(code)
      count += texts.length
      found.push(...against(file, texts))
    }
    expect(count).toBeGreaterThan(500)
    expect(found).toEqual([])
  })

  test('are the same in its documentation', async () => {
    const prose = (await Bun.file(join(root, 'docs/console.md')).text()).replaceAll(/`[^`]*`|\]\([^)]*\)/g, '')
    expect(against('docs/console.md', prose.replace(/^.*Contracts alone are.*$/m, '').split('\n'))).toEqual([])
  })

  test('are looked for where people read them, and nowhere else', () => {
    const code = `
      import { publish } from './publish.ts'
      // Publish nothing.
      const scheduled = 'scheduled'
      export const One = () => <p title="Activate it">Hand it in {scheduled} {\`Schedule \${scheduled}\`}</p>`
    expect(against('one.tsx', textsOf(code))).toEqual([
      'one.tsx: “Activate it” (put in force)',
      'one.tsx: “Schedule …” (put in force)',
      'one.tsx: “Hand it in ” (submit)',
    ])
  })
})
