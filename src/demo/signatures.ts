import type { Context } from '../platform/context.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Owner } from '../records/owners/owner.ts'
import { pushTemplate } from '../signatures/deploy/rollouts.ts'
import { createMailbox } from '../signatures/mailboxes/mailboxes.ts'
import { createTemplate } from '../signatures/templates/templates.ts'

const html = `<table cellpadding="0" cellspacing="0">
  <tr>
    <td style="border-left:3px solid #b45309;padding-left:12px;font:14px/20px Arial,sans-serif">
      <b>{{ display_name }}</b><br>
      {% if title %}{{ title }}, {% endif %}{{ org.name }}<br>
      {% if phone %}<a href="tel:{{ phone }}">{{ phone }}</a><br>{% endif %}
      <a href="mailto:{{ email }}">{{ email }}</a>
    </td>
  </tr>
</table>
`

const titles = ['Head of sales', 'Account manager', 'Customer success', null]

/** Adds a template, which a job installs in the mailboxes of the members, and another one without mailboxes. */
export async function addSignatures(
  tx: OrgTx,
  context: Pick<Context, 'jobs'>,
  owners: readonly Owner[],
): Promise<void> {
  const { template_id } = await createTemplate(tx, { name: 'Sales team', html })
  for (const [index, { email, name }] of owners.entries()) {
    const fields = { title: titles[index] ?? null, phone: `+1 202 555 018${index}` }
    await createMailbox(tx, { email, display_name: name, provider: 'sandbox', template_id, fields })
  }
  await pushTemplate(tx, context, template_id, 1)
  await createTemplate(tx, {
    ...{ name: 'Trade fair', html: html.replace('{{ org.name }}', '{{ org.name }}<br>Hall 4, stand 12') },
  })
}
