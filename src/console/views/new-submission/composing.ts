/** The state of a submission that is being filled in: its text, the form's rows, the plan, and its sending. */

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Finding } from '../../../core/finding.ts'
import { joinPointer } from '../../../core/pointer.ts'
import type { InputFormat } from '../../../engines/ingestion/input-format.ts'
import { call, newIdempotencyKey } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useResource } from '../../api/resource.ts'
import {
  inputFindingsOf,
  inputFormatOf,
  type NewSubmission,
  planOf,
  type SubmissionPlan,
  submitInput,
} from '../../api/submit.ts'
import type { Case, Submission, Version } from '../../api/types.ts'
import { useWork } from '../../api/work.ts'
import { useDebounced } from '../../debounced.ts'
import type { CheckedInput } from '../../engines/answers.ts'
import { ask, useAnswer } from '../../engines/ask.ts'
import type { CheckedRows } from '../../engines/csv-rows.ts'
import type { InputRow } from '../../engines/input-rows.ts'
import { layOutJson } from '../../json-layout.ts'
import { t } from '../../language.ts'
import { readParams } from '../../params.ts'
import { useCorrected } from './corrected.ts'
import { type Filled, type Keeping, nothingFilled, useFilled } from './kept.ts'
import type { Target } from './target.tsx'

const pauseMs = 350
const noRows: readonly InputRow[] = []
const noFindings: readonly Finding[] = []
/** The input of the plan while nothing is filled in. */
const emptyInput = '{}'
const emptyLine = '\n'

export interface Composing extends Pick<Keeping, 'filled' | 'isKept' | 'change'> {
  rows: readonly InputRow[]
  /** Undefined until the text was read, and where it is no JSON. */
  checked: CheckedInput | undefined
  /** What the text is written in; undefined for JSON. */
  format: InputFormat | undefined
  /** The rows of a text in CSV, once it was read. */
  table: CheckedRows | undefined
  /** Why there is no form. */
  schemaProblem: string | undefined
  /** Findings about the text; missing values only once somebody wanted to submit. */
  findings: readonly Finding[]
  problems: ReadonlyMap<string, readonly string[]>
  /** `3 fields to fill in`; empty if none. */
  missingText: string
  plan: SubmissionPlan | undefined
  planProblem: ApiProblem | undefined
  isPlanOld: boolean
  sending: Signal<boolean>
  problem: Signal<ApiProblem | undefined>
  /** Set when somebody wanted to submit an input with problems: they are shown, and the next attempt submits it. */
  insists: Signal<boolean>
  /** The question to the engines that has no answer. */
  failed: { problem: Signal<ApiProblem | undefined>; again(): Promise<void> } | undefined
  /** Nothing can run at all. */
  isRefused: boolean
  corrects: string | undefined
  sentHere: Signal<string | undefined>
  sentBefore: Signal<Submission | undefined>
  sentFailed: Signal<boolean>
  /** What was there before a case or a file took its place. */
  replaced: Signal<{ before: Filled; told: string } | undefined>
  edit(text: string): void
  toggle(pointer: string): void
  choose(pointer: string, index: number): void
  setUnread(pointer: string, isUnread: boolean): void
  /** @param told what was done, in a sentence */
  replace(text: string, told: string): void
  takeCase(id: string): Promise<void>
  bringBack(): void
  clear(): void
  /** By the newest check and plan, which may still be about an earlier text. */
  hasProblem: boolean
  /** The pointer of the first row with a problem in what is filled in now; undefined if there is none. */
  findFirstProblem(): Promise<string | undefined>
  fieldProblem(field: string): string | undefined
  submit(): Promise<Submission | undefined>
}

