/** What `quire check` says of files that are in force together. */
import type { Finding } from '../core/finding.ts'
import type { TextFormat } from '../core/formats.ts'
import { isJsonObject, type JsonValue, readJson } from '../core/json.ts'
import { newestReading } from '../core/reading.ts'
import { compileTransformer } from '../engines/declarative/declarative.ts'
import { formatSource } from '../engines/declarative/format.ts'
import { annotateTemplate } from '../engines/docx/annotate.ts'
import { compileTemplate } from '../engines/docx/docx.ts'
import type { ModelNode } from '../engines/ingestion/ingestion-model.ts'
import { compileModel } from '../modules/drafts/conditions.service.ts'
import type { SourceText } from '../modules/versions/versions.service.ts'
import { type ContractFile, contractNamed, readContractFile } from '../project/contract-files.ts'
import { fragmentsBeside } from '../project/fragment-files.ts'
import { fixedContract, reviewContract } from './check-contract.ts'
import { missingParts } from './check-files.ts'
import { type CheckedTemplate, unresolvedTemplate, wantedOf } from './check-pairs.ts'
import { withAuthorsPlaces } from './check-places.ts'
import { checkAgainstContract } from './check-template.ts'
import { UsageError } from './command.ts'
import { CommandFailure, readInput, standardInput, writeOutput } from './files.ts'
import { checkReviewText, isReviewText, writeReviewText } from './review-text.ts'

type Kind = 'template' | 'review text' | 'contract' | 'transformer' | 'ingestion model' | 'unknown'

export interface CheckedFile {
  path: string
  kind: Kind
  format: TextFormat
  bytes: Uint8Array
}

/** Files that are in force together, and what is done with them. */
export interface CheckedStage {
  files: readonly CheckedFile[]
  /** What was named on the command line. */
  named: readonly string[]
  /** The contract that was given besides the files. */
  given?: { path: string; text: string; schema: JsonValue | undefined } | undefined
  /** Whether a file is formatted, converted, or its text written; none if it is left out. */
  fixes?: ((path: string) => boolean) | undefined
  /** Where a copy of the one template is written, with its findings as comments. */
  annotate?: string | undefined
  /** Called with each file's findings. */
  print: (path: string, findings: readonly Finding[]) => void
  /** Called with what a fix did. */
  say: (text: string) => void
}

/** @throws UsageError for several templates to annotate; CommandFailure for a file that can't be written */
export async function checkStage(stage: CheckedStage): Promise<void> {
  const { files, named: positionals, given, print, say } = stage
  const contract = given?.schema
  const fixes = stage.fixes ?? (() => false)
  // Contracts come last, since only the transformers tell which of their arrays are looped over.
  const contracts = files
    .filter(({ kind }) => kind === 'contract')
    .map(({ path, bytes }) => [path, fixes(path) ? fixedContract(path, textOf(bytes), say) : textOf(bytes)] as const)
  if (given !== undefined) contracts.unshift([given.path, given.text])
  const contractFiles = contracts.flatMap(([path, text]) => {
    const read = readContractFile(path, text)
    return read.ok ? [read.value] : []
  })
  const loopedPointers: string[] = []
  const transformerCount = files.filter(({ kind }) => kind === 'transformer').length
  const hasTransformer = transformerCount > 0
  const templates: CheckedTemplate[] = []
  const templateFiles = files.filter(({ kind }) => kind === 'template')
  if (stage.annotate !== undefined && templateFiles.length !== 1) throw new UsageError(oneToAnnotate)
  const templatesByPath = new Map(templateFiles.map(({ path, bytes }) => [path, bytes]))
  for (const { path, bytes } of templateFiles) {
    const fragments = fragmentsBeside(path, bytes, templatesByPath)
    const template = compileTemplate(bytes, newestReading, fragments)
    const bindings = template.ok ? template.value.bindings : undefined
    const isCompared = bindings !== undefined && contract !== undefined && !hasTransformer
    const unfit = isCompared ? checkAgainstContract(bindings, contract) : []
    const located = await withAuthorsPlaces(bytes, [...template.findings, ...unfit], fragments)
    print(path, located)
    if (stage.annotate !== undefined) writeAnnotated(stage.annotate, bytes, located)
    if (fixes(path)) writeReviewText(path, bytes, say)
    templates.push({ path, bindings })
  }
  const pairing = { templates, nodes: nodesAmong(files), transformerCount }
  for (const { path, kind, format, bytes } of files) {
    if (kind === 'template' || kind === 'contract') continue
    if (kind === 'review text') {
      // A fix may have written it since it was read.
      print(path, checkReviewText(path, fixes(path) ? readInput(path) : bytes))
      continue
    }
    if (kind === 'unknown') {
      print(path, [unknownKind])
      continue
    }
    const text = textOf(bytes)
    if (kind === 'ingestion model') {
      print(path, checkModel({ source: text, format }, contract, contractFiles))
      print(
        path,
        missingParts(
          { path, source: text, format },
          positionals,
          files.map((file) => file.path),
        ),
      )
      continue
    }
    const source = fixes(path) ? fixed({ path, source: text, format }, say) : text
    const alone = compileTransformer(source, format)
    const named = alone.ok ? alone.value : undefined
    const wanted = wantedOf(path, named?.template?.slug, pairing)
    const contractName = contract === undefined ? named?.contract : undefined
    const schema = contractName === undefined ? contract : contractNamed(contractName, contractFiles)?.schema
    const transformer = compileTransformer(source, format, {
      ...(schema === undefined ? {} : { contract: schema }),
      ...(wanted === undefined || wanted === 'unknown' ? {} : { bindings: wanted }),
    })
    print(path, transformer.findings)
    if (contractName !== undefined && schema === undefined) print(path, [notAmongFiles(contractName)])
    if (wanted === 'unknown' && transformer.ok) print(path, [unresolvedTemplate])
    if (transformer.ok) loopedPointers.push(...transformer.value.loops)
  }
  // Which of several contracts a transformer reads is not known here.
  if (stage.fixes !== undefined && !hasTransformer && contracts.length === 0)
    say('--fix lays out transformers, and none is among the files\n')
  const looped = contracts.length === 1 ? loopedPointers : []
  for (const [path, text] of contracts) print(path, reviewContract(text, looped))
}

