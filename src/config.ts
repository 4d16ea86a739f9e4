import { existsSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type Address, isEveryAddress, ownOrigins } from './addresses.ts'
import { embeddedAddressOf } from './bus/embedded-address.ts'
import { recipientProblem } from './core/age-recipient.ts'
import { limits } from './core/limits.ts'
import { type LogLevel, logLevels } from './core/log.ts'
import { nearest } from './core/nearest.ts'
import { networksOf } from './core/networks.ts'
import { withoutCredentialsIn } from './core/redact.ts'
import { yamlLibrary } from './core/source/libraries.ts'
import type { Role } from './db/schema.ts'
import type { CertificateFiles } from './http/certificate.ts'
import { type RateName, type Rates, rateNames, usualRates } from './http/rates.ts'
import { ignoredVariables } from './ignored-variables.ts'
import { type OidcConfig, parseOidc, roleNames } from './oidc/settings.ts'
import { credentialFile, readSecretFile } from './secret-files.ts'
import { type Setting, type SettingName, settings } from './settings.ts'
import type { SyslogTarget } from './syslog/connection.ts'
import { readTelemetry, type TelemetryConfig } from './telemetry/settings.ts'

/** Every setting of a running Quire, typed and checked; made once, before anything else. */
export interface Config {
  listen: Address
  /** Exact browser origins, `scheme://host[:port]`. */
  origins: readonly string[]
  /** Undefined if Quire serves HTTP, behind a proxy or for this machine only. */
  tls: CertificateFiles | undefined
  /** Addresses and CIDR ranges of proxies that may report a request's origin. */
  trustedProxies: readonly string[]
  /** Private networks to which webhooks may be sent. */
  webhookNetworks: readonly string[]
  dataFolder: string
  /** Includes the token of a libSQL server. */
  databaseUrl: string
  databaseToken: string | undefined
  objectsUrl: string
  mqttUrl: string
  /** Files for the embedded broker's TLS; undefined without TLS. */
  mqttTls: CertificateFiles | undefined
  /** Undefined if it is to be made once in the data directory. */
  secret: string | undefined
  /** The previous secret, whose signatures are still accepted while the secret is replaced. */
  secretPrevious: string | undefined
  /** Undefined if it is to be made once in the data directory. */
  signingKey: string | undefined
  /** File to which signed heads of the audit trail are appended. */
  auditHeads: string | undefined
  /** A receiver of the audit trail, besides the collector named by `telemetry.audit`. */
  auditSyslog: SyslogTarget | undefined
  /** Folder of the ledger of erasures; undefined for one beside the data directory. */
  erasureLedger: string | undefined
  /** Undefined without a replica. */
  replicaUrl: string | undefined
  replicaDays: number
  /** Backups are encrypted to all of these; empty for none. */
  backupRecipients: readonly string[]
  admin: { username: string; password: string | undefined }
  /** Undefined if everybody has a password. */
  oidc: OidcConfig | undefined
  /** The only username that may sign in by password; undefined for everybody who has one. */
  localSignIn: string | undefined
  /** Users with one of these roles who sign in by password must have a second factor. */
  secondFactorRoles: readonly Role[]
  /** Whether nobody may put in force a version that they worked on. */
  fourEyes: boolean
  demo: boolean
  workers: number
  /** How many steps may be queued before submissions are refused. */
  queueLimit: number
  /** Requests per minute that a user or token may send. */
  rates: Rates
  /** Folders of fonts besides those in the executable, the data directory's last; earlier ones win. */
  fontFolders: readonly string[]
  /** Quire's own engine, or the path of LibreOffice's program. */
  renderer: 'quire' | { soffice: string }
  /** Undefined if no metrics are served. */
  metricsListen: Address | undefined
  /** Undefined if everybody who reaches the listener may read them. */
  metricsToken: string | undefined
  logLevel: LogLevel
  /** From OpenTelemetry's own variables. */
  telemetry: TelemetryConfig
  /** Settings that work but are probably not intended, for the log; each begins with its variable. */
  warnings: readonly string[]
  /** Variables that begin like a setting but aren't one, in the same form. */
  ignored: readonly string[]
}

/** A setting is unusable. The message is the one line that the user sees; it names the setting and the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export const settingsHelp: readonly Setting[] = Object.values(settings)

/** Variables that hold a secret, or may; they are removed from the environment once they have been read. */
export const secretVariables: readonly string[] = settingsHelp
  .filter(({ isSecret }) => isSecret)
  .map(({ variable }) => variable)

/**
 * Variables that the runtime and the clients of buckets and collectors read by themselves, when they need them, and that may hold
 * a secret.
 */
