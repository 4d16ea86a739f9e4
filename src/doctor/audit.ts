import type { Config } from '../config.ts'
import { wordsOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { probeSyslog } from '../syslog/connection.ts'
import { advice, type Finding, fine, within, wrong } from './finding.ts'

const check = 'audit trail'

/** Whether the syslog receiver of the audit trail answers, and shows a trusted certificate. Nothing is sent to it. */
export async function checkAuditReceiver({ auditSyslog }: Pick<Config, 'auditSyslog'>): Promise<Finding[]> {
  if (auditSyslog === undefined) return []
  const { hostname, port, isEncrypted } = auditSyslog
  const name = `the syslog receiver ${hostname}:${port}`
  try {
    await within(limits.doctorAskMs, probeSyslog(auditSyslog))
  } catch (error) {
    const reason = wordsOf(error)
    const remedy = /certificate|issuer|self.signed|altname|ENOENT/i.test(reason)
      ? 'name the authority of its certificate in QUIRE_AUDIT_SYSLOG_CA, or renew the certificate'
      : 'start it, or correct QUIRE_AUDIT_SYSLOG; the audit trail waits for it meanwhile'
    return [wrong(check, `${name} can't be used: ${reason}`, remedy)]
  }
  if (isEncrypted) return [fine(check, `${name} answers`)]
  return [advice(check, `${name} answers, and what is sent to it is not encrypted`, 'take tls:// where it has TLS')]
}
