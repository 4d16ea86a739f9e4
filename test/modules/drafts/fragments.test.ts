import { expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { instantOf } from '../../../src/core/instant.ts'
import { newestReading } from '../../../src/core/reading.ts'
import { gapFindings, unknownFragments } from '../../../src/modules/drafts/fragments.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { judgeKnown, Unjudged, withVerdicts } from '../../../src/modules/drafts/judge-known.service.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import type { VersionRow } from '../../../src/modules/versions/versions.reads.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

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

test('what is not in force of the templates that one includes is told by the judge, which a transaction waits for outside', async () => {
  const bytes = wordPackage(p('Dear') + p('{{> clause}}'))
  const template = { bytes, contentHash: 'of the letter', reading: newestReading } as VersionRow
  const gap = { code: 'docx.fragment_missing', chain: ['clause'], message: 'It is not in force.', hint: 'Activate it.' }
  const find = (judge = judgeKnown) => gapFindings({ judge }, template, [gap])
  expect(await rejectionOf(find())).toBeInstanceOf(Unjudged)
  const found = await withVerdicts(judgeHere, find.bind(undefined, judgeKnown))
  expect(found).toMatchObject([{ code: gap.code, message: gap.message, hint: gap.hint }])
  expect(found[0]?.path).toStartWith('word/document.xml#2:')
  expect(await find(judgeHere)).toEqual(found)
  expect(await gapFindings({ judge: judgeKnown }, template, [])).toEqual([])
})
