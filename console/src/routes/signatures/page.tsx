import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SignatureTemplate } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Confirmation } from '../../parts/confirmation.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Segments } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { count } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { RowActions, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toast.tsx'
import { Link } from '../../routing/link.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { FirstOne } from '../../shell/first-one.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { isUpToDate } from './install-state.ts'
import { type MailboxAct, MailboxList } from './mailboxes/mailbox-list.tsx'
import { mailboxesQuery } from './mailboxes-query.ts'
import { NewTemplateDialog } from './new-template-dialog.tsx'

const views = [
  ['templates', 'Templates'],
  ['mailboxes', 'Mailboxes'],
] as const

type Open = { kind: 'new' } | { kind: 'delete'; template: SignatureTemplate }

const columns = [
  { name: 'Template' },
  { name: 'Mailboxes', width: 110, phoneWidth: 100, isNumber: true },
  { name: 'Installed', width: 200, optional: true },
  { name: 'Changed', width: 140, optional: true },
  { name: 'Actions', width: 60, isHidden: true },
]

/** The signature templates of the organization, or its mailboxes. */
export function SignaturesPage() {
  const { orgId, api, can } = useScope()
  const { view = 'templates' } = useSearch('/o/$orgId/signatures')
  const [open, setOpen] = useState<Open | null>(null)
  const [act, setAct] = useState<MailboxAct | null>(null)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const queryKey = ['signature-templates', orgId]
  const templates = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.signatures.templates.list({ limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    refetchInterval: 15_000,
  })
  const mayChange = can('signatures:write')
  const isTemplates = view === 'templates'
  const create = () => mayChange && (isTemplates ? setOpen({ kind: 'new' }) : setAct({ kind: 'new' }))
  const close = () => setOpen(null)
  useKey('c', create)
  return (
    <Page
      name="Signatures"
      acts={
        mayChange && (
          <>
            {!isTemplates && can('signatures:manage') && (
              <Button onClick={() => setAct({ kind: 'gmail' })}>Gmail</Button>
            )}
            <Button kind="main" icon="plus" shortcut="C" onClick={create}>
              {isTemplates ? 'New template' : 'New mailbox'}
            </Button>
          </>
        )
      }
    >
      <div className="pad rail">
        <Segments
          label="View"
          isLabelHidden
          value={view}
          options={views}
          onChange={(next) =>
            void navigate({
              to: '.',
              search: { view: next === 'templates' ? undefined : next },
              replace: true,
            })
          }
        />
      </div>
      <Loaded query={templates}>
        {({ pages }) => {
          const shown = pages.flatMap(({ data }) => data)
          if (!isTemplates) return <MailboxList templates={shown} open={act} onOpen={setAct} />
          if (shown.length === 0) return <NoTemplates onCreate={mayChange ? create : null} />
          return (
            <>
              <Table label="Signature templates" columns={columns}>
                {shown.map((template) => (
                  <TemplateRow
                    key={template.template_id}
                    template={template}
                    onDelete={mayChange ? () => setOpen({ kind: 'delete', template }) : null}
                  />
                ))}
              </Table>
              {templates.hasNextPage && (
                <NextPageButton
                  query={templates}
                  act="Show more templates"
                  end="There are no more templates."
                />
              )}
            </>
          )
        }}
      </Loaded>
      {open?.kind === 'new' && (
        <NewTemplateDialog
          onClose={close}
          onCreated={({ template_id }) => {
            close()
            void queries.invalidateQueries({ queryKey })
            void navigate({
              to: '/o/$orgId/signatures/$templateId',
              params: { orgId, templateId: template_id },
            })
          }}
        />
      )}
      {open?.kind === 'delete' && (
        <Confirmation
          title={`Delete “${open.template.name}”?`}
          act="Delete template"
          work={() => api.signatures.templates.delete(open.template.template_id)}
          onClose={close}
          onDone={() => {
            close()
            showToast(`The template “${open.template.name}” was deleted.`)
            void queries.invalidateQueries({ queryKey })
          }}
        >
          <p>It cannot come back. Signatures that are installed stay as they are.</p>
        </Confirmation>
      )}
    </Page>
  )
}

function TemplateRow({
  template: { template_id, name, mailboxes, version, updated_at },
  onDelete,
}: {
  template: SignatureTemplate
  onDelete: (() => void) | null
}) {
  const { orgId } = useScope()
  return (
    <tr>
      <th scope="row" title={name}>
        <span className="rail">
          <Link
            className="cut link"
            to="/o/$orgId/signatures/$templateId"
            params={{ orgId, templateId: template_id }}
          >
            {name}
          </Link>
          <span className="three t12 opt">version {count(version)}</span>
        </span>
      </th>
      <td className="num">{mailboxes === 0 ? <span className="three">none</span> : count(mailboxes)}</td>
      <td className="opt">
        <Installed templateId={template_id} />
      </td>
      <td className="opt">
        <Time at={updated_at} />
      </td>
      <td>
        {onDelete && (
          <RowActions>
            <Button
              kind="quiet"
              icon="trash"
              aria-label={`Delete “${name}”`}
              title={mailboxes > 0 ? 'Mailboxes use it. Give them another template first.' : 'Delete'}
              disabled={mailboxes > 0}
              onClick={onDelete}
            />
          </RowActions>
        )}
      </td>
    </tr>
  )
}

/** How many mailboxes have the newest version of a template. */
function Installed({ templateId }: { templateId: string }) {
  const { data } = useQuery(mailboxesQuery(useScope()))
  const users = data?.mailboxes.filter(({ template_id }) => template_id === templateId) ?? []
  if (users.length === 0) return <span className="three">–</span>
  const current = users.filter(isUpToDate).length
  const failed = users.filter(({ deployment }) => deployment.status === 'failed').length
  if (failed > 0) return <State kind="bad">failed in {count(failed)}</State>
  if (current === users.length) return <State kind="ok">in all</State>
  return <State kind="off">newest in {count(current)}</State>
}

const NoTemplates = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="pencil" title="There is no signature template yet">
    <p className="two">
      A template is the signature of everybody, with the name, title and phone of each person. Crosswalk
      installs it in their mailboxes.
    </p>
    {onCreate && (
      <FirstOne
        act="Create a template"
        onAct={onCreate}
        path="/signatures/templates"
        body={{ name: 'Plain', html: '<p><b>{{ display_name }}</b><br>{{ title }}</p>' }}
      />
    )}
  </Empty>
)
