/**
 * Every way of tampering with a store that `quire verify` must name: what is done to the database, and words that the
 * report must have. `$EXECUTION` and others are replaced by what the test made.
 */
export interface Tampering {
  what: string
  statement: string
  named: string
  alsoNamed?: readonly string[]
  /** Tried on PostgreSQL as well. */
  isOnBoth?: true
}

const anyExecution = "(select id from executions where status = 'completed' order by id limit 1)"

const deletedSubmission = `create temp table gone as select id, submission_id from executions where id = ${anyExecution};
      delete from steps where execution_id in (select id from gone);
      delete from artifacts where execution_id in (select id from gone);
      delete from events where aggregate_id in (select id from gone union select submission_id from gone);
      delete from executions where id in (select id from gone);
      delete from submissions where id in (select submission_id from gone)`

export const tamperings: readonly Tampering[] = [
  // The trail itself.
  {
    what: 'the end of the audit trail cut off',
    statement: 'delete from audit_records where position > (select max(position) - 2 from audit_records)',
    named: 'the audit trail was cut',
  },
  {
    what: 'the end of the audit trail cut off, with its heads',
    statement: `delete from audit_records where position > (select position from audit_heads order by position desc limit 1 offset 1);
      delete from audit_heads where position > (select max(position) from audit_records)`,
    named: 'has no record in the audit trail',
  },
  {
    what: 'all audit records deleted',
    statement: 'delete from audit_records',
    named: 'the audit trail was cut',
    isOnBoth: true,
  },
  {
    what: 'all audit records and heads deleted',
    statement: 'delete from audit_records; delete from audit_heads',
    named: 'not covered by the audit trail',
  },
  {
    what: 'all heads deleted',
    statement: 'delete from audit_heads',
    named: 'have no signed head',
    isOnBoth: true,
  },
  {
    what: 'an unsealed record inserted',
    statement: `insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail)
      values ('forged', 'x', 'session.opened', 'session', 'c', '2026-11-20T09:30:00.000000000Z', '{}')`,
    named: 'unsealed audit record forged',
  },
  {
    what: 'an unsealed record inserted as a copy of a sealed one',
    statement: `insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail, content_hash, attestation)
      select 'forged', actor_id, action, resource_kind, correlation_id, at, detail, content_hash, '0123456789abcdef.00'
      from audit_records where position = 3`,
    named: 'unsealed audit record forged',
  },
  {
    what: 'a sealed record taken out of the chain',
    statement:
      'update audit_records set position = null, hash = null where position = (select max(position) from audit_records)',
    named: 'the audit trail was cut',
  },
  {
    what: 'a head with another hash',
    statement: "update audit_heads set hash = replace(hash, substr(hash, 1, 1), 'f') || ''",
    named: "does not have its key's signature",
    isOnBoth: true,
  },
  {
    what: 'the heads deleted but for the first',
    statement: 'delete from audit_heads where position > (select min(position) from audit_heads)',
    named: 'have no signed head',
  },
  {
    what: 'a digest of the chain',
    statement: "update audit_records set digest = content_hash where resource_kind = 'execution'",
    named: 'the audit trail is broken',
  },
  {
    what: 'the actor of a sealed record',
    statement: "update audit_records set actor_id = 'x' where position = 3",
    named: 'the audit trail is broken at position 3',
  },
  {
    what: 'a place of the trail made a text, which hides all others',
    statement: "update audit_records set position = 'x' where position = 1; update users set display_name = 'another'",
    named: 'at a place that the audit trail does not have',
    alsoNamed: ['the audit trail is broken at position 1', 'its events are not what the audit trail covers'],
  },
  {
    what: 'a record forged where nobody walks by',
    statement: `insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail, position, hash)
      values ('forged', 'x', 'audit_trail.coverage_began', 'audit', 'c', '2099-11-20T09:30:00.000000000Z', '{"uncovered":{"user":9}}', -1, 'x')`,
    named: 'the audit record forged is at a place that the audit trail does not have',
    isOnBoth: true,
  },
  // Executions and what belongs to them.
  {
    what: 'the last event of an execution deleted',
    statement: `delete from events where aggregate_id = ${anyExecution} and type = 'completed'`,
    named: 'its last event is step.succeeded',
  },
  {
    what: 'the last event of an execution and its status taken back',
    statement: `delete from events where aggregate_id = ${anyExecution} and type = 'completed';
      update executions set status = 'processing' where id = (select aggregate_id from events group by aggregate_id having sum(type = 'completed') = 0 and aggregate = 'execution' order by aggregate_id limit 1)`,
    named: 'not what the audit trail covers',
  },
  {
    what: 'all events of an execution deleted',
    statement: `delete from events where aggregate_id = ${anyExecution}`,
    named: 'its last event is missing',
    isOnBoth: true,
  },
  {
    what: "a submission's event deleted",
    statement: "delete from events where aggregate = 'submission'",
    named: 'its steps, artifacts or events are not what the audit trail covers',
  },
  {
    what: 'the data of an event',
    statement:
      "update events set data = replace(data, '\"duration_ms\":', '\"duration_ms\":1') where type = 'step.succeeded'",
    named: 'its steps, artifacts or events are not what the audit trail covers',
  },
  {
    what: 'the steps of an execution deleted',
    statement: `delete from steps where execution_id = ${anyExecution}`,
    named: 'its steps, artifacts or events are not what the audit trail covers',
  },
  {
    what: 'the duration of a step',
    statement: `update steps set duration_ms = 1000000 where execution_id = ${anyExecution} and position = 1`,
    named: 'its steps, artifacts or events are not what the audit trail covers',
  },
  {
    what: 'the failure of a step',
    statement: "update steps set failure = replace(failure, 'contract', 'x') where status = 'failed'",
    named: 'its steps, artifacts or events are not what the audit trail covers',
  },
  {
    what: 'an artifact deleted',
    statement: `delete from artifacts where execution_id = ${anyExecution} and kind = 'pdf'`,
    named: 'has lost its artifact',
  },
  {
    what: 'the object reference of an artifact',
    statement: "update artifacts set object_reference = 'another'",
    named: 'its steps, artifacts or events are not what the audit trail covers',
  },
  {
    what: 'an execution deleted',
    statement: `delete from executions where id = ${anyExecution}`,
    named: 'is missing; the audit trail records it',
    isOnBoth: true,
  },
  {
    what: 'an execution deleted with all that belongs to it',
    statement: `create temp table gone as select ${anyExecution} as id;
      delete from steps where execution_id in (select id from gone);
      delete from artifacts where execution_id in (select id from gone);
      delete from events where aggregate_id in (select id from gone);
      delete from executions where id in (select id from gone)`,
    named: 'its executions or their steps are not what the audit trail covers',
  },
  {
    what: 'a submission deleted with all that belongs to it',
    statement: deletedSubmission,
    named: 'is missing; the audit trail records it',
  },
  {
    what: 'a submission deleted with all that belongs to it, under tombstones of no erasure',
    statement: `${deletedSubmission};
      insert into erased_items (erasure_id, kind, item_id) select 'forged', 'execution', id from gone;
      insert into erased_items (erasure_id, kind, item_id) select 'forged', 'submission', submission_id from gone`,
    named: 'is said to be erased, by an erasure that is not there',
  },
  // Rows of no owner, whose state would cover them.
  {
    what: 'an artifact of no execution',
    statement: `insert into artifacts (id, execution_id, submission_id, kind, byte_size, content_hash, object_reference, model_slug,
      node_label, node_address, created_at) select 'forged', 'nobody', submission_id, kind, byte_size, content_hash, object_reference,
      model_slug, node_label, node_address, created_at from artifacts where kind = 'pdf' limit 1`,
    named: 'artifact forged has lost its execution',
    isOnBoth: true,
  },
  ...['execution', 'submission', 'release', 'family', 'activation', 'user'].map((aggregate) => ({
    what: `an event of no ${aggregate}`,
    statement: `insert into events (id, aggregate, aggregate_id, sequence, type, data, correlation_id, created_at)
      values ('forged', '${aggregate}', 'nobody', 1, 'completed', '{}', 'c', '2026-11-20T09:30:00.000000000Z')`,
    named: `there are events of ${aggregate}/nobody, which is not there`,
  })),
  {
    what: 'a version of no family',
    statement: `insert into versions (id, family_id, kind, number, content_hash, source_revision, status, source, format, bytes, byte_size,
      created_by, created_at) select 'forged', 'nobody', kind, number, content_hash, source_revision, status, source, format, bytes,
      byte_size, created_by, created_at from versions limit 1`,
    named: 'version forged belongs to nothing that is there',
    isOnBoth: true,
  },
  {
    what: 'a second factor of nobody',
    statement: `insert into factors (id, user_id, kind, name, key, counter, failures, created_at)
      values ('forged', 'nobody', 'app', 'x', 'x', 0, 0, '2026-11-20T09:30:00.000000000Z')`,
    named: 'factor forged belongs to nothing that is there',
  },
  {
    what: 'what the suite of no model requires',
    statement: `insert into suite_policies (family_id, requires, set_by, correlation_id, set_at)
      values ('nobody', 'in_force', 'x', 'c', '2026-11-20T09:30:00.000000000Z')`,
    named: 'suite policy nobody belongs to nothing that is there',
  },
  ...['submitted_by', 'correlation_id', 'created_at', 'node_label', 'completed_at', 'traceparent'].map((column) => ({
    what: `${column} of executions`,
    statement: `update executions set ${column} = '2020-01-01T00:00:00.000000000Z'`,
    named: 'not what the audit trail covers',
  })),
  {
    what: 'a failed execution made completed',
    statement: "update executions set status = 'completed' where status = 'failed'",
    named: 'is completed, and its last event is failed',
  },
  {
    what: 'a completed execution made queued',
    statement: `update executions set status = 'queued' where id = ${anyExecution}`,
    named: 'is queued, and its last event is completed',
  },
  // Submissions.
  ...['submitted_by', 'object_reference', 'model_slug', 'correlation_id', 'created_at', 'object_time'].map(
    (column) => ({
      what: `${column} of submissions`,
      statement: `update submissions set ${column} = '2020-01-01T00:00:00.000000000Z'`,
      named: 'its executions or their steps are not what the audit trail covers',
    }),
  ),
  {
    what: 'corrects of submissions',
    statement: `update submissions set corrects = id`,
    named: 'its executions or their steps are not what the audit trail covers',
  },
  {
    what: 'metadata of submissions',
    statement: `update submissions set metadata = '{"source_system":"another"}'`,
    named: 'its executions or their steps are not what the audit trail covers',
    isOnBoth: true,
  },
  {
    what: 'a forged submission',
    statement: `insert into submissions select 'forged', model_slug, model_version_id, object_reference, object_time, raw_input,
      raw_input_hash, params, params_hash, metadata, submitted_by, correlation_id, created_at, null from submissions limit 1`,
    named: 'submission forged has no record in the audit trail',
  },
  // Configuration.
  {
    what: 'the date of an activation',
    statement: "update activations set effective_from = '2020-01-01T00:00:00.000000000Z' where kind = 'template'",
    named: 'its events are not what the audit trail covers',
    isOnBoth: true,
  },
  {
    what: 'an activation cancelled',
    statement: "update activations set status = 'cancelled' where kind = 'template'",
    named: 'nobody cancelled it',
  },
  {
    what: 'an activation taken back to scheduled beside a later one',
    statement: "update activations set status = 'superseded' where kind = 'template'",
    named: 'do not follow each other',
  },
  {
    what: 'the number of a version',
    statement: "update versions set number = 7 where kind = 'transformer'",
    named: 'its versions or events are not what the audit trail covers',
  },
  {
    what: 'the status of a version',
    statement: "update versions set status = 'deprecated' where kind = 'template'",
    named: 'its versions or events are not what the audit trail covers',
    isOnBoth: true,
  },
  {
    what: 'a version deleted',
    statement: "delete from versions where kind = 'ingestion_model'",
    named: 'its versions or events are not what the audit trail covers',
  },
  {
    what: 'a draft',
    statement: "update families set draft_source = '{}' where kind = 'contract'",
    named: 'its versions or events are not what the audit trail covers',
  },
  {
    what: 'a family deleted',
    statement: "delete from families where kind = 'template'",
    named: 'is missing; the audit trail records it',
  },
  {
    what: 'the name of a release',
    statement: "update releases set name = 'another'",
    named: 'its events are not what the audit trail covers',
    isOnBoth: true,
  },
  {
    what: 'the payload of a case',
    statement: "update cases set payload = '{}'",
    named: 'its payload is',
    isOnBoth: true,
  },
  // Users.
  {
    what: 'the scopes of an API token widened',
    statement: `update api_tokens set scopes = '["user_manage"]'`,
    named: 'not what the audit trail covers',
    isOnBoth: true,
  },
  {
    what: 'the hash of an API token replaced',
    statement: `update api_tokens set token_hash = 'x' where revoked_at is null`,
    named: 'not what the audit trail covers',
  },
  {
    what: 'a revoked API token that opens again',
    statement: `update api_tokens set revoked_at = null`,
    named: 'not what the audit trail covers',
  },
  {
    what: 'an API token that lasts longer',
    statement: `update api_tokens set expires_at = '2099-01-01T00:00:00.000000000Z' where revoked_at is null`,
    named: 'not what the audit trail covers',
  },
  {
    what: 'an API token that nobody made',
    statement: `insert into api_tokens (id, token_hash, user_id, name, scopes, created_by, created_at, expires_at)
      select 'forged', 'x', user_id, name, scopes, created_by, '2020-01-01T00:00:00.000000000Z', expires_at from api_tokens limit 1`,
    named: 'of the kind api_token have no record',
  },
  {
    what: 'an API token deleted',
    statement: `delete from api_tokens`,
    named: 'is missing',
  },
  {
    what: 'the roles of a user',
    statement: `update users set roles = '["administrator"]' where username = 'clerk'`,
    named: 'its events are not what the audit trail covers',
  },
  {
    what: 'the password hash of a user',
    statement: "update users set password_hash = (select password_hash from users where username = 'admin')",
    named: 'its events are not what the audit trail covers',
    isOnBoth: true,
  },
  {
    what: 'a user enabled',
    statement: 'update users set disabled = 1 - disabled',
    named: 'its events are not what the audit trail covers',
  },
  {
    what: "somebody's identity at a provider put on an account",
    statement: "update users set oidc_issuer = 'https://id.example.org', oidc_subject = 'x' where username = 'clerk'",
    named: 'its events are not what the audit trail covers',
  },
  {
    what: 'a passkey put on an account',
    statement: `insert into factors (id, user_id, kind, name, key, credential_id, host, counter, failures, created_at)
      select 'forged', id, 'passkey', 'x', 'x', 'x', 'localhost', 0, 0, created_at from users where username = 'admin'`,
    named: 'its events are not what the audit trail covers',
  },
  { what: 'a user deleted', statement: "delete from users where username = 'clerk'", named: 'is missing' },
  {
    what: 'a user inserted',
    statement: `insert into users (id, username, display_name, roles, password_hash, must_change_password, disabled, created_at,
      updated_at) select 'forged', 'forged', display_name, roles, password_hash, 0, 0, created_at, updated_at
      from users where username = 'admin'`,
    named: 'user forged has no record in the audit trail',
  },
  // Answers.
  {
    what: 'the body of an answer',
    statement: 'update idempotency set body = replace(body, \'"queued"\', \'"failed"\')',
    named: 'is not what was answered',
    isOnBoth: true,
  },
  {
    what: 'the status of an answer',
    statement: 'update idempotency set status = 500',
    named: 'is not what was answered',
  },
  {
    what: 'an answer without a tag',
    statement: 'update idempotency set attestation = null, status = 201',
    named: 'has no record in the audit trail',
  },
  // What no Quire writes: it must not keep the rest from being looked at.
  ...(
    [
      ['the hash of an artifact', "update artifacts set content_hash = '../x'", 'which is no hash'],
      ['the name of a step', "update steps set name = 'constructor'", 'is no step that Quire has'],
      ['the fragments of a release', "update releases set fragments = 'x'", 'release'],
      ['the fragments of a version', "update versions set fragments = 'x' where kind = 'template'", 'template'],
      ['the families of an API token', "update api_tokens set families = 'x'", 'api_token'],
      ['the roles of a user', "update users set roles = 'x'", 'user'],
      ['the summary of a step', "update steps set summary = '{' where position = 1", 'steps'],
      ['the data of an event', "update events set data = '{'", 'execution'],
    ] as const
  ).map(([what, statement, named]) => ({
    what: `${what} that can't be read, and what else is wrong`,
    statement: `${statement}; update users set display_name = 'another' where username = 'clerk';
      update idempotency set status = 500`,
    named,
    alsoNamed: ['is not what was answered'],
  })),
]
