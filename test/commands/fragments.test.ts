import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentText } from '../../src/engines/ooxml/document-text.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { contract, model, transformer } from '../modules/projects/fixture.ts'
import { runCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'

const project = {
  'contracts/person.schema.json': contract(),
  'templates/hello.docx': wordPackage(p('Dear,') + p('{{> closing}}')),
  'templates/closing.docx': wordPackage(p('{{/line}}')),
  'transformers/hello.yaml': transformer('Hello'),
  'models/hello.yaml': model(),
  'cases/hello/ann.json': '{"name":"Ann"}',
  'data.json': '{"line":"Bye"}',
}

function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

test('quire compose, check and test find included templates as files of the same folder', async () => {
  const folder = folderOf(project)
  const made = await runCommand(folder, ['compose', 'templates/hello.docx', 'data.json', '-o', 'out.docx'])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const text = documentText(new Uint8Array(readFileSync(join(folder, 'out.docx'))))
  expect(text.ok && text.value.trim()).toBe('Dear,\nBye')
  expect((await runCommand(folder, ['check', '.'])).stdout).toContain('fine')
  expect((await runCommand(folder, ['test', '--update'])).code).toBe(0)
  expect((await runCommand(folder, ['test'])).code).toBe(0)
  // What the closing wants is wanted of the transformer, and told at its place.
  writeFileSync(join(folder, 'templates/closing.docx'), wordPackage(p('one') + p('{{/nowhere}}')))
  expect((await runCommand(folder, ['check', '.'])).stdout).toContain('/nowhere')
  const refused = await runCommand(folder, ['compose', 'templates/hello.docx', 'data.json', '-o', 'out.docx'])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('closing>word/document.xml#2:0')])
  expect(refused.stderr).toContain('[in closing, at “one ¶ {{/nowhere}}”]')
  expect((await runCommand(folder, ['test'])).code).toBe(1)
})

test('quire check reports a missing included template', async () => {
  const { 'templates/closing.docx': _, ...rest } = project
  const { code, stdout } = await runCommand(folderOf(rest), ['check', 'templates/hello.docx'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('There is no template "closing" to include.')])
})
