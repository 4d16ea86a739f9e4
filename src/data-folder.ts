import { constants, existsSync, readFileSync } from 'node:fs'
import { link, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config.ts'
import { detailOf } from './core/error-cause.ts'

/**
 * The key for CSRF tokens, cookies and cursors: the configured one, or the one in the data directory, which is made
 * there once with mode 0600. Two processes that start together end up with the same one.
 */
export async function readSecret(configured: string | undefined, dataFolder: string): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataFolder, 'secret')
  if (!existsSync(path)) await writeOnce(path, Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'))
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32) {
    throw new ConfigError(
      `QUIRE_SECRET: the file ${path} holds no key of 32 characters or more; remove it to have a new one made`,
    )
  }
  return secret
}

/** Written whole under another name and linked into place, so that nobody reads half a key, and the first one stays. */
async function writeOnce(path: string, secret: string): Promise<void> {
  const draft = `${path}.${process.pid}.${Date.now()}`
  const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
    await file.close()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await unlink(draft)
  }
}

/** Makes the data directory, and says in one line why that is impossible. */
export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const probe = join(folder, `.probe-${process.pid}`)
    await (await open(probe, 'w')).close()
    await unlink(probe)
  } catch (error) {
    throw new ConfigError(
      `QUIRE_DATA: the data directory ${folder} can't be written (${detailOf(error)}); make it writable or name another one`,
    )
  }
}
