import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../src/core/limits.ts'
import { packProject } from '../../src/project/archive.ts'
import { ProjectFolder } from '../../src/project/folder.ts'
import { readProject } from '../../src/project/project.ts'
import { testCases } from '../../src/project/test-cases.ts'
import { temporaryFolder } from '../support/database.ts'
import { folderWith, greeting, performHere } from './fixture.ts'

const model = 'models/greeting.yaml'
const contract = 'contracts/person.schema.json'
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`
const conflict = '# kept\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> theirs\n'

function pipe(path: string): void {
  rmSync(path, { force: true })
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0)
}

function link(target: string, path: string): void {
  rmSync(path, { force: true, recursive: true })
  symlinkSync(target, path)
}

/** What is done to a file or folder of a project, and what has to be told of it. */
const unusable: [what: string, file: string, change: (path: string, folder: string) => void, words: string][] = [
  ['a named pipe', model, pipe, 'It is a named pipe, not a file.'],
  ['a named pipe among templates', 'templates/other.docx', pipe, 'It is a named pipe, not a file.'],
  ['a link to a device', model, (path) => link('/dev/zero', path), "leads out of the project's folder"],
  ['a link to another folder', contract, (path) => link('/etc/hostname', path), "leads out of the project's folder"],
  ['a folder of another place', 'contracts', (path) => link('/etc', path), "leads out of the project's folder"],
  [
    'a link to what is hidden',
    contract,
    (path, folder) => {
      mkdirSync(join(folder, '.git'))
      writeFileSync(join(folder, '.git/config'), 'token')
      link('../.git/config', path)
    },
    'something hidden in it',
  ],
  ['a link to nothing', model, (path) => link('nowhere.yaml', path), 'It is a link to nothing.'],
  ['a link to itself', model, (path) => link('greeting.yaml', path), 'It is a link that leads back to itself.'],
  [
    'a folder in a file’s place',
    model,
    (path) => {
      rmSync(path)
      mkdirSync(path)
    },
    'It is a folder, not a file.',
  ],
  [
    'a file in a folder’s place',
    'transformers',
    (path) => {
      rmSync(path, { recursive: true })
      writeFileSync(path, '')
    },
    'A file is where a folder belongs.',
  ],
  ['a pointer of Git LFS', 'templates/greeting.docx', (path) => writeFileSync(path, pointer), 'git lfs pull'],
  ['marks of a merge', 'transformers/greeting.yaml', (path) => writeFileSync(path, conflict), 'a merge that was not'],
  [
    'a file larger than a project',
    'templates/greeting.docx',
    (path) => truncateSync(path, limits.projectArchiveBytes + 1),
    'and a whole project may have',
  ],
  [
    'a name in other case',
    'models/Greeting.yaml',
    (path) => writeFileSync(path, String(greeting[model])),
    'differs from',
  ],
]

describe('of a project folder', () => {
  test.each(unusable)('%s is reported by test and plan alike, and neither waits', (_what, file, change, words) => {
    const folder = folderWith(greeting)
    change(join(folder, file), folder)
    for (const { outcome, findings } of [readProject(folder), packProject(folder)]) {
      expect(outcome.ok).toBe(false)
      const told = findings.map(({ file: path, message, hint }) => `${path}: ${message} ${hint}`)
      const name = words === 'differs from' ? 'models/greeting.yaml' : file
      expect(told.find((line) => line.startsWith(`${name}: `))).toContain(words)
    }
  })

  test('a name that no archive may have is reported with its path', () => {
    for (const name of ['a:b', 'a\\b', 'a\nb']) {
      const { findings } = packProject(folderWith({ ...greeting, [`cases/greeting/${name}.json`]: '{}' }))
      expect(findings).toEqual([expect.objectContaining({ code: 'project.name', file: `cases/greeting/${name}.json` })])
    }
  })

  test('a file that may not be read is reported', () => {
    const folder = folderWith(greeting)
    chmodSync(join(folder, model), 0)
    // Whoever runs the tests as root may read anything.
    if (process.getuid?.() === 0) return
    expect(readProject(folder).findings[0]).toMatchObject({ file: model, message: expect.stringContaining('denied') })
  })

  test('links lead to other places in the folder, and a circle of folders ends', () => {
    const folder = folderWith({ ...greeting, 'shared/person.json': String(greeting[contract]) })
    link('../shared/person.json', join(folder, contract))
    expect(readProject(folder).outcome.ok).toBe(true)
    mkdirSync(join(folder, 'cases/greeting/ann.expected'))
    link('..', join(folder, 'cases/greeting/ann.expected/letter'))
    const { findings } = packProject(folder)
    expect(findings).toEqual([
      expect.objectContaining({ file: 'cases/greeting/ann.expected/letter', code: 'project.circle' }),
    ])
  })

  test('a project may lie behind a link itself', () => {
    const behind = join(temporaryFolder(), 'project')
    symlinkSync(folderWith(greeting), behind)
    expect(readProject(behind).outcome.ok).toBe(true)
    expect(packProject(behind).outcome.ok).toBe(true)
  })

  test('a file that changes while it is read is read again, and one that never rests is reported', () => {
    const folder = folderWith(greeting)
    const writer = Bun.spawn(['sh', '-c', `while :; do echo '# more' >> ${model}; done`], {
      cwd: folder,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    try {
      // A short file may be read between two writes; one of many readings meets one.
      const told = Array.from({ length: 200 }, () => new ProjectFolder(folder).read(model))
      for (const read of told) {
        if (read.ok) expect(new TextDecoder().decode(read.value)).toStartWith(String(greeting[model]))
        else expect(read.findings).toEqual([expect.objectContaining({ code: 'project.changing' })])
      }
    } finally {
      writer.kill()
    }
    const whole = join(folder, 'whole.yaml')
    writeFileSync(whole, 'a: 1\n')
    renameSync(whole, join(folder, model))
    expect(new ProjectFolder(folder).bytes(model)).toEqual(new TextEncoder().encode('a: 1\n'))
  })

  test('text that was checked out with CRLF makes the same archive, and CSV keeps its own', () => {
    const text: Record<string, string | Uint8Array> = {
      ...greeting,
      [contract]: JSON.stringify(JSON.parse(String(greeting[contract])), null, 2),
      'families.json': '{\n}\n',
      'cases/greeting/ann.json': '{\n  "name": "Ann",\n  "owes": 0\n}\n',
      'cases/greeting/ann.expected/letter/document.txt': 'Dear Ann of Ghent,\n',
      'templates/greeting.docx.md': 'Dear\n',
    }
    const windows = Object.fromEntries(
      Object.entries(text).map(([path, content]) => [
        path,
        typeof content === 'string' ? content.replaceAll('\n', '\r\n') : content,
      ]),
    )
    const archiveOf = (files: typeof text) => {
      const { outcome, findings } = packProject(folderWith(files))
      expect(findings).toEqual([])
      return outcome.ok ? outcome.value : undefined
    }
    expect(archiveOf(windows)).toEqual(archiveOf(text))
    const csv = { 'cases/greeting/a.csv': 'a;b\r\n1;2\r\n' }
    expect(archiveOf({ ...text, ...csv })).not.toEqual(archiveOf({ ...text, 'cases/greeting/a.csv': 'a;b\n1;2\n' }))
  })

  test('two files of one family are reported, for the last one would silently count', () => {
    const folder = folderWith({ ...greeting, 'models/greeting.json': '{}' })
    const { outcome, findings } = readProject(folder)
    expect([outcome.ok, findings[0]?.code, findings[0]?.file]).toEqual([false, 'project.twice', model])
  })

  test('a case whose files can’t be used fails with their paths, is not updated, and leaves the others running', async () => {
    const folder = folderWith(greeting)
    const secret = join(temporaryFolder(), 'secret')
    writeFileSync(secret, 'kept')
    mkdirSync(join(folder, 'cases/greeting/ann.expected/letter'), { recursive: true })
    link(secret, join(folder, 'cases/greeting/ann.expected/letter/output.json'))
    pipe(join(folder, 'cases/greeting/bob.params.json'))
    const { outcome } = readProject(folder)
    if (!outcome.ok) throw new Error('the project can be read')
    const { cases } = outcome.value
    for (const update of [undefined, 'all'] as const) {
      const results = await testCases(outcome.value, cases, { perform: performHere(), atOnce: 1, tolerance: 0, update })
      expect(results.map(({ failures, updated }) => [failures, updated])).toEqual([
        [
          [
            {
              kind: 'other',
              file: 'cases/greeting/ann.expected/letter/output.json',
              message: expect.stringContaining('leads out'),
            },
          ],
          [],
        ],
        [
          [{ kind: 'other', file: 'cases/greeting/bob.params.json', message: expect.stringContaining('named pipe') }],
          [],
        ],
      ])
      expect(await Bun.file(secret).text()).toBe('kept')
    }
  })
})

test('a text is what the file holds, a byte order mark too, and anything but UTF-8 is reported', () => {
  const path = folderWith(greeting)
  const folder = new ProjectFolder(path)
  writeFileSync(join(path, model), '\ufeffa: ä')
  expect(folder.text(model)).toBe('\ufeffa: ä')
  expect(folder.findings).toEqual([])
  writeFileSync(join(path, model), Uint8Array.of(0x61, 0xff))
  expect(folder.text(model)).toBeUndefined()
  expect(folder.findings.map(({ file }) => file)).toEqual([model])
  expect(folder.optionalText('models/none.yaml')).toBeUndefined()
  expect(folder.findings).toHaveLength(1)
})
