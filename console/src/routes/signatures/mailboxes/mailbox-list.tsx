import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Mailbox, SignatureTemplate } from '../../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../../api/problem.ts'
import { Button } from '../../../parts/button.tsx'
import { Confirmation } from '../../../parts/confirmation.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { count } from '../../../parts/numbers.ts'
import { State } from '../../../parts/state.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { installState } from '../install-state.ts'
import { mailboxesQuery } from '../mailboxes-query.ts'
import { GmailDialog } from './gmail-dialog.tsx'
import { MailboxDialog } from './mailbox-dialog.tsx'

export type MailboxAct = { kind: 'new' | 'gmail' } | { kind: 'edit' | 'delete'; mailbox: Mailbox }

const columns = [
  { name: 'Mailbox' },
  { name: 'Template', width: 180, optional: true },
  { name: 'Install', width: 120, optional: true },
  { name: 'Status', width: 190, phoneWidth: 150 },
  { name: 'Actions', width: 170, phoneWidth: 116, isHidden: true },
]

const providers = { sandbox: 'sandbox', gmail: 'Gmail', manual: 'by its owner' } as const

/** The mailboxes of the organization, with the template and the state of each. */
export function MailboxList({
  templates,
  open,
  onOpen,
}: {
  templates: readonly SignatureTemplate[]
  open: MailboxAct | null
  onOpen: (act: MailboxAct | null) => void
}) {
  const scope = useScope()
  const { api, can } = scope
  const queries = useQueryClient()
  const query = mailboxesQuery(scope)
  const mailboxes = useQuery(query)
  const mayChange = can('signatures:write')
  const saved = (text: string) => {
    onOpen(null)
    showToast(text)
    void queries.invalidateQueries({ queryKey: query.queryKey })
    void queries.invalidateQueries({ queryKey: ['signature-templates'] })
  }
  return (
    <>
      <Loaded query={mailboxes}>
        {({ mailboxes: shown, total }) =>
          shown.length === 0 ? (
            <Empty icon="people" title="There is no mailbox yet">
              <p className="two">
                A mailbox is an address with the name, title and phone of its owner. Crosswalk installs a
                signature there when you push it.
              </p>
              {mayChange && <Button onClick={() => onOpen({ kind: 'new' })}>Add a mailbox</Button>}
            </Empty>
          ) : (
            <>
              <Table label="Mailboxes" columns={columns}>
                {shown.map((mailbox) => (
                  <MailboxRow
                    key={mailbox.mailbox_id}
                    mailbox={mailbox}
                    template={templates.find(({ template_id }) => template_id === mailbox.template_id)}
                    onOpen={mayChange ? onOpen : null}
                    onPushed={() => void mailboxes.refetch()}
                  />
                ))}
              </Table>
              {total > shown.length && (
                <p className="pad three">
                  These are the newest {count(shown.length)} of {count(total)} mailboxes.
                </p>
              )}
            </>
          )
        }
      </Loaded>
      {(open?.kind === 'new' || open?.kind === 'edit') && (
        <MailboxDialog
          mailbox={open.kind === 'edit' ? open.mailbox : null}
          templates={templates}
          known={[...new Set(mailboxes.data?.mailboxes.flatMap(({ fields }) => Object.keys(fields)) ?? [])]}
          onClose={() => onOpen(null)}
          onSaved={() => saved('The mailbox is saved. Push it to install its signature.')}
        />
      )}
      {open?.kind === 'gmail' && (
        <GmailDialog onClose={() => onOpen(null)} onSaved={() => saved('The key is stored.')} />
      )}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete the mailbox ${open.mailbox.email}?`}
          act="Delete mailbox"
          work={() => api.signatures.mailboxes.delete(open.mailbox.mailbox_id)}
          onClose={() => onOpen(null)}
          onDone={() => saved('The mailbox was deleted.')}
        >
          <p>The signature that is installed stays in the mailbox. Crosswalk forgets its fields.</p>
        </Confirmation>
      )}
    </>
  )
}

function MailboxRow({
  mailbox,
  template,
  onOpen,
  onPushed,
}: {
  mailbox: Mailbox
  template: SignatureTemplate | undefined
  /** null: the role may not change mailboxes. */
  onOpen: ((act: MailboxAct) => void) | null
  onPushed: () => void
}) {
  const { api } = useScope()
  const { mailbox_id, email, display_name, provider, template_id, version, deployment } = mailbox
  const { kind, word } = installState(mailbox)
  const push = async () => {
    try {
      await api.signatures.mailboxes.push(mailbox_id, { version })
      showToast(`The signature of ${email} is pushed.`)
    } catch (error) {
      showToast(`${email} is not pushed: ${problemOf(error).text}`, 'bad')
    }
    onPushed()
  }
  return (
    <tr>
      <th scope="row" title={email}>
        <span className="rail">
          <span className="cut">{display_name ?? email}</span>
          {display_name && <span className="cut grow three t12 opt">{email}</span>}
        </span>
      </th>
      <td className="opt">
        {template?.name ?? <span className="three">{template_id === null ? 'none' : '–'}</span>}
      </td>
      <td className="opt">{providers[provider]}</td>
      <td title={deployment.error?.message}>
        <State kind={kind}>{word}</State>
      </td>
      <td>
        {onOpen && (
          <RowActions>
            <Button
              kind="quiet"
              icon="push"
              aria-label={`Push to ${email}`}
              title={template_id === null ? 'It has no template yet.' : 'Push'}
              disabled={template_id === null}
              onClick={() => void push()}
            />
            <Button
              kind="quiet"
              icon="pencil"
              aria-label={`Edit ${email}`}
              title="Edit"
              onClick={() => onOpen({ kind: 'edit', mailbox })}
            />
            <Button
              kind="quiet"
              icon="trash"
              aria-label={`Delete ${email}`}
              title="Delete"
              onClick={() => onOpen({ kind: 'delete', mailbox })}
            />
          </RowActions>
        )}
      </td>
    </tr>
  )
}
