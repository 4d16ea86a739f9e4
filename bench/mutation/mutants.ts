import {
  type Block,
  isArrayLiteralExpression,
  isBinaryExpression,
  isBlock,
  isBreakOrContinueStatement,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isDefaultClause,
  isExportDeclaration,
  isExpressionStatement,
  isForStatement,
  isFunctionLikeDeclaration,
  isIdentifier,
  isIfStatement,
  isImportDeclaration,
  isJsxAttribute,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertyDeclaration,
  isReturnStatement,
  isSourceFile,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isThrowStatement,
  isTypeNode,
  isWhileStatement,
  type Node,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'

/** One planted fault: the text between `start` and `end` of a file becomes `replacement`. */
export interface Mutant {
  start: number
  end: number
  replacement: string
  /** The kind of change, in two or three words. */
  kind: string
  /** Appended to the file: the import of what the replacement names. */
  appendix?: string
}

/**
 * All faults that can be planted in a file, in the order of its text. Types, imports, messages, descriptions and log calls are
 * skipped, because no test should depend on them. Faults may fail to type-check.
 */
export function mutantsOf(file: SourceFile): Mutant[] {
  const found: Mutant[] = []
  const visit = (node: Node): void => {
    if (isTypeNode(node) || isImportDeclaration(node) || isExportDeclaration(node) || isWords(node, file)) return
    for (const operator of operators) found.push(...operator(node, file))
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  return found.sort((a, b) => a.start - b.start || a.end - b.end)
}

/** The file's text with the fault in it. */
export function planted(text: string, { start, end, replacement, appendix = '' }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end) + appendix
}

const wordProperties =
  /^(message|title|description|summary|detail|hint|help|text|label|placeholder|examples?|\$?comment)$/
const faultClass = /(Error|Fault|Problem)$/

/** Whether a node is only text for people: a log call, a message, a description. */
function isWords(node: Node, file: SourceFile): boolean {
  if (isExpressionStatement(node) && isCallExpression(node.expression)) {
    return /^(void )?(this\.)?#?(log|logger|console)\./.test(node.expression.expression.getText(file))
  }
  // An error's name in the log.
  if (isPropertyDeclaration(node)) return node.name.getText(file) === 'name' && /^override /.test(node.getText(file))
  if (isPropertyAssignment(node)) return wordProperties.test(node.name.getText(file)) && !hasCode(node.initializer)
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return isProse(node.text) || isMessage(node, file)
  return false
}

/** The expressions in a template are code; its text isn't. */
function hasCode(node: Node): boolean {
  return !isStringLiteral(node) && !isNoSubstitutionTemplateLiteral(node)
}

/** Three words in a row are meant for a reader. */
function isProse(text: string): boolean {
  return /[A-Za-z]{2,}[,;:.]? [A-Za-z'’]+[,;:.]? [A-Za-z'’]+/.test(text)
}

function isMessage({ parent }: Node, file: SourceFile): boolean {
  return isNewExpression(parent) && faultClass.test(parent.expression.getText(file))
}

type Operator = (node: Node, file: SourceFile) => Mutant[]

function replace(node: Node, file: SourceFile, kind: string, ...replacements: string[]): Mutant[] {
  return replacements.map((replacement) => ({ start: node.getStart(file), end: node.end, replacement, kind }))
}

const otherOperators: Partial<Record<SyntaxKind, readonly [kind: string, ...others: string[]]>> = {
  [SyntaxKind.LessThanToken]: ['comparison', '<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['comparison', '<', '>'],
  [SyntaxKind.GreaterThanToken]: ['comparison', '>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['comparison', '>', '<'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['equality', '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['equality', '==='],
  [SyntaxKind.AmpersandAmpersandToken]: ['and, or', '||'],
  [SyntaxKind.BarBarToken]: ['and, or', '&&'],
  [SyntaxKind.PlusToken]: ['arithmetic', '-'],
  [SyntaxKind.MinusToken]: ['arithmetic', '+'],
  [SyntaxKind.AsteriskToken]: ['arithmetic', '/'],
  [SyntaxKind.SlashToken]: ['arithmetic', '*'],
  [SyntaxKind.PercentToken]: ['arithmetic', '*'],
  [SyntaxKind.AsteriskAsteriskToken]: ['arithmetic', '*'],
  [SyntaxKind.LessThanLessThanToken]: ['bits', '>>'],
  [SyntaxKind.GreaterThanGreaterThanToken]: ['bits', '<<'],
  [SyntaxKind.GreaterThanGreaterThanGreaterThanToken]: ['bits', '<<'],
  [SyntaxKind.AmpersandToken]: ['bits', '|'],
  [SyntaxKind.BarToken]: ['bits', '&'],
  [SyntaxKind.PlusEqualsToken]: ['arithmetic', '-='],
  [SyntaxKind.MinusEqualsToken]: ['arithmetic', '+='],
  [SyntaxKind.AsteriskEqualsToken]: ['arithmetic', '/='],
  [SyntaxKind.SlashEqualsToken]: ['arithmetic', '*='],
}

function binary(node: Node, file: SourceFile): Mutant[] {
  if (!isBinaryExpression(node)) return []
  if (node.operatorToken.kind === SyntaxKind.QuestionQuestionToken) {
    return replace(node, file, 'fallback', `(${node.right.getText(file)})`, `(${node.left.getText(file)})`)
  }
  const [kind, ...others] = otherOperators[node.operatorToken.kind] ?? ['']
  return replace(node.operatorToken, file, kind, ...others)
}

function unary(node: Node, file: SourceFile): Mutant[] {
  if (isPostfixUnaryExpression(node)) {
    const isRising = node.operator === SyntaxKind.PlusPlusToken
    return replace(node, file, 'arithmetic', node.operand.getText(file) + (isRising ? '--' : '++'))
  }
  if (!isPrefixUnaryExpression(node)) return []
  const operand = node.operand.getText(file)
  switch (node.operator) {
    case SyntaxKind.ExclamationToken:
      return replace(node, file, 'negation', operand)
    case SyntaxKind.MinusToken:
      return replace(node, file, 'sign', operand)
    case SyntaxKind.PlusPlusToken:
      return replace(node, file, 'arithmetic', `--${operand}`)
    case SyntaxKind.MinusMinusToken:
      return replace(node, file, 'arithmetic', `++${operand}`)
    default:
      return []
  }
}

function condition(node: Node, file: SourceFile): Mutant[] {
  if (isIfStatement(node)) return replace(node.expression, file, 'condition', 'true', 'false')
  if (isConditionalExpression(node)) return replace(node.condition, file, 'condition', 'true', 'false')
  // A loop that never ends shows nothing more than one that never begins.
  if (isWhileStatement(node) && node.expression.kind !== SyntaxKind.TrueKeyword) {
    return replace(node.expression, file, 'condition', 'false')
  }
  if (isForStatement(node) && node.condition !== undefined) return replace(node.condition, file, 'condition', 'false')
  return []
}

function constant(node: Node, file: SourceFile): Mutant[] {
  if (node.kind === SyntaxKind.TrueKeyword) return replace(node, file, 'constant', 'false')
  if (node.kind === SyntaxKind.FalseKeyword) return replace(node, file, 'constant', 'true')
  // `-1` becomes 1, which is enough.
  if (isNumericLiteral(node)) return isPrefixUnaryExpression(node.parent) ? [] : number(node.text, node, file)
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) {
    if (node.text === '' || isName(node)) return []
    return replace(node, file, 'string emptied', "''")
  }
  if (isTemplateExpression(node) && !isTaggedTemplateExpression(node.parent)) {
    if (isProse(node.getText(file)) || isMessage(node, file)) return []
    return replace(node, file, 'string emptied', "''")
  }
  return []
}

function number(text: string, node: Node, file: SourceFile): Mutant[] {
  const value = Number(text)
  if (value === 0) return replace(node, file, 'constant', '1')
  if (value === 1) return replace(node, file, 'constant', '0')
  // Adding one is a clear fault in a count, but none in thousands of milliseconds or bytes, which are doubled instead.
  return replace(node, file, 'constant', String(value > 1_000 || !Number.isInteger(value) ? value * 2 : value + 1))
}

/** Whether a string names something: a property, an attribute, a module. */
function isName(node: Node): boolean {
  const { parent } = node
  if (isPropertyAssignment(parent)) return parent.name === node
  return isJsxAttribute(parent) || (isCallExpression(parent) && parent.expression.kind === SyntaxKind.ImportKeyword)
}

function isStatementList(node: Node): boolean {
  return isBlock(node) || isSourceFile(node) || isCaseClause(node) || isDefaultClause(node)
}

function statement(node: Node, file: SourceFile): Mutant[] {
  if (isBreakOrContinueStatement(node)) return replace(node, file, 'break or continue removed', ';')
  if (!isExpressionStatement(node) && !isThrowStatement(node)) return []
  if (isExpressionStatement(node) && /^super\b/.test(node.getText(file))) return []
  if (isStatementList(node.parent)) return replace(node, file, 'statement removed', ';')
  return replace(node, file, 'statement removed', '{}')
}

function earlyReturn(node: Node, file: SourceFile): Mutant[] {
  if (!isBlock(node) || !isFunctionLikeDeclaration(node.parent) || node.statements.length === 0) return []
  const { parent } = node
  const type = 'type' in parent ? parent.type : undefined
  const givesNothing = type === undefined ? !returnsValue(node) : /\bvoid\b/.test(type.getText(file))
  if (!givesNothing) return []
  const start = node.getStart(file)
  return [{ start, end: start + 1, replacement: '{ if (1) return;', kind: 'early return' }]
}

function returnsValue(block: Block): boolean {
  const visit = (node: Node): boolean => {
    if (isReturnStatement(node)) return node.expression !== undefined
    return !isFunctionLikeDeclaration(node) && node.forEachChild((child) => visit(child) || undefined) === true
  }
  return visit(block)
}

const pairs: readonly (readonly [string, string])[] = [
  ['min', 'max'],
  ['some', 'every'],
  ['floor', 'ceil'],
  ['startsWith', 'endsWith'],
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['find', 'findLast'],
  ['findIndex', 'findLastIndex'],
  ['indexOf', 'lastIndexOf'],
  ['trimStart', 'trimEnd'],
  ['padStart', 'padEnd'],
  ['all', 'race'],
  ['isSubsetOf', 'isSupersetOf'],
  ['next', 'previous'],
  ['first', 'last'],
]
/** drizzle's functions, called by their bare names. */
const queryPairs: readonly (readonly [string, string])[] = [
  ['asc', 'desc'],
  ['eq', 'ne'],
  ['lt', 'lte'],
  ['gt', 'gte'],
  ['and', 'or'],
  ['isNull', 'isNotNull'],
  ['inArray', 'notInArray'],
]
const bothWays = (list: typeof pairs) => new Map(list.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]))
const otherMethod = bothWays(pairs)
const otherQuery = bothWays(queryPairs)

