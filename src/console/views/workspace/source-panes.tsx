/** The contract, the transformer and the template of a workspace: the editors of their own pages, with broken links. */

import type { Signal } from '@preact/signals'
import type { Finding } from '../../../core/finding.ts'
import type { Contract, DefinitionFamily, SourceFormat, Template } from '../../api/types.ts'
import { useAnswer } from '../../engines/ask.ts'
import type { CheckedDocument } from '../../engines/document.ts'
import { formatBytes } from '../../format.ts'
import { t } from '../../language.ts'
import type { EditorProps } from '../../parts/editor-props.ts'
import { Findings } from '../../parts/findings.tsx'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import type { Draft } from '../configuration/draft.ts'
import { DraftBar } from '../configuration/draft-bar.tsx'
import { DraftPending } from '../configuration/draft-pending.tsx'
import { EditorPane } from '../configuration/editor-pane.tsx'
import { freezeSource } from '../configuration/source-draft.ts'
import { type About, freezeContract } from '../contract/contract-source.ts'
import { ConvertOffer } from '../contract/convert-offer.tsx'
import { schemaCompletions } from '../contract/schema-completions.ts'
import { BoundList, Resolved } from '../template/bound-list.tsx'
import { DropField, type FileDrop } from '../template/drop-zone.tsx'
import { FileCollision } from '../template/file-collision.tsx'
import type { Bound, Filled } from '../template/filled.ts'
import { placeKey } from '../template/places.ts'
import type { UnsavedFile } from '../template/unsaved-file.ts'
import { checkedText, sourceCompletions } from '../transformer/source-words.ts'
import { LinkNote, LinkNotes, type Mending } from './link-notes.tsx'
import type { BrokenLink } from './links.ts'

interface PaneProps extends Mending {
  litLines: readonly number[]
  reveal: Signal<EditorProps['reveal']>
  reload(): Promise<void>
}

interface ContractPaneProps extends PaneProps {
  contract: Contract
  draft: Draft<About>
  links: readonly BrokenLink[]
  /** Where something isn't declared. */
  linkFindings: readonly Finding[]
}

export function ContractPane({
  contract,
  draft,
  links,
  linkFindings,
  reload,
  texts,
  mend,
  ...editor
}: ContractPaneProps) {
  const text = draft.text.value
  const { answer, problem, again } = useAnswer('schema', draft.isPending.value ? undefined : text)
  const { findings = [], older } = answer.value ?? {}
  if (draft.isPending.value) return <DraftPending draft={draft} />
  return (
    <>
      <DraftBar
        draft={draft}
        mayEdit
        hasErrors={findings.some(({ severity }) => severity === 'error')}
        freeze={async () => {
          const told = await freezeContract(contract.id, draft.stored.value?.revision)
          void reload()
          return told
        }}
      />
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={again} />}
      <EditorPane
        {...editor}
        label={t`Schema`}
        language="json"
        value={text}
        onChange={draft.edit}
        past={draft.past}
        findings={linkFindings.length === 0 ? findings : [...findings, ...linkFindings]}
        listed={findings}
        none={answer.value === undefined ? t`Reading it…` : t`A valid JSON Schema 2020-12`}
        completions={schemaCompletions}
      >
        {older !== undefined && <ConvertOffer older={older} take={draft.edit} />}
        <LinkNotes links={links.filter(({ contractPlace }) => contractPlace !== undefined)} texts={texts} mend={mend} />
      </EditorPane>
    </>
  )
}

interface TransformerPaneProps extends PaneProps {
  transformer: DefinitionFamily
  draft: Draft<{ format: SourceFormat }>
  answer: CheckedDocument
  onLine(line: number): void
}

export function TransformerPane({ transformer, draft, answer, reload, texts, mend, ...editor }: TransformerPaneProps) {
  if (draft.isPending.value) return <DraftPending draft={draft} />
  const findings = [...answer.findings, ...answer.sourceFindings]
  return (
    <>
      <DraftBar
        draft={draft}
        mayEdit
        hasErrors={answer.findings.some(({ severity }) => severity === 'error')}
        freeze={async () => {
          const told = await freezeSource(`/api/v1/transformers/${transformer.id}`, draft.stored.value?.revision)
          void reload()
          return told
        }}
      />
      <EditorPane
        {...editor}
        label={t`Source`}
        language={draft.stored.value?.extra.format ?? 'yaml'}
        value={draft.text.value}
        onChange={draft.edit}
        past={draft.past}
        findings={findings}
        listed={findings.filter((finding) => !isLink(finding, answer.links))}
        none={answer.checked === undefined ? t`No other mistakes` : checkedText(answer.checked)}
        completions={() => sourceCompletions(answer.pointers, draft.text.value)}
      >
        <LinkNotes links={answer.links} texts={texts} mend={mend} />
      </EditorPane>
    </>
  )
}

