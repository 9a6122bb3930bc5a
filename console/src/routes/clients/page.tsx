import { ServerFileButton } from '../../parts/download.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Select } from '../../parts/field.tsx'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { AddButton } from './add-button.tsx'
import { ClientList } from './client-list.tsx'
import { InvitationsPage } from './invitations.tsx'
import { monthOptions, thisMonth } from './month.ts'

/** The clients of an agency, and what each used in a month. */
export function ClientsPage() {
  const { membership } = useScope()
  const { view } = useSearch('/o/$orgId/clients')
  if (membership.is_agency) return view === 'invitations' ? <InvitationsPage /> : <Clients />
  if (membership.record_access !== 'all')
    return (
      <Page name="Clients">
        <Empty icon="merge" title="You do not act on clients">
          <p className="two">
            Members who see only some records do not act on the clients of an agency. An owner or admin can
            change this.
          </p>
        </Empty>
      </Page>
    )
  return (
    <Page name="Clients">
      <Empty icon="merge" title="This organization has no clients">
        <p className="two">
          An agency acts on other organizations, its clients, and sees what each of them uses.
        </p>
      </Empty>
    </Page>
  )
}

function Clients() {
  const { api } = useScope()
  const { month = thisMonth() } = useSearch('/o/$orgId/clients')
  const navigate = useNavigate('/o/$orgId/clients')
  return (
    <Page
      name="Clients"
      acts={
        <>
          <Select
            label="Month"
            isLabelHidden
            value={month}
            options={monthOptions(month)}
            onChange={(next) => void navigate({ search: (all) => ({ ...all, month: next }), replace: true })}
          />
          <ServerFileButton
            name={`clients-${month}.csv`}
            read={() => api.agency.usage.export({ month })}
            failed="Not downloaded"
          >
            <span className="wide-label">Download CSV</span>
          </ServerFileButton>
          <AddButton />
        </>
      }
    >
      <ClientList month={month} />
    </Page>
  )
}
