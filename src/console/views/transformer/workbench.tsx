/** Three panes: input, source and output, with the engine running in the page; a value shows where it comes from. */

import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import type { Finding } from '../../../core/finding.ts'
import type { DefinitionFamily } from '../../api/types.ts'
import { useDebounced } from '../../debounced.ts'
import { formatNumber } from '../../format.ts'
import { rich, t } from '../../language.ts'
import { type Declared, readParams, useParamTexts } from '../../params.ts'
import type { EditorProps } from '../../parts/editor-props.ts'
import { ParamFields } from '../../parts/param-fields.tsx'
import { useDraft } from '../configuration/draft.ts'
import { DraftBar } from '../configuration/draft-bar.tsx'
import { DraftPending } from '../configuration/draft-pending.tsx'
import { EditorPane } from '../configuration/editor-pane.tsx'
import type { Opened } from '../configuration/family-page.tsx'
import { noneText, useServerCheck } from '../configuration/server-check.ts'
import { freezeSource, sourceDraftPort } from '../configuration/source-draft.ts'
import { FamilySuites } from '../suite/suite-panel.tsx'
import { type Named, useNamed } from './context.ts'
import { InputPane } from './input-pane.tsx'
import { OutputView } from './output-view.tsx'
import { check, linesOf, pointersOf, run } from './run.ts'
import { checkedText, sourceCompletions } from './source-words.ts'
import { starterTransformer } from './starter.ts'

/** How long a pause in typing lasts before the source is checked and run. */
const pauseMs = 120

