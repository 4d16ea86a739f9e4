import { join } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { API, type Project } from 'typescript/unstable/async'

/** TypeScript's own parser and checker, kept running over one project: checking a change in one file takes some 30 ms. */
export interface Compiler {
  /** The tree of a file of the project. */
  parse(file: string): Promise<SourceFile>
  /** The checker's errors for a file with this text, with the rest of the project unchanged; empty if there are none. */
  complaints(file: string, text: string): Promise<string[]>
  close(): Promise<void>
}

export async function openCompiler(root: string): Promise<Compiler> {
  let replaced: { file: string; text: string } | undefined
  const api = new API({
    cwd: root,
    fs: { readFile: (name) => (name === replaced?.file ? replaced.text : undefined) },
  })
  const projectOf = (snapshot: { getProjects(): readonly Project[] }): Project => {
    const [project] = snapshot.getProjects()
    if (project === undefined) throw new Error(`${root} has no tsconfig.json`)
    return project
  }
  let snapshot = await api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] })
  let project = projectOf(snapshot)
  const show = async (file: string, text: string | undefined) => {
    const changed = replaced === undefined || replaced.file === file ? [file] : [replaced.file, file]
    replaced = text === undefined ? undefined : { file, text }
    const next = await api.updateSnapshot({ fileChanges: { changed } })
    // Each open snapshot keeps some 40 MB.
    await snapshot.dispose()
    snapshot = next
    project = projectOf(next)
  }
  return {
    parse: async (file) => {
      if (replaced !== undefined) await show(replaced.file, undefined)
      const tree = await project.program.getSourceFile(file)
      if (tree === undefined) throw new Error(`${file} is no part of the project`)
      return tree
    },
    complaints: async (file, text) => {
      await show(file, text)
      const found = [
        ...(await project.program.getSyntacticDiagnostics(file)),
        ...(await project.program.getSemanticDiagnostics(file)),
      ]
      return found.map((one) => one.text)
    },
    close: () => api.close(),
  }
}
