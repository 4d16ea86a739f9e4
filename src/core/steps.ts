/**
 * The steps of an execution, in order, for everything that needs to know them: the runner (what a job needs, and what
 * becomes of its result), the descriptions (enums), the console (words). A new step is a row here and its maker in
 * runner/perform.ts.
 */
import { type FileFormat, fileFormatNames, isFileFormat } from './formats.ts'
import { namesOf } from './names.ts'

interface StepKind {
  title: string
  /** What the step does, in a few words, for the console. */
  does: string
  /** What a job for it brings along. */
  reads: readonly Material[]
  /** A step that makes a file runs only in executions that want the file; any other step runs in all. */
  makes?: 'output' | FileFormat
  /** What the paths of its issues point into. */
  issuesPointInto: 'rawInput' | 'transformer' | 'template'
  /** Takes moments, and shares a job with the small steps after it, which saves a round trip to the worker. */
  isSmall?: true
  /** The execution's status while this step waits for its first claim; `processing` by default. */
  waitsAs?: ExecutionStatus
}

/** The pinned configuration that steps read. */
export const sourceRoles = ['contract', 'transformer', 'template'] as const
export type SourceRole = (typeof sourceRoles)[number]

/** `input` is the raw input or the parent's output; `output` is what `transform.declarative` made. */
export type Material = SourceRole | FileFormat | 'rawInput' | 'input' | 'params' | 'output'

export const executionStatuses = ['queued', 'processing', 'awaiting_compose', 'completed', 'failed'] as const
export type ExecutionStatus = (typeof executionStatuses)[number]

export const stepStatuses = ['not_started', 'queued', 'running', 'succeeded', 'failed'] as const
export type StepStatus = (typeof stepStatuses)[number]

/** What a release is for: data alone, or files as well. */
export const processingKinds = ['transformation', 'document_generation'] as const
export type ProcessingKind = (typeof processingKinds)[number]

const table = {
  validate: {
    title: 'Validate',
    does: 'Raw input against its contract',
    reads: ['contract', 'rawInput'],
    issuesPointInto: 'rawInput',
    isSmall: true,
  },
  'transform.declarative': {
    title: 'Transform',
    does: 'Input to the document’s data',
    reads: ['contract', 'transformer', 'input', 'params'],
    makes: 'output',
    issuesPointInto: 'transformer',
    isSmall: true,
  },
  compose: {
    title: 'Compose',
    does: 'Template and data to DOCX',
    reads: ['template', 'output'],
    makes: 'docx',
    issuesPointInto: 'template',
    waitsAs: 'awaiting_compose',
  },
  render: {
    title: 'Render',
    does: 'DOCX to PDF',
    reads: ['docx'],
    makes: 'pdf',
    issuesPointInto: 'template',
  },
} as const satisfies Record<string, StepKind>

export type StepName = keyof typeof table

export const stepKinds: Readonly<Record<StepName, StepKind>> = table

export const stepNames = namesOf(table)

/** The steps of an execution that is to make these files; none for data alone. */
export function stepsFor(formats: readonly FileFormat[]): StepName[] {
  return stepNames.filter((name) => {
    const format = formatMadeBy(name)
    return format === undefined || formats.includes(format)
  })
}

/** The steps that always share the first job of a step: itself and, if it is small, the small ones right after it. */
export function stepsMadeWith(name: StepName): StepName[] {
  const rest = stepNames.slice(stepNames.indexOf(name))
  const large = rest.findIndex((other) => stepKinds[other].isSmall !== true)
  return rest.slice(0, Math.max(1, large === -1 ? rest.length : large))
}

export function formatMadeBy(name: StepName): FileFormat | undefined {
  const { makes } = stepKinds[name]
  return isFileFormat(makes) ? makes : undefined
}

/** @throws Error when no step makes it, which only a mistake in the tables can bring about */
export function makerOf(product: 'output' | FileFormat): StepName {
  const maker = stepNames.find((name) => stepKinds[name].makes === product)
  if (maker === undefined) throw new Error(`no step makes ${product}`)
  return maker
}

/** The files that another is made from, directly: a PDF from the DOCX. */
export function formatsBehind(format: FileFormat): FileFormat[] {
  return stepKinds[makerOf(format)].reads.filter(isFileFormat)
}

/** Whether each of these files can be made, because those behind it are made too. */
export function areMakeable(formats: readonly FileFormat[]): boolean {
  return formats.every((format) => formatsBehind(format).every((behind) => formats.includes(behind)))
}

/** Every choice of files that can be made: `[docx]`, `[docx, pdf]`. */
export function makeableChoices(): FileFormat[][] {
  let choices: FileFormat[][] = [[]]
  for (const format of fileFormatNames) choices = choices.flatMap((choice) => [choice, [...choice, format]])
  return choices.filter((choice) => choice.length > 0 && areMakeable(choice))
}
