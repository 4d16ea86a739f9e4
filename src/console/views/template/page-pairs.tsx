/** Pages of two states of a template beside each other, with the places marked that changed. */

import type { Drawing, ReadPage } from '../../engines/answers.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { type Box, DrawnPageView } from './drawn-page.tsx'

interface PairedPage extends Omit<ReadPage, 'marks' | 'svg'> {
  svg: Drawing
  number: number
  regions: readonly Box[]
}

export interface Paired {
  before?: PairedPage | undefined
  after?: PairedPage | undefined
  isSame?: boolean
}

interface PagePairsProps {
  from: string
  to: string
  /** In the order of the pages. */
  pairs: readonly Paired[]
}

export function PagePairs({ from, to, pairs }: PagePairsProps) {
  const changed = pairs.filter(({ isSame }) => isSame !== true)
  return (
    <>
      <p class={`verdict ${changed.length === 0 ? 'verdict-success' : 'verdict-neutral'}`} role="status">
        <span class="verdict-head">
          <Icon name={changed.length === 0 ? 'check' : 'edit'} />
          <strong>{changed.length === 0 ? t`Every page looks the same` : wordsOf(changed)}</strong>
        </span>
      </p>
      {pairs.map((pair, index) => (
        <Pair key={index} pair={pair} from={from} to={to} />
      ))}
    </>
  )
}

function wordsOf(changed: readonly Paired[]): string {
  const numbers = changed.map(({ before, after }) => after?.number ?? before?.number)
  return numbers.length === 1
    ? t`Page ${numbers[0]} looks different`
    : t`Pages ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)} look different`
}

function Pair({ pair, from, to }: Omit<PagePairsProps, 'pairs'> & { pair: Paired }) {
  const { before, after, isSame = false } = pair
  const number = after?.number ?? before?.number
  return (
    <section class="panel" data-same={isSame} aria-label={t`Page ${number}`}>
      <header class="panel-head">
        <h2>{rich`Page ${number}`}</h2>
        <span class={isSame ? 'tone-success' : 'tone-warning'}>{verdictOf(pair, from, to)}</span>
      </header>
      <div class="compare-pages">
        <SideOf name={from} page={before} />
        <SideOf name={to} page={after} />
      </div>
    </section>
  )
}

function verdictOf({ before, after, isSame }: Paired, from: string, to: string): string {
  if (isSame === true) return t`the same`
  if (before === undefined) return t`only in ${to}`
  if (after === undefined) return t`only in ${from}`
  const places = Math.max(before.regions.length, after.regions.length)
  return places === 0 ? t`different` : places === 1 ? t`one place differs` : t`${places} places differ`
}

function SideOf({ name, page }: { name: string; page: PairedPage | undefined }) {
  return (
    <figure class="compare-side">
      <figcaption>{name}</figcaption>
      {page === undefined ? (
        <p class="muted">{t`No such page`}</p>
      ) : (
        <DrawnPageView page={page} regions={page.regions} name={t`Page ${page.number} of ${name}`} />
      )}
    </figure>
  )
}

export function nameOf(which: string): string {
  return which === 'draft' ? t`the draft` : `v${which}`
}
