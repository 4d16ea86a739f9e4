import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { wordsOf } from '../core/error-cause.ts'
import { findSigningKey } from '../data-folder.ts'
import { advice, type Finding, fine, wrong } from './finding.ts'

/** Findings about the settings as a whole; each of them is usable by itself. */
export function checkSettings(config: Config): Finding[] {
  const said = [...config.warnings, ...config.ignored, ...config.telemetry.warnings].map((warning) => {
    // As all warnings of settings are written: what is there, and behind a semicolon what to do.
    const [, what = warning, remedy = 'correct it, or remove it'] = /^(.*); (.*)$/s.exec(warning) ?? []
    return advice('settings', what, remedy)
  })
  if (!config.databaseUrl.startsWith('file:') && config.secret === undefined) {
    said.push(
      advice(
        'settings',
        'QUIRE_SECRET is not set, and instances that share a database need the same',
        `set it on each of them to the content of ${config.dataFolder}/secret`,
      ),
    )
  }
  const found = [...said, ...checkKeys(config)]
  return found.length > 0 ? found : [fine('settings', 'all of them can be used')]
}

/** The keys that the data directory holds, where none are set. Nothing is made. */
function checkKeys(config: Config): Finding[] {
  const found: Finding[] = []
  const path = join(config.dataFolder, 'secret')
  try {
    const isShort = existsSync(path) && readFileSync(path, 'utf8').trim().length < 32
    if (config.secret === undefined && isShort) {
      const what = `${path} holds no key of 32 characters or more`
      found.push(wrong('settings', what, 'remove it to have a new one made: everybody signs in again'))
    }
    findSigningKey(config)
  } catch (error) {
    const [, what = wordsOf(error), remedy = 'let the user that runs Quire read it'] =
      /^(.*); (.*)$/s.exec(wordsOf(error)) ?? []
    found.push(wrong('settings', what, remedy))
  }
  return found
}

/** How browsers come to Quire: past which proxies, and whether encrypted. */
export function checkProxies({ origins, trustedProxies, listen, tls }: Config): Finding[] {
  const check = 'proxies'
  const isEncrypted = origins.some((origin) => origin.startsWith('https:'))
  if (isEncrypted && tls === undefined && trustedProxies.length === 0) {
    return [
      advice(
        check,
        `people come over TLS (${origins.join(', ')}), so through a proxy, and none is trusted: all clients count as one`,
        "set QUIRE_TRUSTED_PROXIES to the proxy's address",
      ),
    ]
  }
  const isOpen = !isLoopback(listen.hostname)
  if (isOpen && !isEncrypted && tls === undefined) {
    return [
      advice(
        check,
        `passwords and documents travel unencrypted to ${listen.hostname}`,
        'set QUIRE_TLS_CERTIFICATE and QUIRE_TLS_KEY, or put a proxy with TLS in front and name its https:// address in QUIRE_ORIGINS',
      ),
    ]
  }
  if (trustedProxies.length > 0) return [fine(check, `${trustedProxies.join(', ')} may say who asks`)]
  return [fine(check, isOpen ? 'none: clients speak to Quire itself, over TLS' : 'none, and only this machine can ask')]
}

export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[|\]$/g, '')
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
