import { describe, expect, test } from 'bun:test'
import type { ProjectChange, ProjectPlan } from '../../src/client/quire.ts'
import { planText } from '../../src/commands/project.ts'

const nothing: ProjectPlan = {
  ...{ plan_hash: 'abc', valid: true, changes: [], unchanged: 4, absent: [], drift: [], later: [], issues: [] },
  ...{ warnings: [], broken_cases: [], cases_run: 0, case_files: { added: 0, changed: 0, removed: 0 } },
} as unknown as ProjectPlan

const planned = (more: object) => planText({ ...nothing, ...more } as ProjectPlan)
const change = (more: object): ProjectChange =>
  ({
    action: 'create',
    path: 'models/a.yaml',
    to_version: 1,
    renames: false,
    replaces_draft: false,
    difference: '',
    ...more,
  }) as ProjectChange

/** The lines of the change alone. */
const linesOf = (more: object) =>
  planned({ changes: [change(more)] })
    .split('\n')
    .slice(0, -2)

describe('a plan for people', () => {
  test('is one line where nothing would change, with the hash by which it can be applied', () => {
    expect(planned({})).toBe('0 changes, 4 unchanged; plan abc\n')
  })

  test('names what is done to each file, from which version to which', () => {
    expect(linesOf({})).toEqual(['create       models/a.yaml (version 1)'])
    const actions = ['new_version', 'activate', 'publish'].map((action) =>
      linesOf({ action, from_version: 2, to_version: 3 }),
    )
    expect(actions.flat()).toEqual([
      'new version  models/a.yaml (version 2 to 3)',
      'put in force models/a.yaml (version 2 to 3)',
      'publish      models/a.yaml (version 2 to 3)',
    ])
    expect(linesOf({ action: 'describe', from_version: 2, to_version: 3 })).toEqual([
      'describe     models/a.yaml (version 3)',
    ])
  })

  test('says from when on a change is in force, that a name changes, and that a draft is replaced', () => {
    expect(linesOf({ effective_from: '2027-01-01T00:00:00Z', renames: true, replaces_draft: true })).toEqual([
      'create       models/a.yaml (version 1; from 2027-01-01T00:00:00Z on; its name changes; the draft has changes of its own, which this replaces)',
    ])
  })

  test('shows below a change what it means for inputs, for pages, and what it is, indented', () => {
    const contract_changes = [
      { effect: 'breaking', pointer: '/name', message: 'is required' },
      { effect: 'compatible', pointer: '', message: 'takes more' },
    ]
    const difference = '@@ line 1\n-a\n\n+b\n'
    expect(linesOf({ contract_changes, pages: { before: 1, after: 1, changed: [1] }, difference }).slice(1)).toEqual([
      ...['  breaking: /name: is required', '  compatible: takes more', '  1 page; changed: 1'],
      ...['  @@ line 1', '  -a', '  +b'],
    ])
  })

  test('counts the pages of a letter before and after, and which look otherwise', () => {
    const pages = (before: number, after: number, changed: number[]) =>
      linesOf({ pages: { before, after, changed } })[1]
    expect([pages(1, 1, []), pages(2, 2, []), pages(2, 3, []), pages(3, 2, [1, 2])]).toEqual([
      '  1 page, which look the same',
      '  2 pages, which look the same',
      '  2 to 3 pages; the others look the same',
      '  3 to 2 pages; changed: 1, 2',
    ])
  })

  test('counts one change as one, and several as several', () => {
    expect(planned({ changes: [change({})] })).toEndWith('\n1 change, 4 unchanged; plan abc\n')
    expect(planned({ changes: [change({}), change({})] })).toEndWith('\n2 changes, 4 unchanged; plan abc\n')
  })

  test('counts the files of cases that come, change and go, those of a kind only where there are some', () => {
    const files = (added: number, changed: number, removed: number) =>
      planned({ case_files: { added, changed, removed } }).split('\n').slice(0, -2)
    expect(files(1, 2, 3)).toEqual(['files of cases: 1 added, 2 changed, 3 removed'])
    expect([files(1, 0, 0), files(0, 1, 0), files(0, 0, 1)]).toEqual([
      ...[['files of cases: 1 added'], ['files of cases: 1 changed'], ['files of cases: 1 removed']],
    ])
    expect(files(0, 0, 0)).toEqual([])
  })

  test('says how many cases pass, each case once however often it is refused', () => {
    const broken = (...paths: string[]) =>
      paths.map((path) => ({ path, node: 'letter', step: 'validate', message: 'refused' }))
    expect(planned({ cases_run: 1 })).toContain('; 1 case passes; plan')
    expect(planned({ cases_run: 2 })).toContain('; 2 cases pass; plan')
    expect(planned({ cases_run: 3, broken_cases: broken('a', 'a', 'b') })).toBe(
      'cases that do not pass:\n  a: letter is refused by validate: refused\n  a: letter is refused by validate: refused\n' +
        '  b: letter is refused by validate: refused\n0 changes, 4 unchanged; 2 of 3 cases do not pass; plan abc\n',
    )
  })

  test('has everything else in an order of its own, what does not fit last before the count', () => {
    const issue = (path: string) => ({ path, message: 'm' })
    const text = planned({
      ...{ changes: [change({})], absent: ['models/gone.yaml'] },
      drift: [{ path: 'd', version: 2, changed_by: 'ada', changed_at: '2026-01-01T00:00:00Z' }],
      later: [{ path: 'l', version: 3, effective_from: '2027-01-01T00:00:00Z' }],
      ...{ warnings: [issue('w')], issues: [issue('i'), { path: '', message: 'n' }] },
    })
    expect(text.split('\n')).toEqual([
      'create       models/a.yaml (version 1)',
      'not in the folder, and stays in force: models/gone.yaml',
      'changed on the server since a project was applied last, which this undoes:',
      '  d: version 2, by ada at 2026-01-01T00:00:00Z',
      'scheduled already, and takes the place of what is in the folder:',
      '  l: version 3 from 2027-01-01T00:00:00Z',
      ...['warnings:', '  w: m', 'does not fit:', '  i: m', '  n', '1 change, 4 unchanged; plan abc', ''],
    ])
  })

  test('gives places in texts as editors follow them, with the line and column', () => {
    const at = { line: '2', column: '11' }
    const issues = [
      { path: 'contracts/a.schema.json', message: 'm', context: { line: '3' } },
      { path: 'contracts/a.schema.json#/type', message: 'm', context: at },
      { path: 'templates/a.docx#word/document.xml#2:0', message: 'm', context: { words: 'x' } },
      { path: '/nodes', message: 'm', context: at },
    ]
    expect(planned({ issues }).split('\n').slice(1, 5)).toEqual([
      '  contracts/a.schema.json:3:1: m',
      '  contracts/a.schema.json:2:11 /type: m',
      '  templates/a.docx#word/document.xml#2:0: m',
      '  /nodes: m',
    ])
  })
})
