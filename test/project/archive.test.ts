import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readZip } from '../../src/engines/ooxml/zip.ts'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { makeFoldersOf, packProject, unpackProject } from '../../src/project/archive.ts'
import { temporaryFolder } from '../support/database.ts'
import { folderWith, greeting } from './fixture.ts'

function namesOf(archive: Uint8Array): readonly string[] {
  const zip = readZip(archive)
  if (!zip.ok) throw new Error('the archive can be read')
  return zip.value.names
}

function packed(folder: string): Uint8Array<ArrayBuffer> {
  const { outcome, findings } = packProject(folder)
  if (!outcome.ok) throw new Error(JSON.stringify(findings))
  return outcome.value
}

/** What an archive holds, as texts. */
function contentOf(archive: Uint8Array): Record<string, string> {
  const files = unpackProject(archive)
  if (!files.ok) throw new Error(JSON.stringify(files.findings))
  return Object.fromEntries([...files.value].map(([name, bytes]) => [name, new TextDecoder('latin1').decode(bytes)]))
}

const plain = {
  ...Object.fromEntries(Object.entries(greeting).filter(([name]) => name !== 'templates/greeting.docx')),
  'templates/greeting.docx': 'PK',
}

test('an archive has configuration, cases, review texts and what is scheduled, and comes back as it was', () => {
  const files: Record<string, string> = {
    ...(plain as Record<string, string>),
    'templates/greeting.docx.md': 'Dear',
    'scheduled/spring/models/greeting.yaml': 'later',
    'activations.yaml': 'spring: 2027',
    'families.json': '{}',
    'cases/greeting/ann.expected/letter/output.json': '{}',
  }
  expect(contentOf(packed(folderWith(files)))).toEqual(files)
})

test('an archive leaves out what is no part of a project', () => {
  const others = {
    'README.md': '',
    'templates/~$eeting.docx': 'x',
    'models/notes.md': '',
    '.git/config': '',
    'out/a.json': '',
  }
  expect(packed(folderWith({ ...plain, ...others }))).toEqual(packed(folderWith(plain)))
})

test('an archive is the same bytes for the same files, by kind and name, whatever came first', () => {
  const files = {
    'transformers/b.yaml': 'b',
    'transformers/a.yaml': 'a',
    'models/z.yaml': 'z',
    'contracts/y.json': '{}',
  }
  const archive = packed(folderWith(files))
  expect(namesOf(archive)).toEqual(['contracts/y.json', 'transformers/a.yaml', 'transformers/b.yaml', 'models/z.yaml'])
  expect(packed(folderWith(Object.fromEntries(Object.entries(files).reverse())))).toEqual(archive)
  expect(namesOf(packed(temporaryFolder()))).toEqual([])
})

test('an archive has the files that links in the folder lead to', () => {
  const folder = folderWith({ 'shared/a.yaml': 'a' })
  mkdirSync(join(folder, 'transformers'))
  symlinkSync('../shared/a.yaml', join(folder, 'transformers/a.yaml'))
  expect(contentOf(packed(folder))).toEqual({ 'transformers/a.yaml': 'a' })
})

test('only paths of a project come out of an archive, so nothing is written elsewhere', () => {
  const data = new TextEncoder().encode('x')
  const names = ['models/a.yaml', 'bin/sh', 'models/below/d.yaml', 'models/e.sh', 'quire.yaml']
  expect(contentOf(writeZip(names.map((name) => ({ name, data }))))).toEqual({ 'models/a.yaml': 'x' })
  expect(unpackProject(writeZip([{ name: '../models/b.yaml', data }]))).toMatchObject({ ok: false })
})

test('a file that isn’t an archive is refused, and so is an archive with a damaged file', () => {
  expect(unpackProject(new TextEncoder().encode('no archive'))).toMatchObject({ ok: false })
  const archive = packed(folderWith({ 'models/a.yaml': 'abcabcabcabcabcabcabcabc' }))
  const name = new TextEncoder().encode('models/a.yaml')
  const damaged = archive.slice()
  // The first byte of the content, right behind the name in the local header.
  const at = damaged.findIndex((_, index) => name.every((byte, below) => damaged[index + below] === byte)) + name.length
  damaged[at] = (damaged[at] ?? 0) ^ 0xff
  const outcome = unpackProject(damaged)
  expect(outcome).toMatchObject({ ok: false })
  expect(outcome.findings.length).toBeGreaterThan(0)
})

test('the folders of a file are made, however many are missing', () => {
  const folder = temporaryFolder()
  makeFoldersOf(join(folder, 'a/b/c.json'))
  makeFoldersOf(join(folder, 'a/b/d.json'))
  expect([existsSync(join(folder, 'a/b')), existsSync(join(folder, 'a/b/c.json'))]).toEqual([true, false])
  writeFileSync(join(folder, 'a/b/c.json'), '')
})
