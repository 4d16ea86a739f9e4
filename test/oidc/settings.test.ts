import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config.ts'
import { temporaryFolder } from '../support/database.ts'

const folder = temporaryFolder()
const usual = {
  QUIRE_OIDC_ISSUER: 'https://id.example.org/realms/main',
  QUIRE_OIDC_CLIENT_ID: 'quire',
  QUIRE_OIDC_ROLES: 'operator=clerks',
}
const load = (change: Record<string, string | undefined> = {}) => loadConfig({ ...usual, ...change }, folder)

describe('the settings of a provider', () => {
  test('are none by default, and few are needed', () => {
    expect([loadConfig({}, folder).oidc, loadConfig({}, folder).localSignIn]).toEqual([undefined, undefined])
    expect(load().oidc).toEqual({
      ...{ issuer: usual.QUIRE_OIDC_ISSUER, clientId: 'quire', clientSecret: undefined, name: 'single sign-on' },
      ...{ scopes: 'openid profile email', groupsClaim: 'groups', createsUsers: true },
      roles: [{ role: 'operator', group: 'clerks' }],
      required: { acr: [], amr: [], maxAgeSeconds: undefined },
    })
    const strict = { QUIRE_OIDC_ACR: ' gold  silver', QUIRE_OIDC_AMR: 'mfa', QUIRE_OIDC_MAX_AGE: '3600' }
    expect(load(strict).oidc?.required).toEqual({ acr: ['gold', 'silver'], amr: ['mfa'], maxAgeSeconds: 3_600 })
  })

  test('name groups of any letters behind the role, and the secret may be in a file', () => {
    const path = join(folder, 'client-secret')
    writeFileSync(path, 'geheim\n')
    const { oidc, localSignIn } = load({
      QUIRE_OIDC_ROLES: ' administrator = cn=it,dc=example ; operator=a b;business_viewer=*; ',
      QUIRE_OIDC_CLIENT_SECRET_FILE: path,
      QUIRE_LOCAL_SIGN_IN: 'Glass',
    })
    expect(oidc?.roles).toEqual([
      { role: 'administrator', group: 'cn=it,dc=example' },
      { role: 'operator', group: 'a b' },
      { role: 'business_viewer', group: '*' },
    ])
    expect([oidc?.clientSecret, localSignIn]).toEqual(['geheim', 'glass'])
    expect(load({ QUIRE_LOCAL_SIGN_IN: 'everybody' }).localSignIn).toBeUndefined()
    expect(load({ QUIRE_OIDC_ISSUER: 'http://127.0.0.1:9/' }).oidc?.issuer).toBe('http://127.0.0.1:9/')
    expect(load({ QUIRE_OIDC_ROLES: undefined, QUIRE_OIDC_USERS: 'known' }).oidc?.roles).toBeUndefined()
  })

  test.each<[variable: string, change: Record<string, string | undefined>]>([
    ['QUIRE_OIDC_ISSUER', { QUIRE_OIDC_ISSUER: 'http://id.example.org' }],
    ['QUIRE_OIDC_ISSUER', { QUIRE_OIDC_ISSUER: 'id.example.org' }],
    ['QUIRE_OIDC_ISSUER', { QUIRE_OIDC_ISSUER: 'https://user@id.example.org' }],
    ['QUIRE_OIDC_ISSUER', { QUIRE_OIDC_ISSUER: 'https://id.example.org/?tenant=1' }],
    ['QUIRE_OIDC_ISSUER', { QUIRE_OIDC_ISSUER: undefined }],
    ['QUIRE_OIDC_CLIENT_ID', { QUIRE_OIDC_CLIENT_ID: undefined }],
    ['QUIRE_OIDC_ROLES', { QUIRE_OIDC_ROLES: undefined }],
    ['QUIRE_OIDC_ROLES', { QUIRE_OIDC_ROLES: ';' }],
    ['QUIRE_OIDC_ROLES', { QUIRE_OIDC_ROLES: 'operator' }],
    ['QUIRE_OIDC_ROLES', { QUIRE_OIDC_ROLES: 'clerks=operator' }],
    ['QUIRE_OIDC_USERS', { QUIRE_OIDC_USERS: 'all' }],
    ['QUIRE_OIDC_SCOPES', { QUIRE_OIDC_SCOPES: 'profile' }],
    ['QUIRE_OIDC_MAX_AGE', { QUIRE_OIDC_MAX_AGE: '0' }],
    ['QUIRE_OIDC_MAX_AGE', { QUIRE_OIDC_MAX_AGE: '1h' }],
    ['QUIRE_OIDC_MAX_AGE', { QUIRE_OIDC_MAX_AGE: '2592001' }],
    ['QUIRE_OIDC_NAME', { QUIRE_OIDC_NAME: 'x'.repeat(41) }],
  ])('refuse a wrong %s: %j', (variable, change) => {
    expect(() => load(change)).toThrow(new RegExp(`^${variable}: `))
  })

  test('leave nobody without a way in', () => {
    expect(() => loadConfig({ QUIRE_LOCAL_SIGN_IN: 'admin' }, folder)).toThrow(/^QUIRE_LOCAL_SIGN_IN: /)
  })
})
