/** Light, dark, or as the system has it; kept in the browser. */
import { signal } from '@preact/signals'
import { recall, remember } from './memory.ts'

export type Theme = 'system' | 'light' | 'dark'

export const theme = signal<Theme>('system')

export function startTheme(): void {
  const kept = recall('theme')
  setTheme(kept === 'light' || kept === 'dark' ? kept : 'system')
}

export function setTheme(choice: Theme): void {
  theme.value = choice
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  remember('theme', choice === 'system' ? undefined : choice)
}
