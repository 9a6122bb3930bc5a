import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { CloseReasonList, Event } from '../../../../sdk/src/generated/types.ts'
import { phoneWords } from '../../parts/phone-number.ts'
import { apiKeysQuery } from '../../queries/api-keys.ts'
import { connectionsQuery } from '../../queries/crm-connections.ts'
import { formsQuery } from '../../queries/forms.ts'
import { membersQuery } from '../../queries/members.ts'
import { personasQuery } from '../../queries/personas.ts'
import { numbersQuery } from '../../queries/voice-numbers.ts'
import { endpointsQuery } from '../../queries/webhook-endpoints.ts'
import { writeKeysQuery } from '../../queries/write-keys.ts'
import { reasonsQuery } from '../../records/deals/queries.ts'
import { segmentsQuery } from '../../records/segments/segment-queries.ts'
import { fieldsQuery } from '../../records/use-fields.ts'
import { useScope } from '../../shell/scope.tsx'

const records = ['contacts:read', 'companies:read', 'deals:read']

type Named = readonly (readonly [id: string, name: string])[]

/**
 * Returns the names of members, keys, forms, fields and other settings that events are about, by id. A list is read only if
 * an event is about one of its things. Deleted things have no name.
 */
export function useSettingNames(events: readonly Event[]): ReadonlyMap<string, string> {
  const scope = useScope()
  const { can } = scope
  /** Whether the list of a kind is needed, and one of the permissions lets the person read it. */
  const reads = (kind: string, ...permissions: string[]) =>
    permissions.some(can) && events.some(({ type }) => type.startsWith(`${kind}.`))
  const names: readonly Named[] = [
    useNames(membersQuery(scope), reads('member', 'members:read'), (members) =>
      members.map(({ member_id, name }) => [member_id, name]),
    ),
    useNames(apiKeysQuery(scope), reads('api_key', 'api_keys:read'), ({ keys }) =>
      keys.map(({ api_key_id, name }) => [api_key_id, name]),
    ),
    useNames(writeKeysQuery(scope), reads('write_key', 'tracking:read'), (keys) =>
      keys.map(({ write_key_id, name }) => [write_key_id, name]),
    ),
    useNames(personasQuery(scope), reads('persona', 'personas:read'), (personas) =>
      personas.map(({ persona_id, name }) => [persona_id, name]),
    ),
    useNames(endpointsQuery(scope), reads('webhook_endpoint', 'webhooks:read'), ({ data }) =>
      data.map(({ endpoint_id, url }) => [endpoint_id, url]),
    ),
    useNames(formsQuery(scope), reads('form', 'forms:read'), (forms) =>
      forms.map(({ form_id, name }) => [form_id, name]),
    ),
    useNames(fieldsQuery(scope), reads('field', ...records), ({ fields }) =>
      fields.map(({ field_id, label }) => [field_id, label]),
    ),
    useNames(
      reasonsQuery(scope, false),
      reads('close_reason', 'deals:read', 'close_reasons:read'),
      nameReasons,
    ),
    useNames(
      reasonsQuery(scope, true),
      reads('close_reason', 'deals:read', 'close_reasons:read'),
      nameReasons,
    ),
    useNames(segmentsQuery(scope), reads('segment', ...records), (segments) =>
      segments.map(({ segment_id, name }) => [segment_id, name]),
    ),
    useNames(connectionsQuery(scope), reads('crm_connection', 'crm:read'), (connections) =>
      connections.map(({ connection_id, name }) => [connection_id, name]),
    ),
    useNames(numbersQuery(scope), reads('voice_number', 'voice:read'), (numbers) =>
      numbers.map(({ number_id, number }) => [number_id, phoneWords(number)]),
    ),
  ]
  return new Map(names.flat())
}

function useNames<Data, Key extends readonly unknown[]>(
  query: UseQueryOptions<Data, Error, Data, Key>,
  enabled: boolean,
  namesOf: (data: Data) => Named,
): Named {
  // Lists that other pages poll are read once here: a name rarely changes.
  const { data } = useQuery({ ...query, enabled, refetchInterval: false })
  return enabled && data !== undefined ? namesOf(data) : []
}

const nameReasons = ({ close_reasons: reasons }: CloseReasonList): Named =>
  reasons.map(({ close_reason_id, label }) => [close_reason_id, label])
