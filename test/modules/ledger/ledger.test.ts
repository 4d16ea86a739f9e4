import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { isEmpty, LedgerDamaged, openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { folderNotes } from '../../../src/objects/notes.ts'
import { temporaryFolder } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const schema = Type.Object({ id: Type.String(), why: Type.String() })
const [one, other] = ['0198c3d2-7a10-7c00-8000-000000000001', '0198c3d2-7a10-7c00-8000-000000000002'] as const

/** A ledger of two places: beside the objects, and in a folder beside the data directory or where it is told. */
function open(named?: 'named') {
  const folder = temporaryFolder()
  const beside = join(folder, 'objects')
  const dataFolder = join(folder, 'data')
  const erasureLedger = named === undefined ? undefined : join(folder, 'ledger')
  const ledger = openLedger({ dataFolder, erasureLedger }, { notes: folderNotes(beside) })
  return { ledger, beside, own: erasureLedger ?? `${dataFolder}.erasures` }
}

describe('a ledger', () => {
  test('writes each note in both places, in one form whatever the order of its members, and replaces it', async () => {
    for (const named of [undefined, 'named'] as const) {
      const { ledger, beside, own } = open(named)
      await ledger.write('erasure', one, { why: 'first', id: one })
      await ledger.write('erasure', one, { why: 'asked for', id: one })
      for (const place of [beside, own])
        expect(readFileSync(join(place, `erasure.${one}`), 'utf8')).toBe(`{"id":"${one}","why":"asked for"}`)
      expect(await ledger.read('erasure', one, schema)).toEqual({ id: one, why: 'asked for' })
    }
  })

  test('is empty until something of any kind is noted', async () => {
    for (const kind of ['erasure', 'hold', 'retention'] as const) {
      const { ledger } = open()
      expect(await isEmpty(ledger)).toBe(true)
      await ledger.write(kind, one, { id: one, why: '' })
      expect([kind, await isEmpty(ledger)]).toEqual([kind, false])
    }
  })

  test('tells the kinds apart, and what all of its places have from what only one has', async () => {
    const { ledger, own } = open()
    for (const id of [one, other]) await ledger.write('hold', id, { id, why: '' })
    await ledger.write('erasure', one, { id: one, why: '' })
    rmSync(join(own, `hold.${other}`))
    const { inSome, inAll } = await ledger.names('hold')
    expect([[...inSome].sort(), [...inAll]]).toEqual([[one, other], [one]])
    expect([...(await ledger.names('erasure')).inAll]).toEqual([one])
    expect([...(await ledger.names('retention')).inSome]).toEqual([])
  })

  test('reads a note from the place that has it as it was written, whichever that is', async () => {
    for (const damage of ['', 'no JSON', '[]', `{"id":"${other}","why":""}`, `{"id":"${one}"}`, undefined]) {
      for (const place of ['beside', 'own'] as const) {
        const opened = open()
        await opened.ledger.write('erasure', one, { id: one, why: 'asked for' })
        const path = join(opened[place], `erasure.${one}`)
        if (damage === undefined) rmSync(path)
        else writeFileSync(path, damage)
        expect([damage, place, await opened.ledger.read('erasure', one, schema)]).toEqual([
          ...[damage, place, { id: one, why: 'asked for' }],
        ])
      }
    }
  })

  test('refuses a note that no place has as it was written, with the note and how to bring it back', async () => {
    const { ledger, beside, own } = open()
    await ledger.write('erasure', one, { id: one, why: 'asked for' })
    for (const place of [beside, own]) writeFileSync(join(place, `erasure.${one}`), '{}')
    const fault = await rejectionOf(ledger.read('erasure', one, schema))
    expect(fault).toBeInstanceOf(LedgerDamaged)
    expect(String(fault)).toContain(`the note erasure.${one} of the ledger can't be read`)
    expect(String(fault)).toContain(`bring it back from another copy of ${own} or of the notes beside the objects`)
    expect(await rejectionOf(ledger.read('hold', one, schema))).toBeInstanceOf(LedgerDamaged)
  })

  test('does without a folder of its own where it can not be made, unless that is the one it was told to use', async () => {
    const { ledger, beside, own } = open()
    // A file in the place of the folder above, which nobody can make a folder in, whatever they may.
    mkdirSync(beside, { recursive: true })
    writeFileSync(own, '')
    const { ledger: without } = {
      ledger: openLedger({ dataFolder: join(own, 'data'), erasureLedger: undefined }, { notes: folderNotes(beside) }),
    }
    await without.write('erasure', one, { id: one, why: '' })
    expect(existsSync(join(beside, `erasure.${one}`))).toBe(true)
    expect(await without.read('erasure', one, schema)).toEqual({ id: one, why: '' })
    const { inSome, inAll } = await without.names('erasure')
    expect([[...inSome], [...inAll]]).toEqual([[one], []])
    const told = openLedger(
      { dataFolder: 'unused', erasureLedger: join(own, 'ledger') },
      { notes: folderNotes(beside) },
    )
    expect(await rejectionOf(told.names('erasure'))).toMatchObject({ code: 'ENOTDIR' })
    expect(await rejectionOf(told.write('erasure', one, { id: one, why: '' }))).toMatchObject({ code: 'ENOTDIR' })
    expect(await rejectionOf(ledger.write('erasure', one, { id: one, why: '' }))).toMatchObject({ code: 'EEXIST' })
  })
})
