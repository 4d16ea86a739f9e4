import { childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { ManualPlace } from '../../model/chart.ts'
import { numberOfChild, valueOfChild } from './source.ts'

/** A manual layout (21.2.2.104): positions count from the edge, extents in shares of the chart. */
export function readPlace(element: XmlElement): ManualPlace | undefined {
  const layout = childNamed(element, 'c:layout')
  const manual = layout && childNamed(layout, 'c:manualLayout')
  if (!manual) return undefined
  const share = (name: string) => {
    const value = numberOfChild(manual, name)
    return value === undefined ? undefined : Math.max(0, Math.min(1, value))
  }
  const fromEdge = (name: string) => (valueOfChild(manual, `${name}Mode`) === 'edge' ? share(name) : undefined)
  return {
    x: fromEdge('c:x'),
    y: fromEdge('c:y'),
    width: share('c:w'),
    height: share('c:h'),
    inner: valueOfChild(manual, 'c:layoutTarget') === 'inner',
  }
}
