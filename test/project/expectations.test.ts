import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readExpectations } from '../../src/project/expectations.ts'
import { ProjectFolder } from '../../src/project/folder.ts'
import type { ProjectCase } from '../../src/project/project.ts'
import { temporaryFolder } from '../support/database.ts'

test('what a case expects are its known files and numbered pages, in folders too, and nothing else that lies there', () => {
  const project = temporaryFolder()
  const folder = 'cases/letter/one.expected'
  const expected = ['output.json', 'letter/document.txt', 'letter/refusal.json', 'letter/page-1.svg', 'a/b/page-12.svg']
  const others = ['.DS_Store', 'notes.txt', 'page-0.svg', 'page-1.svg.orig', 'old-page-1.svg', 'letter/output.json~']
  for (const name of [...expected, ...others]) {
    const path = join(project, folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `of ${name}`)
  }
  const read = readExpectations(new ProjectFolder(project), { stem: 'cases/letter/one' } as ProjectCase)
  expect(read.folder).toBe(folder)
  expect([...read.files].sort()).toEqual(expected.map((name) => [name, `of ${name}`] as [string, string]).sort())
  const none = readExpectations(new ProjectFolder(project), { stem: 'cases/letter/two' } as ProjectCase)
  expect(none).toEqual({ folder: 'cases/letter/two.expected', files: new Map() })
})
