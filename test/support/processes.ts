import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Whether there is such a process, also of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What Linux says of a process; nothing once it has ended and was collected. */
export function statusOf(pid: number): string {
  return unlessGone(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? ''
}

/** Whether it has ended, collected by its parent or not. Only Linux tells. */
export function isGone(pid: number): boolean {
  const status = statusOf(pid)
  return status === '' || /^State:\s+Z/m.test(status)
}

/** The command line of a process; none if it has ended. */
export function wordsOf(pid: number): string[] {
  return unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')) ?? []
}

/** Where the open files of a process lead. One that it closes while they are listed is left out. */
export function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((file) => unlessGone(() => readlinkSync(`${folder}/${file}`)) ?? [])
}

/** Undefined for what was there a moment ago. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
