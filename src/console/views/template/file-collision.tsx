/** Two people put a file in the place of one draft: what is known of each, and which of them stays. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ApiProblem } from '../../api/problem.ts'
import type { TemplateDraft } from '../../api/types.ts'
import { formatBytes } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { Icon } from '../../parts/icon.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'

export interface Collision {
  file: File
  /** The draft that the file was meant to replace. */
  base: TemplateDraft | undefined
  theirs: TemplateDraft
}

interface FileCollisionProps {
  collision: Collision
  /** Where the draft's content is. */
  contentPath: string
  problem: ApiProblem | undefined
  replace(): void
  keepTheirs(): void
}

export function FileCollision({ collision, contentPath, problem, replace, keepTheirs }: FileCollisionProps) {
  const { file, base, theirs } = collision
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [theirs])
  const added = bindingsOnlyIn(theirs, base)
  const removed = base === undefined ? [] : bindingsOnlyIn(base, theirs)
  return (
    <section class="panel conflict" aria-labelledby="collision-title">
      <header class="conflict-head">
        <h2 id="collision-title" ref={heading} tabIndex={-1}>
          <Icon name="alert" /> {t`Somebody else changed the file`}
        </h2>
        <p class="muted">
          {rich`Revision ${theirs.revision} was saved while you worked on ${base === undefined ? t`the first file` : t`revision ${base.revision}`}. Two DOCX files can’t be merged here: open theirs in Word if you want both. Nothing of yours is saved yet.`}
        </p>
        {problem !== undefined && <ProblemNote problem={problem} />}
      </header>
      <div class="meeting">
        <div class="meeting-place">
          <div class="meeting-sides">
            <figure class="meeting-side meeting-file">
              <figcaption>{t`Before`}</figcaption>
              {base === undefined ? <p class="muted">{t`no file`}</p> : <DraftFacts draft={base} />}
            </figure>
            <figure class="meeting-side meeting-file">
              <figcaption>{t`Theirs`}</figcaption>
              <DraftFacts draft={theirs} />
              <p>
                {added.length === 0 && removed.length === 0 ? t`The same bindings as before` : t`Other bindings:`}{' '}
                {[...added.map((pointer) => `+ ${pointer}`), ...removed.map((pointer) => `− ${pointer}`)].map(
                  (text) => (
                    <code class="chip" key={text}>
                      {text}
                    </code>
                  ),
                )}
              </p>
              <a class="button button-small" href={contentPath} download>
                <Icon name="download" size={16} /> {t`Download theirs`}
              </a>
            </figure>
            <figure class="meeting-side meeting-file">
              <figcaption>{t`Mine`}</figcaption>
              <p>
                <strong>{file.name}</strong>
              </p>
              <p class="muted">{formatBytes(file.size)}</p>
            </figure>
          </div>
        </div>
      </div>
      <footer class="conflict-foot">
        <span class="muted" />
        <button type="button" class="button" onClick={keepTheirs}>
          {t`Keep theirs`}
        </button>
        <button type="button" class="button button-primary" onClick={replace}>
          {t`Put mine in its place`}
        </button>
      </footer>
    </section>
  )
}

function DraftFacts({ draft }: { draft: TemplateDraft }) {
  return (
    <>
      <p>
        <strong>{rich`Revision ${draft.revision}`}</strong>
      </p>
      <p class="muted">{rich`${formatBytes(draft.byte_size)}, saved ${<Moment at={draft.updated_at} />}`}</p>
    </>
  )
}

function bindingsOnlyIn({ bindings = [] }: TemplateDraft, other: TemplateDraft | undefined): string[] {
  const known = new Set(other?.bindings?.map(({ pointer }) => pointer))
  return [...new Set(bindings.map(({ pointer }) => pointer))].filter((pointer) => !known.has(pointer))
}
