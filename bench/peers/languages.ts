/** What the tags of other template languages mean. */
import type { Meaning, Place } from './translate.ts'

export interface Language {
  /** Matches tags; the text between the delimiters is a group. */
  tag: RegExp
  read(inner: string): Meaning
}

const code = 'expressions and functions in JavaScript: the transformer computes'
const rawXml = 'WordprocessingML in the data'
const options = 'options for what a loop repeats: in Quire that follows from where its tags are, and columns has a word'
const paid = 'modules that are sold'

function beyond(why: string): Meaning {
  return { kind: 'beyond', why }
}

const plainName = /^[\p{L}_$][\p{L}\p{M}\p{N}_.$ -]*$/u

/** docxtemplater and easy-template-x; their names are looked up in the innermost block that has them. */
export const mustache: Language = {
  tag: /\{([^{}]*)\}/g,
  read(inner) {
    if (/\[.*loopOver/i.test(inner)) return beyond(options)
    const source = inner.trim().replace(/\s*\[[^\]]*\]$/, '')
    const [, sign = '', name = ''] = /^([#^/@%~:=-]*)\s*(.*)$/s.exec(source) ?? []
    const place: Place = name === '.' ? { of: 'self' } : { of: 'lexical', names: [name] }
    if (sign === '/') return { kind: 'end' }
    if (sign === '@') return beyond(rawXml)
    if (sign === '=') return beyond('marks of tags that change within a template')
    if (/^[~:]/.test(sign)) return beyond(paid)
    // In Quire a block follows the rows and paragraphs of its tags by itself.
    const [, list] = /^w:\w+\s+(.+)$/.exec(name) ?? []
    if (sign === '-' && list !== undefined)
      return { kind: 'section', place: { of: 'lexical', names: [list] }, isNot: false }
    if (sign.startsWith('%')) return { kind: 'image', place }
    if (source === '' || (!plainName.test(name) && name !== '.'))
      return beyond(source === '' ? 'tags without a name' : code)
    return sign === '' ? { kind: 'value', place } : { kind: 'section', place, isNot: sign === '^' }
  },
}

/** A path of docx-templates or Jinja; undefined for any other expression. */
function placeOf(source: string, variables: 'dollar' | 'plain'): Place | undefined {
  const path = source.trim()
  if (!/^\$?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(path) || /^(?:true|false|null)$/.test(path)) return undefined
  const [first = '', ...names] = path.split('.')
  if (first.startsWith('$')) return { of: 'item', variable: first.slice(1), names }
  return variables === 'dollar' ? { of: 'root', names: [first, ...names] } : { of: 'scoped', variable: first, names }
}

export const docxTemplates: Language = {
  tag: /\+\+\+([\s\S]*?)\+\+\+/g,
  read(inner) {
    const source = inner.trim()
    const [, word = '', rest = ''] =
      /^(INS|FOR|END-FOR|IF|END-IF|EXEC|IMAGE|LINK|HTML|ALIAS|QUERY|CMD_NODE|[=!*])\s*(.*)$/s.exec(source) ?? [
        '',
        'INS',
        source,
      ]
    switch (word) {
      case 'FOR': {
        const [, variable = '', list = ''] = /^(\w+)\s+(?:IN|in)\s+(.+)$/s.exec(rest) ?? []
        const place = placeOf(list, 'dollar')
        return place === undefined ? beyond(code) : { kind: 'loop', place, variable }
      }
      case 'IF': {
        const [, sign = '', path = '', compared] =
          /^(!?)\s*([\w.$]+)(?:\s*===?\s*['"‘“]([^'"’”]*)['"’”])?$/.exec(rest) ?? []
        const place = placeOf(path, 'dollar')
        if (place === undefined) return beyond(code)
        return { kind: 'if', place, isNot: sign === '!', ...(compared === undefined ? {} : { compared }) }
      }
      case 'END-FOR':
      case 'END-IF':
        return { kind: 'end' }
      case 'INS':
      case '=': {
        if (rest.trim() === '$idx') return beyond('numbers of items from 0: {{@index}} counts from 1')
        const place = placeOf(rest, 'dollar')
        return place === undefined ? beyond(code) : { kind: 'value', place }
      }
      case 'QUERY':
        return beyond('queries in the template: data comes with the submission')
      case 'ALIAS':
      case '*':
        return beyond('shorthands for commands')
      default:
        return beyond(code)
    }
  },
}

export const jinja: Language = {
  tag: /\{\{([^{}]*)\}\}|(\{%.*?%\})|\{#.*?#\}/gs,
  read(inner) {
    const [, statement] = /^\{%-?\s*(.*?)\s*-?%\}$/s.exec(inner) ?? []
    if (statement === undefined) {
      const source = inner.replace(/^r\s+/, '').trim()
      if (/^p\s/.test(source)) return beyond('documents that code makes: fragments are templates of their own')
      if (source === 'loop.index') return { kind: 'index' }
      const place = placeOf(source, 'plain')
      return place === undefined
        ? beyond('filters and functions in Python: the transformer computes')
        : { kind: 'value', place }
    }
    const source = statement.replace(/^(?:p|tr|tc|r)\s+/, '')
    if (/^(?:endfor|endif)\b/.test(source)) return { kind: 'end' }
    if (source === 'else') return { kind: 'else' }
    const [, variable, list = ''] = /^for\s+(\w+)\s+in\s+(.+)$/s.exec(source) ?? []
    if (variable !== undefined) {
      if (/^tc\s/.test(statement))
        return beyond('loops over columns, which Quire writes with the word columns in the cell itself')
      const place = placeOf(list, 'plain')
      return place === undefined
        ? beyond('filters and functions in Python: the transformer computes')
        : { kind: 'loop', place, variable }
    }
    const [, isNot, path = '', compared] =
      /^if\s+(not\s+)?([\w.]+)(?:\s*==\s*['"‘“]([^'"’”]*)['"’”])?$/.exec(source) ?? []
    const place = placeOf(path, 'plain')
    if (place !== undefined)
      return { kind: 'if', place, isNot: isNot !== undefined, ...(compared === undefined ? {} : { compared }) }
    return beyond(
      /^(?:vm|hm|colspan|cellbg)\b/.test(source)
        ? 'merged and shaded cells, which have tags of their own'
        : 'filters and functions in Python: the transformer computes',
    )
  },
}

export const carbone: Language = {
  tag: /\{([^{}]*)\}/g,
  read(inner) {
    const source = inner.trim()
    if (/\[i/.test(source))
      return beyond('loops by an example row and the next one: they have no tags where they begin and end')
    const [, path = '', format] = /^d\.([\w.]+)(:.*)?$/s.exec(source) ?? []
    if (path === '' || format !== undefined) return beyond('formats and conditions of Carbone')
    return { kind: 'value', place: { of: 'root', names: path.split('.') } }
  },
}