export const librarySecrets: readonly string[] = [
  ...['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_CONTAINER_AUTHORIZATION_TOKEN'],
  ...['', 'TRACES_', 'METRICS_', 'LOGS_'].flatMap((signal) =>
    ['HEADERS', 'ENDPOINT'].map((name) => `OTEL_EXPORTER_OTLP_${signal}${name}`),
  ),
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]),
]

type Environment = Readonly<Record<string, string | undefined>>
type FileOfSettings = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment and, if it exists, `quire.yaml` in the working directory. Its keys are the variables' names without
 * `QUIRE_`, in lower case; the environment wins.
 *
 * @throws ConfigError for the first unusable setting, and for an unknown key of the file
 */
export function loadConfig(environment: Environment = process.env, folder = process.cwd()): Config {
  const file = readFile(join(folder, 'quire.yaml'))
  const read = (name: SettingName): string | undefined => {
    const setting: Setting = settings[name]
    if (setting.isSecret) return readSecret(name, { environment, file, folder })
    return given(environment[setting.variable]) ?? given(file[name])
  }
  const dataFolder = resolve(folder, read('data') ?? 'quire-data')
  const listen = parseListen('listen', read('listen') ?? '127.0.0.1:8080')
  const tls = parseTls('tls', read, folder)
  const mqttUrl = parseMqttUrl(read('mqtt_url') ?? 'embedded')
  const givenOrigins = read('origins')
  const origins = givenOrigins === undefined ? ownOrigins(listen, tls ? 'https' : 'http') : parseOrigins(givenOrigins)
  const trustedProxies = parseNetworks('trusted_proxies', read('trusted_proxies'))
  const metricsListen = read('metrics_listen')
  const databaseToken = read('database_token')
  const oidc = parseOidc(read, refuse)
  const databaseUrl = withDatabaseToken(parseDatabaseUrl(read('database_url'), dataFolder), databaseToken)
  return {
    listen,
    origins,
    tls,
    trustedProxies,
    webhookNetworks: parseNetworks('webhook_networks', read('webhook_networks')),
    dataFolder,
    databaseUrl,
    databaseToken,
    objectsUrl: parseObjectsUrl('objects_url', read('objects_url') ?? `file:${join(dataFolder, 'objects')}`),
    mqttUrl,
    mqttTls: parseMqttTls(mqttUrl, parseTls('mqtt', read, folder), tls),
    secret: parseSecret('secret', read('secret')),
    secretPrevious: parseSecret('secret_previous', read('secret_previous')),
    signingKey: parseSigningKey(read('signing_key')),
    auditHeads: parseFile('audit_heads', read('audit_heads'), folder),
    auditSyslog: parseSyslog(read('audit_syslog'), parseFile('audit_syslog_ca', read('audit_syslog_ca'), folder)),
    erasureLedger: parseLedger(read('erasure_ledger'), folder),
    replicaUrl: parseReplica(read('replica_url'), databaseUrl),
    replicaDays: parseWhole('replica_days', read('replica_days'), limits.replicaDaysMax) ?? limits.replicaDays,
    backupRecipients: parseRecipients(read('backup_recipient')),
    admin: { username: read('admin_username') ?? 'admin', password: read('admin_password') },
    oidc,
    localSignIn: parseLocalSignIn(read('local_sign_in'), oidc),
    secondFactorRoles: parseSecondFactor(read('second_factor')),
    fourEyes: parseBoolean('four_eyes', read('four_eyes') ?? 'false'),
    demo: parseBoolean('demo', read('demo') ?? 'false'),
    workers: parseWhole('workers', read('workers'), 64) ?? Math.max(1, availableParallelism() - 1),
    queueLimit: parseWhole('queue_limit', read('queue_limit'), limits.queuedStepsMax) ?? limits.queuedSteps,
    rates: parseRates(read('rates')),
    fontFolders: [...parseFolders(read('fonts'), folder), ...ownFonts(dataFolder)],
    renderer: parseRenderer(read('renderer') ?? 'quire'),
    metricsListen: metricsListen === undefined ? undefined : parseListen('metrics_listen', metricsListen),
    metricsToken: parseSecret('metrics_token', read('metrics_token')),
    logLevel: parseLogLevel(read('log') ?? 'info'),
    telemetry: readTelemetry(environment),
    warnings: [
      ...(givenOrigins === undefined && isEveryAddress(listen)
        ? ['QUIRE_ORIGINS: it is not set, so people on other machines cannot sign in; name the address they type']
        : []),
      ...(tls !== undefined && origins.some((origin) => origin.startsWith('http:'))
        ? ['QUIRE_ORIGINS: Quire serves TLS, so nobody can sign in where it begins with http:; name them with https:']
        : []),
      ...(trustedProxies.some((range) => range.endsWith('/0'))
        ? ['QUIRE_TRUSTED_PROXIES: it names every address, so that clients can invent theirs; name the proxies alone']
        : []),
    ],
    ignored: ignoredVariables(environment, knownVariables),
  }
}

