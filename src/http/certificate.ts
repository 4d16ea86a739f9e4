import { createPrivateKey, X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { detailOf, isMissing } from '../core/error-cause.ts'
import { dayMs } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { readRegularFile } from '../core/regular-file.ts'

/** Where a server's certificate and its key are; PEM. */
export interface CertificateFiles {
  certificate: string
  key: string
  /** How the settings that name them begin; `QUIRE_TLS` unless given. */
  settings?: 'QUIRE_MQTT'
}

/** A certificate with its chain, and the key that fits it. */
export interface Certificate {
  cert: string
  key: string
  /** The server's own, the first of the chain. */
  leaf: X509Certificate
}

/** How the settings begin that name the files. */
const settingsOf = ({ settings = 'QUIRE_TLS' }: { settings?: string }) => settings

/** A file that can't be used; the message names the setting, the file and the remedy. */
export class CertificateUnusable extends Error {
  override readonly name = 'CertificateUnusable'
}

/** @throws CertificateUnusable */
export function readCertificate(files: CertificateFiles): Certificate {
  const { certificate, key } = files
  const refuse = (variable: string, why: string): never => {
    throw new CertificateUnusable(`${settingsOf(files)}_${variable}: ${why}`)
  }
  const cert = readText(certificate, (why) => refuse('CERTIFICATE', why))
  const keyText = readText(key, (why) => refuse('KEY', why))
  const leaf = leafOf(cert)
  if (leaf === undefined) {
    return refuse(
      'CERTIFICATE',
      `${certificate} holds no certificate; it takes PEM, the server's first, then its chain`,
    )
  }
  const isEncrypted = /^-----BEGIN ENCRYPTED PRIVATE KEY|^Proc-Type: 4,ENCRYPTED/m.test(keyText)
  if (isEncrypted)
    return refuse('KEY', `${key} has a passphrase; write it without: openssl pkey -in ${key} -out <file>`)
  const fits = fitsKey(leaf, keyText)
  if (fits === undefined) return refuse('KEY', `${key} holds no private key; it takes PEM`)
  if (!fits) return refuse('KEY', `${key} is not the key of ${certificate}; name the two that were made together`)
  try {
    // Only this finds a chain broken after its first certificate. Loaded on demand: only servers with TLS need it.
    const { createSecureContext }: typeof import('node:tls') = require('node:tls')
    createSecureContext({ cert, key: keyText })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return refuse('CERTIFICATE', `${certificate} can't be used (${why}); get it anew from your authority`)
  }
  return { cert, key: keyText, leaf }
}

function readText(path: string, refuse: (why: string) => never): string {
  try {
    return readRegularFile(path, limits.certificateFileBytes)
  } catch (error) {
    const code = detailOf(error)
    if (error instanceof Error && (code === 'EFBIG' || code === 'EINVAL'))
      return refuse(`${error.message}; it takes PEM`)
    if (isMissing(error)) return refuse(`there is no file ${path}; make it, or correct the path`)
    return refuse(`${path} can't be read (${code}); let the user that runs Quire read it`)
  }
}

function leafOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** Undefined for text that isn't a key. */
function fitsKey(leaf: X509Certificate, keyText: string): boolean | undefined {
  try {
    return leaf.checkPrivateKey(createPrivateKey(keyText))
  } catch {
    return undefined
  }
}

/** What somebody should know of a certificate that can be used. */
export function remarkOn({ leaf }: Certificate, nowMs: number): string | undefined {
  const [fromMs, toMs] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  if (toMs <= nowMs) return `it expired on ${day(toMs)}, and clients refuse it; renew it`
  if (fromMs > nowMs) return `it begins on ${day(fromMs)}, and clients refuse it until then; is the clock right?`
  if (toMs - nowMs < limits.doctorCertificateDays * dayMs) return `it expires on ${day(toMs)}; renew it`
  return undefined
}

/**
 * Polls the files every few seconds and reports a new certificate. Polls rather than watches, because renewals swap
 * links, folders and volumes. A certificate and key that don't match may be half of a renewal, so the old certificate
 * stays.
 * @param first the one that is served already
 * @returns stops polling
 */
export function watchCertificate(
  files: CertificateFiles,
  first: Certificate,
  { log, onNew, everyMs = limits.certificateLookMs }: { log: Log; onNew: (one: Certificate) => void; everyMs?: number },
): () => void {
  // The files may have changed since the first was read: the first look reads them in any case.
  let seen = ''
  let lookedAtMs = Date.now()
  let current = first
  const remark = () => {
    const said = remarkOn(current, Date.now())
    if (said !== undefined) log.warn(`${settingsOf(files)}_CERTIFICATE: ${said}`)
  }
  remark()
  const timer = setInterval(() => {
    if (Date.now() - lookedAtMs > limits.certificateRemarkMs) {
      lookedAtMs = Date.now()
      remark()
    }
    const stamp = stampOf(files)
    if (stamp === seen) return
    seen = stamp
    try {
      const next = readCertificate(files)
      if (next.cert === current.cert && next.key === current.key) return
      onNew(next)
      current = next
      log.info('a new certificate is served', { good_until: new Date(next.leaf.validTo).toISOString() })
      remark()
    } catch (error) {
      log.warn('the new certificate is not served, the one before it is', { cause: error })
    }
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Which files the names lead to, and in which state. */
function stampOf({ certificate, key }: CertificateFiles): string {
  return [certificate, key]
    .map((path) => {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false })
      return found === undefined ? '' : `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}`
    })
    .join()
}
