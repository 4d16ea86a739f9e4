import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { expandInputs } from '../../src/commands/inputs.ts'
import { outputsIn } from '../../src/commands/many.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const quire = (...args: string[]) => runCommand(folder, args)

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(join(at(name), '..'), { recursive: true })
  writeFileSync(at(name), content)
}

beforeAll(() => {
  write('letter.docx', wordPackage(p('Dear {{/name}}')))
  for (const name of ['ann', 'bob', 'cid']) write(`data/${name}.json`, JSON.stringify({ name }))
  write('data/below/dan.json', '{"name":"dan"}')
  write('data/bad.json', '{"name":')
  write('data/~$ann.json', 'of Word')
  write('data/.hidden.json', '{}')
  write('docs/one.docx', wordPackage(p('One')))
  write('docs/more/two.docx', wordPackage(p('Two')))
  write('docs/bad.docx', 'no document')
  write('docs/notes.txt', 'no document')
})

describe('compose with several sets of data', () => {
  test('writes each under its own name, the same bytes as one by one, and a bad one stops no other', async () => {
    const { code, stdout, stderr } = await quire('compose', 'letter.docx', 'data', '-o', 'out/letters')
    expect([code, stdout]).toEqual([1, '4 of 5 files written; 1 failed\n'])
    expect(stderr).toStartWith('data/bad.json:')
    expect(stderr.split('\n')).toHaveLength(2)
    expect(readdirSync(at('out/letters'), { recursive: true }).sort()).toEqual([
      'ann.docx',
      'below',
      'below/dan.docx',
      'bob.docx',
      'cid.docx',
    ])
    await quire('compose', 'letter.docx', 'data/ann.json', '-o', 'alone.docx')
    expect(readFileSync(at('out/letters/ann.docx')).equals(readFileSync(at('alone.docx')))).toBe(true)
  })

  test('takes patterns that no shell has expanded, and prints JSON for programs', async () => {
    const { code, stdout, stderr } = await quire(
      'compose',
      'letter.docx',
      'data/{ann,bob,bad}.json',
      '-o',
      'some',
      '--json',
    )
    expect([code, stdout]).toEqual([1, ''])
    const { files, errors, warnings } = JSON.parse(stderr)
    expect(files.map(({ path, output }: Record<string, string>) => [path, output])).toEqual([
      ['data/ann.json', 'some/ann.docx'],
      ['data/bad.json', undefined],
      ['data/bob.json', 'some/bob.docx'],
    ])
    expect([errors, warnings]).toEqual([1, 0])
  })

  test('tells what is wrong with the template once, and writes nothing', async () => {
    write('broken.docx', wordPackage(p('{{#if /a}}')))
    const { code, stderr } = await quire('compose', 'broken.docx', 'data', '-o', 'none')
    expect([code, stderr.split('broken.docx').length]).toEqual([1, 2])
    expect(existsSync(at('none'))).toBe(false)
  })
})

describe('render with several documents', () => {
  test('writes each under its own name below the folder, names the bad one, and counts', async () => {
    const { code, stdout, stderr } = await quire('render', 'docs', 'letter.docx', '-o', 'pdfs/')
    expect([code, stdout]).toEqual([1, '3 of 4 files written; 1 failed\n'])
    expect(stderr).toStartWith('docs/bad.docx: ')
    expect(readdirSync(at('pdfs'), { recursive: true }).sort()).toEqual([
      'letter.pdf',
      'more',
      'more/two.pdf',
      'one.pdf',
    ])
    await quire('render', 'docs/one.docx', '-o', 'one.pdf')
    expect(readFileSync(at('pdfs/one.pdf')).equals(readFileSync(at('one.pdf')))).toBe(true)
    const again = await quire('render', 'docs/one.docx', 'docs/more/two.docx', '-o', 'pdfs', '--json')
    expect([again.code, JSON.parse(again.stdout).files.length]).toEqual([0, 2])
  })

  test('refuses what would write two results to one file, and standard input among several', async () => {
    for (const [args, words] of [
      [['render', 'docs/one.docx', 'docs/../docs/one.docx', '-o', 'x/'], 'would both be written to x/one.pdf'],
      [['render', '-', 'docs/one.docx', '-o', 'x'], '- is one file'],
      [['render', 'docs/one.docx', 'letter.docx', '-o', '-'], '- is one file'],
      [['render', 'docs', '-o', 'letter.docx'], 'letter.docx is a file; several results want a folder'],
      [['render', 'data', '-o', 'x'], 'data has no file that ends in .docx'],
      [['render', 'nothing-*.docx', '-o', 'x'], 'nothing-*.docx has no file that ends in .docx'],
    ] as const) {
      const { code, stderr } = await quire(...args)
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(words)])
      expect(existsSync(at('x'))).toBe(false)
    }
  })
})

describe('check of many files', () => {
  test('takes patterns, and a file that can not be read stops no other', async () => {
    await quire('init', 'project')
    const { code, stdout } = await quire('check', 'project/{contracts,models,transformers}/*')
    expect([code, stdout]).toEqual([0, '3 files are fine\n'])
    const two = await quire('check', 'missing.yaml', 'letter.docx', 'broken.docx', '--json')
    const { files, errors } = JSON.parse(two.stdout)
    expect([two.code, files.map(({ path }: { path: string }) => path)]).toEqual([
      1,
      ['missing.yaml', 'letter.docx', 'broken.docx'],
    ])
    expect(errors).toBeGreaterThan(1)
    expect(files[0].findings[0].message).toBe('cannot be read: there is no such file or folder')
  })

  test('says when the text beside a template is out of date, and --fix rewrites it', async () => {
    await quire('init', 'stale')
    write('stale/templates/clws-policy.docx.md', 'old')
    const { code, stdout } = await quire('check', 'stale')
    expect(code).toBe(0)
    expect(stdout).toStartWith('stale/templates/clws-policy.docx.md: warning: It is not what ')
    const fixed = await quire('check', 'stale', '--fix')
    expect(fixed.stdout).toContain('stale/templates/clws-policy.docx.md: written anew\n')
    expect((await quire('check', 'stale')).stdout).toBe('5 files are fine\n')
    expect(
      readFileSync(at('stale/templates/clws-policy.docx.md')).equals(
        readFileSync(at('project/templates/clws-policy.docx.md')),
      ),
    ).toBe(true)
  })
})

describe('inputs', () => {
  test('are in the order of the arguments, each once, those of a folder by name', () => {
    const inputs = expandInputs([at('data/cid.json'), at('data'), at('data/ann.json')], { endings: ['.json'] })
    expect(inputs.map(({ name }) => name)).toEqual(['cid.json', 'ann.json', 'bad.json', 'below/dan.json', 'bob.json'])
  })

  test('keep a file that is named whatever it is called, also one with signs of a pattern', () => {
    write('odd/a[1].txt', 'x')
    const inputs = expandInputs([at('odd/a[1].txt'), 'missing.docx'], { endings: ['.docx'] })
    expect(inputs.map(({ name }) => name)).toEqual(['a[1].txt', 'missing.docx'])
    expect(() => expandInputs([at('odd')], { endings: ['.docx'] })).toThrow(UsageError)
  })

  test('lose only their last ending in the name of what is made of them', () => {
    const inputs = [
      { path: 'a.b.json', name: 'a.b.json' },
      { path: 'x/plain', name: 'x/plain' },
    ]
    expect([...outputsIn('out', inputs, '.docx').values()]).toEqual(['out/a.b.docx', 'out/x/plain.docx'])
  })
})
