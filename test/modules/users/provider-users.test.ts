import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '../../../src/core/ids.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { createLog } from '../../../src/core/log.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import { verifyCoverage } from '../../../src/modules/audit/audit.coverage.ts'
import { startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { type Person, settlePerson } from '../../../src/modules/users/provider-users.service.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'

const person: Person = {
  ...{ issuer: 'https://id.example.org', subject: 's-1', usernames: ['ann'], displayName: 'Ann' },
  roles: ['operator'],
}

describeOnBothDialects('users of a provider', (dialect) => {
  test('stay as the audit trail covers them, however often they sign in, and when they lose their groups', async () => {
    await using closing = new AsyncDisposableStack()
    const database = await openTestDatabase(dialect)
    closing.defer(() => database.close())
    const key = signingKeyOf('5'.repeat(64))
    database.attestWith?.(key.attest)
    let at = instantOf('2026-11-20T09:30:00Z')
    const log = createLog({ level: 'error', readable: true, write: () => {} })
    const problemsAfter = async (roles: Person['roles']) => {
      at = addMs(at, 1_000)
      const how = { at, correlationId: newId(), createsUsers: true }
      const settled = await database.write((tx) => settlePerson(tx, { ...person, roles }, how))
      await startSealer({ database, log, owner: newId(), key, clock: { now: () => at }, isSoleInstance: true }).drain()
      const found: string[] = []
      await verifyCoverage({ connection: database.read, report: (problem) => found.push(problem), key })
      return { refused: settled.refused, found }
    }
    for (const roles of [person.roles, person.roles, ['auditor'] as const, ['auditor'] as const]) {
      expect(await problemsAfter(roles)).toEqual({ refused: undefined, found: [] })
    }
    expect(await problemsAfter([])).toEqual({ refused: 'no_role', found: [] })
    await database.write((tx) => tx.rows(sql`update users set oidc_subject = 'another'`))
    const found: string[] = []
    await verifyCoverage({ connection: database.read, report: (problem) => found.push(problem), key })
    expect(found.join()).toContain('not what the audit trail covers')
  })
})
