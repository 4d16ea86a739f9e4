import { describe, expect, test } from 'bun:test'
import {
  casePathOf,
  inputEndsFor,
  isProjectPath,
  projectFileOf,
  projectKinds,
  projectPathOf,
  reviewedPathOf,
  reviewPathOf,
  scheduledPathOf,
} from '../../src/core/project-layout.ts'

describe('the files of a project', () => {
  test.each([
    ['contracts/a.schema.json', { kind: 'contract', slug: 'a', format: 'json' }],
    ['contracts/a.json', { kind: 'contract', slug: 'a', format: 'json' }],
    ['templates/a.b.docx', { kind: 'template', slug: 'a.b', format: 'docx' }],
    ['templates/a.dotx', { kind: 'template', slug: 'a', format: 'docx' }],
    ['transformers/a.yaml', { kind: 'transformer', slug: 'a', format: 'yaml' }],
    ['transformers/a.json', { kind: 'transformer', slug: 'a', format: 'json' }],
    ['models/a.yml', { kind: 'ingestion_model', slug: 'a', format: 'yaml' }],
  ] as const)('%s is configuration, and is so too where it is scheduled', (path, expected) => {
    expect(projectPathOf(path)).toEqual(expected)
    expect(scheduledPathOf(`scheduled/spring/${path}`)).toEqual(expected)
    expect([isProjectPath(path), isProjectPath(`scheduled/spring/${path}`)]).toEqual([true, true])
  })

  test.each([
    ...['a.json', 'contracts', 'contracts/a.yaml', 'contracts/.json', 'contracts/deeper/a.json', 'contract/a.json'],
    ...['templates/~$letter.docx', 'templates/a.doc', 'templates/.docx', 'models/a.docx', 'README.md', ''],
  ])('"%s" is none', (path) => {
    expect([projectPathOf(path), isProjectPath(path)]).toEqual([undefined, false])
  })

  test('archives hold no name that would lead elsewhere where a backslash separates folders', () => {
    for (const path of ['templates/..\\..\\a.docx', 'cases/..\\a/b.json', 'scheduled/..\\a/models/b.yaml']) {
      expect([path, isProjectPath(path)]).toEqual([path, false])
    }
  })

  test.each([
    'scheduled',
    'scheduled/',
    'scheduled/spring',
    'scheduled//models/a.yaml',
    'scheduled/.x/models/a.yaml',
    'later/spring/models/a.yaml',
  ])('"%s" holds nothing scheduled', (path) => {
    expect(scheduledPathOf(path)).toBeUndefined()
  })

  test('what is named comes before what names it, and each kind has a path that is read back as it', () => {
    expect(projectKinds).toEqual(['contract', 'template', 'transformer', 'ingestion_model'])
    const paths = [
      projectFileOf('contract', 'a', 'json'),
      projectFileOf('template', 'a', 'docx'),
      projectFileOf('transformer', 'a', 'json'),
      projectFileOf('ingestion_model', 'a', 'yaml'),
    ]
    expect(paths).toEqual(['contracts/a.schema.json', 'templates/a.docx', 'transformers/a.json', 'models/a.yaml'])
    expect(paths.map((path) => projectPathOf(path)?.kind)).toEqual([...projectKinds])
    expect(projectFileOf('contract', 'a', 'docx')).toBe('contracts/a')
  })

  test('a template has its text for reviews beside it, and nothing else has', () => {
    expect(reviewPathOf('templates/a.docx')).toBe('templates/a.docx.md')
    const scheduled = 'scheduled/spring/templates/a.docx'
    expect(reviewedPathOf('templates/a.docx.md')).toBe('templates/a.docx')
    expect(reviewedPathOf(`${scheduled}.md`)).toBe(scheduled)
    expect(isProjectPath('templates/a.docx.md')).toBe(true)
    for (const path of [
      'templates/a.docx',
      'templates/a.md',
      'contracts/a.json.md',
      'notes.docx.md',
      'templates/a.docx.MD',
    ])
      expect(reviewedPathOf(path)).toBeUndefined()
  })

  test.each(['families.json', 'retention.yaml', 'activations.yaml'])('%s is one by its name alone', (path) => {
    expect([isProjectPath(path), isProjectPath(`x/${path}`)]).toEqual([true, false])
  })
})

describe('the files of cases', () => {
  test.each([
    ['cases/m/a.json', { model: 'm', name: 'a', part: 'input' }],
    ['cases/m/a.b.json', { model: 'm', name: 'a.b', part: 'input' }],
    ['cases/m/a.csv', { model: 'm', name: 'a', part: 'input' }],
    ['cases/m/a.xml', { model: 'm', name: 'a', part: 'input' }],
    ['cases/m/a.params.json', { model: 'm', name: 'a', part: 'params' }],
    ['cases/m/a.expected/letter/data.json', { model: 'm', name: 'a', part: { expected: 'letter/data.json' } }],
  ] as const)('%s is one', (path, expected) => {
    expect([casePathOf(path), isProjectPath(path)]).toEqual([expected, true])
  })

  test.each([
    ...['case/m/a.json', 'cases/a.json', 'cases//a.json', 'cases/.m/a.json', 'cases/m/.a.json', 'cases/m/a.txt'],
    ...['cases/m/a.expected', 'cases/m/a/data.json', 'cases/m/a.expected/.git/x', 'cases/m/a.expected/x/.y', 'cases/m'],
  ])('"%s" is none', (path) => {
    expect([casePathOf(path), isProjectPath(path)]).toEqual([undefined, false])
  })

  test('inputs are JSON, and of the format that their model reads', () => {
    expect([inputEndsFor(undefined), inputEndsFor('csv'), inputEndsFor('xml')]).toEqual([
      ['.json'],
      ['.json', '.csv'],
      ['.json', '.xml'],
    ])
  })
})
