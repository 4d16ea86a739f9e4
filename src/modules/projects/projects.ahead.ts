/** Asks the judge beforehand what the check of a project will ask inside its transaction. */
import type { Binding } from '../../core/binding.ts'
import { newestReading } from '../../core/reading.ts'
import type { ModelNode } from '../../engines/ingestion/ingestion-model.ts'
import { judgeContent } from '../drafts/compile.service.ts'
import type { Judge } from '../drafts/judge.service.ts'
import { askAhead } from '../drafts/judge-known.service.ts'
import type { Content, Read, SourceText } from '../versions/versions.service.ts'
import { askOfEach, askOfModel, askOfTransformer } from './projects.asking.ts'
import type { ProjectFile } from './projects.files.ts'
import type { KnownContents } from './projects.known.ts'
import { namedFile } from './projects.numbers.ts'

interface Ahead {
  judge: Judge
  files: readonly ProjectFile[]
  known: KnownContents
}

/**
 * Asks whether transformers fit the project's contracts and templates, and models' conditions their contracts: the same questions
 * that `checkTogether` asks about what is in force together. Leaves to it what depends on what is in force: sources that the
 * project names but lacks, and templates that include others. Asks nothing about files that are already in force with all that
 * they name.
 */
export async function judgeAhead(judge: Judge, files: readonly ProjectFile[], known: KnownContents): Promise<void> {
  const ahead = { judge, files, known }
  await askOfEach(files, async (file) => {
    if (!('source' in file.content)) return
    if (file.kind === 'transformer') await fitTransformer(ahead, file, file.content)
    if (file.kind === 'ingestion_model') await fitModel(ahead, file, file.content)
  })
}

const reading = newestReading

async function fitTransformer(ahead: Ahead, { from, content }: ProjectFile, text: SourceText): Promise<void> {
  const { judge, files } = ahead
  const { source, format } = text
  const alone = await askOfTransformer(judge, text)
  if (!alone.ok) return
  const { contract: named, template } = alone.value
  const rules = named && namedFile(files, { kind: 'contract', reference: named.name }, from)
  const letter = template && namedFile(files, { kind: 'template', reference: template.slug }, from)
  if (areInForce(ahead, [content, rules?.content, letter?.content])) return
  const contract = rules && (await usableContract(ahead, rules))
  const bindings = letter && (await bindingsOf(ahead, letter))
  if (contract === undefined && bindings === undefined) return
  await askAhead(judge, 'transformer', {
    ...{ source, format, reading },
    ...(contract === undefined ? {} : { contract }),
    ...(bindings === undefined ? {} : { bindings }),
  })
}

async function fitModel(ahead: Ahead, { from, content }: ProjectFile, text: SourceText): Promise<void> {
  const { judge, files } = ahead
  const { source, format } = text
  const read = await askOfModel(judge, text)
  if (!read.ok) return
  const { contract: named, nodes } = read.value
  const rules = namedFile(files, { kind: 'contract', reference: named.name }, from)
  const contract = rules && (await usableContract(ahead, rules))
  if (contract === undefined) return
  if (!areInForce(ahead, [content, rules?.content])) {
    await askAhead(judge, 'conditions', { source, format, reading, contract })
  }
  const askOfNodes = async (below: readonly ModelNode[], parent: string | undefined): Promise<void> => {
    for (const { transformer, template: letter, children } of below) {
      const made = namedFile(files, { kind: 'transformer', reference: transformer }, from)
      const template =
        letter === undefined ? undefined : namedFile(files, { kind: 'template', reference: letter }, from)
      const isInForce = areInForce(ahead, [content, rules?.content, made?.content, template?.content])
      const bindings = template && !isInForce ? await bindingsOf(ahead, template) : undefined
      if (
        !isInForce &&
        made !== undefined &&
        'source' in made.content &&
        (letter === undefined || bindings !== undefined)
      ) {
        const { source: program, format: written } = made.content
        const chain = { contract: parent, transformer: { source: program, format: written }, bindings, reading }
        await askAhead(judge, 'chain', chain)
      }
      await askOfNodes(children, undefined)
    }
  }
  await askOfNodes(nodes, contract)
}

/** Whether all of them are in force, so that their fit is known. Undefined stands for something that the source doesn't name. */
function areInForce({ known }: Ahead, contents: readonly (Content | undefined)[]): boolean {
  return contents.every((content) => content === undefined || known.get(content)?.isInForce === true)
}

/** Undefined for an invalid contract: nothing can be compared with it, and its own findings are reported. */
async function usableContract({ judge, known }: Ahead, { content }: ProjectFile): Promise<string | undefined> {
  if (!('source' in content)) return undefined
  const isUsable = known.has(content) || (await judgeContent(judge, { kind: 'contract', content })).ok
  return isUsable ? content.source : undefined
}

/** Undefined for a template that can't be read, or that includes others, whose bindings aren't in its file. */
async function bindingsOf({ judge, known }: Ahead, { content }: ProjectFile): Promise<readonly Binding[] | undefined> {
  const read = await readTemplate(judge, known, content)
  return read?.fragments === null ? (read.bindings ?? undefined) : undefined
}

/** A template's own bindings and includes; undefined if it can't be read. */
export async function readTemplate(judge: Judge, known: KnownContents, content: Content): Promise<Read | undefined> {
  const stored = known.get(content)
  if (stored !== undefined) return stored
  const read = await judgeContent(judge, { kind: 'template', content })
  return read.ok ? read.value : undefined
}
