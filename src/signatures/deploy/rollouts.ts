import { recordEvents } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { requireVersion } from '../../platform/http/if-match.ts'
import type { Rollout } from '../push-schema.ts'
import { pushStatuses } from '../schema.ts'
import { lockTemplate, templateNotFound } from '../templates/templates.ts'
import { installSignatures } from './install-signatures.ts'
import { pushesFromClause, pushStatus, queuePushes } from './pushes.ts'

/**
 * Queues a push for every mailbox of a template, and the job.
 * @throws DomainError not_found; conflict if `version` is not the current one, or no mailbox uses the template
 */
export async function pushTemplate(
  tx: OrgTx,
  { jobs }: Pick<Context, 'jobs'>,
  templateId: string,
  version: number,
): Promise<Rollout> {
  const { orgId, mode, apiKeyId, memberId } = tx.actor
  const template = await lockTemplate(tx, templateId, 'for share')
  if (!template) throw templateNotFound()
  requireVersion('this template', version, template.version, { named: 'The push names' })
  const mailboxes = await tx.rows(sql<Columns<'signature_mailbox', 'mailbox_id' | 'version'>>`
    select mailbox_id, version from signature_mailbox
    where org_id = ${orgId} and template_id = ${templateId} order by mailbox_id for share`)
  if (mailboxes.length === 0)
    throw conflict(
      'template_unused',
      'No mailbox uses this template. Give it to a mailbox first (PATCH /signatures/mailboxes/{mailbox_id}).',
    )
  const rolloutId = newId()
  const newPushes = mailboxes.map(({ mailbox_id: mailboxId, version }) => {
    return { mailboxId, pushId: newId(), version }
  })
  const data = { rollout_id: rolloutId, version, mailboxes: mailboxes.length }
  await Promise.all([
    tx.run(sql`
      insert into signature_rollout (org_id, rollout_id, template_id, version, mode, api_key_id, member_id, created_at)
      values (${orgId}, ${rolloutId}, ${templateId}, ${version}, ${mode}, ${apiKeyId}, ${memberId},
        ${new Date(timeOf(rolloutId))})`),
    queuePushes(tx, newPushes, rolloutId),
    recordEvents(tx, [{ type: 'signature_template.pushed', objectId: templateId, data }]),
    jobs.enqueue(tx, installSignatures, { org_id: orgId, mode }),
  ])
  return findRollout(tx, rolloutId)
}

type RolloutRow = Omit<Rollout, 'status' | 'counts' | 'finished_at'> &
  Rollout['counts'] & { last_finished_at: number | null }

/** A rollout with the number of its pushes by status. @throws DomainError not_found */
export async function findRollout(tx: OrgTx, rolloutId: string): Promise<Rollout> {
  const counts = pushStatuses.map(
    (status) => `count(*) filter (where ${pushStatus} = '${status}') as ${status}`,
  )
  const row = await tx.first(sql<RolloutRow>`
    select r.rollout_id, r.template_id, r.version, r.mode, count(*) as mailboxes, ${rawSql(counts.join(', '))},
      floor(extract(epoch from r.created_at))::bigint as created_at,
      floor(extract(epoch from max(p.finished_at)))::bigint as last_finished_at
    from signature_rollout r join ${rawSql(pushesFromClause)} on p.org_id = r.org_id and p.rollout_id = r.rollout_id
    where r.org_id = ${tx.orgId} and r.rollout_id = ${rolloutId}
    group by r.org_id, r.rollout_id`)
  if (!row) throw notFound('object_not_found', 'No rollout of this organization has this id')
  const { rollout_id, template_id, version, mode, created_at, last_finished_at, ...states } = row
  const isRunning = states.queued + states.compiling + states.installing > 0
  return {
    ...{ rollout_id, template_id, version, mode },
    status: isRunning ? 'running' : 'finished',
    counts: states,
    created_at,
    finished_at: isRunning ? null : last_finished_at,
  }
}
