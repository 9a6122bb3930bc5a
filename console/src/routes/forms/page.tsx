import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Form } from '../../../../sdk/src/generated/types.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { count } from '../../parts/numbers.ts'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { formsQuery } from '../../queries/forms.ts'
import { Link } from '../../routing/link.tsx'
import { useNavigate } from '../../routing/use-router.ts'
import { FirstOne } from '../../shell/first-one.tsx'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { EditFormDialog } from './form-dialog.tsx'
import { formState } from './words.ts'

const columns = [
  { name: 'Form' },
  { name: 'Status', width: 140, phoneWidth: 130 },
  { name: 'Submissions', width: 130, optional: true },
  { name: 'Changed', width: 140, optional: true },
]

/** The forms of the organization. */
export function FormsPage() {
  const scope = useScope()
  const { orgId, can } = scope
  const [isNew, setNew] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const forms = useQuery(formsQuery(scope))
  const create = can('forms:write') ? () => setNew(true) : null
  useKey('c', () => create?.())
  return (
    <Page
      name="Forms"
      acts={
        <>
          <ButtonLink kind="quiet" icon="open" href="/guides/forms">
            Guide
          </ButtonLink>
          {create && (
            <Button kind="main" icon="plus" shortcut="C" onClick={create}>
              New form
            </Button>
          )}
        </>
      }
    >
      <Loaded query={forms}>
        {(found) =>
          found.length === 0 ? (
            <NoForms onCreate={create} />
          ) : (
            <Table label="Forms" columns={columns}>
              {found.map((form) => (
                <FormRow key={form.form_id} form={form} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {isNew && (
        <EditFormDialog
          form={null}
          onClose={() => setNew(false)}
          onSaved={({ form_id: formId }) => {
            setNew(false)
            void queries.invalidateQueries({ queryKey: ['forms', orgId] })
            void navigate({ to: '/o/$orgId/forms/$formId', params: { orgId, formId } })
          }}
        />
      )}
    </Page>
  )
}

function FormRow({ form }: { form: Form }) {
  const { orgId } = useScope()
  const { kind, word } = formState(form)
  return (
    <tr>
      <th scope="row">
        <Link className="cut link" to="/o/$orgId/forms/$formId" params={{ orgId, formId: form.form_id }}>
          {form.name}
        </Link>
      </th>
      <td>
        <State kind={kind}>{word}</State>
      </td>
      <td className="opt">{count(form.submissions)}</td>
      <td className="opt">
        <Time at={form.updated_at} />
      </td>
    </tr>
  )
}

const NoForms = ({ onCreate }: { onCreate: (() => void) | null }) => (
  <Empty icon="columns" title="There is no form yet">
    <p className="two">
      A form asks visitors for answers, on a page of its own or on your site. Each person who sends it becomes
      a contact.
    </p>
    {onCreate && (
      <FirstOne
        act="Create a form"
        onAct={onCreate}
        path="/forms"
        body={{
          ...{ name: 'Demo requests', status: 'live' },
          fields: [{ key: 'email', label: 'E-mail', type: 'email', maps_to: 'email' }],
        }}
      />
    )}
  </Empty>
)
