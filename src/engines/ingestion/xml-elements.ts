/** XML as elements with their places, and the model's declaration for each. Namespaces become the model's prefixes. */
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes'
import type { ValueType } from './declaration.ts'
import { InputRefusal } from './refusal.ts'
import type { XmlFormat } from './xml-format.ts'

export class XmlRefusal extends InputRefusal {
  readonly format = 'xml'
}

/** What the model says of an element. */
export interface Rule {
  isList: boolean
  isObject: boolean
  type: ValueType
}

/** Finds what the model says of a place: the whole path counts before the longest end of it. */
export class Rules {
  private readonly lists: ReadonlySet<string>
  private readonly objects: ReadonlySet<string>
  private readonly longest: number
  private readonly known = new Map<string, Rule>()

  constructor(private readonly format: XmlFormat) {
    this.lists = new Set(format.lists)
    this.objects = new Set(format.objects)
    const places = [...format.lists, ...format.objects, ...Object.keys(format.types)]
    this.longest = places.reduce((most, place) => Math.max(most, place.split('/').length), 1)
  }

  /** @param path from the root: `/order/line`, or `/order/line/@no` */
  of(path: string): Rule {
    let rule = this.known.get(path)
    if (rule !== undefined) return rule
    const ends = [path, ...this.endsOf(path)]
    const typed = ends.find((end) => this.format.types[end] !== undefined)
    rule = {
      isList: ends.some((end) => this.lists.has(end)),
      isObject: ends.some((end) => this.objects.has(end)),
      type: (typed === undefined ? undefined : this.format.types[typed]) ?? 'text',
    }
    this.known.set(path, rule)
    return rule
  }

  /** The longest first. */
  private endsOf(path: string): string[] {
    const steps = path.slice(1).split('/').slice(-this.longest)
    return steps.map((_step, index) => steps.slice(index).join('/'))
  }
}

const xmlUri = 'http://www.w3.org/XML/1998/namespace'
const xmlnsUri = 'http://www.w3.org/2000/xmlns/'
/** Its attributes speak to validators; only `nil` says something of the value. */
const instanceUri = 'http://www.w3.org/2001/XMLSchema-instance'

/** How names of a document are written in the input, by the namespaces that the model declares. */
export class Names {
  private readonly prefixes: ReadonlyMap<string, string>

  constructor({ namespaces }: XmlFormat) {
    this.prefixes = new Map(Object.entries(namespaces).map(([prefix, uri]) => [uri, prefix]))
  }

  /** @throws XmlRefusal for a namespace that the model doesn't declare */
  ofElement({ name, local, uri }: SaxesTagNS, offset: number): string {
    if (uri === '' && [...this.prefixes.values()].includes('')) {
      const hint = 'declare xmlns="…" in the document, or give its namespace a prefix in the model'
      throw new XmlRefusal('namespace', offset, `<${shortName(name)}> is in no namespace`, hint)
    }
    return uri === '' ? local : this.prefixed(name, uri, local, offset)
  }

  /** Undefined for what is no part of the value. @throws XmlRefusal */
  ofAttribute({ name, local, uri }: SaxesAttributeNS, offset: number): string | undefined {
    if (uri === '') return local
    if (uri === xmlnsUri || uri === instanceUri) return undefined
    return uri === xmlUri ? `xml:${local}` : this.prefixed(name, uri, local, offset)
  }

  private prefixed(name: string, uri: string, local: string, offset: number): string {
    const prefix = this.prefixes.get(uri)
    if (prefix !== undefined) return prefix === '' ? local : `${prefix}:${local}`
    const message = `"${shortName(name)}" is in the namespace "${uri.slice(0, 100)}", which the model does not declare`
    const given = name.includes(':') ? name.slice(0, name.indexOf(':')) : '""'
    throw new XmlRefusal(
      'namespace',
      offset,
      message,
      `add it to the model: namespaces: { ${given}: "${uri.slice(0, 100)}" }`,
    )
  }
}

/** Whether an element says that it is null. */
export function isNil({ attributes }: SaxesTagNS): boolean {
  return Object.values(attributes).some(({ uri, local, value }) => {
    return uri === instanceUri && local === 'nil' && (value === 'true' || value === '1')
  })
}

export function shortName(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`
}
