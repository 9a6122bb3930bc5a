import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SignatureData } from '../compile/signature-data.ts'
import type { Mailbox } from '../mailbox-schema.ts'
import type { ProviderName } from '../schema.ts'

/** A mailbox and all data for its signature, read in one snapshot. */
export type SignatureSource = {
  mailboxId: number
  email: string
  provider: ProviderName
  /** The version that an install of this source gets. */
  version: number
  /** null if the mailbox has no template. */
  template: { html: string; text: string | null } | null
  data: SignatureData
}

type SourceRow = Pick<
  Mailbox,
  'mailbox_id' | 'email' | 'display_name' | 'provider' | 'version' | 'fields'
> & {
  html: string | null
  text: string | null
  persona: Record<string, unknown> | null
  org_name: string
}

/** Reads the sources of mailboxes in one statement, so that the version and the template are of the same moment. */
export async function readSources(tx: OrgTx, mailboxIds: readonly number[]): Promise<SignatureSource[]> {
  const rows = await tx.rows(sql<SourceRow>`
    select m.mailbox_id, m.email, m.display_name, m.provider, m.version, m.fields, t.html, t.text,
      case when p.persona_id is not null then json_build_object('name', p.name, 'role_title', p.role_title,
        'description', p.description) end as persona,
      o.name as org_name
    from signature_mailbox m join org o on o.org_id = m.org_id
    left join signature_template t on t.org_id = m.org_id and t.template_id = m.template_id
    left join persona p on p.org_id = m.org_id and p.persona_id = m.persona_id
    where m.org_id = ${tx.orgId} and m.mailbox_id = any (${mailboxIds}::bigint[])`)
  return rows.map((row) => ({
    mailboxId: row.mailbox_id,
    email: row.email,
    provider: row.provider,
    version: row.version,
    template: row.html === null ? null : { html: row.html, text: row.text },
    data: {
      email: row.email,
      display_name: row.display_name ?? '',
      fields: row.fields,
      persona: row.persona,
      org: { name: row.org_name },
    },
  }))
}
