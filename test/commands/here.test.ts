/** Small commands and parts of commands, in this process. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCheck } from '../../src/commands/check.ts'
import { scheduledErrors } from '../../src/commands/check-schedule.ts'
import { UsageError } from '../../src/commands/command.ts'
import { runCompose } from '../../src/commands/compose.ts'
import { composeFile } from '../../src/commands/compose-file.ts'
import { runDoctor } from '../../src/commands/doctor.ts'
import { runEngineProcess } from '../../src/commands/engine-process.ts'
import { CommandFailure, folderNamed } from '../../src/commands/files.ts'
import { runLicences } from '../../src/commands/licences.ts'
import { isOutputFolder, type MadeFile, madeJson, madeText, outputsIn } from '../../src/commands/many.ts'
import { renderFile } from '../../src/commands/render-file.ts'
import { checkReviewText, isReviewText, writeReviewText } from '../../src/commands/review-text.ts'
import { runSbom } from '../../src/commands/sbom.ts'
import { runSchema } from '../../src/commands/schema.ts'
import { runBeside, type Served } from '../../src/commands/served.ts'
import { runVersion } from '../../src/commands/version.ts'
import { ConfigError } from '../../src/config.ts'
import type { Finding } from '../../src/core/finding.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { folderWith, greeting } from '../project/fixture.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { catchPrinted } from '../support/printed.ts'
import { noContext } from './answering.ts'

const printed = catchPrinted()
function taken() {
  const said = { ...printed }
  Object.assign(printed, { stdout: '', stderr: '' })
  return said
}
const refusal = async (work: Promise<unknown>) => {
  const error = (await rejectionOf(work)) as Error
  return [error.constructor, error.message]
}

describe('quire compose', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  writeFileSync(at('letter.docx'), wordPackage(p('Dear {{/name}}')))
  writeFileSync(at('warned.docx'), wordPackage(p('Dear {{/name}} {{/name | default "x"}}') + p('{ {/name}}')))
  writeFileSync(at('broken.docx'), wordPackage(p('{{#if /a}}')))
  writeFileSync(at('ann.json'), '{"name":"Ann"}')
  writeFileSync(at('empty.json'), '{}')
  writeFileSync(at('bad.json'), '{"name":')

  test('says what the template, the data and both together have against it, and writes nothing then', async () => {
    const composed = async (template: string, data: string, ...more: string[]) => {
      const code = await runCompose([at(template), at(data), '-o', at('out.docx'), ...more], noContext)
      const { stdout, stderr } = taken()
      const isMade = existsSync(at('out.docx'))
      return {
        code,
        isMade,
        stdout,
        lines: stderr.split('\n').map((line) => line.replace(`${folder}/`, '').split(': ')[0]),
      }
    }
    expect(await composed('letter.docx', 'empty.json')).toEqual({
      code: 1,
      isMade: false,
      stdout: '',
      lines: ['letter.docx', ''],
    })
    expect(await composed('broken.docx', 'bad.json')).toEqual({
      ...{ code: 1, isMade: false, stdout: '' },
      lines: ['broken.docx', expect.stringMatching(/^bad\.json:1/) as unknown as string, ''],
    })
    const json = await runCompose([at('broken.docx'), at('bad.json'), '-o', at('out.docx'), '--json'], noContext)
    expect([json, JSON.parse(taken().stderr).files.map(({ path }: { path: string }) => path)]).toEqual([
      1,
      [at('broken.docx'), at('bad.json')],
    ])
    expect(await composed('letter.docx', 'ann.json')).toEqual({ code: 0, isMade: true, stdout: '', lines: [''] })
  })

  test('takes - for one file, and no folder for a template', async () => {
    for (const args of [
      ['-', at('ann.json'), at('empty.json'), '-o', at('out')],
      [at('letter.docx'), at('ann.json'), '-', '-o', at('out')],
      [at('letter.docx'), at('ann.json'), at('empty.json'), '-o', '-'],
    ])
      expect(await refusal(runCompose(args, noContext))).toEqual([
        UsageError,
        '- is one file; several results go from files into a folder',
      ])
    expect(existsSync(at('out'))).toBe(false)
  })

  test('from file to file remembers the template that it filled last, and reads any other one', () => {
    const own = temporaryFolder()
    const into = (name: string) => join(own, name)
    writeFileSync(into('one.docx'), wordPackage(p('One {{/name}}')))
    expect(composeFile(into('one.docx'), at('ann.json'), into('a.docx'))).toEqual({ isWritten: true, findings: [] })
    const made = readFileSync(into('a.docx'))
    writeFileSync(into('one.docx'), wordPackage(p('Other {{/name}}')))
    composeFile(into('one.docx'), at('ann.json'), into('b.docx'))
    expect(readFileSync(into('b.docx')).equals(made)).toBe(true)
    composeFile(at('letter.docx'), at('ann.json'), into('c.docx'))
    composeFile(into('one.docx'), at('ann.json'), into('d.docx'))
    expect(readFileSync(into('d.docx')).equals(made)).toBe(false)
    const missing = composeFile(at('letter.docx'), at('empty.json'), into('e.docx'))
    expect([missing.isWritten, missing.findings.map(({ code, near }) => [code, near])]).toEqual([
      false,
      [['docx.missing_value', { words: 'Dear {{/name}}' }]],
    ])
    expect(composeFile(at('letter.docx'), at('bad.json'), into('e.docx'))).toMatchObject({
      isWritten: false,
      findings: [{}],
    })
    expect(composeFile(at('broken.docx'), at('ann.json'), into('e.docx'))).toEqual({ isWritten: false, findings: [] })
    expect(readdirSync(own).sort()).toEqual(['a.docx', 'b.docx', 'c.docx', 'd.docx', 'one.docx'])
  })
})

test('a document is rendered from file to file, and one that is none is not', () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  writeFileSync(at('a.docx'), wordPackage(p('Text')))
  writeFileSync(at('b.docx'), 'none')
  expect(renderFile(at('a.docx'), at('a.pdf'), embeddedFonts())).toMatchObject({ isWritten: true })
  expect(readFileSync(at('a.pdf')).subarray(0, 5).toString()).toBe('%PDF-')
  const refused = renderFile(at('b.docx'), at('b.pdf'), embeddedFonts())
  expect([refused.isWritten, refused.findings.length, existsSync(at('b.pdf'))]).toEqual([false, 1, false])
})

describe('several results', () => {
  const error: Finding = { code: 'a', severity: 'error', message: 'No.' }
  const warning: Finding = { code: 'b', severity: 'warning', message: 'Well.' }
  const file = (path: string, isWritten: boolean, ...findings: Finding[]): MadeFile => ({
    ...{ path, output: `${path}.pdf`, isWritten, findings },
  })
  const made = [file('a', true, warning), file('b', false, error, warning), file('c', true)]

  test('are told by file, and counted', () => {
    expect(madeText(made)).toEqual({
      findings: 'a: warning: Well.\nb: No.\nb: warning: Well.\n',
      summary: '2 of 3 files written; 1 failed\n',
    })
    expect(madeText(made.slice(0, 1)).summary).toBe('1 of 1 files written\n')
    expect(JSON.parse(madeJson(made))).toEqual({
      files: [
        { path: 'a', output: 'a.pdf', findings: [warning] },
        { path: 'b', findings: [error, warning] },
        { path: 'c', output: 'c.pdf', findings: [] },
      ],
      ...{ errors: 1, warnings: 2 },
    })
    expect(madeJson(made)).toEndWith('}\n')
  })

  test('go into a folder: one that is there, or that ends in a slash', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), '')
    expect([folder, 'new/', 'new\\'].map(isOutputFolder)).toEqual([true, true, true])
    expect([join(folder, 'file'), join(folder, 'new'), 'a/b'].map(isOutputFolder)).toEqual([false, false, false])
    const input = { path: 'x/a.docx', name: 'a.docx' }
    expect(() => outputsIn(join(folder, 'file'), [input], '.pdf')).toThrow(
      new UsageError(`${join(folder, 'file')} is a file; several results want a folder`),
    )
    expect(() => outputsIn('out', [input, { path: 'y/a.dotx', name: 'a.dotx' }], '.pdf')).toThrow(
      new UsageError('x/a.docx and y/a.dotx would both be written to out/a.pdf'),
    )
  })
})

describe('the text beside a template', () => {
  const template = wordPackage(p('Dear {{/name}}'))

  test('is known by its name', () => {
    expect(['a.docx.md', 'a.DOTX.MD'].map(isReviewText)).toEqual([true, true])
    expect(['a.md', 'a.docx', 'a.docx.mdx', 'docx.md'].map(isReviewText)).toEqual([false, false, false, false])
  })

  test('is written where there is one, or in a project, and only where it says something else', () => {
    const folder = folderWith({
      'templates/a.docx': template,
      'b.docx': template,
      'c.docx': template,
      'c.docx.md': 'old',
    })
    const said: string[] = []
    const write = (name: string) => writeReviewText(join(folder, name), template, (text) => said.push(text))
    for (const name of ['templates/a.docx', 'b.docx', 'c.docx', 'templates/a.docx', 'c.docx']) write(name)
    expect(said).toEqual(['templates/a.docx', 'c.docx'].map((name) => `${join(folder, name)}.md: written anew\n`))
    const text = readFileSync(join(folder, 'c.docx.md'))
    expect([text.toString(), existsSync(join(folder, 'b.docx.md'))]).toEqual([
      expect.stringContaining('{{/name}}'),
      false,
    ])
    const path = join(folder, 'c.docx.md')
    expect(checkReviewText(path, text)).toEqual([])
    // As it is checked out elsewhere.
    expect(checkReviewText(path, Buffer.from(text.toString().replaceAll('\n', '\r\n')))).toEqual([])
    const code = { code: 'check.stale_text', severity: 'warning' } as const
    expect(checkReviewText(path, Buffer.from('old'))).toEqual([
      {
        ...code,
        message: `It is not what ${join(folder, 'c.docx')} says.`,
        hint: `Write it anew: quire check --fix ${join(folder, 'c.docx')}`,
      },
    ])
    expect(checkReviewText(join(folder, 'd.docx.md'), text)).toEqual([
      { ...code, message: `It is the text of ${join(folder, 'd.docx')}, which is not there.`, hint: 'Remove it.' },
    ])
  })
})

describe('what a project schedules', () => {
  const schedule = (folder: string, file: string) =>
    `activations:\n  - effective_from: 2099-01-01T00:00:00Z\n    files: [scheduled/${folder}/${file}]\n`
  const project = (file: string, content: string) =>
    folderWith({ ...greeting, [`scheduled/spring/${file}`]: content, 'activations.yaml': schedule('spring', file) })
  const errorsIn = async (folder: string) =>
    (await scheduledErrors(folder)).flatMap(([path, findings]) =>
      findings.map(({ message }) => `${path.slice(folder.length + 1)}: ${message}`),
    )

  test('is told by its errors: its own, and those that it makes of what is in force', async () => {
    expect(
      await errorsIn(project('transformers/notice.yaml', 'transform: declarative-v1\noutput: { amount: /owes }\n')),
    ).toEqual([])
    expect(await errorsIn(project('contracts/person.schema.json', '{"type":"objekt"}'))).toEqual([
      expect.stringMatching(/^scheduled\/spring\/contracts\/person\.schema\.json: (?!With what begins).*objekt/),
    ])
    const template = folderWith({
      ...greeting,
      'scheduled/spring/templates/greeting.docx': wordPackage(p('{{/surname}}')),
      'activations.yaml': schedule('spring', 'templates/greeting.docx'),
    })
    const told = await errorsIn(template)
    expect(told).toEqual([
      expect.stringMatching(
        /^transformers\/greeting\.yaml: With what begins at 2099-01-01T00:00:00Z: The template wants \/surname/,
      ),
    ])
    // What is wrong already is no error of what begins.
    const already = folderWith({
      ...greeting,
      'transformers/greeting.yaml': 'transform: declarative-v1\noutput: $nothing\n',
      'scheduled/spring/transformers/notice.yaml': 'transform: declarative-v1\noutput: { amount: /owes }\n',
      'activations.yaml': schedule('spring', 'transformers/notice.yaml'),
    })
    expect(await errorsIn(already)).toEqual([])
  })

  test('is checked by quire check as well, and --fix lays out only what begins', async () => {
    const crooked = 'transform: declarative-v1\noutput:\n    amount: /owes\n'
    const folder = project('transformers/notice.yaml', crooked)
    expect(await runCheck([folder], noContext)).toBe(0)
    expect(taken().stdout).toEndWith('10 files are fine\n'.replace('10', '6'))
    expect(await runCheck([folder, '--fix'], noContext)).toBe(0)
    expect(taken().stdout).toContain('scheduled/spring/transformers/notice.yaml: laid out anew, 1 line changed\n')
    expect(readFileSync(join(folder, 'scheduled/spring/transformers/notice.yaml'), 'utf8')).not.toBe(crooked)
  })
})

describe('quire doctor', () => {
  const withError = (message: string) => ({
    ...noContext,
    prepare: () => {
      throw new ConfigError(message)
    },
  })

  test('tells a setting that cannot be used with its remedy, which is what comes last, or a general one', async () => {
    expect(await runDoctor([], withError('QUIRE_X: it is odd; so odd; mend it'))).toBe(1)
    expect(taken()).toEqual({
      stdout: `WRONG  settings      QUIRE_X: it is odd; so odd\n${' '.repeat(21)}→ mend it\n\n1 wrong\n`,
      stderr: '',
    })
    expect(await runDoctor([], withError('odd'))).toBe(1)
    expect(taken().stdout).toBe(`WRONG  settings      odd\n${' '.repeat(21)}→ mend the setting\n\n1 wrong\n`)
    expect(await runDoctor(['--json'], withError('odd; mend it'))).toBe(1)
    expect(JSON.parse(taken().stdout)).toEqual({
      ...{ product: expect.any(String), wrong: 1, advice: 0 },
      findings: [{ check: 'settings', verdict: 'wrong', found: 'odd', remedy: 'mend it' }],
    })
  })

  test('takes nothing else for a finding', async () => {
    const context = {
      ...noContext,
      prepare: () => {
        throw new TypeError('a fault')
      },
    }
    expect(await refusal(runDoctor([], context))).toEqual([TypeError, 'a fault'])
  })
})

test('a language has its JSON Schema, and another word gives the languages there are', async () => {
  expect(await runSchema(['families'], noContext)).toBe(0)
  const { stdout } = taken()
  expect(JSON.parse(stdout)).toHaveProperty('$schema')
  expect(stdout).toStartWith('{\n  "')
  const known = 'schema takes one language: transformer, ingestion-model, activations, families'
  expect(await refusal(runSchema([], noContext))).toEqual([UsageError, expect.stringContaining(known)])
  for (const [args, words] of [
    [['families', 'families'], `${known}; did you mean families?`],
    [['transfomer'], `${known}; did you mean transformer?`],
    [['toString'], known],
  ] as const)
    expect(await refusal(runSchema(args, noContext))).toEqual([UsageError, expect.stringContaining(words)])
})

test('what only an executable knows is refused from source, with how to make one', async () => {
  for (const command of [runSbom, runLicences])
    expect(await refusal(command([], noContext))).toEqual([
      CommandFailure,
      'only an executable knows what it consists of; make one with "bun run build"',
    ])
})

test('the version is a line, or JSON', async () => {
  expect(await runVersion([], noContext)).toBe(0)
  const [, product, api, revision, bun] =
    /^quire (\S+) \(API (\S+), revision (\S+), bun (\S+)\)\n$/.exec(taken().stdout) ?? []
  expect(await runVersion(['--json'], noContext)).toBe(0)
  expect(JSON.parse(taken().stdout)).toEqual({ product, api, revision, bun })
  expect(bun).toBe(Bun.version)
})

test('an engine’s process and what a server runs for commands are refused to whoever asks by hand', async () => {
  for (const args of [[], ['engines'], ['paint']])
    expect(await refusal(runEngineProcess(args))).toEqual([
      UsageError,
      'engine-process is started by quire serve, for its engines',
    ])
  const run = runBeside({} as Served)
  expect(await refusal(run('backup', [], () => {}))).toEqual([
    UsageError,
    'the server runs no "quire backup"; is it of another version?',
  ])
})

test('- is no folder, and ./- is one', () => {
  expect(folderNamed('./-')).toBe('./-')
  expect(() => folderNamed('')).toThrow(
    new UsageError('a name is empty, and this takes a folder; see whether the variable that it comes from is set'),
  )
  expect(() => folderNamed('-')).toThrow(
    new UsageError('- is standard input or output, and this takes a folder; ./- is one that is called so'),
  )
})
