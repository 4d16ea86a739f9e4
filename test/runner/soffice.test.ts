import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, PDFName } from 'pdf-lib'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { WorkerCrashed, WorkerOverran } from '../../src/runner/faults.ts'
import type { StepJob } from '../../src/runner/job.ts'
import { openPool } from '../../src/runner/pool.ts'
import { openSofficePool, sofficeVersion } from '../../src/runner/soffice.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { isGone } from '../support/processes.ts'
import { until } from '../support/until.ts'
import { letterSources, validInput } from './letter.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })

/** A program in LibreOffice's place that misbehaves on purpose: `$PROFILE` and `$OUTDIR` are what it was given. */
function program(script: string): string {
  const path = join(temporaryFolder('quire-soffice-stand-in-'), 'soffice')
  const parse =
    'PROFILE=$(echo "$1" | sed s,-env:UserInstallation=file://,,); while [ $# -gt 2 ]; do shift; done; OUTDIR=$(dirname "$2")'
  writeFileSync(path, `#!/bin/sh\n${parse}\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

const openWith = (binary: string, deadlineMs = 20_000) =>
  openSofficePool(openPool({ size: 1, log }), 'LibreOffice 0.0', { binary, log, deadlineMs })

const render = { steps: ['render'], sources: {} } as const

describe('a renderer that misbehaves', () => {
  test('is ended at its deadline with all that it started, and the next document is rendered with a fresh profile', async () => {
    const mark = join(temporaryFolder('quire-soffice-mark-'), 'pid')
    const first = `[ -e ${mark} ] && { [ -e "$PROFILE/used" ]; exit $((4 + $?)); }`
    const pool = await openWith(program(`${first}; touch "$PROFILE/used"; sleep 600 & echo $! > ${mark}; wait`), 2_000)
    try {
      const overrun = pool.run({ ...render, docx: new Uint8Array(4) })
      overrun.catch(() => {})
      await until('it has started another', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '')
      const child = Number(readFileSync(mark, 'utf8'))
      expect(await rejectionOf(overrun)).toBeInstanceOf(WorkerOverran)
      await until('that has ended', () => isGone(child))
      // The second run sees no file of the first: 5 says that "used" is not there, 4 would say that it is.
      expect(await outcomeOf(pool.run({ ...render, docx: new Uint8Array(4) }))).toThrow('code 5')
    } finally {
      await pool.close()
    }
  })

  test('gets as many documents at once as the pool has workers, each in a folder of its own', async () => {
    const folder = temporaryFolder('quire-soffice-mark-')
    const [mark, end] = [join(folder, 'folders'), join(folder, 'end')]
    const binary = program(`echo "$OUTDIR" >> ${mark}; while [ ! -e ${end} ]; do sleep 0.05; done; exit 0`)
    const pool = await openSofficePool(openPool({ size: 2, log }), 'LibreOffice 0.0', { binary, log })
    const runs = Array.from({ length: 3 }, () => pool.run({ ...render, docx: new Uint8Array(4) }))
    const folders = () => (existsSync(mark) ? readFileSync(mark, 'utf8').trim().split('\n') : [])
    await until('two have begun', () => folders().length === 2)
    expect(new Set(folders()).size).toBe(2)
    expect([pool.busy, pool.waiting, pool.size]).toEqual([2, 1, 2])
    writeFileSync(end, '')
    await Promise.all(runs)
    // The third took the place of one that was done.
    expect([folders().length, new Set(folders()).size]).toEqual([3, 2])
    expect([pool.busy, pool.waiting]).toEqual([0, 0])
    await pool.close()
  })

  test('is run without a window, for a tagged PDF/A-2b with bookmarks, and is told nothing of Quire’s settings', async () => {
    const folder = temporaryFolder('quire-soffice-told-')
    const path = join(folder, 'soffice')
    const tell = `printf '%s\\n' "$@" > ${folder}/arguments; env > ${folder}/environment; pwd > ${folder}/folder; exit 0`
    writeFileSync(path, `#!/bin/sh\n${tell}\n`, { mode: 0o755 })
    process.env.QUIRE_TEST_SECRET = 'of the service'
    const pool = await openWith(path)
    try {
      await pool.run({ ...render, docx: new Uint8Array(4) })
    } finally {
      delete process.env.QUIRE_TEST_SECRET
      await pool.close()
    }
    const told = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split('\n')
    const [profile = '', ...rest] = told('arguments')
    const [seat = ''] = told('folder')
    expect(profile).toBe(`-env:UserInstallation=file://${seat}/profile`)
    const filter =
      'pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"},"UseTaggedPDF":{"type":"boolean","value":"true"},"ExportBookmarks":{"type":"boolean","value":"true"}}'
    const quiet = ['--headless', '--norestore', '--nolockcheck']
    expect(rest).toEqual([...quiet, '--convert-to', filter, '--outdir', seat, join(seat, 'document.docx')])
    const environment = told('environment')
    expect(environment).toContain(`HOME=${seat}/profile`)
    for (const same of ['TZ=UTC', 'LC_ALL=C.UTF-8', `PATH=${process.env.PATH}`]) expect(environment).toContain(same)
    expect(environment.filter((line) => line.startsWith('QUIRE'))).toEqual([])
    // Nothing stays in the seat for the next document.
    expect(existsSync(seat)).toBe(false)
  })

  test('is logged when it dies, and not when it was closed', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'error', readable: true, write: (line) => lines.push(line) })
    const open = (script: string) => openSofficePool(openPool({ size: 1, log }), 'x', { binary: program(script), log })
    const dying = await open('exit 3')
    expect(await outcomeOf(dying.run({ ...render, docx: new Uint8Array(4) }))).toThrow('code 3')
    expect(lines.filter((line) => line.includes('starts with a fresh profile'))).toHaveLength(1)
    await dying.close()
    const mark = join(temporaryFolder('quire-soffice-mark-'), 'begun')
    const slow = await open(`touch ${mark}; sleep 600`)
    const running = slow.run({ ...render, docx: new Uint8Array(4) })
    running.catch(() => {})
    await until('it has begun', () => existsSync(mark))
    await slow.close()
    expect(await rejectionOf(running)).toBeInstanceOf(WorkerCrashed)
    expect(lines).toHaveLength(1)
  })

  test('that dies is a passing fault, and the one that makes nothing refuses its document with a place', async () => {
    const dying = await openWith(program('kill -SEGV $$'))
    expect(await rejectionOf(dying.run({ ...render, docx: new Uint8Array(4) }))).toBeInstanceOf(WorkerCrashed)
    await dying.close()

    const silent = await openWith(program('exit 0'))
    const [refused] = await silent.run({ ...render, docx: new Uint8Array(4) })
    await silent.close()
    expect(refused).toMatchObject({
      step: 'render',
      ok: false,
      failure: { code: 'render_failed', issues: [{ path: 'word/document.xml' }] },
    })
  })

  test('whose output is no PDF refuses its document', async () => {
    const pool = await openWith(program('echo "not a PDF" > "$OUTDIR/document.pdf"'))
    const [refused] = await pool.run({ ...render, docx: new Uint8Array(4) })
    await pool.close()
    expect(refused).toMatchObject({ ok: false, failure: { code: 'render_failed' } })
  })

  test('whose PDF is larger than a file may be refuses its document, and one of a smaller PDF says its pages', async () => {
    const made = join(temporaryFolder('quire-soffice-made-'), 'made.pdf')
    const pool = await openWith(program(`cp ${made} "$OUTDIR/document.pdf"`))
    const rendered = async (streamBytes: number) => {
      const document = await PDFDocument.create()
      for (let page = 0; page < 2; page++) document.addPage()
      // Uncompressed, and referred to, so that it is kept.
      const stream = document.context.stream(new Uint8Array(streamBytes))
      document.catalog.set(PDFName.of('Extra'), document.context.register(stream))
      writeFileSync(made, await document.save())
      return (await pool.run({ ...render, docx: new Uint8Array(4) }))[0]
    }
    expect(await rendered(1_000)).toMatchObject({ ok: true, summary: { pages: 2, renderer: 'LibreOffice 0.0' } })
    expect(await rendered(limits.artifactBytes)).toMatchObject({ ok: false, failure: { code: 'artifact_too_large' } })
    await pool.close()
  })

  test('leaves nothing behind when it is closed in the middle of a document', async () => {
    const mark = join(temporaryFolder('quire-soffice-mark-'), 'begun')
    const binary = program(`touch ${mark}; sleep 600`)
    const folder = temporaryFolder('quire-soffice-temporary-')
    const usual = process.env.TMPDIR
    process.env.TMPDIR = folder
    const pool = await openWith(binary).finally(() => {
      if (usual === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = usual
    })
    expect(readdirSync(folder)).toHaveLength(1)
    const running = pool.run({ ...render, docx: new Uint8Array(4) })
    running.catch(() => {})
    await until('it has begun', () => existsSync(mark))
    await pool.close()
    expect(await rejectionOf(running)).toBeInstanceOf(WorkerCrashed)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the pool behind a renderer', () => {
  /** Says what it is asked for, and is as busy as a test wants. */
  function behind() {
    const told: string[] = []
    const pool = {
      ...{ size: 1, busy: 3, waiting: 5, longWaiting: 2 },
      warm: () => void told.push('warm'),
      async run({ steps }: StepJob, onBegun?: () => void) {
        onBegun?.()
        told.push(steps.join(' '))
        return []
      },
      async close() {
        told.push('closed')
      },
    }
    return { told, pool }
  }

  test('gets every job that renders nothing, tells when it begins, and ends with the renderer', async () => {
    const { told, pool } = behind()
    const renderer = await openSofficePool(pool, 'x', { binary: program('exit 0'), log })
    await renderer.run({ steps: ['compose'], sources: {} }, () => void told.push('begun'))
    expect(told).toEqual(['begun', 'compose'])
    await renderer.run({ ...render, docx: new Uint8Array(4) }, () => void told.push('begun'))
    expect(told).toEqual(['begun', 'compose'])
    expect([renderer.busy, renderer.waiting, renderer.longWaiting]).toEqual([3, 5, 2])
    await renderer.close()
    expect(told).toEqual(['begun', 'compose', 'closed'])
  })

  test('makes what is to be rendered before, where a job has both, and renders nothing where that is refused', async () => {
    const page = join(temporaryFolder('quire-soffice-page-'), 'page.pdf')
    const made = await PDFDocument.create()
    made.addPage()
    writeFileSync(page, await made.save())
    const pool = openPool({ size: 1, log })
    const renderer = await openSofficePool(pool, 'LibreOffice 0.0', { binary: program(`cp ${page} document.pdf`), log })
    const sources = await letterSources()
    const job = (rawInput: string): StepJob => ({
      ...{ steps: ['validate', 'transform.declarative', 'compose', 'render'], discardsFiles: true },
      ...{ sources, rawInput, input: rawInput },
    })
    const stepsOf = async (input: string) =>
      (await renderer.run(job(input))).map(({ step, ok }) => `${step} ${ok}`).join(', ')
    expect(await stepsOf(validInput)).toBe('validate true, transform.declarative true, compose true, render true')
    expect(await stepsOf('{}')).toBe('validate false')
    await renderer.close()
  })

  test('shares its load with the renderer, which runs nothing that still waited when it was closed', async () => {
    const mark = join(temporaryFolder('quire-soffice-mark-'), 'begun')
    const { pool } = behind()
    const renderer = await openSofficePool(pool, 'x', { binary: program(`echo x >> ${mark}; sleep 600`), log })
    const runs = [1, 2, 3].map(() => outcomeOf(renderer.run({ ...render, docx: new Uint8Array(4) })))
    // The shell makes the file before it writes to it.
    await until('the first has begun', () => existsSync(mark) && readFileSync(mark, 'utf8') !== '')
    expect([renderer.busy, renderer.waiting]).toEqual([4, 7])
    await renderer.close()
    for (const run of await Promise.all(runs)) expect(run).toThrow(WorkerCrashed)
    expect(readFileSync(mark, 'utf8')).toBe('x\n')
    expect([renderer.busy, renderer.waiting]).toEqual([3, 5])
  })
})

test('a program that is not LibreOffice has no version', async () => {
  expect(await sofficeVersion(program('echo Word 16.0'))).toBeUndefined()
  expect(await sofficeVersion('/nowhere/soffice')).toBeUndefined()
})

test('asking for the version leaves nothing behind', async () => {
  const mark = join(temporaryFolder('quire-soffice-mark-'), 'profile')
  // Asked for its version, it is given its profile alone.
  const path = join(temporaryFolder('quire-soffice-stand-in-'), 'soffice')
  writeFileSync(
    path,
    `#!/bin/sh\necho "$1" | sed s,-env:UserInstallation=file://,, > ${mark}\necho LibreOffice 9.8.7\n`,
    { mode: 0o755 },
  )
  expect(await sofficeVersion(path)).toBe('LibreOffice 9.8.7')
  const profile = readFileSync(mark, 'utf8').trim()
  expect(profile).not.toBe('')
  expect(existsSync(profile)).toBe(false)
})
