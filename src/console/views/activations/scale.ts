/** Where instants lie on the timeline, and what each family has in force when. Pure. */
import type { Activation } from '../../api/types.ts'
import { instantMs } from '../../format.ts'
import { standing } from '../configuration/consequence.ts'

export interface Scale {
  fromMs: number
  toMs: number
}

const dayMs = 86_400_000

/** From before the first to after the last, with now inside, and room at both ends. */
export function scaleOf(activations: readonly Activation[], nowMs: number): Scale {
  const instants = [...standing(activations).map(({ effective_from }) => instantMs(effective_from)), nowMs]
  const first = Math.min(...instants)
  const last = Math.max(...instants)
  const room = Math.max(dayMs, (last - first) * 0.08)
  return { fromMs: first - room, toMs: last + room }
}

/** Share of the scale, 0 to 1. */
export function shareOf({ fromMs, toMs }: Scale, atMs: number): number {
  return Math.min(1, Math.max(0, (atMs - fromMs) / (toMs - fromMs)))
}

export interface Span {
  activation: Activation
  from: number
  to: number
}

export interface Lane {
  kind: Activation['kind']
  familyId: string
  slug: string
  activations: readonly Activation[]
  spans: readonly Span[]
}

/** One lane a family, by kind and slug; each span lasts until the next one begins. */
export function lanesOf(activations: readonly Activation[], scale: Scale): Lane[] {
  const families = Map.groupBy(activations, ({ family_id }) => family_id)
  const lanes = [...families.values()].flatMap((own): Lane[] => {
    const [first] = own
    if (first === undefined) return []
    const ordered = standing(own)
    const spans = ordered.map((activation, index): Span => {
      const next = ordered[index + 1]
      const to = next === undefined ? 1 : shareOf(scale, instantMs(next.effective_from))
      return { activation, from: shareOf(scale, instantMs(activation.effective_from)), to }
    })
    const { kind, family_id: familyId, family_slug: slug } = first
    return [{ kind, familyId, slug, activations: own, spans }]
  })
  return lanes.sort((a, b) => (a.kind + a.slug < b.kind + b.slug ? -1 : 1))
}
