import type { CallBackRequest } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { phoneWords } from '../../../parts/phone-number.ts'
import { State } from '../../../parts/state.tsx'
import { RowActions, Table } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'
import type { Callee } from '../call-queries.ts'
import { isOpen, reasonWords, requestState } from './words.ts'

/** A request that a person is about to decide. */
export type Deciding = { act: 'call' | 'decline'; request: CallBackRequest }

const columns = [
  { name: 'Who' },
  { name: 'Form', width: 128, optional: true },
  { name: 'Status', width: 112, phoneWidth: 110 },
  { name: 'Reason', optional: true },
  { name: 'Asked', width: 104, optional: true },
  { name: 'Actions', width: 164, phoneWidth: 140, isHidden: true },
]

export const RequestTable = ({
  found,
  callees,
  onDecide,
}: {
  found: readonly CallBackRequest[]
  callees: ReadonlyMap<string, Callee>
  /** null: the role must not decide. */
  onDecide: ((deciding: Deciding) => void) | null
}) => (
  <Table label="Call-back requests" columns={columns}>
    {found.map((request) => (
      <RequestRow
        key={request.request_id}
        request={request}
        callee={callees.get(request.number)}
        onDecide={isOpen(request) ? onDecide : null}
      />
    ))}
  </Table>
)

function RequestRow({
  request,
  callee,
  onDecide,
}: {
  request: CallBackRequest
  callee: Callee | undefined
  onDecide: ((deciding: Deciding) => void) | null
}) {
  const { orgId } = useScope()
  const { form_id: formId, form_name: formName, reason, call_id: callId, created_at } = request
  const number = phoneWords(request.number)
  const words = reason === null ? null : reasonWords(reason)
  return (
    <tr>
      <th scope="row" title={number}>
        <span className="rail">
          {callee ? (
            <Link
              className="cut link"
              to="/o/$orgId/people/$recordId"
              params={{ orgId, recordId: callee.id }}
            >
              {callee.name}
            </Link>
          ) : (
            <span className="cut">{number}</span>
          )}
          {callee && callee.name !== number && <span className="three t12 opt">{number}</span>}
        </span>
      </th>
      <td className="opt">
        <Link className="cut link" to="/o/$orgId/forms/$formId" params={{ orgId, formId }} title={formName}>
          {formName}
        </Link>
      </td>
      <td title={words ?? undefined}>
        <RequestStatus request={request} />
      </td>
      <td className="opt" title={words ?? undefined}>
        {words ?? <span className="three">–</span>}
      </td>
      <td className="opt">
        <Time at={created_at} />
      </td>
      <td>
        {onDecide && (
          <RowActions>
            <Button
              kind="plain"
              aria-label={`Call ${number}`}
              onClick={() => onDecide({ act: 'call', request })}
            >
              Call
            </Button>
            <Button
              kind="quiet"
              aria-label={`Decline ${number}`}
              onClick={() => onDecide({ act: 'decline', request })}
            >
              Decline
            </Button>
          </RowActions>
        )}
        {callId !== null && (
          <RowActions>
            <Link
              className="link"
              to="/o/$orgId/calls/$callId"
              params={{ orgId, callId }}
              aria-label={`Open the call to ${number}`}
            >
              Open call
            </Link>
          </RowActions>
        )}
      </td>
    </tr>
  )
}

function RequestStatus({ request }: { request: CallBackRequest }) {
  const { kind, word } = requestState(request)
  return <State kind={kind}>{request.call_at === null ? word : <Time at={request.call_at} />}</State>
}
