/** How the commands of each page are run: what a reader has in front of it, and what can't be run in a test, by name. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { demo } from '../../src/demo/demo.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { temporaryFolder } from '../support/database.ts'
import { type RunningQuire, startQuire } from '../support/quire.ts'
import { type Block, nameOf } from './pages.ts'
import { comparable, openShell, patternOf, type Shell, type ShellAnswer, shownCommands } from './shell.ts'

/** A reader who follows one page from its top. */
export interface Reader {
  shell: Shell
  /** Runs a text in the shell, with addresses and placeholders of the page replaced. @throws when it fails */
  follow(text: string): Promise<string>
  /** From now on, each of these in what is run stands for that. */
  replace(written: string, meant: string): void
  /** Blocks of the page, by their first line. */
  blockNamed(name: string): Block
}

export interface Walk {
  page: string
  /** Files that the page takes for granted. */
  files?: () => Promise<Record<string, string | Uint8Array>>
  /** Whether the page speaks of a server, which then runs with the demo where the page says that one does. */
  hasServer?: true
  /** Blocks that aren't run one after the other as they are, by their first line: how they are, or why they aren't. */
  apart?: Record<string, string | ((reader: Reader, block: Block) => Promise<void>)>
  /** Lines of blocks in `apart` that nothing runs: why. All others have to be run as they are. */
  notRun?: Record<string, string>
}

/** What a page shows for the address of a server, whichever port the test's own has. */
export const shownAddress = '127.0.0.1:8080'

/** Runs all blocks of commands of a page, in order. */
export async function followPage(walk: Walk, blocks: readonly Block[]): Promise<void> {
  const folder = temporaryFolder('quire-docs-')
  for (const [name, content] of Object.entries((await walk.files?.()) ?? {})) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const server = walk.hasServer ? await startQuire() : undefined
  const opened = openShell(folder, server === undefined ? {} : signedIn(server))
  const ran: string[] = []
  const shell: Shell = {
    ...opened,
    run: (script) => {
      ran.push(script)
      return opened.run(script)
    },
  }
  const replaced = new Map<string, string>()
  if (server !== undefined) replaced.set(`http://${shownAddress}`, server.origin)
  const meant = (text: string) =>
    [...replaced].reduce((result, [written, meaning]) => result.replaceAll(written, meaning), text)
  const reader: Reader = {
    shell,
    follow: async (text) => succeeded(text, await shell.run(`set -e\n${meant(text)}`)),
    replace: (written, meaning) => void replaced.set(written, meaning),
    blockNamed: (name) => {
      const block = blocks.find((candidate) => nameOf(candidate) === name)
      if (block === undefined) throw new Error(`${walk.page} has no block that begins with ${name}`)
      return block
    },
  }
  for (const block of blocks.filter(isCommands)) {
    const apart = walk.apart?.[nameOf(block)]
    if (typeof apart === 'function') {
      await apart(reader, block)
      const lines = block.text.split('\n').map((line) => line.trim())
      const wanted = lines.filter((line) => line !== '' && walk.notRun?.[line] === undefined)
      const missing = wanted.filter((line) => !ran.some((script) => script.includes(meant(line))))
      if (missing.length > 0) throw new Error(`${block.page}:${block.line}: nothing runs ${missing.join('\n')}`)
    } else if (apart === undefined && block.language === 'sh') await reader.follow(block.text)
    else if (apart === undefined) await compareShown(shell, block, meant)
  }
  await shell.close()
}

export function isCommands({ language }: Block): boolean {
  return language === 'sh' || language === 'console'
}

/** Runs commands that a page shows with their output, and compares. One that fails is followed by `$ echo $?`. */
async function compareShown(shell: Shell, block: Block, meant: (text: string) => string): Promise<void> {
  const commands = shownCommands(block.text)
  for (const [index, { command, shown }] of commands.entries()) {
    const answer = await shell.run(meant(command))
    const mayFail = commands[index + 1]?.command === 'echo $?'
    const output = mayFail ? answer.output : succeeded(command, answer)
    if (patternOf(shown.map(meant)).test(comparable(output))) continue
    throw new Error(`${block.page}:${block.line}: ${command}\nshows:\n${shown.join('\n')}\nand printed:\n${output}`)
  }
}

function succeeded(text: string, { code, output }: ShellAnswer): string {
  if (code !== 0) throw new Error(`${text}\nended with ${code} and said:\n${output}`)
  return output
}

function signedIn({ origin, username, password }: RunningQuire): Record<string, string> {
  return { QUIRE_SERVER: origin, QUIRE_USERNAME: username, QUIRE_PASSWORD: password }
}

/** The demo under the names by which pages speak of anybody's files. */
export async function letterFiles(): Promise<Record<string, string | Uint8Array>> {
  return {
    'letter.docx': await demo.template.bytes(),
    'notice.docx': wordPackage(p('Your policy {{/policy/number}}')),
    'transformer.yaml': demo.transformer.source,
    'contract.json': demo.contract.schema,
    'model.yaml': demo.ingestionModel.source,
  }
}
