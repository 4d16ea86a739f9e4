/** What the check of a project asks inside of its transaction, put to the judge before it. */
import type { Binding } from '../../core/binding.ts'
import type { Instant } from '../../core/instant.ts'
import { newestReading } from '../../core/reading.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { askAhead } from '../drafts/judge-known.service.ts'
import type { SourceText } from '../versions/versions.service.ts'
import { askOfEach, askOfModel, askOfTransformer } from './projects.asking.ts'
import type { ProjectFile } from './projects.files.ts'
import { namedFile } from './projects.numbers.ts'

interface Ahead {
  judge: Judge
  files: readonly ProjectFile[]
}

/**
 * Whether transformers fit the contracts and templates of the project, and conditions of models their contracts: the same
 * questions as `checkTogether` asks of what is in force together. What the project names and hasn't, and templates that
 * include others, is left to it: it knows what is in force.
 */
export async function judgeAhead(judge: Judge, files: readonly ProjectFile[]): Promise<void> {
  const ahead = { judge, files }
  await askOfEach(files, async (file) => {
    if (!('source' in file.content)) return
    if (file.kind === 'transformer') await fitTransformer(ahead, file, file.content)
    if (file.kind === 'ingestion_model') await fitModel(ahead, file, file.content)
  })
}

const reading = newestReading

async function fitTransformer(ahead: Ahead, { from }: ProjectFile, text: SourceText): Promise<void> {
  const { judge, files } = ahead
  const { source, format } = text
  const alone = await askOfTransformer(judge, text)
  if (!alone.ok) return
  const { contract: named, template } = alone.value
  const contract = named && (await usableContract(ahead, named.name, from))
  const letter = template && namedFile(files, { kind: 'template', reference: template.slug }, from)
  const bindings = letter && (await bindingsOf(judge, letter))
  if (contract === undefined && bindings === undefined) return
  await askAhead(judge, 'transformer', {
    ...{ source, format, reading },
    ...(contract === undefined ? {} : { contract }),
    ...(bindings === undefined ? {} : { bindings }),
  })
}

async function fitModel(ahead: Ahead, { from }: ProjectFile, text: SourceText): Promise<void> {
  const { judge, files } = ahead
  const { source, format } = text
  const read = await askOfModel(judge, text)
  if (!read.ok) return
  const { contract: named, nodes } = read.value
  const contract = await usableContract(ahead, named.name, from)
  if (contract === undefined) return
  await askAhead(judge, 'conditions', { source, format, reading, contract })
  const askOfNodes = async (below: readonly ModelNode[], parent: string | undefined): Promise<void> => {
    for (const { transformer, template: letter, children } of below) {
      const made = namedFile(files, { kind: 'transformer', reference: transformer }, from)
      const template =
        letter === undefined ? undefined : namedFile(files, { kind: 'template', reference: letter }, from)
      const bindings = template && (await bindingsOf(judge, template))
      if (made !== undefined && 'source' in made.content && (letter === undefined || bindings !== undefined)) {
        const { source: program, format: written } = made.content
        const chain = { contract: parent, transformer: { source: program, format: written }, bindings, reading }
        await askAhead(judge, 'chain', chain)
      }
      await askOfNodes(children, undefined)
    }
  }
  await askOfNodes(nodes, contract)
}

/** Undefined where there is none, or it is no contract: nothing can be held against it, and its own findings are told. */
async function usableContract(
  { judge, files }: Ahead,
  reference: string,
  from: Instant | undefined,
): Promise<string | undefined> {
  const file = namedFile(files, { kind: 'contract', reference }, from)
  if (file === undefined || !('source' in file.content)) return undefined
  const { ok } = await judgeContent(judge, { kind: 'contract', content: file.content })
  return ok ? file.content.source : undefined
}

/** Undefined for a template that can't be read, or includes others: what these bind is not in its file. */
async function bindingsOf(judge: Judge, { content }: ProjectFile): Promise<readonly Binding[] | undefined> {
  const read = await judgeContent(judge, { kind: 'template', content })
  return read.ok && read.value.fragments === null ? (read.value.bindings ?? undefined) : undefined
}
