import { describe, expect, test } from 'bun:test'
import { startTestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { type Files, filesOf, hello, zipOf } from './fixture.ts'

const unix: Files = {
  ...hello,
  'contracts/person.schema.json': JSON.stringify(JSON.parse(String(hello['contracts/person.schema.json'])), null, 2),
  'cases/hello/ann.json': '{\n  "name": "Ann"\n}\n',
}
const windows: Files = Object.fromEntries(
  Object.entries(unix).map(([path, content]) => [
    path,
    typeof content === 'string' ? content.replaceAll('\n', '\r\n') : content,
  ]),
)

describe('line ends', () => {
  let authors = 0
  const newAuthor = async () => Author.signIn(await startTestApp('sqlite'), `ends-${++authors}`)
  const plan = (author: Author, files: Files) =>
    author.form('POST', '/project/plan', {}, zipOf(files), {}, 'application/zip')

  test.each([
    ['of Unix', unix, windows],
    ['of Windows', windows, unix],
  ] as const)(
    '%s that the store has are the same as the others, and an export gives them back',
    async (_of, stored, other) => {
      const author = await newAuthor()
      const { body: first } = await plan(author, stored)
      const fields = { plan_hash: first.plan_hash }
      const applied = await author.form('POST', '/project/apply', fields, zipOf(stored), {}, 'application/zip')
      expect(applied.status).toBe(200)
      for (const files of [stored, other]) {
        const { body } = await plan(author, files)
        expect([body.changes, body.unchanged, body.case_files]).toEqual([[], 4, { added: 0, changed: 0, removed: 0 }])
      }
      const changed = {
        ...other,
        'transformers/hello.yaml': String(other['transformers/hello.yaml']).replace('Hello', 'Hi'),
      }
      expect((await plan(author, changed)).body.changes).toHaveLength(1)
      const files = filesOf((await author.get('/project')).body)
      expect(files['models/hello.yaml']).toEqual(stored['models/hello.yaml'])
      expect(files['cases/hello/ann.json']).toEqual(stored['cases/hello/ann.json'])
    },
  )

  test('of a value are a part of it: CSV that differs in them is another input', async () => {
    const author = await newAuthor()
    const csv = { ...hello, 'cases/hello/a.csv': 'a;b\n1;2\n' }
    const { body } = await plan(author, csv)
    await author.form('POST', '/project/apply', { plan_hash: body.plan_hash }, zipOf(csv), {}, 'application/zip')
    const other = { ...csv, 'cases/hello/a.csv': 'a;b\r\n1;2\r\n' }
    expect((await plan(author, other)).body.case_files).toEqual({ added: 0, changed: 1, removed: 0 })
  })

  test('are all that is forgiven: what Git has left in a file’s place is refused with its path', async () => {
    const author = await newAuthor()
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
    const conflict = '<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> theirs\n'
    const { status, body } = await plan(author, {
      ...unix,
      'templates/hello.docx': pointer,
      'models/hello.yaml': conflict,
      'cases/hello/ann.json': conflict,
      'cases/hello/bob.json': new Uint8Array([0x22, 0xe9, 0x22]),
    })
    const told = body.errors.map(({ code, path }: Record<string, string>) => `${code} ${path}`).sort()
    expect([status, told]).toEqual([
      422,
      [
        'project.conflict cases/hello/ann.json',
        'project.conflict models/hello.yaml',
        'project.encoding cases/hello/bob.json',
        'project.lfs_pointer templates/hello.docx',
      ],
    ])
  })
})
