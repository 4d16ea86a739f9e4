/** Several results made in this process and its workers; what is printed is caught. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runCompose } from '../../src/commands/compose.ts'
import { runRender } from '../../src/commands/render.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith } from '../project/fixture.ts'
import { catchPrinted } from '../support/printed.ts'
import { contextIn } from './answering.ts'

setDefaultTimeout(60_000)

const printed = catchPrinted()
const inFont = (name: string) =>
  wordPackage(`<w:p><w:r><w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}"/></w:rPr><w:t>Text</w:t></w:r></w:p>`)
const folder = folderWith({
  'docs/one.docx': wordPackage(p('One')),
  'docs/more/other.docx': inFont('No Such Font'),
  'bad/bad.docx': 'no document',
  'letter.docx': wordPackage(p('Dear {{/name}}')),
  'broken.docx': wordPackage(p('{{#if /a}}')),
  'data/ann.json': '{"name":"Ann"}',
  'data/below/bob.json': '{"name":"Bob"}',
  'data/empty.json': '{}',
})
const at = (name: string) => join(folder, name)
const context = contextIn(folder)
function taken() {
  const said = { ...printed }
  Object.assign(printed, { stdout: '', stderr: '' })
  return { stdout: said.stdout.replaceAll(`${folder}/`, ''), stderr: said.stderr.replaceAll(`${folder}/`, '') }
}

test('documents are rendered each under its name, counted, and reported only where that is asked for', async () => {
  expect(await runRender([at('docs'), '-o', at('pdfs')], context)).toBe(0)
  expect(taken()).toEqual({ stdout: '2 of 2 files written\n', stderr: '' })
  expect(readdirSync(at('pdfs'), { recursive: true }).map(String).sort()).toEqual(['more', 'more/other.pdf', 'one.pdf'])
  expect(await runRender([at('docs'), '-o', at('pdfs'), '--report', '--strict'], context)).toBe(3)
  const report = taken()
  expect([report.stderr, report.stdout.endsWith('\n2 of 2 files written\n')]).toEqual(['', true])
  expect(report.stdout).toMatch(/^docs\/more\/other\.docx: .*No Such Font/m)
})

test('a document that is none stops no other, and ends with 1 whatever else is asked for', async () => {
  const args = [at('docs/one.docx'), at('bad'), '-o', at('some'), '--strict']
  expect(await runRender(args, context)).toBe(1)
  const { stdout, stderr } = taken()
  expect([stdout, stderr.startsWith('bad/bad.docx: ')]).toEqual(['1 of 2 files written; 1 failed\n', true])
  expect(await runRender([...args, '--json'], context)).toBe(1)
  const json = taken()
  const { files, errors } = JSON.parse(json.stdout)
  expect([files.map(({ path, output }: Record<string, string>) => [path, output]), errors, json.stderr]).toEqual([
    [
      ['docs/one.docx', 'some/one.pdf'],
      ['bad/bad.docx', undefined],
    ],
    1,
    '',
  ])
})

test('letters are filled each under its name, and what one set of data lacks stops no other', async () => {
  expect(await runCompose([at('letter.docx'), at('data'), '-o', at('letters')], context)).toBe(1)
  expect(taken()).toEqual({
    stdout: '2 of 3 files written; 1 failed\n',
    stderr: expect.stringMatching(/^data\/empty\.json: word\/document\.xml#1:5: \/name is missing\./),
  })
  expect(readdirSync(at('letters'), { recursive: true }).map(String).sort()).toEqual([
    'ann.docx',
    'below',
    'below/bob.docx',
  ])
  const both = [at('letter.docx'), at('data/ann.json'), at('data/below'), '-o', at('letters'), '--json']
  expect(await runCompose(both, context)).toBe(0)
  const { stdout, stderr } = taken()
  expect([stdout, JSON.parse(stderr)]).toEqual([
    '',
    {
      files: [
        { path: 'data/ann.json', output: 'letters/ann.docx', findings: [] },
        { path: 'data/below/bob.json', output: 'letters/bob.docx', findings: [] },
      ],
      ...{ errors: 0, warnings: 0 },
    },
  ])
})

test('a template with an error is told once, and no folder is made', async () => {
  expect(await runCompose([at('broken.docx'), at('data'), '-o', at('none')], context)).toBe(1)
  const { stdout, stderr } = taken()
  expect([stdout, stderr.split('broken.docx: ').length, existsSync(at('none'))]).toEqual(['', 2, false])
  expect(await runCompose([at('broken.docx'), at('data'), '-o', at('none'), '--json'], context)).toBe(1)
  expect(JSON.parse(taken().stderr)).toMatchObject({ files: [{ path: 'broken.docx' }], errors: 1 })
})
