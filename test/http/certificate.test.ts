import { beforeAll, describe, expect, test } from 'bun:test'
import type { X509Certificate } from 'node:crypto'
import { appendFileSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../src/core/limits.ts'
import {
  type Certificate,
  type CertificateFiles,
  CertificateUnusable,
  readCertificate,
  remarkOn,
} from '../../src/http/certificate.ts'
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts'
import { temporaryFolder } from '../support/database.ts'

describe.if(canMakeCertificates)('the files of a certificate', () => {
  let made: CertificateFiles
  beforeAll(() => {
    made = makeCertificate(temporaryFolder(), 'own')
  })

  /** Why these can't be used, without what begins every message: the setting. */
  function refusalOf(files: CertificateFiles): string {
    try {
      readCertificate(files)
    } catch (error) {
      if (error instanceof CertificateUnusable) return error.message
      throw error
    }
    return 'used'
  }
  /** The two files anew, one of them with this in it. */
  function withText(name: 'certificate' | 'key', text: string): CertificateFiles {
    const folder = temporaryFolder()
    const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
    for (const each of ['certificate', 'key'] as const) copyFileSync(made[each], files[each])
    writeFileSync(files[name], text)
    return files
  }

  test('may be so large and no larger, the key as well as the certificate', () => {
    for (const name of ['certificate', 'key'] as const) {
      const text = readFileSync(made[name], 'utf8')
      const files = withText(name, text + '\n'.repeat(limits.certificateFileBytes - text.length))
      expect(statSync(files[name]).size).toBe(limits.certificateFileBytes)
      expect([name, refusalOf(files)]).toEqual([name, 'used'])
      appendFileSync(files[name], '\n')
      expect(refusalOf(files)).toBe(
        `QUIRE_TLS_${name.toUpperCase()}: ${files[name]} has ${limits.certificateFileBytes + 1} bytes; it takes PEM`,
      )
    }
  })
})

test('a certificate is remarked on when it has expired, has not begun, or ends within days', () => {
  const [validFrom, validTo] = ['2026-11-01T00:00:00Z', '2027-11-01T00:00:00Z']
  const certificate = { leaf: { validFrom, validTo } as X509Certificate } as Certificate
  const [fromMs, toMs] = [Date.parse(validFrom), Date.parse(validTo)]
  const soonMs = toMs - limits.doctorCertificateDays * 86_400_000
  const expired = 'it expired on 2027-11-01, and clients refuse it; renew it'
  const early = 'it begins on 2026-11-01, and clients refuse it until then; is the clock right?'
  const soon = 'it expires on 2027-11-01; renew it'
  for (const [nowMs, remark] of [
    [fromMs - 1, early],
    [fromMs, undefined],
    [soonMs, undefined],
    [soonMs + 1, soon],
    [toMs - 1, soon],
    [toMs, expired],
  ] as const)
    expect([nowMs, remarkOn(certificate, nowMs)]).toEqual([nowMs, remark])
})
