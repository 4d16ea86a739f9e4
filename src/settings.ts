import { limits } from './core/limits.ts'
import { logLevels } from './core/log.ts'

/** A setting's variable. Its key in `quire.yaml` is its name in the table. */
export interface Setting {
  variable: string
  meaning: string
  /** May be in a file: `QUIRE_…_FILE`, or a systemd credential. */
  isSecret?: true
}

export const settings = {
  listen: { variable: 'QUIRE_LISTEN', meaning: 'the address and port to serve on' },
  origins: { variable: 'QUIRE_ORIGINS', meaning: 'comma-separated exact browser origins' },
  trusted_proxies: {
    variable: 'QUIRE_TRUSTED_PROXIES',
    meaning: 'comma-separated addresses or CIDR ranges of the proxies in front, such as 10.0.0.0/8, fd00::/8',
  },
  tls_certificate: {
    variable: 'QUIRE_TLS_CERTIFICATE',
    meaning: "a PEM file with the server's certificate and its chain",
  },
  tls_key: { variable: 'QUIRE_TLS_KEY', meaning: 'the PEM file of its key' },
  data: { variable: 'QUIRE_DATA', meaning: 'the path of the data directory' },
  database_url: { variable: 'QUIRE_DATABASE_URL', meaning: 'file:…, libsql://… or postgres://…', isSecret: true },
  database_token: { variable: 'QUIRE_DATABASE_TOKEN', meaning: 'a token for a libsql:// database', isSecret: true },
  objects_url: { variable: 'QUIRE_OBJECTS_URL', meaning: 'file:… or s3://bucket/prefix?endpoint=…&region=…' },
  mqtt_url: {
    variable: 'QUIRE_MQTT_URL',
    meaning: 'embedded, embedded://host:port, embedded+tls://host:port, mqtt://… or mqtts://…',
    isSecret: true,
  },
  mqtt_certificate: {
    variable: 'QUIRE_MQTT_CERTIFICATE',
    meaning: 'a PEM file with the certificate of a broker at embedded+tls:// and its chain',
  },
  mqtt_key: { variable: 'QUIRE_MQTT_KEY', meaning: 'the PEM file of its key' },
  secret: {
    variable: 'QUIRE_SECRET',
    meaning: 'a key for CSRF tokens, cookies, cursors, second factors and secrets of webhooks, 32 characters or more',
    isSecret: true,
  },
  secret_previous: {
    variable: 'QUIRE_SECRET_PREVIOUS',
    meaning: 'the key before it, accepted while it is replaced',
    isSecret: true,
  },
  signing_key: {
    variable: 'QUIRE_SIGNING_KEY',
    meaning: 'a key that signs the audit trail, 64 hexadecimal digits (openssl rand -hex 32)',
    isSecret: true,
  },
  audit_heads: {
    variable: 'QUIRE_AUDIT_HEADS',
    meaning: 'a file that takes signed heads of the audit trail, best on another disk',
  },
  audit_syslog: {
    variable: 'QUIRE_AUDIT_SYSLOG',
    meaning: 'tls://host:6514 or tcp://host:port, a syslog receiver that takes the audit trail',
  },
  audit_syslog_ca: {
    variable: 'QUIRE_AUDIT_SYSLOG_CA',
    meaning: 'a PEM file with the authority of its certificate',
  },
  erasure_ledger: {
    variable: 'QUIRE_ERASURE_LEDGER',
    meaning: 'a folder that takes the ledger of erasures, best on another disk',
  },
  replica_url: {
    variable: 'QUIRE_REPLICA_URL',
    meaning: 'file:… on another disk, or s3://…, for a copy of the data within seconds',
  },
  replica_days: {
    variable: 'QUIRE_REPLICA_DAYS',
    meaning: `a whole number from 1 to ${limits.replicaDaysMax}: how many days back the copy can be restored`,
  },
  backup_recipient: {
    variable: 'QUIRE_BACKUP_RECIPIENT',
    meaning: "comma-separated public keys of age's, age1…, that backups are encrypted to",
  },
  admin_username: {
    variable: 'QUIRE_ADMIN_USERNAME',
    meaning: 'the username of the first administrator of an empty store',
  },
  admin_password: { variable: 'QUIRE_ADMIN_PASSWORD', meaning: 'its password', isSecret: true },
  oidc_issuer: { variable: 'QUIRE_OIDC_ISSUER', meaning: 'the https URL of an OpenID provider, for single sign-on' },
  oidc_client_id: { variable: 'QUIRE_OIDC_CLIENT_ID', meaning: "Quire's client id at the provider" },
  oidc_client_secret: { variable: 'QUIRE_OIDC_CLIENT_SECRET', meaning: 'the secret of that client', isSecret: true },
  oidc_name: { variable: 'QUIRE_OIDC_NAME', meaning: "the provider's name on the sign-in page, up to 40 characters" },
  oidc_scopes: { variable: 'QUIRE_OIDC_SCOPES', meaning: 'scopes to ask for, openid among them' },
  oidc_groups_claim: { variable: 'QUIRE_OIDC_GROUPS_CLAIM', meaning: 'the claim with the groups, such as groups' },
  oidc_roles: {
    variable: 'QUIRE_OIDC_ROLES',
    meaning: "role=group pairs between semicolons; a group * is everybody's",
  },
  oidc_users: { variable: 'QUIRE_OIDC_USERS', meaning: 'created or known: whether a first sign-in makes a user' },
  oidc_acr: {
    variable: 'QUIRE_OIDC_ACR',
    meaning: 'values, separated by spaces; the acr of a sign-in must be one of them',
  },
  oidc_amr: {
    variable: 'QUIRE_OIDC_AMR',
    meaning: 'methods such as mfa, separated by spaces; the amr of a sign-in must have one of them',
  },
  oidc_max_age: {
    variable: 'QUIRE_OIDC_MAX_AGE',
    meaning: `seconds for which a sign-in there counts, 1 to ${limits.oidcMaxAgeSeconds}`,
  },
  local_sign_in: {
    variable: 'QUIRE_LOCAL_SIGN_IN',
    meaning: 'everybody, or the only username that may sign in by password',
  },
  second_factor: {
    variable: 'QUIRE_SECOND_FACTOR',
    meaning: 'comma-separated roles that must have a second factor, or everybody, or nobody',
  },
  four_eyes: {
    variable: 'QUIRE_FOUR_EYES',
    meaning: 'true or false: whether nobody may put in force what they saved or froze',
  },
  demo: { variable: 'QUIRE_DEMO', meaning: 'true or false: whether the demo configuration is seeded' },
  workers: { variable: 'QUIRE_WORKERS', meaning: 'a number of engine workers, 1 to 64' },
  queue_limit: {
    variable: 'QUIRE_QUEUE_LIMIT',
    meaning: `a number of steps that may wait before submissions are refused, 1 to ${limits.queuedStepsMax}`,
  },
  rates: {
    variable: 'QUIRE_RATES',
    meaning: `requests a minute of one user or token, as in reads=6000, changes=3000, costly=300; 1 to ${limits.requestsAMinuteMax}`,
  },
  fonts: { variable: 'QUIRE_FONTS', meaning: 'comma-separated folders of TrueType and OpenType fonts' },
  renderer: { variable: 'QUIRE_RENDERER', meaning: "quire, soffice, or the absolute path of LibreOffice's soffice" },
  webhook_networks: {
    variable: 'QUIRE_WEBHOOK_NETWORKS',
    meaning: 'comma-separated private addresses or CIDR ranges that webhooks may be sent to, such as 10.20.0.0/16',
  },
  metrics_listen: { variable: 'QUIRE_METRICS_LISTEN', meaning: 'the address and port for Prometheus metrics' },
  metrics_token: {
    variable: 'QUIRE_METRICS_TOKEN',
    meaning: 'a token to read them with, 32 characters',
    isSecret: true,
  },
  log: { variable: 'QUIRE_LOG', meaning: `a level: ${logLevels.join(', ')}` },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings
