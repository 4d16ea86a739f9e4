import { type AuditLine, isRefusal } from '../core/audit-line.ts'

/** Fixed by RFC 5424, 6.2.1: the facility "log audit", and the severities "warning" and "informational". */
const [FACILITY, WARNING, INFORMATIONAL] = [13, 4, 6]
/** Fixed by RFC 5424, 7.2.2: names of structured data that IANA hasn't registered end in an enterprise number; 32473 is for examples. */
const SD_ID = 'quire@32473'

/**
 * A record of the audit trail as a syslog message (RFC 5424): its place in the chain as structured data, and all of it as JSON
 * in ASCII, so that no receiver has to guess the encoding.
 */
export function syslogMessage(hostname: string, line: AuditLine): string {
  const priority = FACILITY * 8 + (isRefusal(line) ? WARNING : INFORMATIONAL)
  // Fixed by RFC 5424, 6: fractions of six digits, a name of 255 characters, an id of 32, all of printable ASCII.
  const time = `${line.at.slice(0, 26)}Z`
  const data = `[${SD_ID} position="${line.position}" hash="${line.hash}"]`
  const host = printable(hostname).slice(0, 255) || '-'
  return `<${priority}>1 ${time} ${host} quire - ${printable(line.action).slice(0, 32)} ${data} ${ascii(line.json)}`
}

/** By octet counting (RFC 6587, 3.4.1; RFC 5425, 4.3): no message can be taken for two. */
export function framed(message: string): string {
  return `${Buffer.byteLength(message)} ${message}`
}

function printable(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '-')
}

/** JSON that means the same. */
function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
