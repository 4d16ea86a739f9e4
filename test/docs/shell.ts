/** A reader's shell: one `sh` in which the blocks of a page run one after the other, as they would be pasted. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { bareEnvironment } from '../support/environment.ts'
import { findBinary } from '../support/quire.ts'

export interface ShellAnswer {
  code: number
  /** Both streams, as a terminal shows them. */
  output: string
}

export interface Shell {
  /** The folder it was opened in; `cd` in a block moves the shell, not this. */
  folder: string
  /**
   * Runs a script in the shell itself, so that its variables, its folder and what it started in the background stay.
   *
   * @throws when the shell ends over it
   */
  run(script: string): Promise<ShellAnswer>
  /** Ends the shell and all that it started. */
  close(): Promise<void>
}

/** @param folder empty; `quire` in it and on PATH is the built executable */
export function openShell(folder: string, variables: Readonly<Record<string, string>> = {}): Shell {
  const programs = join(temporaryFolder(), 'bin')
  mkdirSync(programs)
  symlinkSync(findBinary(), join(programs, 'quire'))
  const child = Bun.spawn(['sh'], {
    cwd: folder,
    env: {
      ...bareEnvironment,
      PATH: `${programs}:${bareEnvironment.PATH}`,
      HOME: temporaryFolder(),
      TMPDIR: temporaryFolder(),
      ...variables,
    },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    // A group of its own, so that what runs in its background ends with it.
    detached: true,
  })
  const close = async () => {
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has ended, and all that it started too.
    }
    await child.exited
  }
  onTestsEnd(close)
  let heard = ''
  let onMore = () => {}
  void (async () => {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      heard += chunk
      onMore()
    }
  })()
  const say = (line: string) => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
  }
  say('exec 2>&1')
  let count = 0
  let last = 0
  return {
    folder,
    async run(script) {
      count++
      const path = join(programs, `../block-${count}.sh`)
      writeFileSync(path, script)
      const mark = `--- end of block ${count}: `
      heard = ''
      // `$?` is as the script before left it.
      say(`set +e; (exit ${last}); . ${path} < /dev/null; printf '\\n%s%s\\n' '${mark}' "$?"`)
      const end = new RegExp(`\\n${mark}(\\d+)\\n$`)
      const ended = new Promise<void>((resolve) => {
        onMore = () => void (end.test(heard) && resolve())
      })
      const died = child.exited.then((code) => {
        throw new Error(`the shell ended with ${code} over:\n${script}\nIt said:\n${heard}`)
      })
      await Promise.race([ended, died])
      const [text = '', code = ''] = end.exec(heard) ?? []
      last = Number(code)
      return { code: last, output: heard.slice(0, -text.length) }
    },
    close,
  }
}

/** A command as a page shows it behind `$ `, and the lines that it shows below it. */
export interface ShownCommand {
  command: string
  shown: string[]
}

/** A command goes on where its line ends with a backslash. */
export function shownCommands(text: string): ShownCommand[] {
  const commands: ShownCommand[] = []
  let isOpen = false
  for (const line of text.trimEnd().split('\n')) {
    const last = commands.at(-1)
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), shown: [] })
    else if (last === undefined) throw new Error(`a block of commands and their output begins with "$ ", not "${line}"`)
    else if (isOpen) last.command += `\n${line}`
    else last.shown.push(line)
    isOpen = line.endsWith('\\')
  }
  return commands
}

/**
 * What shown lines match: `…` stands for anything in its line, a line of `…` alone for any lines. Blanks at the ends of
 * lines, and blank lines around all of it, don't count.
 */
export function patternOf(shown: readonly string[]): RegExp {
  const lines = shown.map((line) =>
    line.trim() === '…' ? '(?:.*\\n)*?' : `${line.trimEnd().split('…').map(escaped).join('.*')}\\n`,
  )
  return new RegExp(`^${lines.join('')}$`)
}

/** Output in the form that the pattern is for. */
export function comparable(output: string): string {
  const lines = output.split('\n').map((line) => line.trimEnd())
  const text = lines.join('\n').replace(/^\n+|\n+$/g, '')
  return text === '' ? '' : `${text}\n`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
