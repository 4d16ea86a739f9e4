import { describe, expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'

describe('the bounds', () => {
  test('are those of the interface where it fixes them', () => {
    expect(limits).toMatchObject({
      ...{ authBodyBytes: 8_192, contractBodyBytes: 1_085_440, transformerValidateBodyBytes: 2_097_152 },
      ...{ templateTestBodyBytes: 525_312, payloadBytes: 524_288, sourceBytes: 262_144, artifactBytes: 26_214_400 },
      ...{ objectReferenceChars: 128, nodeLabelChars: 160, nodeAddressChars: 1_024, slugChars: 64 },
      ...{ sourceTimestampChars: 64, correlationIdChars: 128, resourceIdChars: 128, codeChars: 64 },
      ...{ issueContextChars: 256, issueContextEntries: 16, auditReasonChars: 240, modelDepth: 15 },
      ...{ pageSizeMax: 100, pageSizeDefault: 50, storagePageSizeDefault: 25, cursorChars: 512 },
      ...{ storageWindowDays: 366, storageDefaultWindowDays: 30, configurationIssues: 100, stepIssues: 20 },
      ...{
        stepIssueMessageChars: 240,
        configurationIssueMessageChars: 512,
        issuePathChars: 512,
        issueKeywordChars: 64,
      },
      ...{ stepAttempts: 5, caseSeedMax: 2_147_483_647, usernameChars: 64, displayNameChars: 160 },
    })
  })

  test('are all positive numbers, and whole but where they are seconds or named here', () => {
    const parts = ['suiteTolerancePt', 'turnAtOnceMs']
    const isWhole = (name: string) => !name.endsWith('Seconds') && !parts.includes(name)
    const odd = Object.entries(limits).filter(([name, value]) =>
      [value].flat().some((each) => each < 0 || (!Number.isInteger(each) && isWhole(name))),
    )
    expect(odd).toEqual([])
  })

  test('let the body of a request hold what the interface lets it carry', () => {
    // Each byte of raw input may be written as an escape of six.
    expect(limits.submissionBodyBytes).toBeGreaterThanOrEqual(6 * limits.payloadBytes)
    expect(limits.contractBodyBytes).toBeGreaterThan(limits.contractSchemaBytes)
    expect(limits.templateTestBodyBytes).toBeGreaterThan(limits.payloadBytes)
    expect(limits.transformerValidateBodyBytes).toBeGreaterThan(6 * limits.sourceBytes)
    expect(limits.loginPasswordChars).toBeGreaterThan(limits.passwordMaxChars)
    expect(limits.loginNameChars).toBeGreaterThan(limits.usernameChars)
    expect(limits.authBodyBytes).toBeGreaterThan(6 * (limits.passwordMaxChars + limits.passwordMaxChars))
  })

  test('have every first figure below its last', () => {
    const rising = [
      ['passwordMinChars', 'passwordMaxChars'],
      ['storageDefaultWindowDays', 'storageWindowDays'],
      ['pageSizeDefault', 'pageSizeMax'],
      ['throttleBlockMs', 'throttleBlockMaxMs'],
      ['throttleAccountFailures', 'throttleAddressFailures'],
      ['sessionTouchMs', 'sessionIdleMs'],
      ['sessionIdleMs', 'sessionAbsoluteMs'],
      ['stepBackoffMs', 'stepBackoffMaxMs'],
      ['relayBackoffMs', 'relayBackoffMaxMs'],
      ['busReconnectMs', 'busReconnectMaxMs'],
      ['traceActivePollMs', 'traceIdlePollMs'],
      ['zipEntryInflatedBytes', 'zipInflatedBytes'],
      ['xmlPartBytes', 'zipEntryInflatedBytes'],
      ['xmlNodes', 'xmlStreamedNodes'],
      ['renderBoxDepth', 'renderNesting'],
      ['zipRatioFreeBytes', 'zipEntryInflatedBytes'],
      ['richTextElements', 'composeRichTextElements'],
      ['richTextChars', 'composeRichTextChars'],
      ['schemaPatternInstructions', 'schemaPatternsInstructions'],
      ['configurationIssues', 'schemaFindingsCounted'],
    ] as const
    for (const [first, last] of rising) expect([first, limits[first] < limits[last]]).toEqual([first, true])
  })

  test('let a holder of a lease show twice that it lives before another takes over', () => {
    expect(limits.stepLeaseMs).toBeGreaterThan(2 * limits.stepHeartbeatMs)
    expect(limits.relayLeaseMs).toBeGreaterThan(2 * limits.relayPollMs + limits.busPublishMs)
    expect(limits.auditLeaseMs).toBeGreaterThan(2 * limits.auditSealMs)
    // A takeover rests the longer the more attempts were lost, and is within five seconds of the lease's end.
    expect<number>(limits.stepTakeoverRestMs.length).toBe(limits.stepAttempts - 1)
    expect([...limits.stepTakeoverRestMs]).toEqual(limits.stepTakeoverRestMs.toSorted((a, b) => a - b))
    expect(limits.stepTakeoverRestMs.at(-1)! + limits.stepPollMs).toBeLessThan(5_000)
  })

  test('answer a probe before its caller gives up, and a stream before a proxy does', () => {
    expect(limits.probeMs).toBeLessThan(limits.objectProbeMs + 1)
    expect(limits.busProbeMs).toBeLessThanOrEqual(limits.probeMs)
    expect(limits.traceHeartbeatMs).toBeLessThan((limits.connectionIdleSeconds * 1_000) / 2)
    expect(limits.databaseHeartbeatMs + limits.databaseAnswerMs).toBeLessThan(limits.databaseBusyMs)
    expect(limits.auditSealMs).toBeLessThanOrEqual(500)
  })

  test('let more events of one execution be read than its steps can write', () => {
    expect(limits.traceEvents).toBeGreaterThan(4 * limits.stepAttempts * 3)
  })
})
