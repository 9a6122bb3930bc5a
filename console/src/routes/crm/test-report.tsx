import { useQuery } from '@tanstack/react-query'
import type { CrmConnection, CrmKindReport } from '../../../../sdk/src/generated/types.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { people } from '../../records/kinds.ts'
import { useFields } from '../../records/use-fields.ts'
import { useScope } from '../../shell/scope.tsx'
import { testQuery } from './crm-queries.ts'
import { fieldName } from './field-names.ts'
import { providerNames } from './words.ts'

/** Asks the CRM whether a push would work, says what is missing, and shows where each field goes. */
export function TestReport({ connection, onMap }: { connection: CrmConnection; onMap: (() => void) | null }) {
  const scope = useScope()
  const test = useQuery(testQuery(scope, connection))
  if (!scope.can('crm:write'))
    return (
      <Section title="Test">
        <SectionBody>
          <Note>Your role may read connections, but not test them.</Note>
        </SectionBody>
      </Section>
    )
  const again = (
    <Button icon="rotate" isBusy={test.isFetching} onClick={() => void test.refetch()}>
      Test again
    </Button>
  )
  return (
    <>
      <Section
        title="Test"
        about={
          <>
            Crosswalk asked {providerNames[connection.provider]} whether a push would work, and changed
            nothing there.
            {test.data && (
              <>
                {' '}
                Checked <Time at={test.dataUpdatedAt / 1000} />.
              </>
            )}
          </>
        }
        act={again}
      >
        {test.error && test.data ? (
          <SectionBody>
            <Note kind="bad">The CRM did not answer just now. Below is its last answer.</Note>
          </SectionBody>
        ) : null}
        <Loaded query={test}>
          {({ lead, contact }) => (
            <SectionBody>
              <div className="stack g16">
                {connection.supports_leads && <Report noun="Leads" report={lead} />}
                <Report noun="Contacts" report={contact} />
              </div>
            </SectionBody>
          )}
        </Loaded>
      </Section>
      <Section
        title="Fields"
        about="Where each field of a person goes. An empty field clears the field in the CRM."
        act={onMap && <Button onClick={onMap}>Change fields</Button>}
      >
        {test.data && <FieldMap connection={connection} lead={test.data.lead} contact={test.data.contact} />}
      </Section>
    </>
  )
}

const Report = ({ noun, report: { works, problems } }: { noun: string; report: CrmKindReport }) => (
  <div className="stack g4">
    {works ? (
      <State kind="ok">A push of {noun} would work</State>
    ) : (
      <State kind="bad">A push of {noun} would fail</State>
    )}
    {problems.length > 0 && (
      <ul className="stack g4" style={{ paddingLeft: 20 }}>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    )}
  </div>
)

function FieldMap({
  connection,
  lead,
  contact,
}: {
  connection: CrmConnection
  lead: CrmKindReport
  contact: CrmKindReport
}) {
  const fields = useFields(people)
  const { supports_leads: hasLeads, field_map: own } = connection
  const names = [
    ...new Set([...Object.keys(lead.field_map), ...Object.keys(contact.field_map), ...Object.keys(own)]),
  ]
  const columns = [
    { name: 'Field in Crosswalk' },
    ...(hasLeads ? [{ name: 'Field of a Lead', phoneWidth: 120 }] : []),
    { name: 'Field of a Contact', phoneWidth: 120 },
  ]
  return (
    <Table label="Fields" columns={columns} hasControls={false}>
      {names.map((name) => (
        <tr key={name}>
          <th scope="row">
            <span className="rail">
              <span className="cut">{fieldName(fields, name)}</span>
              {name in own && <Tag>changed</Tag>}
            </span>
          </th>
          {hasLeads && <Target name={lead.field_map[name]} />}
          <Target name={contact.field_map[name]} />
        </tr>
      ))}
    </Table>
  )
}

const Target = ({ name }: { name: string | undefined }) => (
  <td>{name ? <span className="mono">{name}</span> : <span className="three">not pushed</span>}</td>
)
