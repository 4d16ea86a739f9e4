import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { detailOf } from './core/error-cause.ts'
import { limits } from './core/limits.ts'

/** Throws an error with the reason why a file can't be used. */
export type RefuseFile = (why: string) => never

/**
 * The secret in a file: its only line, without the line end.
 * @param refuse called for a file that can't be read or has no such line
 */
export function readSecretFile(path: string, refuse: RefuseFile): string {
  const text = readText(path, refuse).replace(/\r?\n$/, '')
  if (text === '') refuse(`the file ${path} is empty; write the value into it`)
  if (/[\0\r\n]/.test(text)) refuse(`the file ${path} has more than one line; it takes the value alone`)
  return text
}

function readText(path: string, refuse: RefuseFile): string {
  try {
    const { size } = statSync(path)
    if (size > limits.secretFileBytes) refuse(`the file ${path} has ${size} bytes; it takes the value alone`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof TypeError) refuse(`the file ${path} is not UTF-8 text`)
    const why = remedies[detailOf(error) ?? '']
    if (why === undefined) throw error
    return refuse(why(path))
  }
}

const remedies: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file ${path}; make it, or correct the path`,
  ENOTDIR: (path) => `there is no file ${path}; make it, or correct the path`,
  EISDIR: (path) => `${path} is a directory; name the file in it`,
  EACCES: (path) => `the file ${path} can't be read; let the user that runs Quire read it`,
  EPERM: (path) => `the file ${path} can't be read; let the user that runs Quire read it`,
}

/** Beginning of a systemd credential's name, as in `quire.admin_password`. */
const CREDENTIAL_PREFIX = 'quire.'

/** The path of a setting's systemd credential, if the unit has one (`LoadCredential=`, `SetCredentialEncrypted=`). */
export function credentialFile(directory: string | undefined, setting: string): string | undefined {
  if (directory === undefined || directory === '') return undefined
  const path = join(directory, `${CREDENTIAL_PREFIX}${setting}`)
  return existsSync(path) ? path : undefined
}
