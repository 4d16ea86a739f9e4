/** What submitting would run: which nodes, with which versions, since when they are in force, and why. */

import type { ApiProblem } from '../../api/problem.ts'
import type { PlannedNode, SubmissionPlan } from '../../api/submit.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { Instant, Moment } from '../../parts/moment.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'

interface PlanPanelProps {
  plan: SubmissionPlan | undefined
  problem: ApiProblem | undefined
  /** Whether something was changed since the plan was made. */
  isOld: boolean
}

export function PlanPanel({ plan, problem, isOld }: PlanPanelProps) {
  return (
    <section class="panel plan" aria-label={t`What will run`}>
      <header class="panel-head">
        <h2>{t`What will run`}</h2>
        <span class="pane-note" role="status">
          {isOld ? t`Looking…` : ''}
        </span>
      </header>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {problem === undefined && plan === undefined && <p class="muted">{t`Looking what is in force…`}</p>}
      {problem === undefined && plan !== undefined && (
        <>
          <ul class="plan-nodes">
            {plan.nodes.map((node) => (
              <Node key={node.address} node={node} />
            ))}
          </ul>
          <dl class="facts plan-facts">
            <div>
              <dt>{t`Checked against`}</dt>
              <dd>
                <a href={`/contracts/${plan.contract.family_id}?tab=versions&version=${plan.contract.version}`}>
                  {plan.contract.name} v{plan.contract.version}
                </a>
              </dd>
            </div>
            {plan.model !== undefined && (
              <div>
                <dt>{t`Ingestion model`}</dt>
                <dd>
                  <a href={`/ingestion-models/${plan.model.family_id}?tab=versions&version=${plan.model.version}`}>
                    {plan.model.slug} v{plan.model.version}
                  </a>
                </dd>
              </div>
            )}
            <div>
              <dt>{t`Object`}</dt>
              <dd>
                {plan.object_reference === undefined ? (
                  <span class="muted">{t`the submission's own id`}</span>
                ) : (
                  <>
                    <code>{plan.object_reference}</code>{' '}
                    <From source={plan.object_reference_from} at={plan.object_reference_source} />
                  </>
                )}
              </dd>
            </div>
            <div>
              <dt>{t`Official time`}</dt>
              <dd>
                {plan.object_time_from === 'default' ? (
                  <span class="muted">{t`the instant of receipt`}</span>
                ) : (
                  <>
                    <Moment at={plan.object_time} />{' '}
                    <From source={plan.object_time_from} at={plan.object_time_source} />
                  </>
                )}
              </dd>
            </div>
          </dl>
        </>
      )}
    </section>
  )
}

function From({ source, at }: { source: SubmissionPlan['object_time_from']; at: string | undefined }) {
  if (source !== 'input') return null
  return <span class="muted">{rich`from ${<code>{at}</code>}`}</span>
}

const reasons: Record<PlannedNode['reason'], string> = {
  always: t`Always runs.`,
  condition_true: t`Its condition holds for this input.`,
  undecided: t`Its condition can't be decided on this input; validating will say why.`,
  condition_false: t`Left out: its condition is false for this input.`,
  parent_unwanted: t`Left out with the node above it.`,
}

function Node({ node }: { node: PlannedNode }) {
  const { address, label, depth, runs, reason, transformer, template, formats } = node
  return (
    <li class="plan-node" data-runs={runs} data-node={address} style={{ '--depth': depth }}>
      <p class="plan-node-head">
        <span class="plan-node-mark">
          <Icon name={runs ? 'check' : 'cross'} size={16} />
        </span>
        <strong>{label}</strong>
        <span class="plan-makes">
          {formats.length === 0 ? t`data only` : formats.map((one) => one.toUpperCase()).join(t` and `)}
        </span>
      </p>
      <p class="plan-why">{reasons[reason]}</p>
      <p class="plan-versions">
        {transformer !== undefined && <Used kind="transformers" version={transformer} />}
        {template !== undefined && <Used kind="templates" version={template} />}
      </p>
    </li>
  )
}

function Used({
  kind,
  version,
}: {
  kind: 'transformers' | 'templates'
  version: NonNullable<PlannedNode['template']>
}) {
  const { family_id, slug, version: number, in_force_since: since } = version
  return (
    <span class="plan-version">
      <Icon name={kind === 'templates' ? 'document' : 'transform'} size={14} />
      <a href={`/${kind}/${family_id}?tab=versions&version=${number}`}>
        {slug} v{number}
      </a>
      {since !== undefined && <span class="muted">{rich`in force since ${<Instant at={since} />}`}</span>}
    </span>
  )
}
