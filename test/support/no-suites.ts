import type { Judge } from '../../src/modules/drafts/judge.service.ts'
import { withVerdicts } from '../../src/modules/drafts/judge-known.service.ts'
import type { SuiteGate } from '../../src/modules/versions/suite-gate.service.ts'

/** No suite has to be green, as on a store without such a policy. */
export function noSuites(judge: Judge): SuiteGate {
  return {
    findings: async () => [],
    draftFindings: async () => [],
    guard: (_actor, run) => withVerdicts(judge, run),
  }
}
