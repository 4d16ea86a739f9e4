/** What a set breaks: parts that don't fit each other, and cases that no longer pass. */
import type * as wire from '../../../client/quire.ts'
import { Icon } from '../../parts/icon.tsx'

type Plan = wire.ActivationSetPlan

/** Whether nothing is in the way but the policy of four eyes. */
export function awaitsOther({ issues }: Plan): boolean {
  return issues.length > 0 && issues.every(({ code }) => code === 'four_eyes.own_work')
}

export function Breaks({ plan }: { plan: Plan }) {
  const { issues, broken_cases: broken, cases_run: run, valid } = plan
  return (
    <section class="review-breaks" aria-label="What breaks">
      {issues.length > 0 && (
        <div class="verdict verdict-danger">
          <p class="verdict-head">
            <Icon name="alert" />{' '}
            <strong>{awaitsOther(plan) ? 'Somebody else has to act' : 'It does not fit together'}</strong>
          </p>
          <ul class="findings" aria-label="What doesn't fit">
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
              {broken.length === 1 ? 'One case fails' : `${broken.length} cases fail`} of {run}
            </strong>
          </p>
          <ul class="findings" aria-label="Cases that fail">
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
          <Icon name="check" size={16} /> All parts fit each other
          {run === 0
            ? '. There is no case to try them with.'
            : run === 1
              ? ', and the case passes.'
              : `, and all ${run} cases pass.`}
        </p>
      )}
    </section>
  )
}
