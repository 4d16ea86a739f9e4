import { Database as Libsql } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalHash } from '../../src/core/canonical.ts'
import { ApiClient } from '../support/client.ts'
import { runCommand, startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/database.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { until } from '../support/until.ts'

interface Line {
  position: number
  previous_hash: string
  hash: string
  content_hash: string
  digest: string | null
  action: string
  at: string
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

describe('quire audit export', () => {
  let quire: RunningQuire
  let client: ApiClient
  const run = (...args: string[]) => runCommand(quire.folder, ['audit', 'export', ...args])
  const sealed = async () => (await client.get('/api/v1/audit/verify')).body

  /** Something that the trail tells of, sealed. */
  async function happen(name: string): Promise<void> {
    const made = await client.post('/api/v1/tokens', { name, scopes: ['submission_read'] })
    expect(made.status).toBe(201)
    await until('it is sealed', async () => (await sealed()).unsealed === 0)
  }

  beforeAll(async () => {
    quire = await startQuire()
    client = new ApiClient(quire.origin)
    await client.login(quire.username, quire.password)
    await happen('first')
  })

  test('prints every sealed record in the order of the chain, which its reader can compute again', async () => {
    const { code, stdout, stderr } = await run()
    expect([code, stderr]).toEqual([0, ''])
    const lines = linesOf(stdout)
    expect(lines.map(({ position }) => position)).toEqual(lines.map((_, index) => index + 1))
    let previous = '0'.repeat(64)
    for (const { position, previous_hash, content_hash, digest, hash } of lines) {
      expect(previous_hash).toBe(previous)
      expect(canonicalHash({ position, previous_hash, content_hash, digest })).toBe(hash)
      previous = hash
    }
    const { head_hash, head_position } = await sealed()
    expect([lines.length, previous]).toEqual([head_position, head_hash])
    expect(lines.map(({ action }) => action)).toContain('session.opened')
  })

  test('goes on after a position, an instant, or where the state says that it came to', async () => {
    const all = linesOf((await run()).stdout)
    const [third, last] = [all[2]!, all.at(-1)!]
    expect(linesOf((await run('--since', '3')).stdout)).toEqual(all.slice(3))
    const since = linesOf((await run('--since', third.at)).stdout)
    // Of one instant there may be several, and none of it may be missing.
    expect(since).toEqual(all.slice(all.findIndex(({ at }) => at >= third.at)))
    expect((await run('--since', String(last.position))).stdout).toBe('')
    expect((await run('--since', '2099-01-01T00:00:00Z')).stdout).toBe('')
    const state = join(quire.folder, 'position')
    expect(linesOf((await run('--state', state)).stdout)).toEqual(all)
    expect(readFileSync(state, 'utf8')).toBe(`${last.position} ${last.hash}\n`)
    expect((await run('--state', state)).stdout).toBe('')
    await happen('second')
    const later = linesOf((await run('--state', state, '--since', '0')).stdout)
    expect(later[0]!.position).toBe(last.position + 1)
    expect(later.map(({ action }) => action)).toContain('api_token.created')
  })

  test('follows what happens, and a kill before the state is written repeats lines instead of losing them', async () => {
    const state = join(quire.folder, 'followed')
    const follower = startCommand(quire.folder, ['audit', 'export', '--follow', '--state', state])
    let text = ''
    const reading = (async () => {
      for await (const chunk of follower.stdout) text += Buffer.from(chunk).toString()
    })()
    await until('what there is was written', () => existsSync(state))
    await happen('third')
    const head = (await sealed()).head_position
    await until('what happened was followed', () => linesOf(text).at(-1)?.position === head)
    await until('and kept', () => readFileSync(state, 'utf8') === `${head} ${linesOf(text).at(-1)?.hash}\n`)
    follower.kill('SIGTERM')
    expect(await follower.exited).toBe(0)
    await reading
    // As a kill between the lines and the state leaves it.
    writeFileSync(state, `${head - 1}\n`)
    expect(linesOf((await run('--state', state)).stdout).map(({ position }) => position)).toEqual([head])
  }, 60_000)

  test('ends with 1 where the database that it follows was replaced, as by a restore', async () => {
    const elsewhere = temporaryFolder()
    expect(await runCommand(quire.folder, ['backup', join(elsewhere, 'copy.tar')])).toMatchObject({ code: 0 })
    const restore = () => runCommand(elsewhere, ['restore', 'copy.tar', '--replace'])
    expect(await restore()).toMatchObject({ code: 0 })
    const follower = startCommand(elsewhere, ['audit', 'export', '--follow', '--state', 'state'])
    const printed = Promise.all([new Response(follower.stdout).text(), new Response(follower.stderr).text()])
    await until('what there is was written', () => existsSync(join(elsewhere, 'state')))
    const [position] = readFileSync(join(elsewhere, 'state'), 'utf8').split(' ')
    expect(await restore()).toMatchObject({ code: 0 })
    expect(await follower.exited).toBe(1)
    const [stdout, stderr] = await printed
    expect(linesOf(stdout).at(-1)?.position).toBe(Number(position))
    expect(stderr).toBe(
      `quire: the database was replaced, as after a restore, and this export follows what was there before, up to position ${position}; start it again\n`,
    )
  }, 60_000)

  test('ends with 1 where the trail was replaced before anything new came into it', async () => {
    const elsewhere = temporaryFolder()
    expect(await runCommand(quire.folder, ['backup', join(elsewhere, 'copy.tar')])).toMatchObject({ code: 0 })
    expect(await runCommand(elsewhere, ['restore', 'copy.tar'])).toMatchObject({ code: 0 })
    const exporting = ['audit', 'export', '--state', 'state']
    const { position } = linesOf((await runCommand(elsewhere, exporting)).stdout).at(-1)!
    const follower = startCommand(elsewhere, [...exporting, '--follow'])
    const printed = Promise.all([new Response(follower.stdout).text(), new Response(follower.stderr).text()])
    // From then on it waits for signals, and the state was found to be of this trail.
    const caught = () => /^SigCgt:\s*(\w+)/m.exec(readFileSync(`/proc/${follower.pid}/status`, 'utf8'))?.[1] ?? '0'
    await until('it follows', () => ((BigInt(`0x${caught()}`) >> 14n) & 1n) === 1n)
    const database = new Libsql(join(elsewhere, 'quire-data/quire.db'))
    database.run('update audit_records set hash = ? where position = ?', ['f'.repeat(64), position])
    database.close()
    expect(await follower.exited).toBe(1)
    expect(await printed).toEqual([
      '',
      `quire: the audit trail has another record at position ${position}, as after a restore, and this export follows what was there before, up to position ${position}; start it again\n`,
    ])
  }, 60_000)

  test('refuses what it does not know, before it writes anything', async () => {
    const state = join(quire.folder, 'broken')
    writeFileSync(state, 'soon\n')
    expect(await run('--state', state)).toEqual({
      code: 1,
      stdout: '',
      stderr: `quire: ${state} holds no position; remove it to export everything again\n`,
    })
    expect(await run('--since', 'yesterday')).toMatchObject({
      code: 2,
      stderr: 'quire: --since takes a position, or an instant such as 2026-11-23T00:00:00Z, not "yesterday"\n',
    })
    const wrongVerb = await runCommand(quire.folder, ['audit', 'import'])
    expect([wrongVerb.code, wrongVerb.stderr]).toEqual([2, expect.stringContaining('quire audit export')])
  })

  test('says where the chain does not hold, and still hands on what there is', async () => {
    expect(await quire.stop()).toBe(0)
    const database = new Libsql(join(quire.folder, 'quire-data/quire.db'))
    database.exec("update audit_records set action = 'session.renamed' where position = 2")
    database.exec('delete from audit_records where position = 4')
    database.close()
    const { code, stdout, stderr } = await run()
    expect(code).toBe(1)
    expect(stderr).toBe(
      'quire: the chain does not hold at position 2; "quire verify" says more\n' +
        'quire: the chain does not hold at position 4; "quire verify" says more\n',
    )
    expect(
      linesOf(stdout)
        .map(({ position }) => position)
        .slice(0, 4),
    ).toEqual([1, 2, 3, 5])
  })
})
