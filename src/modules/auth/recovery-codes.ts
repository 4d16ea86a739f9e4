import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { generatePassword } from './passwords.ts'

export function newRecoveryCodes(): string[] {
  return Array.from({ length: limits.recoveryCodes }, generatePassword)
}

/** A fast hash suffices for 125 random bits. Spaces and hyphens don't count, because people copy codes with or without them. */
export function recoveryHashOf(userId: string, code: string): string {
  return sha256Hex(`${userId}\n${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}
