import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { expandInputs, isSeveral } from '../../src/commands/inputs.ts'
import { temporaryFolder } from '../support/database.ts'

const folder = temporaryFolder()
const at = (...names: string[]) => join(folder, ...names)
const rules = { endings: ['.docx', '.dotx'] }
/** The files by the names that their results get. */
const named = (...args: string[]) => expandInputs(args, rules).map(({ name }) => name)
const refusal = (...args: string[]) => {
  try {
    return expandInputs(args, rules)
  } catch (error) {
    return error
  }
}

beforeAll(() => {
  for (const name of [
    ...['docs/b.docx', 'docs/A.DOCX', 'docs/c.dotx', 'docs/notes.txt', 'docs/docx', 'docs/~$b.docx', 'docs/.b.docx'],
    ...['docs/x~$.docx', 'docs/below/d.docx', 'docs/below/deeper/e.docx', 'docs/.git/f.docx', 'docs/~$below/g.docx'],
    ...['elsewhere/h.docx', 'none/i.txt', 'l[1].docx'],
  ]) {
    mkdirSync(join(at(name), '..'), { recursive: true })
    writeFileSync(at(name), '')
  }
  mkdirSync(at('docs', 'folder.docx'))
  mkdirSync(at('circle'))
  writeFileSync(at('circle', 'a.docx'), '')
  symlinkSync('b.docx', at('circle', 'b.docx'))
  symlinkSync(at('elsewhere'), at('docs', 'linked'))
  symlinkSync(at('elsewhere', 'h.docx'), at('docs', 'h.docx'))
})

describe('the files that a command is given', () => {
  test('are those of a folder and below it with the endings, by name, without hidden ones, locks of Word and linked folders', () => {
    expect(named(at('docs'))).toEqual([
      ...['A.DOCX', 'b.docx', 'below/d.docx', 'below/deeper/e.docx', 'c.dotx', 'h.docx', 'x~$.docx'],
      ...['~$below/g.docx'],
    ])
    expect(expandInputs([at('docs', 'below')], rules)).toEqual([
      { path: at('docs', 'below', 'd.docx'), name: 'd.docx' },
      { path: at('docs', 'below', 'deeper', 'e.docx'), name: 'deeper/e.docx' },
    ])
  })

  test('are those that a pattern fits, by name, under the same rules, each under its own name', () => {
    expect(named(at('docs', '*.docx'))).toEqual(['b.docx', 'h.docx', 'x~$.docx'])
    expect(named(at('docs', '**', '{d,e}.docx'))).toEqual(['d.docx', 'e.docx'])
    expect(named(at('docs', '*'))).toEqual(['A.DOCX', 'b.docx', 'c.dotx', 'h.docx', 'x~$.docx'])
  })

  test('are links in a circle as well, so that whoever reads them says so and the others are read', () => {
    for (const args of [[at('circle')], [at('circle', '*.docx')]]) expect(named(...args)).toEqual(['a.docx', 'b.docx'])
  })

  test('are those that are named, whatever they are called, in their order and each once', () => {
    expect(named(at('docs', 'notes.txt'), at('docs', '~$b.docx'), at('docs', '.b.docx'), at('gone.docx'))).toEqual([
      ...['notes.txt', '~$b.docx', '.b.docx', 'gone.docx'],
    ])
    // A file that is there is meant, whatever its name looks like.
    expect(named(at('l[1].docx'))).toEqual(['l[1].docx'])
    expect(named(at('docs', 'c.dotx'), at('docs', 'b.docx'), at('docs', 'c.dotx'))).toEqual(['c.dotx', 'b.docx'])
    // The first argument that has a file gives it its name.
    const both = expandInputs([at('docs', 'below', 'deeper', 'e.docx'), at('docs', 'below')], rules)
    expect(both.map(({ name }) => name)).toEqual(['e.docx', 'd.docx'])
    expect(named()).toEqual([])
  })

  test('are refused where a folder or a pattern has none, with the endings', () => {
    for (const none of [at('none'), at('none', '*.docx'), at('docs', '~$*.docx')]) {
      const refused = refusal(at('docs'), none)
      expect([refused instanceof UsageError, (refused as Error).message]).toEqual([
        ...[true, `${none} has no file that ends in .docx, .dotx`],
      ])
    }
  })

  test('can be several where a folder or a pattern is named, and one where a file or stdin is', () => {
    const several = (name: string) => isSeveral(name === '-' ? name : at(name))
    expect(['docs', '*.docx', 'docs/?.docx', '{a,b}', '[ab].docx'].map(several)).toEqual(Array(5).fill(true))
    expect(['-', 'docs/b.docx', 'gone.docx', 'l[1].docx'].map(several)).toEqual(Array(4).fill(false))
  })
})
