/** One part of a set: its versions and instants, and what differs in it. */

import type * as wire from '../../../client/quire.ts'
import { useResource } from '../../api/resource.ts'
import type { Comparison } from '../../api/types.ts'
import { formatInstant } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { changesIn, countsOf, LineDifference } from '../../parts/line-difference.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { Counted } from '../configuration/compare-lines.tsx'
import { EarlierReading } from '../configuration/earlier-reading.tsx'
import { kindTexts, pathOfFamily } from '../configuration/kinds.ts'
import { ContractChanges } from '../contract/contract-changes.tsx'
import { TemplateFonts } from '../template/fonts.tsx'
import { PagePairs } from '../template/page-pairs.tsx'

type Member = wire.ActivationSetPlan['members'][number]

interface MemberPartProps {
  member: Member
  /** The set's instant. */
  from: string
  isNow: boolean
  chosen: number | undefined
  onChoose(version: number): void
}

const kindIcons = {
  contract: 'contract',
  transformer: 'transform',
  template: 'document',
  ingestion_model: 'tree',
} as const

function nameOfKind(kind: Member['kind']): string {
  return kind === 'contract' ? t`Contract` : kindTexts[kind].singular
}

function hrefOf({ kind, family_id: id }: Member): string {
  return kind === 'contract' ? `/contracts/${id}` : pathOfFamily(kind, id)
}

/** More versions than these make a list that nobody reads. */
const offeredVersions = 100

export function MemberPart({ member, from, isNow, chosen, onChoose }: MemberPartProps) {
  const { kind, slug, name, action, nodes } = member
  const query = comparisonOf(member)
  return (
    <li class="panel panel-flush review-member" data-action={action} data-member={`${kind} ${slug}`}>
      <div class="review-head">
        <span class="review-icon">
          <Icon name={kindIcons[kind]} size={16} />
        </span>
        <div class="review-name">
          <h2>{action === 'missing' ? name : <a href={hrefOf(member)}>{name}</a>}</h2>
          <p class="muted">
            {nameOfKind(kind)}
            {nodes.length > 0 && t` for ${nodes.join(', ')}`}
          </p>
        </div>
        <Versions member={member} chosen={chosen} onChoose={onChoose} />
        <span class="review-state" data-action={action}>
          {stateOf(member)}
        </span>
      </div>
      <Instants member={member} from={from} isNow={isNow} />
      {kind === 'template' && action === 'activate' && <TemplateFonts path={fontsPath(member)} guessedOnly />}
      {query !== undefined && <Difference key={query} query={query} member={member} />}
    </li>
  )
}

function Versions({ member, chosen, onChoose }: Pick<MemberPartProps, 'member' | 'chosen' | 'onChoose'>) {
  const {
    kind,
    name,
    action,
    from_version: before,
    to_version: after,
    newest_version: newest,
    freezes_revision: revision,
  } = member
  const frozen = revision === undefined ? newest : (newest ?? 1) - 1
  const mayChoose = kind !== 'contract' && frozen !== undefined && frozen + (revision === undefined ? 0 : 1) > 1
  return (
    <span class="review-versions">
      {before !== undefined && action !== 'none' && (
        <>
          <span class="muted">v{before}</span> <Icon name="arrow" size={14} />
        </>
      )}
      {mayChoose ? (
        <select
          aria-label={t`Version of ${name}`}
          value={revision === undefined ? String(chosen ?? after ?? '') : 'draft'}
          onChange={(event) => onChoose(Number(event.currentTarget.value))}
        >
          {after === undefined && <option value="">{t`none`}</option>}
          {revision !== undefined && <option value="draft">{rich`v${after}, the draft`}</option>}
          {Array.from({ length: frozen }, (_, index) => frozen - index)
            .slice(0, offeredVersions)
            .map((number) => (
              <option value={String(number)} key={number}>
                v{number}
              </option>
            ))}
        </select>
      ) : (
        <strong>{after === undefined ? '–' : `v${after}`}</strong>
      )}
    </span>
  )
}