const oneToAnnotate =
  '--annotate writes a copy of one template; name just one: quire check letter.docx --annotate out.docx'

/** @throws CommandFailure for a file that isn't a document, which has no places for comments */
function writeAnnotated(output: string, template: Uint8Array, findings: readonly Finding[]): void {
  const annotated = annotateTemplate(template, findings)
  if (!annotated.ok) throw new CommandFailure(`${output} is not written: the template can't be opened`)
  writeOutput(output, annotated.value)
}

/** The nodes of the ingestion models that can be read, children too. */
function nodesAmong(files: readonly CheckedFile[]): ModelNode[] {
  const below = (nodes: readonly ModelNode[]): ModelNode[] => nodes.flatMap((node) => [node, ...below(node.children)])
  const models = files.filter(({ kind }) => kind === 'ingestion model')
  return models.flatMap(({ bytes, format }) => {
    const model = compileModel({ source: textOf(bytes), format })
    return model.ok ? below(model.value.nodes) : []
  })
}

/** Checks an ingestion model, with its conditions against the given contract, else against the one that it names. */
function checkModel(text: SourceText, given: JsonValue | undefined, files: readonly ContractFile[]): Finding[] {
  const alone = compileModel(text)
  if (!alone.ok) return alone.findings
  const contract = given ?? contractNamed(alone.value.contract, files)?.schema
  return contract === undefined
    ? [...alone.findings, notAmongFiles(alone.value.contract)]
    : compileModel(text, contract).findings
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** The transformer's source formatted, written back when that changes it. */
function fixed(file: SourceText & { path: string }, print: (text: string) => void): string {
  const { path, source, format } = file
  const formatted = formatSource(source, format)
  const say = (what: string) => print(`${path}: ${what}\n`)
  if (!formatted.ok) say('left as it is; mend what is wrong with it first')
  else if (formatted.value === source) say('is laid out as it should be')
  else {
    writeOutput(path, formatted.value)
    say(`laid out anew, ${changedLines(source, formatted.value)}`)
    return formatted.value
  }
  return source
}

/** How much of a layout is new: the lines that the source did not have. */
function changedLines(before: string, after: string): string {
  const known = new Set(before.split('\n'))
  const count = after.split('\n').filter((line) => !known.has(line)).length
  if (count === 0) return 'blank lines only'
  return count === 1 ? '1 line changed' : `${count} lines changed`
}

export const unresolvedContract = 'check.unresolved_contract'

/** Without its contract a source may still be right: only the service knows. */
function notAmongFiles({ name, version }: { name: string; version: number }): Finding {
  return {
    code: unresolvedContract,
    severity: 'warning',
    path: '/contract',
    message: `Version ${version} of the contract "${name}" is not among the files, so what is read here was not compared with it.`,
    hint: `Name its file too: one called ${name}@${version}.json or ${name}.json, or with that title. Or give it with --contract.`,
  }
}

const unknownKind: Finding = {
  code: 'check.unknown_kind',
  severity: 'error',
  message: 'This is no kind of file that is checked here.',
  hint: 'Templates end in .docx or .dotx, contracts in .json, transformers and ingestion models in .yaml, .yml or .json.',
}

/** What a file is: by its first bytes, then by the key that its kind must begin with. */
export function identify(path: string, bytes: Uint8Array): CheckedFile {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b
  const text = isArchive ? '' : textOf(bytes)
  const format = isJson(path, text) ? 'json' : 'yaml'
  return { path, format, bytes, kind: isArchive ? 'template' : kindOf(path, format, text) }
}

function kindOf(path: string, format: TextFormat, text: string): Kind {
  if (isReviewText(path)) return 'review text'
  if (/\.(?:docx|dotx)$/i.test(path)) return 'template'
  const keys = topLevelKeys(format, text)
  if (keys.has('model')) return 'ingestion model'
  if (keys.has('transform') || /\.ya?ml$/i.test(path)) return 'transformer'
  return format === 'json' ? 'contract' : 'unknown'
}

/** Standard input has no name that ends in anything. */
function isJson(path: string, text: string): boolean {
  return path === standardInput ? text.trimStart().startsWith('{') : /\.json$/i.test(path)
}

function topLevelKeys(format: TextFormat, text: string): Set<string> {
  if (format === 'json') {
    const read = readJson(text)
    return new Set(read.ok && isJsonObject(read.value) ? Object.keys(read.value) : [])
  }
  // Looks only at keys at the margin, so that the kind of a broken source is still known.
  const keys = [...text.matchAll(/^(?:"|')?([A-Za-z_][\w-]*)(?:"|')?\s*:/gm)].map(([, key = '']) => key)
  return new Set(keys)
}
