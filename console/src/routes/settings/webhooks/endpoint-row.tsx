import type { WebhookEndpoint } from '../../../../../sdk/src/generated/types.ts'
import { State } from '../../../parts/state.tsx'
import { Tag } from '../../../parts/tag.tsx'
import { Time } from '../../../parts/time.tsx'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { statusOf, typesInWords } from './status.ts'

/** Shows one endpoint, with the link to its page. */
export function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { orgId } = useScope()
  const { endpoint_id, url, description, types, payload, include_clients, last_success_at } = endpoint
  const { kind, word, why } = statusOf(endpoint)
  return (
    <tr>
      <th scope="row" title={description ? `${url}\n${description}` : url}>
        <span className="rail">
          <Link
            className="cut link"
            to="/o/$orgId/settings/webhooks/$endpointId"
            params={{ orgId, endpointId: endpoint_id }}
          >
            {description || url.replace(/^https:\/\//, '')}
          </Link>
          {description && <span className="cut grow three t12 opt">{url.replace(/^https:\/\//, '')}</span>}
          <span className="rail opt">
            {payload === 'thin' && <Tag>thin</Tag>}
            {include_clients && <Tag>clients</Tag>}
          </span>
        </span>
      </th>
      <td title={why ?? undefined}>
        <span className="rail">
          <State kind={kind}>{word}</State>
          {why && <span className="cut t12 opt">{why}</span>}
        </span>
      </td>
      <td className="opt" title={types.join(', ')}>
        {typesInWords(types)}
      </td>
      <td className="opt">
        <Time at={last_success_at} />
      </td>
    </tr>
  )
}
