/** Made by scripts/build-client.ts from the OpenAPI description: change that, and run `bun run build:client`. */
export type Dependency = {
  name: 'relational-db' | 'message-bus' | 'object-store' | 'outbox'
  status: 'ready' | 'unavailable'
}

export type ConfigurationIssue = {
  code: string
  stage: string
  resource_kind: string
  resource_id?: string
  path?: string
  message: string
  dependency?: string
  context?: Record<string, string>
  correlation_id: string
}

export type Problem =
  | {
      type: '/problems/internal_error'
      title: string
      status: 500
      code: 'internal_error'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/dependency_unavailable'
      title: string
      status: 503
      code: 'dependency_unavailable'
      detail: string
      correlation_id: string
      dependencies?: Dependency[]
    }
  | {
      type: '/problems/invalid_credentials'
      title: string
      status: 401
      code: 'invalid_credentials'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/origin_rejected'
      title: string
      status: 403
      code: 'origin_rejected'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/validation_failed'
      title: string
      status: 422
      code: 'validation_failed'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/rate_limited'
      title: string
      status: 429
      code: 'rate_limited'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/authentication_required'
      title: string
      status: 401
      code: 'authentication_required'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/csrf_rejected'
      title: string
      status: 403
      code: 'csrf_rejected'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/forbidden'
      title: string
      status: 403
      code: 'forbidden'
      detail: string
      correlation_id: string
    }
  | { type: '/problems/conflict'; title: string; status: 409; code: 'conflict'; detail: string; correlation_id: string }
  | {
      type: '/problems/not_found'
      title: string
      status: 404
      code: 'not_found'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/method_not_allowed'
      title: string
      status: 405
      code: 'method_not_allowed'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/unsupported_media_type'
      title: string
      status: 415
      code: 'unsupported_media_type'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/content_unavailable'
      title: string
      status: 410
      code: 'content_unavailable'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/precondition_required'
      title: string
      status: 428
      code: 'precondition_required'
      detail: string
      correlation_id: string
    }
  | {
      type: '/problems/precondition_failed'
      title: string
      status: 412
      code: 'precondition_failed'
      detail: string
      correlation_id: string
    }

export type ConfigurationProblem =
  | {
      type: '/problems/internal_error'
      title: string
      status: 500
      code: 'internal_error'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/dependency_unavailable'
      title: string
      status: 503
      code: 'dependency_unavailable'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/validation_failed'
      title: string
      status: 422
      code: 'validation_failed'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/authentication_required'
      title: string
      status: 401
      code: 'authentication_required'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/csrf_rejected'
      title: string
      status: 403
      code: 'csrf_rejected'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/forbidden'
      title: string
      status: 403
      code: 'forbidden'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/conflict'
      title: string
      status: 409
      code: 'conflict'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/not_found'
      title: string
      status: 404
      code: 'not_found'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/method_not_allowed'
      title: string
      status: 405
      code: 'method_not_allowed'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/unsupported_media_type'
      title: string
      status: 415
      code: 'unsupported_media_type'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/precondition_required'
      title: string
      status: 428
      code: 'precondition_required'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }
  | {
      type: '/problems/precondition_failed'
      title: string
      status: 412
      code: 'precondition_failed'
      detail: string
      correlation_id: string
      errors: ConfigurationIssue[]
    }

/** What something between the client and Quire refused, such as a proxy. */
export type ForeignProblem = { code: 'unknown'; detail: string; status: number }

/** Whatever can be refused. */
export type AnyProblem = Problem | ConfigurationProblem | ForeignProblem
