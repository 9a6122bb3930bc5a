import { v7 } from 'uuid'
import { connected } from '../support/installation.ts'
import type { Subject } from './subject.ts'

/** Removes dead rows, and jobs that were queued since the last call. */
export function removeLeftovers(url: string): Promise<void> {
  return connected(url, async (client) => {
    await client.query('delete from pgboss.job')
    await client.query('delete from duplicate_check')
    await client.query(`delete from duplicate_scan where status = 'queued'`)
    // Delete keys and clients: an org may have only a limited number.
    await client.query(`delete from api_key where name = 'Nightly sync' or name like 'Sync %'`)
    await client.query(`delete from org where name = 'Northwind'`)
    await client.query('update call set slot_until = null, check_at = null where slot_until is not null')
    // Vacuum now. Autovacuum would run during the measurement.
    await client.query('vacuum (analyze, parallel 0)')
  })
}

/** Creates objects that the requests of this benchmark do not create, or create too late. */
export function prepareSubjects({ url, orgId, pools }: Subject): Promise<void> {
  return connected(url, async (client) => {
    const mailboxes = await client.query<{ mailbox_id: string }>(
      `select mailbox_id::text from signature_mailbox where org_id = $1 and email_key like 'm%@mail.example' limit 1000`,
      [orgId],
    )
    for (const { mailbox_id: id } of mailboxes.rows) pools.put('mailbox', id)
    for (let n = 0; n < 60; n++) {
      const importId = v7()
      await client.query(
        `insert into import (org_id, import_id, entity, status, mode, created_at) values ($1, $2, 'contact', 'succeeded', 'live', now())`,
        [orgId, importId],
      )
      pools.put('new import', importId)
    }
  })
}

export function proposeMerges({ url, orgId, pools }: Subject, count: number): Promise<void> {
  return connected(url, async (client) => {
    for (let n = 0; n < count; n++) {
      const [survivor, loser] = [pools.take('new contact'), pools.take('new contact')]
      if (!survivor || !loser) return
      const mergeId = v7()
      await client.query(
        `insert into merge (org_id, merge_id, merge_group_id, entity, status, survivor_id, loser_id, rule, score, method)
         values ($1, $2, $2, 'contact', 'shadow', $3, $4, 'same_email', 0.9, 'api')`,
        [orgId, mergeId, survivor, loser],
      )
      pools.put('new shadow', mergeId)
    }
  })
}
