/** The locale argument: literal, or a value whose every possibility is a known locale. */
import { findLocale, type Locale, nearestLocale, requireLocale } from '../../../core/locale/locale.ts'
import { shorten } from '../../../core/source/read.ts'
import type { SourceNode } from '../../../core/source/tree.ts'
import type { Builder } from '../build.ts'
import { checkValue } from '../check.ts'
import { Fault, type Frame } from '../frame.ts'
import type { Size } from '../size.ts'
import { enumerationOf, isUnknown } from '../types.ts'

export interface LocaleArgument {
  cost: Size
  run(frame: Frame): Locale
  /** The locale itself, where the source names it. */
  literal?: Locale
  /** All that it can be, where that is known. */
  values?: readonly Locale[]
}

/** English where no node is given; undefined after a finding. */
export function readLocale(builder: Builder, node: SourceNode | undefined): LocaleArgument | undefined {
  if (node === undefined) {
    const english = requireLocale('en', builder.context.reading)
    return named(english)
  }
  if (node.kind === 'scalar' && /^[/$]/.test(node.text)) return readDynamic(builder, node)
  const { findings, reading } = builder.context
  const tag = node.kind === 'scalar' ? node.text : ''
  const locale = findLocale(tag, reading)
  if (locale !== undefined) return named(locale)
  findings.error('unknown_locale', node, `There is no locale "${shorten(tag)}".`, meantLocale(tag))
  return undefined
}

function named(locale: Locale): LocaleArgument {
  return { cost: 0, run: () => locale, literal: locale, values: [locale] }
}

function readDynamic(builder: Builder, node: SourceNode): LocaleArgument {
  const { findings, reading } = builder.context
  const built = builder.value(node)
  const checked = checkValue(builder.context, built, 'string', '"locale"')
  const values = enumerationOf(built.type)
  const unknown = values?.find((value) => findLocale(value, reading) === undefined)
  if (unknown !== undefined) {
    findings.error('unknown_locale', node, `There is no locale "${shorten(unknown)}".`, meantLocale(unknown))
  }
  if (values === undefined && !isUnknown(built.type)) {
    const hint = 'Give it an enum in the contract, or map it with $lookup.'
    findings.error('type', node, '"locale" wants text limited to known locales.', hint)
  }
  return {
    cost: checked.cost,
    ...(values === undefined ? {} : { values: [...values].flatMap((tag) => findLocale(tag, reading) ?? []) }),
    run: (frame) => {
      const tag = checked.run(frame)
      const locale = findLocale(tag, reading)
      if (locale !== undefined) return locale
      throw new Fault('type', node, `There is no locale "${shorten(tag)}".`)
    },
  }
}

function meantLocale(tag: string): string | undefined {
  const meant = nearestLocale(tag)
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}