/** Whether the engine's finding is shown as a broken link already. */
function isLink({ code, line = 0, message }: Finding, links: readonly BrokenLink[]): boolean {
  if (code === 'unknown_path' || code === 'missing')
    return links.some(({ kind, lines }) => kind === 'undeclared' && lines.includes(line))
  if (code === 'unbound_binding') return message.endsWith('nothing writes it.')
  return code === 'unused_output' && links.some(({ kind, fix }) => kind === 'unused' || fix?.kind === 'rename-output')
}

interface TemplatePaneProps extends Mending {
  template: Template
  file: UnsavedFile
  drop: FileDrop
  bindings: readonly Bound[]
  /** Whether the bindings are known. */
  isRead: boolean
  errors: Filled['errors']
  drawn: Filled['drawn']
  links: readonly BrokenLink[]
  isLit(binding: Bound): boolean
  onSelect(place: string, pointer: string): void
  reload(): Promise<void>
}

export function TemplatePane(props: TemplatePaneProps) {
  const { template, file, drop, bindings, isRead, errors, drawn, links, isLit, onSelect, texts, mend } = props
  const path = `/api/v1/templates/${template.id}`
  const collision = file.collision.value
  if (collision !== undefined) {
    return (
      <FileCollision
        collision={collision}
        contentPath={`${path}/draft/content`}
        problem={file.problem.value}
        replace={() => file.decide('mine')}
        keepTheirs={() => file.decide('theirs')}
      />
    )
  }
  const stored = file.draft.value.value
  const unsaved = file.file.value
  const discarded = file.discarded.value
  const drawnPlaces = new Set(drawn?.pages.flatMap(({ marks }) => marks.map(placeKey)))
  const touching = links.filter((link) => link.bindings.length > 0)
  return (
    <>
      <div class="draft-bar">
        <p class="draft-state" role="status">
          {unsaved !== undefined
            ? t`${unsaved.name}, ${formatBytes(unsaved.size)}, not saved yet`
            : stored === undefined
              ? t`No file yet`
              : t`Revision ${stored.revision}, ${formatBytes(stored.byte_size)}`}
        </p>
        {unsaved !== undefined && (
          <>
            <button type="button" class="button button-quiet button-small" onClick={file.discard}>
              {t`Discard the file`}
            </button>
            <button
              type="button"
              class="button button-small"
              disabled={file.isSaving.value}
              onClick={() => void file.save()}
            >
              {file.isSaving.value ? t`Saving…` : t`Save`}
            </button>
          </>
        )}
        {unsaved === undefined && stored !== undefined && (
          <a class="button button-small" href={`${path}/draft/content`} download>
            <Icon name="download" size={16} /> {t`Download to edit in Word`}
          </a>
        )}
      </div>
      {file.problem.value !== undefined && <ProblemNote problem={file.problem.value} />}
      {discarded !== undefined && (
        <p class="note note-warning note-row" role="status">
          <Icon name="reset" />
          <span>{t`${discarded.name} was discarded.`}</span>
          <button type="button" class="button button-small" onClick={file.bringBack}>
            {t`Bring it back`}
          </button>
        </p>
      )}
      <section class="pane workspace-drop" data-drop={drop.isOver.value} aria-label={t`Template`} {...drop.handlers}>
        <header class="pane-head">
          <h2>{t`Bindings`}</h2>
          {/* While a link is broken, the values are those that were made last. */}
          {isRead && touching.length === 0 && <Resolved bindings={bindings} />}
          <DropField drop={drop} text={t`Another file`} />
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
        <section class="pane-body" tabIndex={0} aria-label={t`Bindings and their values`}>
          {isRead ? (
            <BoundList
              bindings={bindings}
              isLit={isLit}
              isDrawn={(binding) => drawnPlaces.has(placeKey(binding))}
              onSelect={(binding) => onSelect(placeKey(binding), binding.pointer)}
              note={(binding) => {
                const broken = touching.find((link) => link.bindings.includes(binding.pointer))
                return broken && <LinkNote link={broken} texts={texts} mend={mend} />
              }}
            />
          ) : (
            <p class="pane-empty">
              {stored === undefined && unsaved === undefined
                ? t`Drop a DOCX here, and its pages show at once.`
                : errors.length > 0
                  ? t`The file has mistakes, so its bindings can’t be listed.`
                  : t`Reading it…`}
            </p>
          )}
        </section>
        <div class="pane-foot">
          <LinkNotes links={links.filter(({ kind }) => kind === 'unused')} texts={texts} mend={mend} />
          {errors.length > 0 ? (
            <Findings
              none=""
              findings={errors.map(({ path: at, message }) => {
                return { code: 'docx', severity: 'error', message, ...(at === undefined ? {} : { path: at }) }
              })}
            />
          ) : (
            <p class="pane-note">{t`A DOCX dropped here or on the pages takes the file’s place.`}</p>
          )}
        </div>
      </section>
    </>
  )
}