export function Workbench({ family, mayEdit, reload }: Opened<DefinitionFamily>) {
  const path = `/api/v1/transformers/${family.id}`
  const draft = useDraft(family.id, starterTransformer, sourceDraftPort(path))
  const format = draft.stored.value?.extra.format ?? 'yaml'
  const source = useDebounced(draft.text.value, pauseMs)
  const input = useSignal('')
  const inputText = useDebounced(input.value, pauseMs)
  const params = useParamTexts(family.id)
  const selected = useSignal<string | undefined>(undefined)
  const cursorLine = useSignal<number | undefined>(undefined)
  const revealSource = useSignal<EditorProps['reveal']>(undefined)
  const revealInput = useSignal<EditorProps['reveal']>(undefined)

  const named = useMemo(() => namesIn(source), [source])
  const { contract, bindings, contracts } = useNamed(named)
  const checked = useMemo(
    () => check(source, format, contract?.schema, bindings),
    [source, format, contract?.schema, bindings],
  )
  const ran = useMemo(
    () =>
      run(
        checked.transformer,
        inputText,
        contract?.schema,
        readParams(checked.transformer?.params ?? {}, params.texts).values,
      ),
    [checked, inputText, contract?.schema, params.texts],
  )
  const server = useServerCheck(path, {
    source,
    format,
    hasErrors: checked.findings.some(({ severity }) => severity === 'error'),
    mayEdit,
  })
  const findings = useMemo(
    () => [...checked.findings, ...server.findings, ...ran.sourceFindings],
    [checked, server.findings, ran],
  )
  // A source that is half written still has the fields of the last one that was whole.
  const known = useRef<Declared>({})
  if (checked.transformer !== undefined) known.current = checked.transformer.params
  const declared = known.current
  const hasErrors = [...checked.findings, ...server.findings].some((finding) => finding.severity === 'error')
  const origin = ran.lineage.find((entry) => entry.output === selected.value)
  const inputLines = useMemo(() => linesOf(inputText, origin?.inputs ?? []), [inputText, origin])
  const litOutputs = new Set(
    cursorLine.value === undefined
      ? []
      : ran.lineage.filter(({ lines }) => lines.at(-1) === cursorLine.value).map(({ output }) => output),
  )
  const pointers = useMemo(() => (contract === undefined ? [] : pointersOf(contract.schema)), [contract?.schema])

  function select(pointer: string | undefined): void {
    selected.value = pointer
    cursorLine.value = undefined
    const entry = ran.lineage.find(({ output }) => output === pointer)
    const line = entry?.lines.at(-1)
    if (line !== undefined) revealSource.value = { line, column: 1, quietly: true }
    const [place] = linesOf(inputText, entry?.inputs ?? [])
    if (place !== undefined) revealInput.value = { line: place, column: 1, quietly: true }
  }

  if (draft.isPending.value) return <DraftPending draft={draft} />
  return (
    <>
      <DraftBar
        draft={draft}
        mayEdit={mayEdit}
        hasErrors={hasErrors}
        freeze={async () => {
          const told = await freezeSource(path, draft.stored.value?.revision)
          void reload()
          return told
        }}
      />
      <div class="panes panes-three">
        <InputPane
          contractVersionId={contract?.versionId}
          contractId={contract?.id}
          input={input}
          findings={ran.inputFindings}
          litLines={inputLines}
          reveal={revealInput}
        />
        <EditorPane
          label={t`Source`}
          head={
            <header class="pane-head">
              <h2>{t`Source`}</h2>
              <ContractName named={named} known={contract !== undefined} count={contracts.length} />
            </header>
          }
          language={format}
          value={draft.text.value}
          {...(mayEdit ? { onChange: draft.edit } : {})}
          past={draft.past}
          findings={findings}
          none={noneText(server.state, checkedText(checked.transformer))}
          litLines={origin?.lines ?? []}
          reveal={revealSource}
          completions={() => sourceCompletions(pointers, draft.text.value)}
          onLine={(line) => {
            cursorLine.value = line
            selected.value = undefined
          }}
        />
        <section class="pane" aria-label={t`Output`}>
          <header class="pane-head">
            <h2>{t`Output`}</h2>
            {ran.fuelUsed !== undefined && <span class="pane-note">{rich`${formatNumber(ran.fuelUsed)} steps`}</span>}
          </header>
          {Object.keys(declared).length > 0 && (
            <fieldset class="pane-params">
              <legend class="offscreen">{t`Values that every run must be given`}</legend>
              <ParamFields declared={declared} texts={params.texts} onChange={params.change} />
            </fieldset>
          )}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard. */}
          <section class="pane-body" tabIndex={0} aria-label={t`Output text`}>
            {ran.output === undefined ? (
              <p class="pane-empty">{whyNothing(inputText, findings, ran.inputFindings)}</p>
            ) : (
              <OutputView output={ran.output} selected={selected.value} lit={litOutputs} onSelect={select} />
            )}
          </section>
          {ran.output !== undefined && (
            <div class="pane-foot origin" role="status">
              {origin === undefined ? (
                <p class="pane-note">
                  {t`Choose a value to see where it comes from, or put the cursor on a line of the source.`}
                </p>
              ) : (
                <>
                  <p>
                    {rich`${<code>{origin.output}</code>} from ${origin.lines.length === 1 ? t`line` : t`lines`} ${origin.lines.join(', ')}`}
                  </p>
                  <p class="chips">
                    {origin.inputs.length === 0 && <span class="pane-note">{t`nothing of the input`}</span>}
                    {origin.inputs.map((pointer) => (
                      <code class="chip" key={pointer}>
                        {pointer}
                      </code>
                    ))}
                  </p>
                </>
              )}
            </div>
          )}
        </section>
      </div>
      <FamilySuites familyId={family.id} revision={draft.stored.value?.revision} mayEdit={mayEdit} />
    </>
  )
}

function ContractName({ named, known, count }: { named: Named; known: boolean; count: number }) {
  if (named.contract === undefined) return <span class="pane-note">{t`names no contract`}</span>
  const text = `${named.contract.name}@${named.contract.version}`
  return (
    <span class="pane-note" data-known={known}>
      {known || count === 0 ? t`typed by ${text}` : t`there is no ${text}`}
    </span>
  )
}

function whyNothing(input: string, findings: readonly Finding[], inputFindings: readonly Finding[]): string {
  if (findings.some(({ severity }) => severity === 'error')) return t`The source has errors; they are below it.`
  if (input.trim() === '') return t`Choose a case or paste some input, and the output shows here as you type.`
  return inputFindings.length > 0 ? t`The input can’t be read.` : t`No output.`
}

/** The names that the source gives, read without compiling it: they are known while the rest is half written. */
function namesIn(source: string): Named {
  const nameOf = (key: string) => new RegExp(`^[ "]*${key}"?\\s*:\\s*["']?([^"'@\\n]+)@(\\d+)`, 'm').exec(source)
  const contract = nameOf('contract')
  const template = nameOf('template')
  return {
    contract: contract?.[1] === undefined ? undefined : { name: contract[1].trim(), version: Number(contract[2]) },
    template: template?.[1] === undefined ? undefined : { slug: template[1].trim(), version: Number(template[2]) },
  }
}
