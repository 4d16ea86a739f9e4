import { recipientProblem } from '../core/age-recipient.ts'
import { UsageError } from './command.ts'
import { CommandFailure, readInput } from './files.ts'

/** Encrypts what a backup holds, in one stream, and opens it again without anybody's identity. */
export interface BackupLock {
  encrypt(content: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>
  /** Opens what `encrypt` made last, as long as this process lives: who makes a backup holds no identity, but has to read it back. */
  readonly key: BackupKey
}

export interface BackupKey {
  /** @throws BackupLocked here, or while the content is read */
  decrypt(file: ReadableStream<Uint8Array>): Promise<AsyncIterable<Uint8Array>>
}

/** Why an encrypted backup can't be read, with the remedy; nothing else about it is known then. */
export class BackupLocked extends Error {}

/** The first line of every file of age's, as bytes and not armoured. */
const FIRST_LINE = 'age-encryption.org/v1\n'

/** Whether a file that begins so was encrypted by age. */
export function isEncrypted(beginning: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(beginning.subarray(0, FIRST_LINE.length)) === FIRST_LINE
}

/**
 * @param where the option or setting that they come from, for messages
 * @throws UsageError for an invalid one
 */
export async function lockFor(recipients: readonly string[], where: string): Promise<BackupLock> {
  const { Encrypter } = await age()
  const encrypter = new Encrypter()
  for (const recipient of new Set(recipients)) {
    const problem = recipientProblem(recipient)
    if (problem !== undefined) throw new UsageError(`${where}: ${problem}`)
    try {
      encrypter.addRecipient(recipient)
    } catch {
      throw new UsageError(`${where}: "${recipient}" has a wrong character; copy it again`)
    }
  }
  let fileKey: Uint8Array | undefined
  // Listens to the key of the file that is being made, and leaves no trace in it.
  encrypter.addRecipient({
    wrapFileKey(key) {
      fileKey = key
      return []
    },
  })
  return {
    encrypt: (content) => encrypter.encrypt(content),
    key: keyOf((decrypter) => decrypter.addIdentity({ unwrapFileKey: () => fileKey ?? null }), 'this process'),
  }
}

/**
 * The identities in a file, as `age-keygen` writes it: one a line, besides comments and empty lines.
 *
 * @throws CommandFailure naming the file and the line; no message has anything of its content
 */
export async function readIdentities(path: string): Promise<BackupKey> {
  const text = new TextDecoder().decode(readInput(path))
  const { Decrypter } = await age()
  const identities: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const identity = line.trim()
    if (identity === '' || identity.startsWith('#')) continue
    const problem = identityProblem(identity, new Decrypter())
    if (problem !== undefined) throw new CommandFailure(`${path}, line ${index + 1}: ${problem}`)
    identities.push(identity)
  }
  if (identities.length === 0) throw new CommandFailure(`${path} holds no identity, a line AGE-SECRET-KEY-1…`)
  return keyOf((decrypter) => {
    for (const identity of identities) decrypter.addIdentity(identity)
  }, path)
}

function identityProblem(line: string, decrypter: { addIdentity(identity: string): void }): string | undefined {
  if (line.startsWith('age-encryption.org/') || line.startsWith('-----BEGIN AGE ')) {
    return 'the file is itself encrypted; decrypt it first, as in: age -d FILE | quire verify BACKUP --identity -'
  }
  if (/^age1/i.test(line)) return 'it is a recipient; take the identity that belongs to it, AGE-SECRET-KEY-1…'
  if (!line.startsWith('AGE-SECRET-KEY-1')) return 'it is no identity of age, which begins with AGE-SECRET-KEY-1'
  try {
    decrypter.addIdentity(line)
    return undefined
  } catch {
    return 'the identity has a wrong character; copy it again'
  }
}

type Decrypter = InstanceType<Awaited<ReturnType<typeof age>>['Decrypter']>

/** @param where what the identities come from, for messages */
function keyOf(addIdentities: (decrypter: Decrypter) => void, where: string): BackupKey {
  return {
    async decrypt(file) {
      const { Decrypter } = await age()
      const decrypter = new Decrypter()
      addIdentities(decrypter)
      const content = await decrypter.decrypt(file).catch((error: Error) => {
        throw /no identity matched/.test(error.message) ? new BackupLocked(notFor(where)) : damaged()
      })
      return readable(content)
    },
  }
}

async function* readable(content: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of content) yield chunk
  } catch {
    throw damaged()
  }
}

function notFor(where: string): string {
  return `no identity in ${where} opens it: take the one whose recipient it was encrypted to, or another copy if its first lines were changed`
}

function damaged(): BackupLocked {
  return new BackupLocked('it is encrypted, and was changed or cut off since; take another copy')
}

/** @throws BackupLocked when the header, which the library reads whole, has no end in the first `limits.backupHeaderBytes` */
export function requireHeader(beginning: Uint8Array): void {
  if (!Buffer.from(beginning).includes('\n--- ')) throw damaged()
}

/** Loaded on demand: the first call takes some 25 ms, which only encryption needs. */
function age() {
  return import('age-encryption')
}
