/** One document's workspace: editors of its parts on the left, its pages on the right, following what is typed. */

import { type Signal, useComputed, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { type JsonValue, readJson } from '../../../core/json.ts'
import { parsePointer } from '../../../core/pointer.ts'
import { locatePointers } from '../../../core/positions.ts'
import { call } from '../../api/client.ts'
import type { Contract, DefinitionFamily, SourceDraft, Template } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { useDebounced } from '../../debounced.ts'
import { useAnswer } from '../../engines/ask.ts'
import type { CheckedDocument } from '../../engines/document.ts'
import { commandKey, useCommand } from '../../keys.ts'
import { t } from '../../language.ts'
import { recall, remember } from '../../memory.ts'
import { readParams, useParamTexts } from '../../params.ts'
import type { EditorProps } from '../../parts/editor-props.ts'
import { ParamFields } from '../../parts/param-fields.tsx'
import { activeTab, Tabs } from '../../parts/tabs.tsx'
import { changeQuery, place } from '../../router.ts'
import { type Draft, useDraft } from '../configuration/draft.ts'
import { sourceDraftPort } from '../configuration/source-draft.ts'
import { contractDraftPort, storedOf } from '../contract/contract-source.ts'
import { SuitePanel } from '../suite/suite-panel.tsx'
import { useFileDrop } from '../template/drop-zone.tsx'
import { type Bound, boundIn, type Filled, fillData, type Taken, takenByShown } from '../template/filled.ts'
import { bringIntoView } from '../template/sheets.tsx'
import { type UnsavedFile, useUnsavedFile } from '../template/unsaved-file.ts'
import { InputPane } from '../transformer/input-pane.tsx'
import { linesOf } from '../transformer/run.ts'
import { starterTransformer } from '../transformer/starter.ts'
import type { ContractLines } from './contract-lines.ts'
import type { Texts } from './fixes.ts'
import type { BrokenLink } from './links.ts'
import { PagesPane } from './pages-pane.tsx'
import { ContractPane, TemplatePane, TransformerPane } from './source-panes.tsx'
import { type Chosen, type Trace, traceOf } from './trace.ts'
import type { Part } from './trace-strip.tsx'

interface SpaceProps {
  model: DefinitionFamily
  contract: Contract
  /** The contract's version that the model names: its cases are the inputs. */
  version: number
  transformer: DefinitionFamily
  /** Undefined for a node that makes data only. */
  template: Template | undefined
  /** Ids of the transformers of the nodes above, outermost first. */
  above: readonly string[]
  reload(): Promise<void>
}

/** How long a pause in typing lasts before the texts are checked and run, and then before the server is asked for the pages. */
const pauseMs = 120
const pagesPauseMs = 180
/** All drafts together, whichever version the model names. */
const suiteTarget = { state: 'drafts', contract: 'draft' } as const
const nothing: CheckedDocument = {
  ...{ findings: [], pointers: [], params: {}, checked: undefined, lineage: [], sourceFindings: [], inputFindings: [] },
  links: [],
}

export function Space(props: SpaceProps) {
  const { model, contract, version, transformer, template, reload } = props
  const contractDraft = useDraft(contract.id, '', contractDraftPort(contract.id))
  useLayoutEffect(() => contractDraft.takeIn(storedOf(contract)), [contract])
  const sourceDraft = useDraft(
    transformer.id,
    starterTransformer,
    sourceDraftPort(`/api/v1/transformers/${transformer.id}`),
  )
  const file = useUnsavedFile(template, reload)
  const input = useInput(contract.id)
  const params = useParamTexts(transformer.id)
  const space = useDocument({
    ...props,
    contractDraft,
    sourceDraft,
    file,
    input: input.value,
    paramTexts: params.texts,
  })
  const { answer, bindings, filled, shown, isStale, inputText } = space
  const { links, output } = answer
  // What was made last stays beside the pages that were made of it.
  const made = useRef<Pick<CheckedDocument, 'lineage' | 'output'>>(nothing)
  if (output !== undefined) made.current = answer
  const { lineage } = made.current

  const chosen = useSignal<Chosen | undefined>(undefined)
  const bound = useMemo(() => boundIn(bindings ?? [], made.current.output ?? {}), [bindings, made.current])
  const trace = useMemo(() => {
    const found = chosen.value && traceOf(chosen.value, { lineage, bindings: bound })
    return found === undefined || found.outputs.length + found.bindings.length === 0 ? undefined : found
  }, [chosen.value, lineage, bound])
  const litBindings = useMemo(() => new Set<Bound>(trace?.bindings), [trace])
  const inputLines = useMemo(() => linesOf(inputText, trace?.inputs ?? []), [inputText, trace])
  const contractLines = useContractLines(space.schema, trace, links)

  const isNarrow = useNarrow()
  const tabs = tabsFor({ contractDraft, sourceDraft, file, links, hasTemplate: template !== undefined })
  const asked = activeTab(tabs)
  const tab = asked === 'pages' && !isNarrow.value ? 'transformer' : asked
  const show = (part: string) => changeQuery({ tab: part === 'input' ? undefined : part })

  const reveals = {
    input: useSignal<EditorProps['reveal']>(undefined),
    contract: useSignal<EditorProps['reveal']>(undefined),
    transformer: useSignal<EditorProps['reveal']>(undefined),
  }
  const left = useRef<HTMLDivElement>(null)
  const right = useRef<HTMLDivElement>(null)
  // Brings what is lit into view, except in the clicked pane; lines only once, since people who type scroll themselves.
  const revealed = useRef<{ chosen: Chosen; tab: string }>(undefined)
  useLayoutEffect(() => {
    if (revealed.current?.tab !== tab) revealed.current = undefined
    if (trace === undefined || chosen.value === undefined || chosen.value.in === tab) return
    if (revealed.current?.chosen === chosen.value) return
    const first: Record<string, number | undefined> = {
      input: linesOf(inputText, ownFirst(trace.inputs).slice(0, 1))[0],
      contract: contractLines.isAnswered.peek() ? contractLines.lit[0] : undefined,
      transformer: trace.lines.at(-1),
    }
    const line = first[tab]
    if (line === undefined) return
    revealed.current = { chosen: chosen.value, tab }
    reveals[tab as keyof typeof reveals].value = { line, column: 1, quietly: true }
  }, [chosen.value, tab, trace, contractLines.lit])
  useLayoutEffect(() => {
    if (trace === undefined || chosen.value === undefined) return
    for (const [box, name, lit] of [
      [left.current, 'template', '.workspace-pane:not([hidden]) .bound[aria-pressed=true]'],
      [
        right.current,
        'page',
        '.sheet-mark[aria-pressed=true], .output-line[aria-pressed=true], .output-line[data-lit]',
      ],
    ] as const) {
      const found = chosen.value.in === name ? null : box?.querySelector(lit)
      if (box && found && found.getClientRects().length > 0) bringIntoView(found.closest('.pane') ?? box, found)
    }
  }, [chosen.value, tab, trace])

  // Opens the tab of a draft that waits for a decision.
  const waits = contractDraft.conflict.value
    ? 'contract'
    : sourceDraft.conflict.value
      ? 'transformer'
      : file.collision.value
        ? 'template'
        : undefined
  useEffect(() => {
    if (waits !== undefined) show(waits)
  }, [waits])

  const unsaved = [contractDraft.isDirty.value, sourceDraft.isDirty.value, file.file.value !== undefined].filter(
    Boolean,
  )
  const save = async () => {
    await Promise.all([contractDraft.save(), sourceDraft.save(), file.save()])
  }
  useCommand('s', save)
  const texts: Texts = { contract: contractDraft.text.value, transformer: sourceDraft.text.value }
  const mend = (mended: Texts) => {
    if (mended.contract !== texts.contract) contractDraft.edit(mended.contract)
    if (mended.transformer !== texts.transformer) sourceDraft.edit(mended.transformer)
  }
  const drop = useFileDrop(file.take)
  const choose = (one: Chosen | undefined) => {
    chosen.value = one
  }
  const cases = contract.versions.find(({ number }) => number === version)
  const paneOf = (key: string) => ({ class: 'workspace-pane', hidden: tab !== key })
  const declared = answer.params

  // Families say it before their drafts are read: the suite need not run again for that.
  const saved = [
    contractDraft.stored.value?.revision ?? contract.draft_revision,
    sourceDraft.stored.value?.revision ?? transformer.draft_revision,
    file.draft.value.value?.revision ?? template?.draft_revision,
  ]

  return (
    <>
      <div class="workspace" data-tab={asked}>
        <div class="workspace-bar">
          <Tabs label={t`Parts of the document`} tabs={tabs} keeps={['node', 'case', 'view']} />
          <button
            type="button"
            class="button button-primary button-small"
            disabled={unsaved.length === 0}
            onClick={() => void save()}
          >
            {unsaved.length < 2 ? t`Save` : t`Save ${unsaved.length} drafts`} <kbd>{commandKey} S</kbd>
          </button>
        </div>
        <div class="workspace-left" ref={left}>
          <div {...paneOf('input')}>
            {Object.keys(declared).length > 0 && (
              <fieldset class="pane-params">
                <legend class="offscreen">{t`Values that every run must be given`}</legend>
                <ParamFields declared={declared} texts={params.texts} onChange={params.change} />
              </fieldset>
            )}
            <InputPane
              contractVersionId={cases?.id}
              contractId={contract.id}
              input={input}
              findings={answer.inputFindings}
              litLines={inputLines}
              reveal={reveals.input}
              onLine={(line) => {
                const pointers = pointersOnLine(
                  inputText,
                  line,
                  lineage.flatMap(({ inputs }) => inputs),
                )
                if (pointers.length > 0) choose({ in: 'input', pointers })
              }}
            />
          </div>
          <div {...paneOf('contract')}>
            <ContractPane
              contract={contract}
              draft={contractDraft}
              links={links}
              litLines={contractLines.lit}
              linkFindings={contractLines.findings}
              reveal={reveals.contract}
              reload={reload}
              texts={texts}
              mend={mend}
            />
          </div>
          <div {...paneOf('transformer')}>
            <TransformerPane
              transformer={transformer}
              draft={sourceDraft}
              answer={answer}
              litLines={trace?.lines ?? []}
              reveal={reveals.transformer}
              onLine={(line) => choose({ in: 'transformer', line })}
              reload={reload}
              texts={texts}
              mend={mend}
            />
          </div>
          {template !== undefined && (
            <div {...paneOf('template')}>
              <TemplatePane
                template={template}
                file={file}
                drop={drop}
                bindings={bound}
                isRead={bindings !== undefined}
                errors={filled?.errors ?? []}
                drawn={shown?.drawn}
                links={links}
                isLit={(binding) => litBindings.has(binding)}
                onSelect={(place, pointer) => choose({ in: 'template', place, pointer })}
                reload={reload}
                texts={texts}
                mend={mend}
              />
            </div>
          )}
        </div>
        <div class="workspace-right" ref={right}>
          <PagesPane
            template={template}
            shown={shown}
            errors={filled?.errors ?? []}
            problem={space.problem ?? contractLines.problem.value}
            again={space.problem === undefined ? contractLines.again : space.again}
            isWorking={space.isWorking}
            isStale={isStale}
            why={whyNothing(answer, inputText, space.isAnswered)}
            output={output}
            drop={drop}
            fileName={file.file.value?.name}
            trace={trace}
            chosen={chosen.value}
            choose={choose}
            valueAt={(pointer) => valueText(inputText, pointer)}
            show={(part: Part) => show(part)}
          />
        </div>
      </div>
      <SuitePanel
        model={{ ingestion_model_id: model.id, name: model.name }}
        target={suiteTarget}
        runKey={saved.join(' ')}
        mayEdit
        isOwn
      />
    </>
  )
}

/** The sources of a value, the deepest first: in a loop, those of its current item. */
function ownFirst(pointers: readonly string[]): string[] {
  const depthOf = (pointer: string) => pointer.split('/').length
  return [...pointers].sort((a, b) => depthOf(b) - depthOf(a))
}

/** The input to try; pasted text is kept for the tab. */
function useInput(contractId: string): Signal<string> {
  const key = `workspace-input-${contractId}`
  const input = useSignal(place.value.query.get('case') === 'pasted' ? (recall(key, 'tab') ?? '') : '')
  const isPasted = place.value.query.get('case') === 'pasted'
  useEffect(() => {
    if (isPasted) remember(key, input.value, 'tab')
  }, [isPasted, input.value])
  return input
}

interface DocumentParts extends SpaceProps {
  contractDraft: Draft<unknown>
  sourceDraft: Draft<{ format: SourceDraft['format'] }>
  file: UnsavedFile
  input: string
  paramTexts: Readonly<Record<string, string>>
}

/** What the engines and the server make of the texts as they are. */
function useDocument({ contractDraft, sourceDraft, file, input, paramTexts, template, above }: DocumentParts) {
  const isRead = !contractDraft.isPending.value && !sourceDraft.isPending.value
  const schema = useDebounced(contractDraft.text.value, pauseMs)
  const source = useDebounced(sourceDraft.text.value, pauseMs)
  const inputText = useDebounced(input, pauseMs)
  const format = sourceDraft.stored.value?.extra.format ?? 'yaml'
  const aboveSources = useWork(above.length === 0 ? undefined : above.join(' '), (signal) =>
    Promise.all(above.map((id) => call<SourceDraft>(`/api/v1/transformers/${id}/draft`, { signal }))),
  ).value.value
  const lastFile = useSignal<{ taken: number; ofFile: Taken } | undefined>(undefined)
  const ofFile = lastFile.value?.taken === file.taken.value ? lastFile.value.ofFile : undefined
  const { bindings, includesOthers } = takenByShown(file.file.value === undefined ? file.draft.value.value : ofFile)
  const declared = useSignal<CheckedDocument['params']>({})
  const given = JSON.stringify(readParams(declared.value, paramTexts).values)
  const asked = useMemo(() => {
    if (!isRead || (above.length > 0 && aboveSources === undefined)) return undefined
    const params = JSON.parse(given) as Record<string, JsonValue>
    const sources = aboveSources ?? []
    return { schema, source, format, bindings, includesOthers, input: inputText, params, above: sources }
  }, [isRead, schema, source, format, bindings, includesOthers, inputText, given, aboveSources])
  const { answer: newest, isAnswered, problem: unanswered, again: askAgain } = useAnswer('document', asked)
  const answer = newest.value ?? nothing
  useLayoutEffect(() => {
    // A source that is half written still has the fields of the last one that was whole.
    if (newest.value !== undefined && Object.keys(newest.value.params).length > 0) declared.value = newest.value.params
  }, [newest.value])

  const { file: unsaved, taken, draft } = file
  const made = answer.output === undefined ? undefined : JSON.stringify(answer.output)
  // Without data a file still says what it binds.
  const data = useDebounced(made ?? (unsaved.value === undefined ? '' : '{}'), pagesPauseMs)
  const subject = unsaved.value === undefined ? draft.value.value?.revision : `file ${taken.value}`
  const isReady = template !== undefined && subject !== undefined && data !== ''
  const filling = useWork<Filled>(isReady ? `${subject} ${data}` : undefined, (abort) =>
    fillData(
      template?.id ?? '',
      JSON.parse(data) as JsonValue,
      unsaved.value === undefined ? { bindings: draft.value.value?.bindings ?? [] } : { file: unsaved.value },
      abort,
    ),
  )
  const filled = filling.value.value
  useLayoutEffect(() => {
    if (filled?.ofFile !== undefined) lastFile.value = { taken: taken.value, ofFile: filled.ofFile }
  }, [filled])
  // The old pages stay until there are new ones.
  const last = useRef<Filled>(undefined)
  if (filled?.drawn !== undefined) last.current = filled
  const isWorking = filling.isRunning.value || (isRead && !isAnswered.value && unanswered.value === undefined)
  return {
    ...{ answer, isAnswered: isAnswered.value, bindings, filled, schema, inputText, isWorking },
    shown: last.current,
    isStale: last.current !== undefined && last.current !== filled && !isWorking,
    problem: unanswered.value ?? filling.problem.value,
    again: unanswered.value === undefined ? filling.again : askAgain,
  }
}

/** Where a contract declares what was read. The engines' thread looks: a contract may be long. */
function useContractLines(text: string, trace: Trace | undefined, links: readonly BrokenLink[]) {
  const asked = useMemo(() => {
    const undeclared = links.filter(({ contractPlace }) => contractPlace !== undefined)
    const inputs = ownFirst(trace?.inputs ?? [])
    return inputs.length + undeclared.length === 0 ? undefined : { text, inputs, undeclared }
  }, [text, trace, links])
  const { answer, ...asking } = useAnswer('contractLines', asked)
  const { lit, findings } = (asked && answer.value) ?? noLines
  return { lit, findings, ...asking }
}

const noLines: ContractLines = { lit: [], findings: [] }

interface TabParts {
  contractDraft: Draft<unknown>
  sourceDraft: Draft<unknown>
  file: UnsavedFile
  links: readonly BrokenLink[]
  hasTemplate: boolean
}

function tabsFor({ contractDraft, sourceDraft, file, links, hasTemplate }: TabParts) {
  const errors = links.filter(({ severity }) => severity === 'error')
  const counted = (count: number) => (count === 0 ? {} : { count })
  const marked = (isUnsaved: boolean) => (isUnsaved ? { mark: t`unsaved` } : {})
  return [
    { key: 'input', title: t`Input` },
    {
      key: 'contract',
      title: t`Contract`,
      ...marked(contractDraft.isDirty.value),
      ...counted(errors.filter(({ kind }) => kind === 'undeclared').length),
    },
    { key: 'transformer', title: t`Transformer`, ...marked(sourceDraft.isDirty.value), ...counted(errors.length) },
    ...(hasTemplate
      ? [
          {
            key: 'template',
            title: t`Template`,
            ...marked(file.file.value !== undefined),
            ...counted(errors.filter(({ bindings }) => bindings.length > 0).length),
          },
        ]
      : []),
    { key: 'pages', title: hasTemplate ? t`Pages` : t`Data` },
  ]
}

/** Where both columns have no room beside each other, as the styles have it. */
function useNarrow(): Signal<boolean> {
  const query = useComputed(() => window.matchMedia('(max-width: 72rem)')).value
  const isNarrow = useSignal(query.matches)
  useEffect(() => {
    const change = () => {
      isNarrow.value = query.matches
    }
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  return isNarrow
}

function pointersOnLine(text: string, line: number, pointers: readonly string[]): string[] {
  if (!readJson(text).ok) return []
  return [...locatePointers(text, new Set(pointers))].flatMap(([pointer, at]) => (at.line === line ? pointer : []))
}

const maxValueChars = 40

function valueText(text: string, pointer: string): string | undefined {
  const read = readJson(text)
  if (!read.ok) return undefined
  const value = parsePointer(pointer)?.reduce<JsonValue | undefined>(
    (at, token) =>
      Array.isArray(at) ? at[Number(token)] : typeof at === 'object' && at !== null ? at[token] : undefined,
    read.value,
  )
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined
  const shown = String(value)
  return `“${shown.length > maxValueChars ? `${shown.slice(0, maxValueChars).toWellFormed()}…` : shown}”`
}

function whyNothing(answer: CheckedDocument, input: string, isAnswered: boolean): string | undefined {
  if (!isAnswered || answer.output !== undefined) return undefined
  if (input.trim() === '') return t`Choose a case or paste some input, and the pages show here as you type.`
  const [fault] = answer.sourceFindings
  if (fault !== undefined) return fault.line === undefined ? fault.message : t`Line ${fault.line}: ${fault.message}`
  return answer.inputFindings.length > 0 && answer.checked !== undefined
    ? t`The input can’t be read.`
    : t`The source has errors; they are below it.`
}