/** Calls in a chain whose result has the same type as their receiver. */
const droppable = new Set(
  (
    'filter sort toSorted reverse toReversed slice trim trimStart trimEnd toLowerCase toUpperCase normalize flat ' +
    'where orderBy limit for onConflictDoNothing returning map catch finally'
  ).split(' '),
)

function call(node: Node, file: SourceFile): Mutant[] {
  if (!isCallExpression(node)) return []
  const callee = node.expression
  if (isIdentifier(callee)) {
    const other = otherQuery.get(callee.text)
    if (other === undefined) return []
    const dropped = callee.text === 'and' || callee.text === 'or' ? dropOne(node.arguments, file, 'clause') : []
    return [...swapQuery(callee, other, file), ...dropped]
  }
  if (!isPropertyAccessExpression(callee)) return []
  const found: Mutant[] = []
  const other = otherMethod.get(callee.name.text)
  if (other !== undefined) found.push(...replace(callee.name, file, 'method', other))
  if (callee.name.text === 'at') found.push(...firstOrLast(node.arguments[0], file))
  if (droppable.has(callee.name.text)) {
    found.push({ start: callee.expression.end, end: node.end, replacement: '', kind: 'call dropped' })
  }
  return found
}

function firstOrLast(argument: Node | undefined, file: SourceFile): Mutant[] {
  if (argument === undefined) return []
  const text = argument.getText(file)
  return text === '0' || text === '-1' ? replace(argument, file, 'first or last', text === '0' ? '-1' : '0') : []
}

