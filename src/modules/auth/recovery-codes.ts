import { sha256Hex } from '../../core/hash.ts'
import { limits } from '../../core/limits.ts'
import { generatePassword } from './passwords.ts'

export function newRecoveryCodes(): string[] {
  return Array.from({ length: limits.recoveryCodes }, generatePassword)
}

/** 125 random bits need no slow hash. People copy them with spaces, and without the hyphens. */
export function recoveryHashOf(userId: string, code: string): string {
  return sha256Hex(`${userId}\n${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
}