export function useComposing(target: Target | undefined): Composing {
  const corrected = useCorrected()
  const base = target === undefined ? undefined : (target.model ?? target.release)
  const key = base === undefined ? undefined : corrected.id === undefined ? base : `${base}.${corrected.id}`
  const { filled, change, isKept, wasKept } = useFilled(key)
  const { text, reference, time, params, toggled, chosen } = filled.value
  const sending = useSignal(false)
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const insists = useSignal(false)
  const sentHere = useSignal<string | undefined>(undefined)
  const sentBefore = useSignal<Submission | undefined>(undefined)
  const sentFailed = useSignal(false)
  const replaced = useSignal<Composing['replaced']['value']>(undefined)
  const unread = useSignal<ReadonlySet<string>>(new Set())
  // One click, one submission: the key stays until what would be submitted is another.
  const attempt = useRef<{ content: string; key: string }>(undefined)

  const at = time === '' ? undefined : new Date(time)
  const hasTime = at !== undefined && !Number.isNaN(at.getTime())
  const about = {
    ...(target?.model === undefined ? {} : { ingestion_model: target.model }),
    ...(target?.release === undefined ? {} : { release_id: target.release }),
    ...(reference.trim() === '' ? {} : { object_reference: reference.trim() }),
    ...(hasTime ? { official_time: at.toISOString() } : {}),
  }

  // The params are declared by what runs, and the plan names them: its newest answer says how to read their texts.
  const declaredBefore = useRef<SubmissionPlan['params']>([])
  const declared = Object.fromEntries(declaredBefore.current.map(({ name, type }) => [name, type]))
  const { values } = readParams(declared, params)
  const given = Object.keys(values).length === 0 ? {} : { params: values }
  const formatBefore = useRef<InputFormat>(undefined)
  const empty = formatBefore.current === undefined ? emptyInput : emptyLine
  const body: NewSubmission = { ...about, ...given, raw_input: text === '' ? empty : text }
  const asked = target === undefined ? '' : JSON.stringify(body)
  const settled = useDebounced(asked, pauseMs)
  const work = useWork<SubmissionPlan>(settled === '' ? undefined : settled, (signal) =>
    planOf(JSON.parse(settled) as NewSubmission, signal),
  )
  const lastPlan = useRef<SubmissionPlan>(undefined)
  if (work.value.value !== undefined) {
    lastPlan.current = work.value.value
    declaredBefore.current = work.value.value.params
  }
  const plan = lastPlan.current
  const toldFormat = plan && JSON.stringify(inputFormatOf(plan))
  const format = useMemo(() => plan && inputFormatOf(plan), [toldFormat])
  formatBefore.current = format

  const { contract } = plan ?? {}
  const versionPath = contract && `/api/v1/contracts/${contract.family_id}/versions/${contract.version}`
  const version = useResource<Version>(versionPath)
  const lastSchema = useRef<string>(undefined)
  if (version.value.value?.schema !== undefined) lastSchema.current = version.value.value.schema
  const schema = lastSchema.current
  const question = useMemo(
    () =>
      schema === undefined || format !== undefined
        ? undefined
        : { schema, text: text === '' ? emptyInput : text, toggled, chosen },
    [schema, format, text, toggled, chosen],
  )
  const judging = useAnswer('input', question)
  const { answer, isAnswered } = judging
  const checked = format === undefined ? answer.value : undefined
  const askedRows = useMemo(
    () => (schema === undefined || format?.format !== 'csv' ? undefined : { schema, text, format }),
    [schema, text, format],
  )
  const readRows = useAnswer('rows', askedRows)
  const table = format?.format === 'csv' ? readRows.answer.value : undefined
  // XML is read by the server alone, which spares the console its parser.
  const planned = useMemo(
    () => (plan === undefined || format?.format !== 'xml' ? undefined : inputFindingsOf(plan)),
    [plan, format],
  )
  const lastRows = useRef(noRows)
  if (checked !== undefined && checked.rows.length > 0) lastRows.current = checked.rows
  // While somebody types in the text, it is JSON only now and then: the form waits.
  const rows =
    checked === undefined || checked.rows.length > 0 ? lastRows.current : checked.isJson ? noRows : lastRows.current

  // An empty form begins with what the contract leaves no choice in, or with what is corrected.
  useEffect(() => {
    // What is corrected may still be read, after another try.
    const isCorrected = corrected.id !== undefined
    if (checked === undefined || text !== '' || wasKept || isCorrected || replaced.peek() !== undefined) return
    if (checked.starter !== emptyInput) change({ text: checked.starter })
  }, [checked?.starter])
  useLayoutEffect(() => {
    if (corrected.filled !== undefined && !wasKept && filled.peek().text === '') change(corrected.filled)
  }, [corrected.filled])

  const shown = useMemo(
    () => problemsOf(rows, checked?.findings ?? [], { tellsMissing: insists.value }),
    [rows, checked?.findings, insists.value],
  )
  // What nobody has begun is no mistake until somebody wants to submit.
  const rowFindings = text === '' && !insists.value ? noFindings : (table?.findings ?? planned ?? noFindings)
  const isRefused = hasParamIssue(plan)
  const isPlanOld = settled !== asked || work.isRunning.value
  const corrects = corrected.id ?? (sentFailed.value ? sentBefore.value?.id : undefined)

  return {
    ...{ filled, change, isKept, rows, checked, format, table, plan, isPlanOld, isRefused },
    ...{ sending, problem, insists, corrects, sentHere, sentBefore, sentFailed, replaced },
    schemaProblem: version.problem.value?.detail ?? work.problem.value?.detail,
    failed: corrected.failed
      ? { problem: corrected.failed.problem, again: corrected.failed.reload }
      : [judging, readRows].find(({ problem }) => problem.value !== undefined),
    findings: format === undefined ? shown.findings : rowFindings,
    problems: shown.byPointer,
    missingText:
      shown.missing === 0 ? '' : t`${shown.missing} ${shown.missing === 1 ? t`field` : t`fields`} to fill in`,
    planProblem: settled === asked ? work.problem.value : undefined,
    hasProblem:
      unread.value.size > 0 || (checked?.findings ?? table?.findings ?? planned ?? []).length > 0 || isRefused,
    edit(next) {
      change({ text: next })
      problem.value = undefined
    },
    toggle(pointer) {
      const has = toggled.includes(pointer)
      change({ toggled: has ? toggled.filter((one) => one !== pointer) : [...toggled, pointer] })
    },
    choose: (pointer, index) => change({ chosen: { ...filled.peek().chosen, [pointer]: index } }),
    setUnread(pointer, isUnread) {
      if (unread.peek().has(pointer) === isUnread) return
      const next = new Set(unread.peek())
      if (isUnread) next.add(pointer)
      else next.delete(pointer)
      unread.value = next
    },
    replace(next, told) {
      replaced.value = { before: filled.peek(), told }
      change({ text: next, toggled: [], chosen: {} })
      insists.value = false
    },
    async takeCase(id) {
      try {
        const { payload } = await call<Case>(`/api/v1/cases/${id}`)
        replaced.value = { before: filled.peek(), told: t`Filled from a case.` }
        change({ text: layOutJson(payload).text, toggled: [], chosen: {} })
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        problem.value = error
      }
    },
    bringBack() {
      const { before } = replaced.peek() ?? {}
      replaced.value = undefined
      if (before !== undefined) change(before)
    },
    clear() {
      replaced.value = { before: filled.peek(), told: t`Emptied.` }
      change({ ...nothingFilled, text: checked?.starter === emptyInput ? '' : (checked?.starter ?? '') })
      insists.value = false
    },
    async findFirstProblem() {
      if (format?.format === 'xml') {
        const told = isPlanOld ? await planOf(body, new AbortController().signal).catch(() => undefined) : plan
        return (told?.issues.length ?? 0) > 0 ? '' : undefined
      }
      if (askedRows !== undefined) {
        const read = readRows.isAnswered.peek() ? table : await ask('rows', askedRows).catch(() => undefined)
        const planned = isPlanOld ? await planOf(body, new AbortController().signal).catch(() => undefined) : plan
        return (read?.findings.length ?? 0) > 0 || hasParamIssue(planned) ? '' : undefined
      }
      const [unreadPointer] = unread.peek()
      if (unreadPointer !== undefined) return unreadPointer
      // A key right after typing comes before the answers about what was typed.
      const [judged, planned] = await Promise.all([
        question === undefined || isAnswered.peek() ? checked : ask('input', question).catch(() => undefined),
        isPlanOld ? planOf(body, new AbortController().signal).catch(() => undefined) : plan,
      ])
      const found = judged?.findings ?? []
      if (found.length > 0) return problemsOf(judged?.rows ?? noRows, found, { tellsMissing: true }).all[0] ?? ''
      return hasParamIssue(planned) ? '' : undefined
    },
    fieldProblem(field) {
      const detail = settled === asked ? work.problem.value?.detail : undefined
      return detail?.startsWith(t`Body field ${field}`) === true ? detail : undefined
    },
    async submit() {
      if (sending.peek() || plan === undefined) return undefined
      const content: NewSubmission = { ...body, ...(corrects === undefined ? {} : { corrects }) }
      const identity = JSON.stringify(content)
      if (attempt.current?.content !== identity) attempt.current = { content: identity, key: newIdempotencyKey() }
      sending.value = true
      problem.value = undefined
      try {
        const made = await submitInput(content, attempt.current.key)
        attempt.current = undefined
        insists.value = false
        sentHere.value = made.id
        return made
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        problem.value = error
        return undefined
      } finally {
        sending.value = false
      }
    },
  }
}

