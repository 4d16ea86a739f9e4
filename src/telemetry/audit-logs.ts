import { SeverityNumber } from '@opentelemetry/api'
import {
  type IExportLogsServiceResponse,
  JsonLogsSerializer,
  LogsExporterMetricsHelper,
  ProtobufLogsSerializer,
} from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { type AuditLine, isRefusal } from '../core/audit-line.ts'
import { epochMsOf } from '../core/instant.ts'
import type { Log } from '../core/log.ts'
import { hrTimeOf } from './otlp.time.ts'
import { openSender } from './sender.ts'
import type { OtlpTarget } from './settings.ts'

/** Sends records of the audit trail to a collector as logs. The returned function throws when the collector did not take the batch. */
export function openAuditLogs(target: OtlpTarget, log: Log): (lines: readonly AuditLine[]) => Promise<void> {
  const { attributes, scope } = target.resource
  const resource = resourceFromAttributes(attributes)
  const signal = {
    serializer: target.encoding === 'json' ? JsonLogsSerializer : ProtobufLogsSerializer,
    counting: LogsExporterMetricsHelper,
    refusedIn: ({ partialSuccess }: IExportLogsServiceResponse) => ({
      count: partialSuccess?.rejectedLogRecords,
      message: partialSuccess?.errorMessage,
    }),
    // The next batch begins after the answer to this one.
    waitingBatches: 0,
  }
  const sender = openSender(target, signal, log.with({ component: 'telemetry' }))
  return async (lines) => {
    const observed = nanosecondsOf(Date.now())
    // What a collector refuses of a batch it would refuse again (OTLP, "Partial Success"); the sender says so in the log.
    await sender.send(
      lines.map((line) => ({
        hrTime: hrTimeOf(nanosecondsOf(epochMsOf(line.at)) + BigInt(line.at.slice(23, 29))),
        hrTimeObserved: hrTimeOf(observed),
        severityNumber: isRefusal(line) ? SeverityNumber.WARN : SeverityNumber.INFO,
        severityText: isRefusal(line) ? 'WARN' : 'INFO',
        eventName: `quire.audit.${line.action}`,
        body: line.json,
        attributes: { 'quire.audit.position': line.position, 'quire.audit.hash': line.hash },
        droppedAttributesCount: 0,
        ...{ resource, instrumentationScope: scope },
      })),
    )
  }
}

function nanosecondsOf(milliseconds: number): bigint {
  return BigInt(milliseconds) * 1_000_000n
}
