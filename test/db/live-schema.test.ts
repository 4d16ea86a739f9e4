import { expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import type { Database } from '../../src/db/database.ts'
import { listed, type Schema, schemaDifferences, schemaOf } from '../../src/db/live-schema.ts'

/** The schema that these statements make, in memory. */
const made = (...statements: string[]): Promise<Schema> =>
  schemaOf({ dialect: 'sqlite' } as Database, [{ name: 'x', sql: statements.join('--> statement-breakpoint') }])

const letters = 'create table letters (id text primary key not null, size integer not null default 1, note text)'
const owners = 'create table owners (id text primary key not null, letter text references letters (id), check (id > 0))'
const byNote = 'create index letters_note on letters (note, size desc) where note is not null'
const once = 'create unique index letters_size on letters (size)'
const copied = 'create trigger letters_copy after insert on letters begin select 1; end'
const whole = [letters, owners, byNote, once, copied]
const expected = await made(...whole)

/** What differs where one statement is another, or is left out. */
async function differences(statement: string, ...instead: string[]): Promise<string[]> {
  const at = whole.indexOf(statement)
  return schemaDifferences(expected, await made(...whole.slice(0, at), ...instead, ...whole.slice(at + 1)))
}

test('the same schema shows no difference, in any spelling', async () => {
  const spaced = 'CREATE  UNIQUE INDEX "letters_size"\n ON `letters` ( [size] )'
  const others = ['create index letters_note on "letters"(note,size desc) where note is not null', spaced]
  expect(schemaDifferences(expected, await made(letters, owners, ...others, copied))).toEqual([])
})

test('tables, columns, indexes and rules are missed and compared, each by its name', async () => {
  expect(await differences(owners)).toEqual(['the table owners is missing'])
  expect(await differences(byNote)).toEqual(['the index letters_note is missing'])
  expect(await differences(copied)).toEqual(['of the table letters, the trigger letters_copy is missing'])
  const other = 'create table letters (id text not null, size integer not null default 2, note integer, extra text)'
  expect(await differences(letters, other)).toEqual([
    'the column letters.id is text not null instead of text not null key 1',
    'the column letters.size is integer not null default 2 instead of integer not null default 1',
    'the column letters.note is integer instead of text',
    "the column letters.extra is not Quire's",
  ])
  expect(
    await differences(letters, letters.replace(', note text', ', old text'), 'alter table letters add note'),
  ).toEqual(['the column letters.note is  instead of text', "the column letters.old is not Quire's"])
  expect(await differences(byNote, byNote.replace('note, size desc', 'note,size'))).toEqual([
    'the index letters_note is on letters(note,size)where note is not null instead of on letters(note,size desc)where note is not null',
  ])
  expect(await differences(once, once.replace('unique ', ''))).toEqual([
    'the index letters_size is on letters(size) instead of unique on letters(size)',
  ])
  expect(await differences(copied, copied.replace('select 1', 'select 2'))).toHaveLength(1)
  const bare = 'create table owners (id text primary key not null, letter text)'
  expect((await differences(owners, bare)).toSorted()).toEqual([
    'of the table owners, the check is missing',
    'of the table owners, the foreign key on letter is missing',
  ])
})

test('what others have added is named where it refuses rows, and not where a newer version may have added it', async () => {
  const additions = [
    ...['create unique index letters_once on letters (note)', 'create index letters_more on letters (size, note)'],
    ...['alter table letters add colour text', 'create table mine (x text unique)'],
    'create trigger owners_copy after insert on owners begin select 1; end',
    'create table quire_anything (x text); create index quire_anything_x on quire_anything (x)'.split('; '),
  ].flat()
  const live = await made(...whole, ...additions)
  expect(schemaDifferences(expected, live)).toEqual([
    "the column letters.colour is not Quire's",
    "the unique index letters_once is not Quire's",
    "of the table owners, the trigger owners_copy is not Quire's",
  ])
  expect(schemaDifferences(expected, live, 'of a newer version')).toEqual([])
  const lacking = await made(...whole.slice(0, -1), ...additions)
  expect(schemaDifferences(expected, lacking, 'of a newer version')).toEqual([
    'of the table letters, the trigger letters_copy is missing',
  ])
  // What Quire records of a database is no part of its schema.
  expect([...live.keys()].toSorted()).toEqual(['letters', 'mine', 'owners'])
})

test('of many differences the first few are shown, and how many more there are', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`)
  const most = limits.schemaDifferencesShown
  expect(listed(many(0))).toBe('')
  expect(listed(many(2))).toBe('d0, d1')
  expect(listed(many(most))).toBe(many(most).join(', '))
  expect(listed(many(most + 1))).toBe(`${many(most).join(', ')} and 1 more`)
  expect(listed(many(most + 2))).toBe(`${many(most).join(', ')} and 2 more`)
})