/** @param why may quote the setting; a credential in an address is blanked here */
function refuse(name: SettingName, why: string): never {
  throw new ConfigError(`${settings[name].variable}: ${withoutCredentialsIn(why)}; it takes ${settings[name].meaning}`)
}

/** A variable set to an empty text counts as not set. */
function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

interface Sources {
  environment: Environment
  file: FileOfSettings
  /** Paths of files are relative to this folder. */
  folder: string
}

/** From the environment, as a value or a file; else from systemd; else from quire.yaml, as a value or a file. */
function readSecret(name: SettingName, { environment, file, folder }: Sources): string | undefined {
  const { variable } = settings[name]
  const either = (values: FileOfSettings, key: string, fileKey: string): string | undefined => {
    const [value, path] = [given(values[key]), given(values[fileKey])]
    if (path === undefined) return value
    if (value !== undefined) throw new ConfigError(`${fileKey}: ${key} is set, too; keep one of them`)
    return readSecretFile(resolve(folder, path), (why) => {
      throw new ConfigError(`${fileKey}: ${why}`)
    })
  }
  const fromEnvironment = either(environment, variable, `${variable}_FILE`)
  if (fromEnvironment !== undefined) return fromEnvironment
  const credential = credentialFile(environment.CREDENTIALS_DIRECTORY, name)
  if (credential === undefined) return either(file, name, `${name}_file`)
  return readSecretFile(credential, (why) => {
    throw new ConfigError(`${variable}: ${why}`)
  })
}

/** The URL of a libSQL server with its token, unless it has one already. */
export function withDatabaseToken(url: string, token: string | undefined): string {
  if (token === undefined || !/^(?:libsql|https?|wss?):/.test(url) || /[?&]authToken=/.test(url)) return url
  return `${url}${url.includes('?') ? '&' : '?'}authToken=${encodeURIComponent(token)}`
}

/** Numbers are read as text: `admin_password: 00123` is not 123, and 1e5 not 100000. */
function readSettings(text: string): unknown {
  const { isScalar, parseDocument, visit } = yamlLibrary()
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw error
  visit(document, {
    Scalar(_, node) {
      if (isScalar(node) && typeof node.value === 'number') node.value = node.source ?? node.value
    },
  })
  return document.toJS()
}

function readFile(path: string): FileOfSettings {
  if (!existsSync(path)) return {}
  let document: unknown
  try {
    document = readSettings(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError(`quire.yaml: ${String(error instanceof Error ? error.message : error).split('\n')[0]}`)
  }
  if (document === null || document === undefined) return {}
  if (typeof document !== 'object' || Array.isArray(document)) {
    throw new ConfigError('quire.yaml: must be a mapping of settings, such as "listen: 127.0.0.1:8080"')
  }
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(document)) {
    const name = settingOf(key)
    if (name === undefined) {
      const known = Object.keys(settings)
      const meant = nearest(key, known)
      const hint = meant === undefined ? `the settings are ${known.join(', ')}` : `did you mean ${meant}?`
      throw new ConfigError(`quire.yaml: there is no setting "${key}"; ${hint}`)
    }
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new ConfigError(`quire.yaml: ${key} must be a single value; it takes ${settings[name].meaning}`)
    }
    values[key] = String(value)
  }
  return values
}

/** Variables for commands that call a server; the service has no such settings. */
export const remoteVariables = ['QUIRE_SERVER', 'QUIRE_TOKEN', 'QUIRE_USERNAME', 'QUIRE_PASSWORD'] as const

/** Every variable that any part of Quire reads. */
const knownVariables: ReadonlySet<string> = new Set([
  ...remoteVariables,
  ...settingsHelp.map(({ variable }) => variable),
  ...secretVariables.map((variable) => `${variable}_FILE`),
])

/** The setting for a key of quire.yaml, which may name a file; undefined if there is none. */
function settingOf(key: string): SettingName | undefined {
  if (Object.hasOwn(settings, key)) return key as SettingName
  const name = key.replace(/_file$/, '')
  const setting: Setting | undefined = Object.hasOwn(settings, name) ? settings[name as SettingName] : undefined
  return setting?.isSecret ? (name as SettingName) : undefined
}