function hasParamIssue(plan: SubmissionPlan | undefined): boolean {
  return plan?.issues.some(({ stage }) => stage === 'params') === true
}

interface Shown {
  byPointer: ReadonlyMap<string, readonly string[]>
  findings: readonly Finding[]
  /** Pointers of the rows with problems, shown or not. */
  all: readonly string[]
  missing: number
}

/**
 * Each finding at its row, or at the group that hides it. A field that nobody has filled in yet is no mistake until somebody
 * wants to submit.
 */
function problemsOf(
  rows: readonly InputRow[],
  findings: readonly Finding[],
  { tellsMissing }: { tellsMissing: boolean },
): Shown {
  const byRow = new Map(rows.filter(({ kind }) => kind !== 'variant').map((row) => [row.pointer, row]))
  const byPointer = new Map<string, string[]>()
  const all: string[] = []
  const told: Finding[] = []
  let missing = 0
  for (const finding of findings) {
    const name = /^must have the property ("(?:[^"\\]|\\.)*")/.exec(finding.message)?.[1]
    const isMissing = finding.keyword === 'required' && name !== undefined
    const pointer = isMissing ? joinPointer(finding.path ?? '', String(JSON.parse(name))) : (finding.path ?? '')
    const visible = visibleOf(byRow, pointer)
    if (isMissing) missing++
    all.push(visible)
    if (isMissing && !tellsMissing) continue
    told.push(finding)
    const message =
      visible !== pointer
        ? t`Inside: ${finding.message}`
        : isMissing
          ? missingWord(byRow.get(visible))
          : finding.message
    const known = byPointer.get(visible)
    if (known === undefined) byPointer.set(visible, [message])
    else if (known.length < 3) known.push(message)
  }
  // In the order of the form.
  const order = new Map(rows.map(({ pointer }, index) => [pointer, index]))
  all.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
  return { byPointer, findings: told, all, missing }
}

function missingWord(row: InputRow | undefined): string {
  return row?.kind === 'object' ? t`is required: fill in what is inside` : t`is required`
}

function visibleOf(rows: ReadonlyMap<string, InputRow>, pointer: string): string {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (rows.has(at)) return at
  return ''
}
