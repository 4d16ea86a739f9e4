/** How a place in a template is written, and how people call it. Pure. */

import type { Finding, Surroundings } from '../../../core/finding.ts'
import type { Binding, TagPlace, WireIssue } from '../../api/types.ts'
import { t } from '../../language.ts'

/** `word/document.xml#12:5`, as issues of composing name it. */
export function placeKey({ part, paragraph, position }: TagPlace): string {
  return `${part}#${paragraph}:${position}`
}

/** Whether an issue of composing (a place, or a pointer into the data) is about a binding. */
export function isAt(binding: TagPlace & Pick<Binding, 'pointer'>, at: string | null): boolean {
  return at === placeKey(binding) || at === binding.pointer
}

/** `word/header1.xml` as people call it. */
export function partName(part: string): string {
  if (part.startsWith('docProps/')) return t`properties`
  const [, name = part, number = ''] = /^word\/(.*?)(\d*)\.xml$/.exec(part) ?? []
  const word = Object.hasOwn(partWords, name) ? partWords[name] : name
  return number === '' ? `${word}` : `${word} ${number}`
}

const partWords: Readonly<Record<string, string>> = {
  document: t`body`,
  header: t`header`,
  footer: t`footer`,
  footnotes: t`footnotes`,
  endnotes: t`endnotes`,
  comments: t`comments`,
}

/** An issue about a template as a finding, with its place as the template's author sees it. */
export function templateFinding({ code, message, path, context = {} }: WireIssue): Finding {
  const { template, in: story, heading, words, severity } = context
  const near: Surroundings = {
    ...(template === undefined ? {} : { template }),
    ...(story === undefined ? {} : { in: story }),
    ...(heading === undefined ? {} : { heading }),
    ...(words === undefined ? {} : { words }),
  }
  return {
    code,
    severity: severity === 'warning' ? 'warning' : 'error',
    message,
    ...(path === undefined ? {} : { path }),
    ...(Object.keys(near).length === 0 ? {} : { near }),
  }
}