function parseListen(name: SettingName, text: string): Config['listen'] {
  const [, host, digits] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s/]+):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (host === undefined || port > 65_535) refuse(name, `"${text}" is not host:port, such as 127.0.0.1:8080`)
  return { hostname: host.replace(/^\[|\]$/g, ''), port }
}

function parseOrigins(text: string): string[] {
  const origins = text.split(',').map((origin) => origin.trim())
  for (const origin of origins) {
    const url = URL.canParse(origin) ? new URL(origin) : undefined
    if (url === undefined || url.origin !== origin || !/^https?:$/.test(url.protocol)) {
      refuse(
        'origins',
        `"${origin}" is not an exact origin, such as https://quire.example.org (no path, no trailing slash)`,
      )
    }
  }
  return origins
}

/** Checks only the paths: the files are read repeatedly by the servers that use them. */
function parseTls(
  of: 'tls' | 'mqtt',
  read: (name: SettingName) => string | undefined,
  base: string,
): CertificateFiles | undefined {
  const [certificateName, keyName] = [`${of}_certificate`, `${of}_key`] as const
  const [certificate, key] = [read(certificateName), read(keyName)]
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) refuse(certificateName, `${settings[keyName].variable} is set, and this is not`)
  if (key === undefined) refuse(keyName, `${settings[certificateName].variable} is set, and this is not`)
  const files = { certificate: resolve(base, certificate), key: resolve(base, key) }
  return of === 'tls' ? files : { ...files, settings: 'QUIRE_MQTT' }
}

/** The broker's own certificate, else that of HTTPS. */
function parseMqttTls(
  url: string,
  own: CertificateFiles | undefined,
  served: CertificateFiles | undefined,
): CertificateFiles | undefined {
  if (!embeddedAddressOf(url)?.isEncrypted) {
    if (own !== undefined) refuse('mqtt_certificate', 'QUIRE_MQTT_URL is not embedded+tls://host:port')
    return undefined
  }
  const used = own ?? served
  if (used === undefined) refuse('mqtt_certificate', 'it is not set, and QUIRE_TLS_CERTIFICATE neither')
  return used
}

function parseNetworks(name: SettingName, text: string | undefined): string[] {
  const ranges = listOf(text)
  try {
    networksOf(ranges)
  } catch (error) {
    if (error instanceof RangeError) refuse(name, `"${error.message}" is neither an IP address nor a CIDR range`)
    throw error
  }
  return ranges
}

/** The non-empty parts between commas. */
function listOf(text: string | undefined): string[] {
  const parts = (text ?? '').split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '')
}

function parseRecipients(text: string | undefined): string[] {
  const recipients = listOf(text)
  for (const recipient of recipients) {
    const problem = recipientProblem(recipient)
    if (problem !== undefined) refuse('backup_recipient', problem)
  }
  return recipients
}

function parseDatabaseUrl(text: string | undefined, dataFolder: string): string {
  if (text === undefined) return `file:${join(dataFolder, 'quire.db')}`
  if (text.startsWith('file:')) return `file:${resolve(text.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))}`
  if (!/^(libsql|https?|wss?|postgres|postgresql):\/\/[^/]/.test(text))
    refuse('database_url', `"${text}" is not a database URL`)
  return text
}

function parseObjectsUrl(name: SettingName, text: string): string {
  if (text.startsWith('file:')) return `file:${resolve(text.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))}`
  if (!/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]([/?]|$)/.test(text))
    refuse(name, `"${text}" is not an object store URL`)
  return text
}

function parseReplica(text: string | undefined, databaseUrl: string): string | undefined {
  if (text === undefined) return undefined
  if (!databaseUrl.startsWith('file:')) {
    refuse('replica_url', 'the database is no file of this machine, and its server has replicas of its own')
  }
  return parseObjectsUrl('replica_url', text)
}

function parseMqttUrl(text: string): string {
  const isEmbedded = text === 'embedded' || embeddedAddressOf(text) !== undefined
  if (!isEmbedded && !/^mqtts?:\/\/[^/]/.test(text)) refuse('mqtt_url', `"${text}" is not a broker's URL`)
  return text
}

function parseSecret(name: SettingName, text: string | undefined): string | undefined {
  if (text !== undefined && text.length < 32) refuse(name, `it has ${text.length} characters`)
  return text
}

function parseSigningKey(text: string | undefined): string | undefined {
  if (text !== undefined && !isSigningKey(text)) refuse('signing_key', 'it is none')
  return text
}