function swapQuery(callee: Node, other: string, file: SourceFile): Mutant[] {
  const fromDrizzle = file.statements.find(
    (one) => isImportDeclaration(one) && /['"]drizzle-orm['"]/.test(one.moduleSpecifier.getText(file)),
  )
  if (fromDrizzle === undefined) return []
  const isThere = new RegExp(`[{,\\s]${other}[,\\s}]`).test(fromDrizzle.getText(file))
  const appendix = isThere ? {} : { appendix: `\nimport { ${other} } from 'drizzle-orm'\n` }
  return replace(callee, file, 'query', other).map((mutant) => ({ ...mutant, ...appendix }))
}

/** Leaves out one element at a time; of a long list only the first, the middle and the last. */
function dropOne(elements: readonly Node[], file: SourceFile, kind: string): Mutant[] {
  if (elements.length < 2) return []
  const count = elements.length
  const picked = count <= 3 ? elements.keys() : [0, Math.floor(count / 2), count - 1]
  return [...picked].map((index) => {
    const element = elements[index] as Node
    const next = elements[index + 1]
    const before = elements[index - 1]
    if (next !== undefined) {
      return { start: element.getStart(file), end: next.getStart(file), replacement: '', kind: `${kind} left out` }
    }
    return { start: before?.end ?? element.getStart(file), end: element.end, replacement: '', kind: `${kind} left out` }
  })
}

function list(node: Node, file: SourceFile): Mutant[] {
  if (isArrayLiteralExpression(node)) return dropOne(node.elements, file, 'element')
  if (isObjectLiteralExpression(node)) {
    const kept = node.properties.filter(
      (property) => !wordProperties.test('name' in property ? (property.name?.getText(file) ?? '') : ''),
    )
    // A description in between would be left out with its neighbour.
    return kept.length === node.properties.length ? dropOne(kept, file, 'property') : []
  }
  return []
}

const otherSql: readonly (readonly [RegExp, string])[] = [
  [/<=/g, '<'],
  [/>=/g, '>'],
  [/<(?![=>])/g, '<='],
  [/(?<![-<])>(?!=)/g, '>='],
  [/\bdesc\b/gi, 'asc'],
  [/\basc\b/gi, 'desc'],
  [/\band\b/gi, 'or'],
  [/\bor\b/gi, 'and'],
  [/\bis null\b/gi, 'is not null'],
  [/\bis not null\b/gi, 'is null'],
  [/\bmin\(/gi, 'max('],
  [/\bmax\(/gi, 'min('],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ skip locked\b/gi, ''],
]

/** Faults in the words of a statement's text, which belongs to the template that the parser found. */
function statementText(node: Node, file: SourceFile): Mutant[] {
  if (!isTaggedTemplateExpression(node) || !/^sql\b/.test(node.tag.getText(file))) return []
  const { template } = node
  const parts = isTemplateExpression(template)
    ? [template.head, ...template.templateSpans.map((span) => span.literal)]
    : [template]
  return parts.flatMap((part) => {
    const from = part.getStart(file)
    const text = file.text.slice(from, part.end)
    // The part's own `}`, `${` and backquotes contain none of these words.
    return otherSql.flatMap(([pattern, replacement]) =>
      [...text.matchAll(pattern)].map((match) => ({
        start: from + match.index,
        end: from + match.index + match[0].length,
        replacement,
        kind: 'query',
      })),
    )
  })
}

const operators: readonly Operator[] = [
  binary,
  unary,
  condition,
  constant,
  statement,
  earlyReturn,
  call,
  list,
  statementText,
]
