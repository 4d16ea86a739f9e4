import { expect, test } from 'bun:test'
import { answers } from '../../src/console/engines/answers.ts'
import { compareSchemas } from '../../src/engines/schema/changes.ts'
import { compileSchema } from '../../src/engines/schema/schema.ts'

const person = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const asked = (before: unknown, after: unknown) =>
  answers.comparison({ before: JSON.stringify(before), after: JSON.stringify(after) })

test('the console compares contracts as a plan does', () => {
  const stricter = { ...person, properties: { name: { type: 'string', maxLength: 10 } } }
  const compiled = (schema: unknown) => {
    const outcome = compileSchema(JSON.stringify(schema))
    if (!outcome.ok) throw new Error('a schema is wrong')
    return outcome.value
  }
  const changes = asked(person, stricter)
  expect(changes).toEqual(compareSchemas(compiled(person), compiled(stricter)))
  expect(changes?.map(({ effect, pointer }) => [effect, pointer])).toEqual([['breaking', '/properties/name/maxLength']])
  expect(asked(stricter, person)?.map(({ effect }) => effect)).toEqual(['compatible'])
  expect(asked(person, person)).toEqual([])
})

test('what has errors is compared with nothing', () => {
  expect(answers.comparison({ before: '{', after: '{}' })).toBeUndefined()
  expect(asked(person, { type: 'objekt' })).toBeUndefined()
})
