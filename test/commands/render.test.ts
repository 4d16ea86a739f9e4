import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/commands/command.ts'
import { runRender } from '../../src/commands/render.ts'
import type { Config } from '../../src/config.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { noContext } from './answering.ts'

const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const inFont = (name: string) =>
  wordPackage(`<w:p><w:r><w:rPr><w:rFonts w:ascii="${name}" w:hAnsi="${name}"/></w:rPr><w:t>Text</w:t></w:r></w:p>`)
const context = { ...noContext, readConfig: () => ({ fontFolders: [] }) as unknown as Config }

const printed = catchPrinted()

beforeAll(() => {
  writeFileSync(at('plain.docx'), wordPackage(p('Text')))
  writeFileSync(at('twin.docx'), inFont('Calibri'))
  writeFileSync(at('other.docx'), inFont('No Such Font'))
  writeFileSync(at('broken.docx'), 'no document')
})

/** Renders one, and says how it ended, whether there is a PDF, and what was printed. */
async function rendered(name: string, ...more: string[]) {
  const output = at(`${crypto.randomUUID()}.pdf`)
  Object.assign(printed, { stdout: '', stderr: '' })
  const code = await runRender([at(name), '-o', output, ...more], context)
  const isMade = existsSync(output) && readFileSync(output).subarray(0, 5).toString() === '%PDF-'
  return { code, isMade, ...printed }
}

test('a document becomes a PDF, and nothing is said of it unless it is asked for', async () => {
  const quiet = { code: 0, isMade: true, stdout: '', stderr: '' } as const
  for (const name of ['plain.docx', 'twin.docx', 'other.docx']) expect(await rendered(name)).toEqual(quiet)
})

test('what is no document gives its findings on stderr and no PDF, as lines or as JSON', async () => {
  const refused = { code: 1, isMade: false, stdout: '' } as const
  const lines = await rendered('broken.docx')
  expect(lines).toMatchObject(refused)
  expect(lines.stderr).toStartWith(`${at('broken.docx')}: `)
  expect(lines.stderr.split('\n')).toHaveLength(2)
  const json = await rendered('broken.docx', '--json', '--report', '--strict')
  expect(json).toMatchObject(refused)
  const { files, errors, warnings } = JSON.parse(json.stderr)
  expect([files.length, files[0].path, errors, warnings]).toEqual([1, at('broken.docx'), 1, 0])
})

test('a report names what is drawn differently, on stdout, as lines or JSON', async () => {
  const lines = await rendered('other.docx', '--report')
  expect([lines.code, lines.isMade, lines.stderr]).toEqual([0, true, ''])
  expect(lines.stdout).toContain('warning: ')
  expect(lines.stdout).toContain('No Such Font')
  const json = await rendered('other.docx', '--json')
  expect(json).toMatchObject({ code: 0, isMade: true, stderr: '' })
  const { files, errors } = JSON.parse(json.stdout)
  expect([files[0].path, errors]).toEqual([at('other.docx'), 0])
  expect(JSON.stringify(files[0].findings)).toContain('No Such Font')
  expect((await rendered('twin.docx', '--report')).stdout).toContain('Calibri')
})

test('--strict ends with 3 if something is drawn differently, and with 0 if a font is only replaced by its twin', async () => {
  const strict = async (name: string) => {
    const { code, isMade, stdout, stderr } = await rendered(name, '--strict')
    return [code, isMade, stdout, stderr]
  }
  expect(await strict('plain.docx')).toEqual([0, true, '', ''])
  expect(await strict('twin.docx')).toEqual([0, true, '', ''])
  expect(await strict('other.docx')).toEqual([3, true, '', ''])
})

test('a call without a document or without an output is refused before anything is read', async () => {
  for (const args of [[], [at('plain.docx')], ['-o', at('none.pdf')]]) {
    const refused = await rejectionOf(runRender(args, noContext))
    expect(refused).toBeInstanceOf(UsageError)
    expect((refused as Error).message).toStartWith('render takes documents and an output: quire render letter.docx -o')
  }
  const several = await rejectionOf(runRender(['-', at('plain.docx'), '-o', at('out')], noContext))
  expect((several as Error).message).toBe('- is one file; several results go from files into a folder')
  expect(existsSync(at('none.pdf'))).toBe(false)
})
