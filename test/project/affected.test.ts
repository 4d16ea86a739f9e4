import { expect, test } from 'bun:test'
import { affectedCases, projectOf } from '../../src/project/affected.ts'
import { folderWith, greeting, projectAt } from './fixture.ts'

const project = projectAt(
  folderWith({
    ...greeting,
    'transformers/other.yaml': 'transform: declarative-v1\noutput: { name: /name }\n',
    'models/other.yaml': String(greeting['models/greeting.yaml']).replace(
      /nodes:.*/s,
      'nodes: [{ key: a, label: A, transformer: other }]',
    ),
    'cases/other/eve.json': '{"name":"Eve","owes":1}',
  }),
)

function affected(...changed: string[]): string[] {
  return affectedCases(project, changed).map(({ name }) => name)
}

test('a change of a case concerns that case alone', () => {
  expect(affected('cases/greeting/ann.json')).toEqual(['ann'])
  expect(affected('cases/greeting/bob.params.json')).toEqual(['bob'])
  expect(affected('cases/greeting/bob.expected/letter/output.json')).toEqual(['bob'])
})

test('a change of configuration concerns the cases of every model that reads it, children included', () => {
  expect(affected('models/greeting.yaml')).toEqual(['ann', 'bob'])
  expect(affected('transformers/notice.yaml')).toEqual(['ann', 'bob'])
  expect(affected('templates/greeting.docx')).toEqual(['ann', 'bob'])
  expect(affected('transformers/other.yaml')).toEqual(['eve'])
  expect(affected('contracts/person.schema.json')).toEqual(['ann', 'bob', 'eve'])
})

test('a change of anything else concerns no case', () => {
  expect(affected('README.md', 'templates/unused.docx')).toEqual([])
})

test('as far as some cases go, a project has their models and no others', () => {
  const some = project.cases.filter(({ name }) => name === 'ann')
  const part = projectOf(project, some)
  expect([part.models.map(({ slug }) => slug), part.cases]).toEqual([['greeting'], some])
  expect(projectOf(project, project.cases)).toEqual(project)
})