export function isSigningKey(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function parseBoolean(name: SettingName, text: string): boolean {
  if (text !== 'true' && text !== 'false') refuse(name, `"${text}" is neither true nor false`)
  return text === 'true'
}

function parseLocalSignIn(text: string | undefined, oidc: OidcConfig | undefined): string | undefined {
  if (text === undefined || text === 'everybody') return undefined
  if (oidc === undefined) refuse('local_sign_in', 'QUIRE_OIDC_ISSUER is not set, so nobody else could sign in')
  return text.toLowerCase()
}

function parseSecondFactor(text: string | undefined): readonly Role[] {
  if (text === 'everybody') return roleNames
  const names = text === 'nobody' ? [] : listOf(text)
  return names.map((name) => {
    const role = roleNames.find((known) => known === name)
    if (role === undefined) refuse('second_factor', `"${name}" is no role (roles: ${roleNames.join(', ')})`)
    return role
  })
}

function parseWhole(name: SettingName, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > most) {
    refuse(name, `"${text}" is not a whole number from 1 to ${most}`)
  }
  return count
}

function parseRates(text: string | undefined): Rates {
  const rates: Record<RateName, number> = { ...usualRates }
  const given = new Set<string>()
  for (const pair of listOf(text)) {
    const [, word, count = ''] = /^(\w+)\s*=\s*(.*)$/.exec(pair) ?? []
    const name = rateNames.find((known) => known === word)
    if (name === undefined) refuse('rates', `"${pair}" does not begin with reads=, changes= or costly=`)
    if (given.has(name)) refuse('rates', `${name} is there twice`)
    given.add(name)
    rates[name] = parseWhole('rates', count, limits.requestsAMinuteMax) ?? rates[name]
  }
  return rates
}

function parseFolders(text: string | undefined, base: string): string[] {
  return listOf(text).map((part) => {
    const folder = resolve(base, part)
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) refuse('fonts', `there is no folder ${folder}`)
    return folder
  })
}

/** The folder for `quire fonts add` by default; no setting is needed for it. */
export function ownFontFolder(dataFolder: string): string {
  return join(dataFolder, 'fonts')
}

function ownFonts(dataFolder: string): string[] {
  const folder = ownFontFolder(dataFolder)
  // A file in place of the data directory is reported elsewhere.
  return existsSync(folder) && statSync(folder).isDirectory() ? [folder] : []
}

function parseFile(name: SettingName, text: string | undefined, base: string): string | undefined {
  if (text === undefined) return undefined
  const [file, parent] = [resolve(base, text), dirname(resolve(base, text))]
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory()) refuse(name, `there is no folder ${parent}`)
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) refuse(name, `${file} is a folder`)
  return file
}

/** The folder is created when needed, but its parent must exist: it may be an unmounted volume. */
function parseLedger(text: string | undefined, base: string): string | undefined {
  if (text === undefined) return undefined
  const folder = resolve(base, text)
  if (!statSync(dirname(folder), { throwIfNoEntry: false })?.isDirectory()) {
    refuse('erasure_ledger', `there is no folder ${dirname(folder)}`)
  }
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory()) refuse('erasure_ledger', `${folder} is no folder`)
  return folder
}

function parseSyslog(text: string | undefined, caFile: string | undefined): SyslogTarget | undefined {
  if (text === undefined) {
    if (caFile !== undefined) refuse('audit_syslog_ca', 'QUIRE_AUDIT_SYSLOG is not set')
    return undefined
  }
  const [, scheme, host = '', digits] =
    /^(tls|tcp):\/\/(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const isEncrypted = scheme === 'tls'
  // Fixed by RFC 5425, 4.1; plain TCP has no port of its own.
  const port = digits === undefined && isEncrypted ? 6_514 : Number(digits)
  if (scheme === undefined || !(port > 0 && port <= 65_535)) refuse('audit_syslog', `"${text}" is no such address`)
  if (!isEncrypted && caFile !== undefined) refuse('audit_syslog_ca', 'tcp:// has no certificates')
  return { hostname: host.replace(/^\[|\]$/g, ''), port, isEncrypted, caFile }
}

function parseRenderer(text: string): Config['renderer'] {
  if (text === 'quire') return 'quire'
  if (text !== 'soffice' && !isAbsolute(text)) refuse('renderer', `"${text}" is none`)
  const soffice = Bun.which(text)
  if (soffice === null) refuse('renderer', `there is no program ${text === 'soffice' ? 'soffice on PATH' : text}`)
  return { soffice }
}

function parseLogLevel(text: string): LogLevel {
  return logLevels.find((level) => level === text) ?? refuse('log', `"${text}" is not a level`)
}
