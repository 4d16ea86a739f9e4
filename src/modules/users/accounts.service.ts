import { type AuthPorts, type AuthService, createAuthService } from '../auth/auth.service.ts'
import { createUserService, type UserService } from './users.service.ts'

/** Users, and the sessions and passwords by which they sign in. */
export interface Accounts {
  auth: AuthService
  users: UserService
}

export function createAccounts(ports: AuthPorts): Accounts {
  const auth = createAuthService(ports)
  return { auth, users: createUserService({ ...ports, auth }) }
}
