import { describe, expect, test } from 'bun:test'
import { instantOf } from '../../src/core/instant.ts'
import { createLog } from '../../src/core/log.ts'
import { openAuditLogs } from '../../src/telemetry/audit-logs.ts'
import { readTelemetry } from '../../src/telemetry/settings.ts'
import { outcomeOf, rejectionOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'
import { deliveries, startCollector } from './collector.ts'

const lines: string[] = []
const log = createLog({ level: 'info', readable: true, write: (line) => lines.push(line) })
const auditOf = (environment: Record<string, string>) => readTelemetry(environment).audit

describe('the audit trail as logs', () => {
  const record = {
    ...{ position: 7, hash: 'ab'.repeat(32), at: instantOf('2026-11-20T09:30:00.123456789Z') },
    ...{ action: 'session.refused', json: '{"detail":{"name":"Zoë 🙂"}}' },
  }

  for (const { name, variables } of deliveries) {
    test(`arrives whole as ${name}`, async () => {
      const collector = startCollector()
      const target = auditOf({ ...variables, OTEL_LOGS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })!
      await openAuditLogs(target, log)([record, { ...record, position: 8, action: 'session.opened' }])
      expect(collector.logs.map(({ attributes }) => attributes['quire.audit.position'])).toEqual([7, 8])
      expect(collector.logs[0]).toEqual({
        ...{ timeNs: 1_795_167_000_123_456_789n, severity: 13, severityText: 'WARN' },
        ...{ eventName: 'quire.audit.session.refused', body: record.json, scope: 'quire' },
        attributes: { 'quire.audit.position': 7, 'quire.audit.hash': record.hash },
        resource: expect.objectContaining({ 'service.name': 'letters' }),
      })
      expect(collector.logs[1]).toMatchObject({ severity: 9, severityText: 'INFO' })
    })
  }

  test('that a collector does not take is an error, so that it is sent again', async () => {
    const collector = startCollector()
    const target = auditOf({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs` })!
    const send = openAuditLogs(target, log)
    collector.answers.push(() => new Response('', { status: 400 }))
    expect(await rejectionOf(send([record]))).toBeInstanceOf(Error)
    expect(collector.logs).toEqual([])
    await send([record])
    expect(collector.logs).toHaveLength(1)
  })

  test.each(deliveries)(
    'that gets a page for an answer has not arrived, whatever its status: $name',
    async ({ variables }) => {
      const collector = startCollector()
      const endpoint = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${collector.url}/v1/logs` }
      const send = openAuditLogs(auditOf({ ...variables, ...endpoint })!, log)
      collector.answers.push(() => new Response('<!doctype html><title>Sign in</title>'))
      expect(await outcomeOf(send([record]))).toThrow('answered with a page')
      for (const answer of [undefined, () => new Response('')]) {
        if (answer !== undefined) collector.answers.push(answer)
        await send([record])
      }
    },
  )

  test.each([
    ['a byte at a time', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n', 'x'],
    ['with what comes before an answer', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('keeps no connection to a collector that answers without end: %s', async (_how, head, more) => {
    let open = 0
    const endless = Bun.listen({
      ...{ hostname: '127.0.0.1', port: 0 },
      socket: {
        open: () => void open++,
        close: () => void open--,
        data(socket) {
          socket.write(head)
          const dripping = setInterval(() => {
            if (socket.readyState < 1) clearInterval(dripping)
            else socket.write(more)
          }, 20)
        },
      },
    })
    const endpoint = `http://127.0.0.1:${endless.port}/v1/logs`
    const timeout = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_LOGS_TIMEOUT: '150' }
    const send = openAuditLogs(auditOf(timeout)!, log)
    for (let time = 0; time < 3; time++) {
      expect(await outcomeOf(send([record]))).toThrow("didn't answer within 150 ms")
    }
    await until('its connections have ended', () => open === 0)
    endless.stop(true)
  })

  test('goes nowhere unless it is asked for: an endpoint for all signals is not enough', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
    expect(auditOf(endpoint)).toBeUndefined()
    expect(auditOf({ ...endpoint, OTEL_LOGS_EXPORTER: 'none' })).toBeUndefined()
    expect(auditOf({ ...endpoint, OTEL_LOGS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
    expect(auditOf({ ...endpoint, OTEL_LOGS_EXPORTER: 'otlp' })?.endpoint).toBe('http://localhost:4318/v1/logs')
    const own = { OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://logs.test/audit' }
    expect(auditOf({ ...endpoint, ...own })?.endpoint).toBe('https://logs.test/audit')
  })
})
