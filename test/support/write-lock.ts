import { onTestsEnd } from './cleanup.ts'

/**
 * Holds SQLite's write lock on a database file until the returned function is called: it can be read and takes no commit.
 * In another process, because locks of one process don't hold against each other.
 */
export async function holdWriteLock(path: string): Promise<() => Promise<void>> {
  const script = `
    globalThis.held = new (require('bun:sqlite').Database)(${JSON.stringify(path)})
    held.exec('begin immediate')
    process.stdout.write('held')
    setInterval(() => {}, 1_000)`
  const other = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
  const release = async () => {
    other.kill('SIGKILL')
    await other.exited
  }
  onTestsEnd(release)
  await other.stdout.getReader().read()
  return release
}
