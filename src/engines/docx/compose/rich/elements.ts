/** The names of HTML's elements, and what begins like one without being one. */

const names = new Set(
  (
    'a abbr acronym address area article aside audio b base bdi bdo big blink blockquote body br button canvas caption center cite code ' +
    'col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame ' +
    'frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins kbd label legend li link main map mark marquee ' +
    'math menu meta meter nav nobr noframes noscript object ol optgroup option output p param picture pre progress q rp rt ruby s samp ' +
    'script search section select slot small source span strike strong style sub summary sup svg table tbody td template textarea tfoot ' +
    'th thead time title tr track tt u ul var video wbr xml'
  ).split(' '),
)

/** Elements of HTML, custom elements, and those that Office writes into HTML. */
export function isElement(name: string): boolean {
  return names.has(name) || /^[a-z][\w.]*-[\w.-]*$/.test(name) || /^(?:[ovwm]|st1|rdf|dc|cc):\w+$/.test(name)
}

/** What a text ends with that begins an element and doesn't end it. */
export function unclosedTag(html: string): string | undefined {
  const from = html.lastIndexOf('<')
  return from > html.lastIndexOf('>') && /^<\/?[A-Za-z]/.test(html.slice(from, from + 3)) ? html.slice(from) : undefined
}
