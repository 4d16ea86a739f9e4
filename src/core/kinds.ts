/** The interface's words for kinds and states of configuration, each list in the order of the descriptions. */

/** What a family holds. */
export const familyKinds = ['contract', 'ingestion_model', 'transformer', 'template'] as const
export type FamilyKind = (typeof familyKinds)[number]

/** Kinds whose versions are in force from an instant on; a contract's are published once. */
export const activatedKinds = ['ingestion_model', 'transformer', 'template'] as const satisfies readonly FamilyKind[]
export type ActivatedKind = (typeof activatedKinds)[number]

export const activationStatuses = ['scheduled', 'active', 'superseded', 'cancelled'] as const
export type ActivationStatus = (typeof activationStatuses)[number]

/** What a generated payload is to its contract. */
export const caseKinds = ['valid', 'boundary', 'invalid'] as const
export type CaseKind = (typeof caseKinds)[number]

/** `paused` by a person, `gone` by the receiver's own 410, `disabled` after days of failures. */
export const webhookStatuses = ['active', 'paused', 'gone', 'disabled'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** States of an event on its way to one receiver. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const batchFormats = ['csv', 'ndjson'] as const
export type BatchFormat = (typeof batchFormats)[number]

/** `completed` once every row is submitted and none is being processed; a retry makes it `running` again. */
export const batchStatuses = ['running', 'paused', 'cancelled', 'completed'] as const
export type BatchStatus = (typeof batchStatuses)[number]

/** States of a batch's row: `waiting` to be submitted (again), `refused` by the intake, `failed` in an execution. */
export const batchRowStates = ['waiting', 'submitted', 'completed', 'failed', 'refused', 'erased'] as const
export type BatchRowState = (typeof batchRowStates)[number]
