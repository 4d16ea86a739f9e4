import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'

interface Described {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, DescribedResponse> }>>
}

interface DescribedResponse {
  content?: Record<string, unknown>
  headers?: Record<string, { required?: boolean }>
}

/** Says what of a response its OpenAPI document does not describe; undefined when it describes all of it. */
export type ResponseCheck = (method: string, path: string, response: Response) => Promise<string | undefined>

/** By a document's text, and by the origin of a service. */
const checksOf = new Map<string, ResponseCheck>()

/**
 * The same for a running service, against the document that it serves itself. Undefined too where the service went away
 * before it had given one: tests that kill it expect that.
 */
export async function undescribed(
  origin: string,
  method: string,
  path: string,
  response: Response,
): Promise<string | undefined> {
  let check = checksOf.get(origin)
  if (check === undefined) {
    const text = await fetch(`${origin}/openapi.json`).then(
      (answer) => answer.text(),
      () => undefined,
    )
    if (text === undefined) return undefined
    check = checkOfText(text, () => JSON.parse(text))
    checksOf.set(origin, check)
  }
  return check(method, path, response)
}

/**
 * Checks responses against an OpenAPI document alone, with a validator that knows nothing of how the document was made.
 * Objects in it refuse additional properties, so a field that isn't described is found. Equal documents share a check, whose
 * validators are compiled once: most services that a test process starts serve the same one.
 */
export function createResponseCheck(document: object): ResponseCheck {
  return checkOfText(JSON.stringify(document), () => document)
}

/** A document of 640 KB that is known already is not even read. */
function checkOfText(text: string, read: () => object): ResponseCheck {
  const check = checksOf.get(text) ?? checkAgainst(read())
  checksOf.set(text, check)
  return check
}

function checkAgainst(document: object): ResponseCheck {
  const { paths } = document as Described
  const ajv = new Ajv({ strict: false, allErrors: false })
  addFormats(ajv)
  ajv.addSchema(document, 'openapi', false, false)
  const validators = new Map<string, ValidateFunction>()
  const patterns = Object.keys(paths).map((path) => ({
    path,
    params: path.split('{').length,
    pattern: new RegExp(`^${path.replaceAll(/[.:]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))

  return async (method, address, response) => {
    const pathname = address.split('?')[0]!
    const [found] = patterns.filter(({ pattern }) => pattern.test(pathname)).sort((a, b) => a.params - b.params)
    const type = response.headers.get('content-type')?.split(';')[0]
    const operation = found === undefined ? undefined : paths[found.path]![method.toLowerCase()]
    if (found === undefined || operation === undefined) {
      if (type !== 'application/problem+json' || method === 'HEAD') return undefined
      return bodyFault(['components', 'schemas', 'Problem'], response, [
        'components',
        'schemas',
        'ConfigurationProblem',
      ])
    }
    const { status } = response
    const described = operation.responses[status]
    const name = `${operation.operationId} ${status}`
    if (described === undefined) return `${name}: the status is not described`
    for (const [header, { required }] of Object.entries(described.headers ?? {})) {
      if (required === true && !response.headers.has(header)) return `${name}: ${header} is missing`
    }
    if (!response.headers.has('x-correlation-id')) return `${name}: X-Correlation-Id is missing`
    if (type === undefined || described.content === undefined) {
      if (status === 304) return undefined
      return (type === undefined) === (described.content === undefined) ? undefined : `${name}: content ${type}`
    }
    if (!(type in described.content)) return `${name}: the media type ${type} is not described`
    if (!type.endsWith('json')) return undefined
    const fault = await bodyFault(
      ['paths', found.path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'],
      response,
    )
    return fault === undefined ? undefined : `${name}: ${fault}`
  }

  async function bodyFault(...[place, response, other]: [string[], Response, string[]?]): Promise<string | undefined> {
    const body: unknown = await response.clone().json()
    const validators = [place, other].filter((one) => one !== undefined).map(validatorAt)
    if (validators.some((validate) => validate(body))) return undefined
    return `${JSON.stringify(validators[0]!.errors)} in ${JSON.stringify(body).slice(0, 2000)}`
  }

  /** Hundreds of answers have the same schema, which is compiled once. */
  function validatorAt(place: readonly string[]) {
    const text = JSON.stringify(place.reduce<object>((inside, token) => Reflect.get(inside, token), document))
    let validator = validators.get(text)
    if (validator === undefined) {
      const pointer = place.map((token) => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')))
      validator = ajv.getSchema(`openapi#/${pointer.join('/')}`)!
      validators.set(text, validator)
    }
    return validator
  }
}
