import { describe, expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { groupsOf, rolesOf } from '../../src/oidc/roles.ts'
import { weaknessOf } from '../../src/oidc/strength.ts'

describe('the roles of groups', () => {
  const roles = [
    { role: 'operator', group: 'clerks' },
    { role: 'engineer', group: 'makers' },
    { role: 'operator', group: 'makers' },
    { role: 'auditor', group: '*' },
  ] as const
  const of = (groups: unknown) => rolesOf({ groups }, { roles, groupsClaim: 'groups' })

  test('are those of all the groups, each once, in the order of the settings', () => {
    expect(of(['makers', 'clerks'])).toEqual(['operator', 'engineer', 'auditor'])
    expect(of(['makers'])).toEqual(['engineer', 'operator', 'auditor'])
    expect([of([]), of(undefined), of(['Clerks'])]).toEqual([['auditor'], ['auditor'], ['auditor']])
  })

  test('are not the provider’s to give where none are named', () => {
    expect(rolesOf({ groups: ['clerks'] }, { roles: undefined, groupsClaim: 'groups' })).toBeUndefined()
    expect(rolesOf({ groups: ['clerks'] }, { roles: [], groupsClaim: 'groups' })).toEqual([])
  })
})

describe('groups', () => {
  test('are one text or several, and nothing else', () => {
    expect(groupsOf({ groups: 'clerks' }, 'groups')).toEqual(['clerks'])
    expect(groupsOf({ groups: ['a', 1, null, 'b', { c: 1 }] }, 'groups')).toEqual(['a', 'b'])
    expect([groupsOf({}, 'groups'), groupsOf({ groups: null }, 'groups')]).toEqual([[], []])
  })

  test('are at the claim of the name, or else at the path of its names', () => {
    expect(groupsOf({ realm: { roles: ['a'] } }, 'realm.roles')).toEqual(['a'])
    expect(groupsOf({ realm: { roles: ['a'] }, 'realm.roles': ['b'] }, 'realm.roles')).toEqual(['b'])
    for (const claims of [{ realm: null }, { realm: 'x' }, { realm: {} }, {}]) {
      expect(groupsOf(claims, 'realm.roles')).toEqual([])
    }
    expect(groupsOf({}, 'toString')).toEqual([])
    expect(groupsOf({ a: {} }, 'a.constructor.name')).toEqual([])
  })

  test('are read up to their limit', () => {
    const many = Array.from({ length: limits.oidcGroups + 1 }, (_, index) => `g${index}`)
    expect(groupsOf({ groups: many }, 'groups')).toEqual(many.slice(0, -1))
  })
})

describe('the strength of a sign-in', () => {
  const none = { acr: [], amr: [], maxAgeSeconds: undefined }

  test('is enough where none is required', () => {
    expect(weaknessOf({}, none)).toBeUndefined()
  })

  test.each([
    [{ acr: 'gold' }, undefined],
    [{ acr: 'silver' }, undefined],
    [{ acr: 'bronze' }, 'its acr is none of gold silver'],
    [{ acr: ['gold'] }, 'its acr is none of gold silver'],
    [{}, 'its acr is none of gold silver'],
  ])('of %j is compared with the contexts', (claims, weakness) => {
    expect(weaknessOf(claims, { ...none, acr: ['gold', 'silver'] })).toBe(weakness)
  })

  test.each([
    [{ amr: ['pwd', 'otp'] }, undefined],
    [{ amr: ['pwd'] }, 'its amr has none of otp hwk'],
    [{ amr: 'otp' }, 'its amr has none of otp hwk'],
    [{}, 'its amr has none of otp hwk'],
  ])('of %j is compared with the methods', (claims, weakness) => {
    expect(weaknessOf(claims, { ...none, amr: ['otp', 'hwk'] })).toBe(weakness)
  })
})
