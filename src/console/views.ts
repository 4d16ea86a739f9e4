import type { ComponentType } from 'preact'
import type { Pattern, ViewProps } from './navigation.ts'
import { styled } from './styles.ts'

/** The view of every address; its code is loaded when it is first opened. */
export const views: Readonly<Record<Pattern, () => Promise<ComponentType<ViewProps>>>> = {
  '/': async () => (await import('./views/home.tsx')).HomeView,
  '/lab': async () => (await import('./views/lab.tsx')).LabView,
  '/submissions': async () => (await import('./views/submissions.tsx')).SubmissionsView,
  '/submissions/new': async () => (await styled(import('./views/new-submission.tsx'))).NewSubmissionView,
  '/submissions/:id': async () => (await import('./views/submission.tsx')).SubmissionView,
  '/executions': async () => (await import('./views/executions.tsx')).ExecutionsView,
  '/executions/:id': async () => (await import('./views/execution.tsx')).ExecutionView,
  '/storage': async () => (await import('./views/storage.tsx')).StorageView,
  '/contracts': async () => (await import('./views/contracts.tsx')).ContractsView,
  '/contracts/:id': async () => (await styled(import('./views/contract.tsx'))).ContractView,
  '/transformers': async () => (await import('./views/transformers.tsx')).TransformersView,
  '/transformers/:id': async () => (await styled(import('./views/transformer.tsx'))).TransformerView,
  '/templates': async () => (await import('./views/templates.tsx')).TemplatesView,
  '/templates/:id': async () => (await styled(import('./views/template.tsx'))).TemplateView,
  '/ingestion-models': async () => (await import('./views/ingestion-models.tsx')).IngestionModelsView,
  '/ingestion-models/:id': async () => (await styled(import('./views/ingestion-model.tsx'))).IngestionModelView,
  '/ingestion-models/:id/review': async () => (await styled(import('./views/review.tsx'))).ReviewView,
  '/activations': async () => (await styled(import('./views/activations.tsx'))).ActivationsView,
  '/audit': async () => (await import('./views/audit.tsx')).AuditView,
  '/users': async () => (await import('./views/users.tsx')).UsersView,
  '/tokens': async () => (await import('./views/tokens.tsx')).TokensView,
  '/retention': async () => (await import('./views/retention.tsx')).RetentionView,
  '/batches': async () => (await styled(import('./views/batches.tsx'))).BatchesView,
  '/batches/:id': async () => (await styled(import('./views/batch.tsx'))).BatchView,
  '/webhooks': async () => (await import('./views/webhooks.tsx')).WebhooksView,
  '/webhooks/:id': async () => (await import('./views/webhook.tsx')).WebhookView,
  '/operations': async () => (await styled(import('./views/operations.tsx'))).OperationsView,
  '/readiness': async () => (await import('./views/readiness.tsx')).ReadinessView,
  '/changelog': async () => (await import('./views/changelog.tsx')).ChangelogView,
  '/docs': async () => (await import('./views/api-reference.tsx')).ApiReferenceView,
  '/account': async () => (await import('./views/account.tsx')).AccountView,
  '/password': async () => (await import('./views/change-password.tsx')).ChangePasswordView,
}
