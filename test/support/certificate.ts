import { join } from 'node:path'

/** Whether certificates can be made here; tests that need them say by name what they skip. */
export const canMakeCertificates = Bun.which('openssl') !== null
if (!canMakeCertificates && process.env.CI === 'true') throw new Error('openssl must be installed in CI')
if (!canMakeCertificates) process.stderr.write('SKIPPED: every test over TLS (install the package openssl)\n')

export interface CertificateFiles {
  /** A certificate that signs itself, so also the authority to trust; PEM. */
  certificate: string
  key: string
}

/** For 127.0.0.1, good for two days. */
export function makeCertificate(folder: string, name: string): CertificateFiles {
  const certificate = join(folder, `${name}.crt`)
  const key = join(folder, `${name}.key`)
  const made = Bun.spawnSync([
    ...['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'],
    ...['-keyout', key, '-out', certificate],
  ])
  if (!made.success) throw new Error(made.stderr.toString())
  return { certificate, key }
}
