/** The values that a transformer's `params` ask for: typed as text, read by their declared type, kept for the tab. */
import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { isParamValue, type ParamType } from '../engines/declarative/declarative.ts'
import { recall, remember } from './memory.ts'

/** Types by name, as a source declares them. */
export type Declared = Readonly<Record<string, ParamType>>
export type ParamTexts = Readonly<Record<string, string>>
export type ParamValues = Record<string, string | number | boolean>

/** Digits that a double holds for certain, so that none is lost unnoticed. */
const maxDigits = 15

/** The value that a text means; undefined if it means none of the type. An instant is local time in the text. */
export function paramValue(type: ParamType, text: string | undefined): string | number | boolean | undefined {
  if (text === undefined) return undefined
  if (type === 'string') return text
  const value = readers[type](text.trim())
  return value !== undefined && isParamValue(type, value) ? value : undefined
}

const readers: Record<Exclude<ParamType, 'string'>, (text: string) => string | number | boolean | undefined> = {
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  decimal: (text) =>
    /^-?\d+(?:\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= maxDigits ? Number(text) : undefined,
  date: (text) => text,
  datetime(text) {
    const at = new Date(text)
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace('.000Z', 'Z')
  },
}

/** The values that can be handed in now, and the names still without a value of their type. */
export function readParams(declared: Declared, texts: ParamTexts): { values: ParamValues; missing: string[] } {
  const values: ParamValues = {}
  const missing: string[] = []
  for (const [name, type] of Object.entries(declared)) {
    const value = paramValue(type, Object.hasOwn(texts, name) ? texts[name] : undefined)
    if (value === undefined) missing.push(name)
    else values[name] = value
  }
  return { values, missing }
}

/** The texts for one transformer: the same wherever it is tried in this tab, and after a reload. */
export function useParamTexts(transformerId: string | undefined): {
  texts: ParamTexts
  change(name: string, text: string): void
} {
  const key = transformerId === undefined ? undefined : `params-${transformerId}`
  const texts = useSignal<ParamTexts>(recalled(key))
  useLayoutEffect(() => {
    texts.value = recalled(key)
  }, [key])
  return {
    texts: texts.value,
    change(name, text) {
      texts.value = { ...texts.peek(), [name]: text }
      if (key !== undefined) remember(key, JSON.stringify(texts.peek()), 'tab')
    },
  }
}

function recalled(key: string | undefined): ParamTexts {
  const kept = key === undefined ? undefined : recall(key, 'tab')
  if (kept === undefined) return {}
  try {
    const read: unknown = JSON.parse(kept)
    if (typeof read !== 'object' || read === null) return {}
    return Object.fromEntries(Object.entries(read).filter(([, text]) => typeof text === 'string'))
  } catch {
    return {}
  }
}
