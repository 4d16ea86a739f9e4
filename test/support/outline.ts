import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION, PRODUCT_VERSION } from '../../src/core/version.ts'

/** Attributes that say nothing to a person, or come anew with each drawing. */
const silent = /^(id|for|class|style|d|xmlns|viewBox|focusable|tabindex|aria-(controls|labelledby|describedby))$/
/** Texts are held in full by tests of what makes them; here their beginning tells which one is shown. */
const longestText = 120
const mostLines = 6

/**
 * What a part of the page comes to for a person, a line for each element that says or does something: its kind, which form of it
 * (`.tile-danger`, the classes after the first), its attributes and its own words; what is inside it is indented.
 */
export function outline(element: Element, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  if (element.tagName.toLowerCase() === 'svg') return []
  if (element.matches('time')) return [`${indent}time`]
  // Whether a step took a millisecond beside its work depends on the machine.
  if (element.matches('.step-duration')) {
    const took = element.firstChild?.textContent ?? ''
    return took === '' ? [] : [`${indent}span ${shortened(took)}`]
  }
  if (element.matches('.cm-editor')) return [`${indent}editor ${shortened(linesOf(element))}`]
  const words = squeezed(
    [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent)
      .join(''),
  )
  const forms = [...element.classList].slice(1).map((name) => `.${name}`)
  const attributes = [...element.attributes]
    .filter(({ name, value }) => !silent.test(name) && !(name === 'value' && value === ''))
    .map(({ name, value }) => (value === '' ? name : `${name}=${value}`))
  const state = stateOf(element)
  const all = [...attributes, ...(state === undefined ? [] : [state]), ...(words === '' ? [] : [shortened(words)])]
  const isShown = all.length > 0 || forms.length > 0 || /^(H\d|BUTTON|DIALOG|LI|TR|TD)$/.test(element.tagName)
  const children = [...element.children, ...(element.shadowRoot?.children ?? [])]
  const inside = (element.tagName === 'PRE' ? children.slice(0, mostLines) : children).flatMap((one) =>
    outline(one, isShown ? depth + 1 : depth),
  )
  if (!isShown) return inside
  return [withoutChance(`${indent}${[element.tagName.toLowerCase() + forms.join(''), ...all].join(' ')}`), ...inside]
}

/** Where the present lies on a timeline depends on the day. */
const ofThePresent = '.lane-track, .lane-track *'
/** Classes that say by colour what words may not, where they are the only ones. */
const telling = /^(tone-.*|muted|output-.*|output)$/

/**
 * What the outline leaves out and a person notices: which icons there are, what has a colour of its own, where things lie, what takes the
 * focus, what describes a field, and which instants are meant.
 */
export function looks(element: Element): string[] {
  return [...element.querySelectorAll('*')].flatMap((one) => {
    const told = lookOf(one)
    return told === '' ? [] : [`~ ${told}`]
  })
}

function lookOf(element: Element): string {
  const tag = element.tagName.toLowerCase()
  if (element.shadowRoot !== null) return ['editor', ...marksOf(element.shadowRoot)].join(' ')
  if (element.matches(ofThePresent) || element.closest('.cm-editor') !== null) return ''
  if (tag === 'svg') return `icon ${iconNames.get(element.querySelector('path')?.getAttribute('d') ?? '') ?? ''}`
  if (tag === 'time') return `time ${element.getAttribute('datetime')}`
  const [kind = ''] = element.classList
  const told = ['style', 'tabindex', 'aria-describedby', 'aria-labelledby', 'aria-activedescendant'].flatMap((name) => {
    const value = element.getAttribute(name)
    if (value === null) return []
    const isReference = name.startsWith('aria-')
    return `${name}=${isReference ? shortened(document.getElementById(value)?.textContent ?? '') : value}`
  })
  if (told.length === 0 && !telling.test(kind)) return ''
  const name = element.getAttribute('aria-label') ?? (element.children.length === 0 ? element.textContent : '') ?? ''
  return [kind === '' ? tag : `${tag}.${kind}`, ...told, ...(name === '' ? [] : [shortened(name)])].join(' ')
}

/** Where the cursor is in an editor, which of its lines are set off, and what is underlined. */
function marksOf(editor: ShadowRoot): string[] {
  const textsOf = (what: string, selector: string) => {
    const found = [...editor.querySelectorAll(selector)].map(({ textContent }) => shortened(textContent))
    return found.length === 0 ? [] : [`${what} ${found.join(' ')}`]
  }
  return [
    ...textsOf('at', '.cm-activeLine'),
    ...textsOf('lit', '.cm-lit'),
    ...textsOf('wrong', '.cm-lintRange-error'),
    ...textsOf('doubtful', '.cm-lintRange-warning'),
  ]
}

/** By their paths. */
const iconNames = new Map(
  [
    ...readFileSync(join(import.meta.dir, '../../src/console/parts/icon.tsx'), 'utf8').matchAll(/(\w+):\s+'([^']+)'/g),
  ].map(([, name = '', path = '']) => [path, name]),
)

function stateOf(element: Element): string | undefined {
  if (!/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) return undefined
  const { type, checked, value } = element as HTMLInputElement
  // Where the present is between two instants.
  if (type === 'range') return undefined
  return type === 'checkbox' || type === 'radio' ? (checked ? 'is on' : 'is off') : `has ${shortened(value)}`
}

const linesOf = (editor: Element) => [...editor.querySelectorAll('.cm-line')].map((line) => line.textContent).join(' ')

export const squeezed = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Without what differs first, or where it ends would depend on the day. */
export function shortened(text: string): string {
  const flat = withoutChance(squeezed(text))
  return flat.length <= longestText ? `"${flat}"` : `"${flat.slice(0, longestText)}" … ${flat.length}`
}

/** Ids, hashes, secrets, instants and durations differ from run to run, sizes of documents and versions from one version to the next. */
export function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '‹id›')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4})?…/g, '‹id›…')
    .replaceAll(/…[0-9a-f]{8,12}\b/g, '…‹id›')
    .replaceAll(/\b[0-9a-f]{64}\b|\b[0-9a-f]{8,32}…/g, '‹hash›')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/g, '‹instant›')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC/g, '‹instant›')
    .replaceAll(dayAgo(0), '‹day›')
    .replaceAll(dayAgo(60_000), '‹day›')
    .replaceAll(/\b(\d+ min )?\d+(\.\d+)? (ms|s)\b/g, '‹duration›')
    .replaceAll(/\bconsole-[0-9a-f]{12,}\b/g, 'console-‹key›')
    .replaceAll(/\b(qr|whsec)_[\w+/=-]{20,}/g, '$1_‹secret›')
    .replaceAll(/(max=2147483647 .*has) "\d+"/g, '$1 ‹seed›')
    .replaceAll(/\b([A-Z2-7]{4} ){7}[A-Z2-7]{4}\b/g, '‹key›')
    .replaceAll(/\b\d+(\.\d+)? (B|KB|MB)\b/g, '‹size›')
    .replaceAll(PRODUCT_VERSION, '‹version›')
    .replaceAll(`API ${API_VERSION}`, 'API ‹version›')
}

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** As Home writes it, today and where a page was drawn just before midnight. Other days are what a test has made, and are held to. */
const dayAgo = (ms: number) => day.format(new Date(Date.now() - ms))