function stateOf({ kind, action, from_version: before, freezes_revision: revision }: Member): string {
  const frozen = revision === undefined ? '' : t`frozen, `
  switch (action) {
    case 'none':
      return kind === 'contract' ? t`published` : t`stays`
    case 'publish':
      return `${frozen}${t`published`}`
    case 'missing':
      return t`missing`
    default:
      return `${frozen}${before === undefined ? t`comes into force` : t`takes over`}`
  }
}

/** What is in force when: until the instant, from it on, and what follows later. */
function Instants({ member, from, isNow }: Pick<MemberPartProps, 'member' | 'from' | 'isNow'>) {
  const { kind, action, from_version: before, to_version: after, since, next } = member
  if (kind === 'contract' || action === 'missing') return null
  const steps = [
    ...(before !== undefined && since !== undefined
      ? [{ version: before, text: t`since ${told(since)}`, is: 'before' }]
      : []),
    ...(action === 'activate' && after !== undefined
      ? [{ version: after, text: isNow ? t`from now on` : t`in force from ${told(from)}`, is: 'now' }]
      : []),
    ...(next === undefined
      ? []
      : [{ version: next.version, text: t`follows on ${told(next.effective_from)}`, is: 'later' }]),
  ]
  if (steps.length === 0) return null
  return (
    <ol class="review-steps" aria-label={t`In force`}>
      {steps.map(({ version, text, is }) => (
        <li key={is} data-is={is}>
          <strong>v{version}</strong> {text}
        </li>
      ))}
    </ol>
  )
}

function told(instant: string): string {
  return formatInstant(new Date(instant))
}

function fontsPath({ family_id: id, to_version: version, freezes_revision: revision }: Member): string {
  return `/api/v1/templates/${id}/fonts${revision === undefined ? `?version=${version}` : ''}`
}

/** What to ask the server for; undefined if nothing changes, or there was nothing before. */
function comparisonOf(member: Member): string | undefined {
  const { kind, action, family_id: id, from_version: before, to_version: after, freezes_revision: revision } = member
  if (before === undefined || after === undefined || before === after) return undefined
  if (action !== 'activate' && kind !== 'contract') return undefined
  const to = revision === undefined ? String(after) : 'draft'
  return String(new URLSearchParams({ kind, family_id: id, from: String(before), to }))
}

function Difference({ query, member }: { query: string; member: Member }) {
  // A draft that was saved again is another one.
  const { value, problem, reload } = useResource<Comparison>(`/api/v1/comparisons?${query}`)
  if (problem.value !== undefined) return <ProblemNote problem={problem.value} retry={reload} />
  const comparison = value.value
  if (comparison === undefined) {
    return <div class="review-waiting" role="status" aria-label={t`Comparing ${member.name}`} />
  }
  const { difference, pages, contract_changes: rules } = comparison
  const changes = changesIn(difference)
  const [from, to] = [
    `v${member.from_version}`,
    member.freezes_revision === undefined ? `v${member.to_version}` : t`the draft`,
  ]
  return (
    <div class="review-difference">
      {comparison.to.content_hash !== member.content_hash && (
        <p class="note-warning" role="status">
          {t`The draft was saved again since. This page shows what it would do now.`}
        </p>
      )}
      <EarlierReading from={comparison.from} to={comparison.to} />
      {rules !== undefined && <ContractChanges changes={rules} />}
      {pages !== undefined && <PagePairs from={from} to={to} pairs={pages.pairs} />}
      {changes.length > 0 && (
        <details open={rules === undefined && pages === undefined}>
          <summary>
            {pages === undefined ? t`Lines` : t`Text`} <Counted {...countsOf(changes)} />
          </summary>
          <LineDifference changes={changes} label={t`What differs in ${member.name}`} />
        </details>
      )}
      {changes.length === 0 && rules === undefined && pages === undefined && <p class="muted">{t`No line differs.`}</p>}
    </div>
  )
}
