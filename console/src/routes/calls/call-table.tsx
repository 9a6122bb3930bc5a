import { useQuery } from '@tanstack/react-query'
import type { Call } from '../../../../sdk/src/generated/types.ts'
import { Initials } from '../../parts/initials.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Time } from '../../parts/time.tsx'
import { personasQuery } from '../../queries/personas.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { type Callee, useCallees } from './call-queries.ts'
import { callState, talkTime } from './words.ts'

const columns = [
  { name: 'Who' },
  { name: 'About', optional: true },
  { name: 'Persona', width: 120, optional: true },
  { name: 'Outcome', width: 200, phoneWidth: 150 },
  { name: 'Talked', width: 72, optional: true },
  { name: 'When', width: 116, optional: true },
]

export function CallTable({ calls }: { calls: readonly Call[] }) {
  const scope = useScope()
  const callees = useCallees(calls.map(({ to_number }) => to_number))
  const personas = useQuery({ ...personasQuery(scope), enabled: scope.can('personas:read') })
  const names = new Map(personas.data?.map(({ persona_id, name }) => [persona_id, name]))
  return (
    <Table label="Calls" columns={columns}>
      {calls.map((call) => (
        <CallRow
          key={call.call_id}
          call={call}
          callee={callees.get(call.to_number ?? '')}
          persona={names.get(call.persona_id ?? '')}
          knowsPersonas={personas.data !== undefined}
        />
      ))}
    </Table>
  )
}

function CallRow({
  call,
  callee,
  persona,
  knowsPersonas,
}: {
  call: Call
  callee: Callee | undefined
  persona: string | undefined
  /** Whether the personas that can be used are read. */
  knowsPersonas: boolean
}) {
  const { orgId } = useScope()
  const { call_id: callId, mode, to_number, persona_id, instructions, duration_seconds, created_at } = call
  const { kind, word } = callState(call)
  const number = to_number === null ? 'an erased number' : phoneWords(to_number)
  return (
    <tr>
      <th scope="row">
        <span className="rail">
          {callee && <Initials name={callee.name} />}
          <Link className="cut link" to="/o/$orgId/calls/$callId" params={{ orgId, callId }}>
            {callee?.name ?? number}
          </Link>
          {callee && <span className="cut three t12 opt">{number}</span>}
        </span>
      </th>
      <td className="opt" title={instructions ?? undefined}>
        {instructions ?? <span className="three">–</span>}
      </td>
      <td className="opt">
        {persona ?? <span className="three">{persona_id !== null && knowsPersonas ? 'archived' : '–'}</span>}
      </td>
      <td>
        <span className="rail">
          <State kind={kind}>{word}</State>
          {mode === 'test' && <Tag kind="test">test</Tag>}
        </span>
      </td>
      <td className="opt">
        {duration_seconds ? talkTime(duration_seconds) : <span className="three">–</span>}
      </td>
      <td className="opt">
        <Time at={created_at} />
      </td>
    </tr>
  )
}
