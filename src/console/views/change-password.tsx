import { PasswordView } from './password.tsx'

export function ChangePasswordView() {
  return <PasswordView forced={false} />
}
