import { themeColors } from '../../../core/color.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed } from '../../ooxml/xml.ts'
import { relatedPart } from './parts.ts'

/** The digits of the theme's colours by their names; empty for a document without a theme. */
export function readThemeColors(opened: OoxmlPackage): ReadonlyMap<string, string> {
  const part = relatedPart(opened, 'theme')
  const root = part === undefined ? undefined : opened.readXml(part)
  const elements = root?.ok ? childNamed(root.value, 'a:themeElements') : undefined
  const scheme = elements === undefined ? undefined : childNamed(elements, 'a:clrScheme')
  const found = new Map<string, string>()
  for (const [name, element] of themeColors) {
    const color = scheme === undefined ? undefined : childNamed(scheme, `a:${element}`)
    const [stated] = color === undefined ? [] : childElements(color)
    const digits = stated?.attributes[stated.name === 'a:sysClr' ? 'lastClr' : 'val']
    if (digits !== undefined && /^[0-9a-f]{6}$/i.test(digits)) found.set(name, digits.toUpperCase())
  }
  return found
}
