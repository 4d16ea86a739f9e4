/** What a set breaks: parts that don't fit each other, and cases that no longer pass. */

import type * as wire from '../../../client/quire.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'

type Plan = wire.ActivationSetPlan

/** Whether nothing is in the way but the policy of four eyes. */
export function awaitsOther({ issues }: Plan): boolean {
  return issues.length > 0 && issues.every(({ code }) => code === 'four_eyes.own_work')
}

/** Whether nothing is in the way but suites that have to be green. */
export function awaitsSuite({ issues }: Plan): boolean {
  return issues.length > 0 && issues.every(({ code }) => code === 'suite.not_green')
}

export function Breaks({ plan }: { plan: Plan }) {
  const { issues, broken_cases: broken, cases_run: run, valid } = plan
  return (
    <section class="review-breaks" aria-label={t`What breaks`}>
      {issues.length > 0 && (
        <div class="verdict verdict-danger">
          <p class="verdict-head">
            <Icon name="alert" />{' '}
            <strong>
              {awaitsOther(plan)
                ? t`Somebody else has to act`
                : awaitsSuite(plan)
                  ? t`A suite has to be green first`
                  : t`It does not fit together`}
            </strong>
          </p>
          <ul class="findings" aria-label={t`What doesn't fit`}>
            {issues.map(({ path, message }) => (
              <li key={`${path} ${message}`} data-severity="error">
                {path !== undefined && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {broken.length > 0 && (
        <div class="verdict verdict-danger">
          <p class="verdict-head">
            <Icon name="alert" />{' '}
            <strong>
              {rich`${broken.length === 1 ? t`One case fails` : t`${broken.length} cases fail`} of ${run}`}
            </strong>
          </p>
          <ul class="findings" aria-label={t`Cases that fail`}>
            {broken.map(({ name, node, step, message }) => (
              <li key={`${name} ${node}`} data-severity="error">
                <strong>{name}</strong>{' '}
                <span class="muted">
                  {node}, {step}
                </span>
                <p>{message}</p>
              </li>
            ))}
          </ul>
        </div>
      )}
      {valid && broken.length === 0 && (
        <p class="review-fine">
          <Icon name="check" size={16} />{' '}
          {rich`All parts fit each other${
            run === 0
              ? t`. There is no case to try them with.`
              : run === 1
                ? t`, and the case passes.`
                : t`, and all ${run} cases pass.`
          }`}
        </p>
      )}
    </section>
  )
}
