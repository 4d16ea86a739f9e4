import type { HrTime } from '@opentelemetry/api'

/** Fixed by the unit of OTLP's times. */
const NS_IN_SECOND = 1_000_000_000n

/** Nanoseconds in the form that OpenTelemetry's packages take: whole seconds, and the nanoseconds that remain. */
export function hrTimeOf(ns: bigint): HrTime {
  return [Number(ns / NS_IN_SECOND), Number(ns % NS_IN_SECOND)]
}
