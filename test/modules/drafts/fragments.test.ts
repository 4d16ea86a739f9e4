import { expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { instantOf } from '../../../src/core/instant.ts'
import { unknownFragments } from '../../../src/modules/drafts/fragments.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'

test('templates that nobody has are told at their tags, by whoever compiles the file, and others take no compiling', async () => {
  const database = await openTestDatabase('sqlite')
  const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'fragments', at: instantOf('2026-11-20T09:30:00Z') }
  await database.write((tx) =>
    createFamily(tx, actor, { kind: 'template', slug: 'clause', name: 'Clause', description: '' }),
  )
  const bytes = wordPackage(p('{{> clause}}') + p('{{> nowhere}}'))
  const asked: unknown[] = []
  const tell = (question: { bytes: Uint8Array; slugs: readonly string[] }) => {
    asked.push(question.slugs)
    return judgeHere.ask('missingFragments', question)
  }
  for (const slugs of [null, [], ['clause']]) {
    expect(await unknownFragments(database.read, { bytes, slugs }, undefined, tell)).toEqual([])
  }
  expect(asked).toEqual([])
  const findings = await unknownFragments(database.read, { bytes, slugs: ['clause', 'nowhere'] }, undefined, tell)
  expect(asked).toEqual([['nowhere']])
  expect(findings.map(({ code, path }) => [code, path])).toEqual([
    ['docx.fragment_missing', expect.stringMatching(/^word\/document\.xml#2:/) as never],
  ])
  await database.close()
})
