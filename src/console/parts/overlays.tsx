/** What lies over any screen: the command palette and the list of keys; loaded when first asked for. */
import { overlay } from '../keys.ts'
import { Lazy } from './lazy.tsx'

const loadPalette = async () => (await import('./palette.tsx')).Palette
const loadKeys = async () => (await import('./keys-help.tsx')).KeysHelp

export function Overlays() {
  switch (overlay.value) {
    case 'palette':
      return <Lazy load={loadPalette} props={{}} />
    case 'keys':
      return <Lazy load={loadKeys} props={{}} />
    case undefined:
      return null
  }
}
