/** Two people changed one draft: what each of them did beside what both began from, and the choice where they collide. */

import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { rich, t } from '../../language.ts'
import { type Choice, type Lines, mergedText, type Region } from '../../merge.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Meeting } from './draft.ts'

interface DraftConflictProps {
  meeting: Meeting
  decide(text: string): void
  takeTheirs(): unknown
}

type Choices = ReadonlyMap<Region, Choice>

export function DraftConflict({ meeting, decide, takeTheirs }: DraftConflictProps) {
  const choices = useSignal<Choices>(new Map())
  const heading = useRef<HTMLHeadingElement>(null)
  const { theirRevision, baseRevision, regions } = meeting
  const collisions = regions.filter(({ verdict }) => verdict === 'collision')
  const open = collisions.filter((region) => !choices.value.has(region)).length
  const merged = mergedText(regions, choices.value)
  useLayoutEffect(() => heading.current?.focus(), [meeting])
  const choose = (...chosen: readonly (readonly [Region, Choice])[]) => {
    choices.value = new Map([...choices.value, ...chosen])
  }
  return (
    <section class="panel conflict" aria-labelledby="conflict-title">
      <header class="conflict-head">
        <h2 id="conflict-title" ref={heading} tabIndex={-1}>
          <Icon name="alert" />{' '}
          {rich`${collisions.length === 1 ? t`One place` : t`${collisions.length} places`} where two people wrote`}
        </h2>
        <p class="muted">
          {rich`Revision ${theirRevision} was saved by somebody else while you edited ${baseRevision === undefined ? t`a new draft` : t`revision ${baseRevision}`}. What only one of you changed is merged; choose the rest. Nothing is saved until you save it.`}
        </p>
        <p class="conflict-tools">
          <button
            type="button"
            class="button button-small"
            onClick={() => choose(...collisions.map((region) => [region, 'theirs'] as const))}
          >
            {t`Theirs everywhere`}
          </button>
          <button
            type="button"
            class="button button-small"
            onClick={() => choose(...collisions.map((region) => [region, 'mine'] as const))}
          >
            {t`Mine everywhere`}
          </button>
        </p>
      </header>
      <MeetingTable meeting={meeting} choices={choices.value} choose={(region, choice) => choose([region, choice])} />
      <footer class="conflict-foot">
        <span class="muted" role="status">
          {open === 0 ? t`All is decided.` : t`${open} of ${collisions.length} still to choose.`}
        </span>
        <button type="button" class="button button-quiet" onClick={() => void takeTheirs()}>
          {t`Discard mine`}
        </button>
        <button
          type="button"
          class="button button-primary"
          disabled={merged === undefined}
          onClick={() => merged !== undefined && decide(merged)}
        >
          {t`Go on with the merged text`}
        </button>
      </footer>
    </section>
  )
}

interface MeetingTableProps {
  meeting: Meeting
  choices?: Choices
  /** Left out if nothing is left to decide. */
  choose?(region: Region, choice: Choice): void
}

/** Three columns: what both began from, theirs, mine. Lines that nobody changed are counted. */
export function MeetingTable({ meeting, choices = new Map(), choose }: MeetingTableProps) {
  const { baseRevision, theirRevision, regions } = meeting
  return (
    <div class="meeting">
      <p class="meeting-titles" aria-hidden="true">
        <span>{baseTitle(baseRevision)}</span>
        <span>{rich`Theirs, revision ${theirRevision}`}</span>
        <span>{t`Mine`}</span>
      </p>
      {regions.map((region) =>
        region.verdict === 'same' ? (
          <p class="meeting-same" key={keyOf(region)}>
            {rich`${region.base.texts.length === 1 ? t`One line is` : t`${region.base.texts.length} lines are`} the same`}
          </p>
        ) : (
          <Place key={keyOf(region)} meeting={meeting} region={region} choice={choices.get(region)} choose={choose} />
        ),
      )}
    </div>
  )
}

function keyOf({ base, theirs, mine }: Region): string {
  return `${base.line} ${theirs.line} ${mine.line}`
}

function baseTitle(revision: number | undefined): string {
  return revision === undefined ? t`Before` : t`Before, revision ${revision}`
}

const outcomes: Readonly<Partial<Record<Region['verdict'], string>>> = {
  theirs: t`Only they changed this: taken`,
  mine: t`Only you changed this: kept`,
  alike: t`You both made the same change`,
}

const choiceTexts = [
  ['theirs', t`Theirs`],
  ['mine', t`Mine`],
  ['both', t`Both, theirs first`],
] as const

interface PlaceProps {
  meeting: Meeting
  region: Region
  choice: Choice | undefined
  choose: MeetingTableProps['choose']
}

function Place({ meeting, region, choice, choose }: PlaceProps) {
  const group = useId()
  const { verdict, base, theirs, mine } = region
  const taken = verdict === 'collision' ? choice : verdict
  return (
    <section class="meeting-place" aria-label={t`Line ${mine.line}`}>
      <div class="meeting-decision">
        <strong>{rich`Line ${mine.line}`}</strong>
        {verdict === 'collision' ? (
          <fieldset class="meeting-choices">
            <legend class="offscreen">{rich`What to take at line ${mine.line}`}</legend>
            {choiceTexts.map(([value, text]) => (
              <label key={value}>
                <input type="radio" name={group} checked={choice === value} onChange={() => choose?.(region, value)} />{' '}
                {text}
              </label>
            ))}
          </fieldset>
        ) : (
          <span class="muted">{outcomes[verdict]}</span>
        )}
      </div>
      <div class="meeting-sides">
        <Side title={baseTitle(meeting.baseRevision)} of={base} />
        <Side
          title={t`Theirs, revision ${meeting.theirRevision}`}
          of={theirs}
          fate={taken === undefined ? undefined : taken === 'mine' ? 'dropped' : 'taken'}
        />
        <Side
          title={t`Mine`}
          of={mine}
          fate={taken === undefined ? undefined : taken === 'theirs' ? 'dropped' : 'taken'}
        />
      </div>
    </section>
  )
}

interface SideProps {
  title: string
  of: Lines
  /** What becomes of both sides, once it is known. */
  fate?: 'taken' | 'dropped' | undefined
}

/** One side's lines, by their numbers. */
export function Side({ title, of: { line, texts }, fate }: SideProps) {
  return (
    <figure class="meeting-side" data-fate={fate}>
      <figcaption>{title}</figcaption>
      {texts.length === 0 ? (
        <p class="meeting-none">{t`nothing`}</p>
      ) : (
        <ol start={line}>
          {texts.map((text, index) => (
            <li key={line + index} value={line + index}>
              <code>{text === '' ? ' ' : text}</code>
            </li>
          ))}
        </ol>
      )}
    </figure>
  )
}
