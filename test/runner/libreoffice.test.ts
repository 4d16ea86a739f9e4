import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sha256Hex } from '../../src/core/hash.ts'
import { createLog } from '../../src/core/log.ts'
import type { StepSuccess } from '../../src/runner/job.ts'
import { openPool } from '../../src/runner/pool.ts'
import { openSofficePool, sofficeVersion } from '../../src/runner/soffice.ts'
import { office } from '../engines/docx/office.ts'
import { letterDocx } from '../engines/pdf/documents.ts'
import { temporaryFolder } from '../support/database.ts'
import { letterSources, validInput } from './letter.ts'

const log = createLog({ level: 'error', readable: true, write: () => {} })
const render = { steps: ['render'], sources: {} } as const

describe.skipIf(office === undefined)('LibreOffice as the renderer', () => {
  let pool: Awaited<ReturnType<typeof openSofficePool>>
  beforeAll(async () => {
    const version = await sofficeVersion(office!)
    expect(version).toMatch(/^LibreOffice \d+\.\d+/)
    pool = await openSofficePool(openPool({ size: 1, log }), version!, { binary: office!, log })
  }, 120_000)
  afterAll(() => pool?.close())

  test('makes the same tagged PDF of the same document at another time, and says what made it', async () => {
    const docx = await letterDocx()
    const made: StepSuccess[] = []
    for (let run = 0; run < 2; run++) {
      // Its dates count seconds.
      if (run > 0) await Bun.sleep(1_000)
      const [result] = await pool.run({ ...render, docx: docx.slice() })
      if (result?.ok !== true) throw new Error(JSON.stringify(result))
      made.push(result)
    }
    const [first, second] = made
    expect(second!.file!.hash).toBe(first!.file!.hash)
    expect(first!.file!.hash).toBe(sha256Hex(first!.file!.bytes))
    expect(first!.summary).toMatchObject({ pages: 1, renderer: expect.stringMatching(/^LibreOffice \d/) })

    const path = join(temporaryFolder('quire-soffice-pdf-'), 'letter.pdf')
    await Bun.write(path, first!.file!.bytes)
    const info = Bun.spawnSync(['pdfinfo', path]).stdout.toString()
    expect(info).toMatch(/^Tagged:\s+yes$/m)
    expect(info).toMatch(/^Pages:\s+1$/m)
    expect(info).not.toMatch(/Date:/)
    expect(Bun.spawnSync(['qpdf', '--check', path]).exitCode).toBe(0)
  }, 120_000)

  test('leaves every other step to the engines', async () => {
    const { contract, transformer } = await letterSources()
    const [validated] = await pool.run({
      steps: ['validate'],
      sources: { contract, transformer },
      rawInput: validInput,
    })
    expect(validated).toMatchObject({ step: 'validate', ok: true })
  })
})
